"""Run one call and note what its own statements assign: line, name and a copy of the array or number."""

from __future__ import annotations

import dis
import inspect
import sys
import types
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from .values import simplify

#: Assignments noted in all, and of one line; bytes of arrays in all; bytes of an array that is compared.
ASSIGNMENTS, PER_LINE, BYTES, COMPARED = 200, 40, 256 << 10, 64 << 10
RETURN = "return"

_NUMBERS = (bool, int, float, np.number, np.bool_)
_NOTED = (np.ndarray, *_NUMBERS)
_MISSING = object()


class _Frame:
    """What is known of one running function: the line it is at and its variables before that line."""

    __slots__ = ("ignored", "line", "raising", "seen")

    def __init__(self, frame: types.FrameType) -> None:
        self.line = frame.f_lineno
        self.ignored = _comprehension_variables(frame.f_code)
        self.seen = {name: _fingerprint(value) for name, value in _variables(frame).items()}
        self.raising = False


class Tracer:
    """Collects (line, name, value) in order of execution, from the functions of one file only."""

    def __init__(self, filename: str) -> None:
        self.filename = filename
        self.assigned: list[tuple[int, str, Any]] = []
        self._room = BYTES
        self._per_line: dict[int, int] = {}

    def run(self, function: Callable[..., Any], arguments: Sequence[Any]) -> Any:
        """Return function(*arguments), or raise what it raises; `assigned` holds what was seen until then."""
        if sys.version_info >= (3, 12):
            monitoring = _Monitoring(self)
            monitoring.begin()
            try:
                return function(*arguments)
            finally:
                sys.settrace(None)  # whatever the function has set would follow the next lines too
                monitoring.end()
        sys.settrace(self._enter)
        try:
            return function(*arguments)
        finally:
            sys.settrace(None)

    def follows(self, code: types.CodeType) -> bool:
        """Whether code is a function of the file; comprehensions are part of the line they stand in."""
        if code.co_filename != self.filename or not code.co_flags & inspect.CO_OPTIMIZED:  # a class's body
            return False
        return code.co_name[0] != "<" or code.co_name == "<lambda>"

    @property
    def full(self) -> bool:
        """Whether no more is noted."""
        return len(self.assigned) >= ASSIGNMENTS

    def _enter(self, frame: types.FrameType, event: str, argument: Any) -> Any:
        if not self.follows(frame.f_code) or self.full:
            return None
        state = _Frame(frame)

        def follow(frame: types.FrameType, event: str, argument: Any) -> Any:
            self.compare(frame, state)
            if event == "return" and not state.raising:
                self.note(state.line, RETURN, argument)
            state.raising = event == "exception"
            state.line = frame.f_lineno
            return None if self.full else follow

        return follow

    def compare(self, frame: types.FrameType, state: _Frame) -> None:
        """Note the variables that differ from what they were before the line that has run."""
        for name, value in _variables(frame).items():
            actual = _fingerprint(value)
            if name not in state.ignored and state.seen.get(name, _MISSING) != actual:
                state.seen[name] = actual
                self.note(state.line, name, value)

    def note(self, line: int, name: str, value: Any) -> None:
        """Keep a copy of a value that a line has assigned, if there is room."""
        count = self._per_line.get(line, 0)
        if self.full or count >= PER_LINE:
            return
        size = _size(value)
        if size is None or size > self._room:
            return
        self._room -= size
        self._per_line[line] = count + 1
        self.assigned.append((line, name[:100], _copy(value)))


