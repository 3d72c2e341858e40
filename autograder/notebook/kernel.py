"""A kernel as a workshop: functions are called in this very process, on copies of the arguments.

Nothing here can end a call or keep it from anything; a call that takes too long is for the user to interrupt.
"""

from __future__ import annotations

import contextlib
import copy
import sys
import types
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, Self

import numpy as np

from autograder.model.limits import Limits
from autograder.model.outcome import Loaded, NoFunction, Outcome, Raised, Value
from autograder.notebook.pages import Pages
from autograder.worker import replies
from autograder.worker.inside import capture, functions, wire
from autograder.worker.inside.failure import describe
from autograder.worker.inside.inventory import take_inventory
from autograder.worker.inside.trace import Tracer
from autograder.worker.inside.values import simplify, type_name
from autograder.worker.interface import Request

#: What stands in an IPython namespace without having been written there.
_OF_IPYTHON = ("In", "Out", "exit", "quit", "open", "get_ipython")
_FRAMES = 20


class KernelWorkshop:
    """Makes workers on a namespace; see `autograder.worker.interface.Workshop`."""

    level: Any = "none (this kernel)"

    def __init__(self) -> None:
        self.namespace: Mapping[str, Any] = {}
        self.pages = Pages("", (), {})

    def start(self, source: bytes, filename: str, limits: Limits, cells: Sequence[int] = ()) -> KernelWorker:
        """A worker on the namespace as it is; the source was run before, and is not run again."""
        return KernelWorker(self.namespace, self.pages, limits)

    def close(self) -> None:
        """Nothing was started."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()


class KernelWorker:
    """Calls functions of a namespace; see `autograder.worker.interface.Worker`."""

    alive = True

    def __init__(self, namespace: Mapping[str, Any], pages: Pages, limits: Limits) -> None:
        self._namespace = namespace
        self._pages = pages
        self._limits = limits

    @property
    def loaded(self) -> Loaded:
        """The names that were written in the namespace."""
        module = types.ModuleType(str(self._namespace.get("__name__", "__main__")))
        written = {
            name: value
            for name, value in self._namespace.items()
            if not name.startswith("_") and name not in _OF_IPYTHON
        }
        module.__dict__.update(written)
        names, rows = take_inventory(module, "")
        return replies.loaded_from(
            _sent(wire.LOADED, wire.Text("\n".join(names)), rows, (), wire.Text("")), 0
        )

    def call(self, function: str, arguments: Sequence[Value], *, trace: bool = False) -> Outcome:
        """Call a function on copies; only an interrupt by the user is raised."""
        called = self._namespace.get(function)
        if not callable(called):
            return NoFunction(type_name(called) if function in self._namespace else None)
        own = [_own(replies.sendable(argument)) for argument in arguments]
        pristine = copy.deepcopy(own)
        printed = capture.Capture(self._limits.output_chars)
        tracer = _tracer(called) if trace else None
        failure: BaseException | None = None
        value: Any = None
        with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(printed):
            try:
                value = simplify(called(*own) if tracer is None else _traced(tracer, called, own))
            except (Exception, SystemExit) as error:
                failure = error
        text, trail = wire.Text(printed.take()), tuple(tracer.assigned) if tracer else ()
        if failure is not None:
            return self._raised(failure, text, self._in_pages(tracer, trail))
        changed = tuple(_changes(own, pristine))
        values = _sent(wire.RETURNED, value, changed, text, self._in_pages(tracer, trail))
        return replies.returned_from(values, len(own), self._limits.output_chars)

    def calls(self, requests: Sequence[Request], *, trace: bool = False) -> Iterator[Outcome]:
        """Make several calls one after the other."""
        return (self.call(function, arguments, trace=trace) for function, arguments in requests)

    def close(self) -> None:
        """Nothing was started."""

    def _raised(self, error: BaseException, printed: wire.Text, trail: tuple[Any, ...]) -> Raised:
        """The exception with the lines of the kernel's own cells, of whichever cell."""
        frames = _frames(error, self._pages)
        described = describe(error, frames[-1][0] if frames else "")
        raised = replies.raised_from(_sent(wire.RAISED, described, printed, trail), self._limits.output_chars)
        if not frames:
            return replace(raised, line=None)
        places = tuple((name, self._pages.line(file, line)) for file, name, line in frames)
        return replace(raised, line=places[-1][1], function=places[-1][0], frames=places[-_FRAMES:])

    def _in_pages(self, tracer: Tracer | None, trail: tuple[Any, ...]) -> tuple[Any, ...]:
        """What a tracer noted, by lines of the pages; nothing if its file is none of them."""
        if tracer is None or tracer.filename not in self._pages.files:
            return ()
        return tuple((self._pages.line(tracer.filename, line), *rest) for line, *rest in trail)


def _sent(kind: int, *values: Any) -> list[Any]:
    """Values as they would arrive from a process of the submission's own."""
    return wire.unpack_body(wire.pack(kind, 0, *values)[wire.HEAD.size :], kind)


def _changes(arguments: Sequence[Any], pristine: Sequence[Any]) -> Iterator[tuple[int, Any]]:
    """Index and new contents of the arrays that differ from what they were, to the last bit."""
    for index, (argument, before) in enumerate(zip(arguments, pristine, strict=True)):
        if isinstance(before, np.ndarray) and not _identical(argument, before):
            yield index, simplify(argument, limit=wire.MAX_ARRAYS // 4)


def _own(argument: Any) -> Any:
    if type(argument) is wire.Function:
        return functions.build(argument.family, argument.parameters)
    return copy.deepcopy(argument)


def _tracer(called: Any) -> Tracer | None:
    code = getattr(called, "__code__", None)
    return Tracer(code.co_filename) if isinstance(code, types.CodeType) else None


def _traced(tracer: Tracer, called: Any, arguments: Sequence[Any]) -> Any:
    """The call under the tracer; a debugger that is at work gets its place back."""
    before = sys.gettrace()
    try:
        return tracer.run(called, arguments)
    finally:
        sys.settrace(before)


def _frames(error: BaseException, pages: Pages) -> list[tuple[str, str, int]]:
    """File, function and line of the kernel's own code in a traceback, outermost first."""
    frames = []
    traceback = error.__traceback__
    while traceback is not None:
        code = traceback.tb_frame.f_code
        if code.co_filename in pages.files:
            frames.append((code.co_filename, code.co_name, traceback.tb_lineno or 1))
        traceback = traceback.tb_next
    return frames


def _identical(actual: Any, sent: Any) -> bool:
    same_form = actual.dtype == sent.dtype and actual.shape == sent.shape
    return bool(same_form and actual.tobytes() == sent.tobytes())
