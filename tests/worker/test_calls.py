"""What a call brings back: values, changes, exceptions with their place, printed text."""

from __future__ import annotations

import numpy as np
import pytest

from autograder.model.outcome import FunctionArgument, Listed, NoFunction, Raised, Returned, Unsendable
from autograder.worker.inside import functions
from tests.worker.conftest import QUICK, Start

S = np.arange(6.0).reshape(2, 3)


def test_arrays_come_back_as_they_are(start: Start) -> None:
    outcome = start("def f(S): return S.T, S.sum(), 'text', None\n").call("f", [S])

    assert isinstance(outcome, Returned)
    transposed, total, text, nothing = outcome.value  # type: ignore[misc]
    assert np.array_equal(transposed, S.T)
    assert (total, type(total), text, nothing) == (15.0, np.float64, "text", None)


def test_lists_and_odd_values_are_told_apart(start: Start) -> None:
    worker = start("async def f(): pass\ndef g(): return [[1, 2]]\n")
    listed = worker.call("g", [])

    assert worker.call("f", []) == Returned(Unsendable("coroutine"))
    assert worker.call("f", []) == Returned(Unsendable("coroutine"))
    assert isinstance(listed, Returned)
    assert isinstance(listed.value, Listed)
    assert (listed.value.was, listed.value.array.tolist()) == ("list", [[1, 2]])


def test_a_name_that_is_not_there_and_one_that_cannot_be_called(start: Start) -> None:
    worker = start("x = 3\n")

    assert (worker.call("f", []), worker.call("x", [])) == (NoFunction(), NoFunction("int"))


def test_a_changed_argument_is_reported_and_the_next_call_gets_the_old_one(start: Start) -> None:
    worker = start("def f(S, T):\n    T[0, 0] = 9\n    return S.sum()\n")

    for _ in range(2):
        outcome = worker.call("f", [S, S])
        assert isinstance(outcome, Returned)
        assert list(outcome.changed) == [1]
        assert outcome.changed[1][0, 0] == 9  # type: ignore[index, call-overload]
    assert S[0, 0] == 0


CHANGES = {
    "a NaN over another NaN": ("S[0, 0] = np.nan", np.array([[np.nan]]), False),
    "minus zero over zero": ("S[0, 0] = -0.0", np.array([[0.0]]), True),
    "another shape": ("S.shape = (2, 1)", np.array([[1.0, 2.0]]), True),
    "there and back": ("S += 1.0; S -= 1.0", np.array([[1.0, 2.0]]), False),
    "nothing, in another byte order": ("pass", np.array([[1.0, 2.0]], ">f8"), False),
    "a number in another byte order": ("S[0, 0] = 2", np.array([[1, 2]], ">i4"), True),
}


@pytest.mark.parametrize(("statement", "given", "changed"), CHANGES.values(), ids=CHANGES.keys())
def test_a_change_is_one_of_bits(start: Start, statement: str, given: np.ndarray, changed: bool) -> None:
    outcome = start(f"import numpy as np\ndef f(S):\n    {statement}\n").call("f", [given])

    assert isinstance(outcome, Returned)
    assert bool(outcome.changed) == changed


FAILING = """
import numpy as np

def outer(S):
    half = S / 2
    return inner(half)

def inner(S):
    row = S[0]
    return S @ row[:2]
"""


def test_an_exception_comes_with_its_own_lines_and_shapes(start: Start) -> None:
    outcome = start(FAILING).call("outer", [S])

    assert isinstance(outcome, Raised)
    assert (outcome.type_name, outcome.line, outcome.function) == ("ValueError", 10, "inner")
    assert outcome.frames == (("outer", 6), ("inner", 10))
    assert outcome.shapes == {"S": (2, 3), "row": (3,)}


def test_the_line_is_the_files_own_when_the_exception_comes_from_numpy(start: Start) -> None:
    outcome = start("import numpy as np\ndef f():\n\n    return np.linalg.inv(np.zeros((2, 2)))\n").call(
        "f", []
    )

    assert isinstance(outcome, Raised)
    assert (outcome.type_name, outcome.line) == ("LinAlgError", 4)


@pytest.mark.parametrize(
    "name", ["KeyboardInterrupt", "SystemExit", "GeneratorExit", "MemoryError", "RecursionError"]
)
def test_every_kind_of_exception_is_raised_and_not_a_death(start: Start, name: str) -> None:
    worker = start(f"def f(): raise {name}\n")

    assert worker.call("f", []).type_name == name  # type: ignore[union-attr]
    assert worker.alive


def test_an_endless_recursion_is_raised_with_a_bounded_traceback(start: Start) -> None:
    outcome = start("def f(): return f()\n").call("f", [])

    assert isinstance(outcome, Raised)
    assert (outcome.type_name, len(outcome.frames)) == ("RecursionError", 20)


MESSAGES = {
    "raises": ("raise ValueError", "<no message>"),
    "is not text": ("return 3", "<no message>"),
    "is long": ("return 'x' * 10_000_000", "x" * 2000),
}


@pytest.mark.parametrize(("body", "message"), MESSAGES.values(), ids=MESSAGES.keys())
def test_an_exception_whose_text(start: Start, body: str, message: str) -> None:
    worker = start(f"class E(Exception):\n    def __str__(self): {body}\ndef f(): raise E\n")
    outcome = worker.call("f", [])

    assert isinstance(outcome, Raised)
    assert (outcome.type_name, outcome.message) == ("E", message)


