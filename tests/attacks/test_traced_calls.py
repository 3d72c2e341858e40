"""The traced call, which looks at a submission's variables while it runs: hostile ones cost that call at most."""

import sys
from collections.abc import Iterator

import numpy as np
import pytest

from autograder.errors import IsolationUnavailable
from autograder.model.limits import Limits
from autograder.model.outcome import Assigned, Died, Raised, Returned
from autograder.worker.interface import Worker, Workshop
from autograder.worker.levels import open_workshop

LIMITS = Limits(
    call_seconds=0.6, load_seconds=10, submission_seconds=60, memory_mb=512, output_chars=1000, deaths=9
)

#: What the traced function does before it returns 1.0, by what it is; all in the names that a body may use.
BODIES = {
    "a number equal to nothing": "x = type('N', (float,), {'__eq__': lambda a, b: 1 / 0, '__hash__': None})(1)",
    "a number that ends the process": "x = type('N', (float,), {'__eq__': lambda a, b: os._exit(3)})(1)\ny = 1",
    "a number that takes its time": "x = type('N', (float,), {'__eq__': lambda a, b: time.sleep(9)})(1)\ny = 1",
    "an array that lies": "x = np.ones((2, 2)).view(Lies)\nx = x.view(Lies)\ny = 1",
    "an array of 200 MB": "x = np.ones(25 << 20)\ny = 1",
    "objects that cannot be shown": "x = [Odd(), {'a': Odd()}, (Odd(),)]\ny = Odd()\nz = Odd",
    "arrays of objects": "x = np.array([Odd(), Odd()], dtype=object)\ny = np.zeros(3, 'V8')\nz = np.array(['a'])",
    "a tuple of itself": "x = ([],)\nx[0].append(x)\nreturn x",
    "100,000 assignments": "for i in range(100_000): x = i",
    "a million calls": "for i in range(1_000_000): int(i)",
    "names without end": "exec(';'.join('v%d = %d' % (i, i) for i in range(3000)), globals(), locals())\nx = 1",
    "a long name": "exec('n' * 100_000 + ' = 1')\nx = 1",
    "tracing switched off": "sys.settrace(None)\nx = 1",
    "another tracer": "sys.settrace(lambda *given: 1 / 0)\nx = 1\nint()",
    "its own frame changed": "sys._getframe().f_trace = lambda *given: 1 / 0\nx = 1\ny = 2",
    "the tracer's frame changed": "tracer().__dict__.clear()\ntracer().assigned = None\nx = 1",
    "the tracer's list filled": "tracer().assigned.extend([(1, 'x', np.ones(9))] * 100_000)\nx = 1",
    "lies in the tracer's list": "tracer().assigned.extend([(1, 'x\\x1b[2J\\udc80', Odd()), 'text', None])\nx = 1",
    "an exception that cannot be shown": "raise type('E', (Exception,), {'__str__': lambda s: 1 / 0})",
    "deep recursion": "x = 1\nreturn f()",
}

SOURCE = """
import os, sys, time
import numpy as np

class Odd:
    def __getattr__(self, name):
        raise SystemExit
    def __eq__(self, other):
        raise KeyboardInterrupt
    __repr__ = __str__ = __bool__ = __len__ = __iter__ = __array__ = __hash__ = __eq__

class Lies(np.ndarray):
    shape = property(lambda self: (2**60,))
    nbytes = property(lambda self: 0)
    def tobytes(self, *given):
        raise SystemExit
    def __array_finalize__(self, other):
        self.note = 1
    def __eq__(self, other):
        return True

def tracer():
    frame = sys._getframe(1)
    while not hasattr(frame.f_locals.get("self"), "assigned"):
        frame = frame.f_back
    return frame.f_locals["self"]

def f():
%s
    return 1.0

def plain():
    x = 2.0
    return x
"""


@pytest.fixture(scope="module", params=["sandbox", "no-open", "portable"])
def workshop(request: pytest.FixtureRequest) -> Iterator[Workshop]:
    """A workshop of each level that this machine offers."""
    try:
        opened = open_workshop(request.param)
    except IsolationUnavailable as error:
        pytest.skip(str(error))
    with opened:
        yield opened


def started(workshop: Workshop, body: str) -> Worker:
    """A worker with that body in its function f."""
    indented = "".join(f"    {line}\n" for line in body.split("\n"))
    return workshop.start((SOURCE % indented).encode("utf-8"), "attention.py", LIMITS)


@pytest.mark.skipif(sys.platform == "win32", reason="signals and limits are others there")
@pytest.mark.parametrize("body", BODIES.values(), ids=BODIES)
def test_what_a_traced_call_meets_costs_that_call_at_most(workshop: Workshop, body: str) -> None:
    worker = started(workshop, body)
    try:
        outcome = worker.call("f", [], trace=True)
        after = worker.call("plain", [], trace=True)
    finally:
        worker.close()

    assert isinstance(outcome, Returned | Raised | Died)
    if isinstance(outcome, Died):
        assert after == outcome
    else:
        assert is_bounded(outcome.trace)
        assert isinstance(after, Returned)
        assert after.value == 2.0


def is_bounded(trace: tuple[Assigned, ...]) -> bool:
    """Whether a trace is short, of short names and plain values."""
    return (
        len(trace) <= 200
        and all(type(one.line) is int and len(one.name) <= 100 for one in trace)
        and sum(one.value.nbytes for one in trace if isinstance(one.value, np.ndarray)) <= 1 << 20
    )
