"""How a file loads: encodings, failures and what exists after them."""

from __future__ import annotations

import pytest

from autograder.model.outcome import Died, NoFunction, Raised, Returned
from tests.worker.conftest import QUICK, Start

LOADABLE = {
    "a byte order mark": b"\xef\xbb\xbfdef f(): return 'ok'\n",
    "CRLF": b"def f():\r\n    return 'ok'\r\n",
    "a declared Latin-1 text": b"# coding: latin-1\ndef f(): return 'ok' if '\xe9' == chr(233) else 'no'\n",
    "a declared cp1252 comment": b"# coding: cp1252\n# \x80\ndef f(): return 'ok'\n",
    "an undeclared Latin-1 comment": b"# caf\xe9\ndef f(): return 'ok'\n",
    "no line end": b"def f(): return 'ok'",
    "tabs": b"def f():\n\treturn 'ok'\n",
}


@pytest.mark.parametrize("source", LOADABLE.values(), ids=LOADABLE.keys())
def test_a_file_that_python_reads_is_loaded(start: Start, source: bytes) -> None:
    worker = start(source)

    assert worker.loaded.failure is None
    assert worker.call("f", []) == Returned("ok")


UNREADABLE = {
    "an undeclared Latin-1 text": (b"x = 1\ny = '\xe9'\n", "SyntaxError", 2, "utf-8"),
    "UTF-16": ("def f(): return 1\n".encode("utf-16"), "SyntaxError", None, "UTF-16"),
    "a null byte": (b"x = 1\0\n", "SyntaxError", None, "null bytes"),
    "a Markdown fence": (b"```python\nx = 1\n```\n", "SyntaxError", 1, "invalid syntax"),
    "an unknown encoding": (b"# coding: nonsense\n", "SyntaxError", None, "nonsense"),
    "mixed tabs and spaces": (b"if 1:\n        x = 1\n\ty = 2\n", "TabError", 3, "tabs"),
    "a missing colon": (b"x = 1\n\ndef f()\n    pass\n", "SyntaxError", 3, "expected ':'"),
    "three hundred brackets": (b"(" * 300, "SyntaxError", 1, "nested"),
}


@pytest.mark.parametrize(("source", "name", "line", "words"), UNREADABLE.values(), ids=UNREADABLE.keys())
def test_a_file_that_python_cannot_read_says_why_and_where(
    start: Start, source: bytes, name: str, line: int | None, words: str
) -> None:
    loaded = start(source).loaded

    assert isinstance(loaded.failure, Raised)
    assert (loaded.failure.type_name, loaded.failure.line) == (name, line)
    assert words in loaded.failure.message
    assert loaded.names == ()


def test_an_empty_file_is_loaded_and_has_no_names(start: Start) -> None:
    loaded = start(b"").loaded

    assert (loaded.failure, loaded.names) == (None, ())


def test_what_was_bound_before_an_exception_can_be_called(start: Start) -> None:
    worker = start("def f(): return 1\nraise ValueError('stop')\ndef g(): return 2\n")

    assert isinstance(worker.loaded.failure, Raised)
    assert (worker.loaded.failure.line, worker.loaded.failure.message) == (2, "stop")
    assert [found.name for found in worker.loaded.names] == ["f"]
    assert worker.call("f", []) == Returned(1)
    assert worker.call("g", []) == NoFunction()


@pytest.mark.parametrize("ending", ["import sys; sys.exit(3)", "raise SystemExit", "quit()"])
def test_a_file_that_asks_the_interpreter_to_end_has_nothing_to_call(start: Start, ending: str) -> None:
    worker = start(f"def f(): return 1\n{ending}\n")

    assert isinstance(worker.loaded.failure, Raised)
    assert worker.loaded.failure.type_name in ("SystemExit", "NameError")
    if worker.loaded.failure.type_name == "SystemExit":
        assert worker.loaded.names == ()
        assert worker.call("f", []) == NoFunction()


def test_a_file_that_ends_its_process_has_died(start: Start) -> None:
    worker = start("import os\nos._exit(0)\n")

    assert worker.loaded.failure == Died("exited", "exit 0")
    assert not worker.alive
    assert worker.call("f", []) == Died("exited", "exit 0")


