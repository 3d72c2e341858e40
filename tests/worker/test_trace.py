"""A traced call tells what its own lines assign, in order."""

from __future__ import annotations

import numpy as np

from autograder.model.outcome import Assigned, Raised, Returned
from tests.worker.conftest import QUICK, Start

GENEROUS = QUICK.model_copy(update={"call_seconds": 5.0})

ATTENTION = """
import numpy as np

def scores(Q, K):
    S = Q @ K.T
    return S

def attention(Q, K, V):
    S = scores(Q, K) / 2
    A = np.exp(S)
    A /= A.sum(axis=1, keepdims=True)
    O = np.zeros((Q.shape[0], V.shape[1]))
    for i in range(2):
        O[i] = A[i] @ V
    name = "not a number"
    return O, A

def fails(Q):
    S = Q * 2
    return S @ Q

def catches(Q):
    try:
        [][0]
    except IndexError:
        n = 1
    return n

def comprehends():
    total = sum([x * x for x in range(3)])
    return total

def several_lines(Q):
    S = (
        Q
        @ Q.T
    )
    return S

def loops():
    x = 0
    for i in range(1000):
        x = x + 1
    return x

def large():
    A = np.zeros(1 << 20)
    b = 1
    return b

def odd():
    class Odd(float):
        __eq__ = None
        def __class_getitem__(cls, x): return cls
    x = float("nan")
    x = float("nan")
    return x

counts = [0]
def helper():
    return (lambda a: a + 1)(1)
"""
Q = np.array([[1.0, 0.0], [0.0, 1.0]])


def traced(start: Start, function: str, *arguments: object) -> list[tuple[int, str, object]]:
    """Return line, name and value of every assignment of a call."""
    outcome = start(ATTENTION, GENEROUS).call(function, list(arguments), trace=True)  # type: ignore[arg-type]
    assert isinstance(outcome, Returned | Raised)
    return [(entry.line, entry.name, listed(entry)) for entry in outcome.trace]


def listed(entry: Assigned) -> object:
    value = entry.value
    if isinstance(value, tuple):
        return tuple(np.asarray(part).tolist() for part in value)
    return np.asarray(value).tolist()


def test_assignments_come_in_order_with_line_name_and_a_copy(start: Start) -> None:
    e = float(np.exp(0.5))
    S, A0 = [[0.5, 0], [0, 0.5]], [[e, 1], [1, e]]
    a, b = e / (e + 1), 1 / (e + 1)
    A = [[a, b], [b, a]]

    actual = traced(start, "attention", Q, Q, Q)

    expected = [
        (5, "S", Q.tolist()),
        (6, "return", Q.tolist()),
        (9, "S", S),
        (10, "A", A0),
        (11, "A", A),
        (12, "O", [[0, 0], [0, 0]]),
        (13, "i", 0),
        (14, "O", [A[0], [0, 0]]),
        (13, "i", 1),
        (14, "O", A),
        (16, "return", (A, A)),
    ]
    assert [entry[:2] for entry in actual] == [entry[:2] for entry in expected]
    for (_, _, value), (_, _, wanted) in zip(actual, expected, strict=True):
        assert np.allclose(value, wanted)  # type: ignore[arg-type]


def test_a_call_that_raises_tells_what_it_assigned_until_then(start: Start) -> None:
    outcome = start(ATTENTION).call("fails", [np.ones((2, 3))], trace=True)

    assert isinstance(outcome, Raised)
    assert [(entry.line, entry.name) for entry in outcome.trace] == [(19, "S")]


def test_an_exception_that_is_caught_is_no_return(start: Start) -> None:
    assert traced(start, "catches", Q) == [(26, "n", 1), (27, "return", 1)]


def test_a_comprehension_belongs_to_its_line(start: Start) -> None:
    assert traced(start, "comprehends") == [(30, "total", 5), (31, "return", 5)]


def test_an_assignment_over_several_lines_has_the_line_it_begins_at(start: Start) -> None:
    assert [entry[:2] for entry in traced(start, "several_lines", Q)] == [(34, "S"), (38, "return")]


def test_a_loop_is_noted_forty_times_a_line(start: Start) -> None:
    actual = traced(start, "loops")

    assert [value for line, name, value in actual if name == "x"] == [0, *range(1, 41)]
    assert actual[-1] == (44, "return", 1000)


def test_an_array_that_is_too_large_is_left_out(start: Start) -> None:
    assert traced(start, "large") == [(48, "b", 1), (49, "return", 1)]


def test_a_nan_bound_again_is_noted_once(start: Start) -> None:
    assert [entry[:2] for entry in traced(start, "odd")] == [(55, "x"), (57, "return")]


def test_a_call_without_trace_has_none(start: Start) -> None:
    outcome = start(ATTENTION).call("scores", [Q, Q])

    assert isinstance(outcome, Returned)
    assert outcome.trace == ()


def test_a_thousand_assignments_are_cut_at_two_hundred(start: Start) -> None:
    source = "def f():\n" + "".join(f"    x{i} = {i}\n" for i in range(1000)) + "    return 1\n"
    outcome = start(source, GENEROUS).call("f", [], trace=True)

    assert isinstance(outcome, Returned)
    assert len(outcome.trace) == 200
    assert outcome.value == 1