def test_more_memory_than_allowed_is_a_memory_error(start: Start) -> None:
    outcome = start("import numpy as np\ndef f(): return np.ones((1 << 28,)).sum()\n").call("f", [])

    assert isinstance(outcome, Raised)
    assert outcome.type_name == "MemoryError"
    assert "Unable to allocate" in outcome.message


def test_printed_text_is_kept_call_by_call_up_to_the_limit(start: Start) -> None:
    worker = start("def f(n): print('x' * n)\n")

    assert worker.call("f", [3]).printed == "xxx\n"  # type: ignore[union-attr]
    assert worker.call("f", [100_000]).printed == "x" * QUICK.output_chars  # type: ignore[union-attr]
    assert worker.call("f", [1]).printed == "x\n"  # type: ignore[union-attr]


PRINTING = """
import os, sys, warnings, logging
import numpy as np
sys.stdout.reconfigure(encoding="utf-8")
def f():
    sys.stdout.buffer.write(b"bytes ")
    print("text", end=" ", flush=True)
    sys.stderr.write("error ")
    os.write(1, b"not seen")
    try:
        input("? ")
    except EOFError:
        print("no input")
def g():
    return np.exp(np.array([1000.0]))
"""


def test_printing_and_reading_in_other_ways(start: Start) -> None:
    outcome = start(PRINTING).call("f", [])

    assert outcome == Returned(None, printed="bytes text error ? no input\n")


def test_a_warning_of_numpy_is_printed_by_each_call_with_its_line(start: Start) -> None:
    worker = start(PRINTING)
    first, second = worker.call("g", []), worker.call("g", [])

    assert isinstance(first, Returned)
    assert isinstance(second, Returned)
    assert first.printed.startswith("attention.py:15: RuntimeWarning: overflow encountered in exp")
    assert second.printed == first.printed


def test_the_same_file_draws_the_same_numbers_in_every_process(start: Start) -> None:
    source = (
        "import random\nimport numpy as np\ndef f(): return random.random(), np.random.rand(), hash('a')\n"
    )

    assert start(source).call("f", []) == start(source).call("f", [])


def test_hot_errors_set_by_one_file_do_not_reach_the_next(start: Start) -> None:
    start("import numpy as np\nnp.seterr(all='raise')\n").loaded  # noqa: B018
    outcome = start("import numpy as np\ndef f(): return np.float64(1) / 0\n").call("f", [])

    assert isinstance(outcome, Returned)
    assert outcome.value == np.inf


def test_a_function_argument_is_built_in_the_process(start: Start) -> None:
    parameters = {"C": np.ones((2, 3)), "B": np.zeros((2, 3))}
    outcome = start("def g(f, M): return f(M), type(f(M)) is float\n").call(
        "g", [FunctionArgument("quadratic", parameters), S.astype(int)]
    )

    assert outcome == Returned((functions.build("quadratic", parameters)(S), True))


def test_a_function_argument_that_is_called_wrongly_raises_at_the_files_line(start: Start) -> None:
    worker = start("def g(f, M):\n    return f(M[0])\n")
    outcome = worker.call("g", [FunctionArgument("sines", {"W": S}), S])

    assert isinstance(outcome, Raised)
    assert outcome.line == 2
    assert outcome.message == "f takes an array of shape (2, 3), not (3,)"


def test_an_unknown_family_is_the_callers_mistake(start: Start) -> None:
    with pytest.raises(KeyError):
        start("def g(f): pass\n").call("g", [FunctionArgument("cubic", {})])


HONEST = """
import csv, collections, copy, dataclasses, datetime, functools, itertools, json, logging, math, random, re
import statistics, string, textwrap, time, timeit, traceback, typing, unittest, warnings
import numpy as np
import numpy.linalg as la
from numpy.lib.stride_tricks import sliding_window_view

@dataclasses.dataclass
class Result:
    a: int
    b: typing.Any = None

def f():
    rng = np.random.default_rng(1)
    X = rng.normal(size=(60, 60))
    results = [
        np.einsum("ij,jk->ik", X, X), la.svd(X)[1], la.pinv(X), la.eigh(X + X.T)[0], np.fft.fft(X).real,
        np.random.RandomState(0).rand(3), np.polyfit([1, 2, 3], [1, 4, 9], 2),
        sliding_window_view(X, 3, axis=0),
        np.ma.array([1, 2], mask=[0, 1]).sum(), np.ones((600, 600)) @ np.ones((600, 600)),
        np.testing.assert_allclose(X, X), np.apply_along_axis(np.sort, 1, X), np.vectorize(math.exp)(X),
    ]
    time.sleep(0.001)
    try:
        1 / 0
    except ZeroDivisionError:
        traceback.print_exc()
    logging.getLogger().warning("logged")
    warnings.warn("warned")
    datetime.datetime.now()
    json.loads(json.dumps({"a": [1, 2]}))
    return len(results), dataclasses.astuple(Result(1, 2)), np.show_config is not None
"""


def test_honest_code_finds_what_it_needs(start: Start) -> None:
    generous = QUICK.model_copy(update={"load_seconds": 5.0, "call_seconds": 5.0, "output_chars": 2000})
    outcome = start(HONEST, generous).call("f", [])

    assert isinstance(outcome, Returned)
    assert outcome.value == (13, (1, 2), True)
    assert "1 / 0" in outcome.printed
    assert "logged" in outcome.printed
    assert "UserWarning: warned" in outcome.printed