def test_a_file_that_loops_is_stopped_at_the_limit(start: Start) -> None:
    assert start("while True: pass\n").loaded.failure == Died("timed_out", seconds=QUICK.load_seconds)


def test_what_a_script_guards_for_its_own_start_is_not_run(start: Start) -> None:
    worker = start("def f(): return __name__\nif __name__ == '__main__': raise ValueError\n")

    assert worker.loaded.failure is None
    assert worker.call("f", []) == Returned("attention")


def test_the_module_can_be_imported_by_its_own_name(start: Start) -> None:
    worker = start("def f():\n    import attention\n    return attention.g()\ndef g(): return 4\n")

    assert worker.call("f", []) == Returned(4)


def test_a_file_named_like_a_module_of_python_takes_no_other_modules_place(start: Start) -> None:
    worker = start("import random\ndef f(): return random.Random(1).random() < 1\n", filename="random.py")

    assert worker.call("f", []) == Returned(True)


NAMES = """
import math
import functools
from functools import lru_cache, wraps
import numpy as np
from numpy import exp, dot
from math import sqrt

scale_factor = 2
def two(a, b): pass
def optional(a, b=1, *, c=2): pass
def many(a, *rest, **others): pass
_private = lambda x: x
half = functools.partial(two, 1)
named = functools.partial(optional, b=3)
vectorised = np.vectorize(lambda x, y: x)
renamed = np.tanh

def decorator(f):
    @wraps(f)
    def inner(*arguments): return f(*arguments)
    return inner

@decorator
def wrapped(Q, K, V): pass

@lru_cache
def cached(n): pass

class Layer:
    def __call__(self, x): pass
    __signature__ = property(lambda self: 1 / 0)

layer = Layer()
method = layer.__call__
soft__max = None
"""


def test_names_come_with_kind_and_parameter_counts(start: Start) -> None:
    found = {name.name: (name.kind, name.required, name.accepted) for name in start(NAMES).loaded.names}

    assert found == {
        "scale_factor": ("value", None, None),
        "two": ("function", 2, 2),
        "optional": ("function", 1, 2),
        "many": ("function", 1, None),
        "_private": ("function", 1, 1),
        "half": ("function", 1, 1),
        "named": ("function", 1, 1),
        "vectorised": ("function", 2, 2),
        "renamed": ("function", 1, 2),
        "decorator": ("function", 1, 1),
        "wrapped": ("function", 3, 3),
        "cached": ("function", 1, 1),
        "Layer": ("class", None, None),
        "layer": ("function", None, None),
        "method": ("function", 1, 1),
        "soft__max": ("value", None, None),
    }


def test_names_come_with_the_line_of_their_definition(start: Start) -> None:
    lines = {name.name: name.line for name in start("x = 1\n\ndef f():\n    pass\n").loaded.names}

    assert lines == {"x": None, "f": 3}


def test_the_list_of_names_is_bounded(start: Start) -> None:
    loaded = start("for i in range(5000): globals()[f'x{i}'] = i\nglobals()['not a name'] = 1\n").loaded

    assert len(loaded.names) == 300


def test_what_is_printed_while_loading_arrives_cut(start: Start) -> None:
    loaded = start("print('hello')\nprint('x' * 1000)\n").loaded

    assert loaded.printed == "hello\n" + "x" * (QUICK.output_chars - 6)


MODULES = """
import sys
def f():
    return ",".join(name for name in sys.modules if "autograder" in name or "inside" in name)
def g():
    import autograder
"""


def test_nothing_of_the_house_is_in_the_process_but_what_is_meant_to(start: Start) -> None:
    outcome = start(MODULES).call("f", [])

    assert isinstance(outcome, Returned)
    assert isinstance(outcome.value, str)
    names = set(outcome.value.split(","))
    assert names >= {"inside", "inside.wire", "inside.child"}
    assert all(name == "inside" or name.startswith("inside.") for name in names)


def test_the_house_cannot_be_imported(start: Start) -> None:
    outcome = start(MODULES).call("g", [])

    assert isinstance(outcome, Raised)
    assert outcome.type_name == "ModuleNotFoundError"