if sys.version_info >= (3, 12):

    class _Monitoring:
        """Has a tracer told of the lines of its file's functions by sys.monitoring, which leaves all other code alone.

        What other code there is (numpy's, the standard library's) is told off at its first event and runs at
        full speed from then on.
        """

        def __init__(self, tracer: Tracer) -> None:
            self._tracer = tracer
            self._states: dict[types.FrameType, _Frame] = {}
            self._tool = sys.monitoring.DEBUGGER_ID

        def begin(self) -> None:
            """Take the tool's place, from whoever left it taken, and ask for the events."""
            events = sys.monitoring.events
            if sys.monitoring.get_tool(self._tool) is not None:
                sys.monitoring.free_tool_id(self._tool)
            sys.monitoring.use_tool_id(self._tool, "trace")
            for event, callback in (
                (events.PY_START, self._start),
                (events.LINE, self._line),
                (events.PY_RETURN, self._return),
                (events.PY_UNWIND, self._unwind),
            ):
                sys.monitoring.register_callback(self._tool, event, callback)
            sys.monitoring.restart_events()
            sys.monitoring.set_events(
                self._tool, events.PY_START | events.LINE | events.PY_RETURN | events.PY_UNWIND
            )

        def end(self) -> None:
            """Ask for no more and free the place, if the function has not done so itself."""
            if sys.monitoring.get_tool(self._tool) is not None:
                sys.monitoring.set_events(self._tool, sys.monitoring.events.NO_EVENTS)
                sys.monitoring.free_tool_id(self._tool)

        def _start(self, code: types.CodeType, offset: int) -> Any:
            if not self._tracer.follows(code):
                return sys.monitoring.DISABLE
            frame = sys._getframe(1)
            if not self._tracer.full:
                self._states[frame] = _Frame(frame)
            return None

        def _line(self, code: types.CodeType, line: int) -> Any:
            if not self._tracer.follows(code):
                return sys.monitoring.DISABLE
            frame = sys._getframe(1)
            state = self._states.get(frame)
            if state is not None:
                self._tracer.compare(frame, state)
                state.line = line
            return None

        def _return(self, code: types.CodeType, offset: int, value: Any) -> Any:
            if not self._tracer.follows(code):
                return sys.monitoring.DISABLE
            frame = sys._getframe(1)
            state = self._states.pop(frame, None)
            if state is not None:
                self._tracer.compare(frame, state)
                self._tracer.note(state.line, RETURN, value)
            return None

        def _unwind(self, code: types.CodeType, offset: int, error: BaseException) -> None:
            frame = sys._getframe(1)
            state = self._states.pop(frame, None)
            if state is not None:
                self._tracer.compare(frame, state)


def _comprehension_variables(code: types.CodeType) -> frozenset[str]:
    """Return the variables of comprehensions, which from Python 3.12 on are run within their function."""
    if sys.version_info < (3, 12):
        return frozenset()
    steps = dis.get_instructions(code)
    return frozenset(step.argval for step in steps if step.opname == "LOAD_FAST_AND_CLEAR")


def _variables(frame: types.FrameType) -> dict[str, Any]:
    """Return the frame's variables that hold arrays or numbers."""
    return {name: value for name, value in dict(frame.f_locals).items() if isinstance(value, _NOTED)}


def _fingerprint(value: Any) -> Any:
    """Return something that differs once the variable is bound anew or its array is written to."""
    if isinstance(value, np.ndarray):
        contents = value.tobytes() if value.nbytes <= COMPARED else b""
        return id(value), np.ndarray.shape.__get__(value), contents
    return type(value), value if value == value else "nan"


def _size(value: Any) -> int | None:
    """Return the bytes a value takes up in the trace; None if it is not of a kind that is noted."""
    if isinstance(value, np.ndarray):
        return int(value.nbytes)
    if isinstance(value, _NUMBERS):
        return 8
    if isinstance(value, tuple) and len(value) <= 8:
        sizes = [_size(part) for part in tuple.__iter__(value)]
        return None if None in sizes else sum(size or 0 for size in sizes)
    return None


def _copy(value: Any) -> Any:
    if isinstance(value, np.ndarray):
        return simplify(np.array(value, subok=False))
    if isinstance(value, tuple):
        return tuple(_copy(part) for part in tuple.__iter__(value))
    return simplify(value)
