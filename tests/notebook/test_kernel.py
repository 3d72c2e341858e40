"""A kernel as a workshop: calls in this process have the outcomes a worker gives, lines in their cells."""

import linecache
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from autograder.model.limits import Limits
from autograder.model.outcome import FunctionArgument, Listed, NoFunction, Raised, Returned, Unsendable
from autograder.notebook.kernel import KernelWorkshop
from autograder.notebook.pages import Pages

LIMITS = Limits(output_chars=20)  # type: ignore[call-arg]
HELPER = "def helper(x):\n    raise ValueError('no')\n"
CELL = """\
import numpy as np

def good(S):
    print("seen")
    return S * 2

def changes(S):
    S[0] = 7
    return [1.0, 2.0]

def fails(S):
    T = np.zeros((2, 3))
    return helper(T)

def odd(S):
    return object()

def calls(f, S):
    return f(S)

def leaves(S):
    raise SystemExit(3)

def steps(S):
    A = S + 1
    return A
"""


@pytest.fixture
def worker() -> Iterator[Any]:
    """A worker on a namespace in which cells 2 and 5 were run."""
    namespace: dict[str, Any] = {"__name__": "__main__", "number": 3, "_hidden": 1, "In": []}
    cells = {"/tmp/kernel/a.py": (2, HELPER), "/tmp/kernel/b.py": (5, CELL)}
    for name, (_, text) in cells.items():
        linecache.cache[name] = (len(text), None, text.splitlines(keepends=True), name)
        exec(compile(text, name, "exec"), namespace)
    workshop = KernelWorkshop()
    workshop.namespace = namespace
    workshop.pages = Pages.of(
        namespace, lambda name: ("Cell", f"In[{cells[name][0]}]") if name in cells else None
    )
    yield workshop.start(b"", "attention.ipynb", LIMITS)
    for name in cells:
        linecache.cache.pop(name)


def test_a_call_returns_its_value_and_what_it_printed(worker: Any) -> None:
    outcome = worker.call("good", (np.ones((1, 2)),))

    assert isinstance(outcome, Returned)
    assert outcome.value.tolist() == [[2.0, 2.0]]
    assert (outcome.printed, dict(outcome.changed)) == ("seen\n", {})


def test_arguments_are_copies_and_a_change_is_noticed(worker: Any) -> None:
    given = np.zeros(2)
    outcome = worker.call("changes", (given,))

    assert given.tolist() == [0.0, 0.0]
    assert outcome.changed[0].tolist() == [7.0, 0.0]
    assert isinstance(outcome.value, Listed)


def test_an_exception_is_told_with_the_lines_of_all_cells_it_went_through(worker: Any) -> None:
    outcome = worker.call("fails", (np.ones(2),))
    submission = worker._pages.submission("attention.py")

    assert isinstance(outcome, Raised)
    assert (outcome.type_name, outcome.message, outcome.function) == ("ValueError", "no", "helper")
    assert [(name, submission.place(line)) for name, line in outcome.frames] == [
        ("fails", (5, 13)),
        ("helper", (2, 2)),
    ]
    assert submission.line(outcome.line) == "raise ValueError('no')"
    assert outcome.shapes == {"x": (2, 3)}


def test_an_exit_is_an_outcome_and_an_interrupt_is_the_users(worker: Any) -> None:
    def interrupted(S: Any) -> None:
        raise KeyboardInterrupt

    worker._namespace["interrupted"] = interrupted

    assert worker.call("leaves", (1.0,)).type_name == "SystemExit"
    with pytest.raises(KeyboardInterrupt):
        worker.call("interrupted", (1.0,))


def test_what_is_no_array_arrives_as_its_types_name(worker: Any) -> None:
    assert worker.call("odd", (1.0,)).value == Unsendable("object")


def test_functions_are_built_anew_for_the_call(worker: Any) -> None:
    square = FunctionArgument("quadratic", {"C": np.full((1, 2), 2.0), "B": np.zeros((1, 2))})

    assert worker.call("calls", (square, np.array([[1.0, 2.0]]))).value == 5.0


@pytest.mark.parametrize(("name", "found"), [("number", "int"), ("nowhere", None)])
def test_what_cannot_be_called_is_said(name: str, found: str | None, worker: Any) -> None:
    assert worker.call(name, (1.0,)) == NoFunction(found)


def test_a_traced_call_tells_what_its_lines_assign(worker: Any) -> None:
    outcome = worker.call("steps", (np.ones(1),), trace=True)
    submission = worker._pages.submission("attention.py")

    assert [(submission.line(one.line), one.name) for one in outcome.trace] == [
        ("A = S + 1", "A"),
        ("return A", "return"),
    ]


def test_the_names_are_those_that_were_written(worker: Any) -> None:
    names = {name.name for name in worker.loaded.names}

    assert {"good", "helper", "number"} <= names
    assert names.isdisjoint({"_hidden", "In", "np"})


def test_without_cells_the_page_is_the_file_of_the_functions() -> None:
    pages = Pages.of(globals(), None)
    submission = pages.submission("attention.py")

    assert (submission.file, submission.cells) == ("attention.py", ())
    assert submission.lines[0].startswith('"""A kernel as a workshop')
