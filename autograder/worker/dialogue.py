"""One conversation with one submission's process: load, call, and end it the moment it misbehaves."""

from __future__ import annotations

import math
import signal
import sys
import time
from collections.abc import Iterator, Sequence
from typing import Any, Protocol

import numpy as np

from autograder.errors import BrokenError
from autograder.model.limits import Limits
from autograder.model.outcome import Died, Loaded, Outcome, Returned, Value
from autograder.worker import replies
from autograder.worker.channel import Channel
from autograder.worker.inside import wire
from autograder.worker.interface import Request

#: Seconds an interpreter may take to start, before the submission is in it.
START_SECONDS = 60.0
#: Seconds a process that has closed its end has to give its exit status.
STATUS_SECONDS = 0.25
#: Seconds to wait for the bell, or a part of what a call may take; then each reply is waited for by itself.
REST = 0.1
#: What may answer a call.
_REPLIES = (wire.PLAIN, wire.RETURNED, wire.RAISED, wire.ABSENT)


class WorkshopGoneError(BrokenError):
    """What all workers of a workshop hang on has ended: no submission's fault, and another start may do."""


class Process(Protocol):
    """A process that can be ended; `end` is called once."""

    @property
    def channel(self) -> Channel: ...

    def end(self, patience: float) -> int | None:
        """Wait so long for it to end by itself, then kill it and wait until it is gone.

        Return its own exit status (negative: the signal), or None if it had to be killed;
        WorkshopGoneError if the workshop has ended instead.
        """


class Dialogue:
    """A worker over any channel; see `autograder.worker.interface.Worker`."""

    def __init__(
        self,
        process: Process,
        source: bytes,
        filename: str,
        limits: Limits,
        cells: Sequence[int] = (),
        *,
        announced: bool = False,
    ) -> None:
        """Begin to load the source; with `announced`, the process says first that it is up."""
        self._process = process
        self._channel = process.channel
        self._limits = limits
        self._sequence = 1
        self._announced = announced
        self._loaded: Loaded | None = None
        self._died: Died | None = None
        self._closed = False
        self._channel.post(_load_frame(source, filename, limits, cells))

    @property
    def loaded(self) -> Loaded:
        """How loading went; waits for it."""
        if self._loaded is None:
            self._loaded = self._load()
        return self._loaded

    @property
    def alive(self) -> bool:
        """Whether the process can still be asked."""
        return not self._closed

    def call(self, function: str, arguments: Sequence[Value], *, trace: bool = False) -> Outcome:
        """Call a function of the submission; TypeError or ValueError if an argument cannot be sent."""
        return next(self.calls(((function, arguments),), trace=trace))

    def calls(self, requests: Sequence[Request], *, trace: bool = False) -> Iterator[Outcome]:
        """Make several calls one after the other, many sent at once.

        After a death there is no further outcome. Whoever leaves while replies are to come ends the process.
        TypeError or ValueError if an argument cannot be sent; then nothing is.
        """
        if (dead := self._dead()) is not None:
            yield dead
            return
        frames = [
            wire.pack_call(number, function, list(map(replies.sendable, arguments)), traced=trace)
            for number, (function, arguments) in enumerate(requests, self._sequence + 1)
        ]
        start = 0
        while start < len(frames) and self._died is None:
            count = _fitting(frames, start, self._channel.room)
            counts = [len(arguments) for _, arguments in requests[start : start + count]]
            yield from self._converse(b"".join(frames[start : start + count]), counts)
            start += count

    def _dead(self) -> Died | None:
        """The death that answers every further call, if there was one."""
        if isinstance(self.loaded.failure, Died):
            return self.loaded.failure
        if self._died is None and self._closed:
            raise ValueError("the worker is closed")
        return self._died

    def _converse(self, requests: bytes, counts: Sequence[int]) -> Iterator[Outcome]:
        """Send requests at once, and what each reply says; `counts` are their numbers of arguments."""
        last = self._sequence + len(counts)
        try:
            for count in counts:
                self._sequence += 1
                yield self._answer(requests, count, last)
                requests = b""
                if self._died is not None:
                    return
        finally:
            if self._sequence < last and not self._closed:  # replies are still to come that nobody waits for
                self._end(0)

    def _answer(self, requests: bytes, arguments: int, last: int) -> Outcome:
        """Send requests, if there are any, and return what the next reply says."""
        outcome = self._ask(requests, _REPLIES, self._limits.call_seconds, arguments, last)
        assert not isinstance(outcome, Loaded)
        if isinstance(outcome, Died):
            self._died = outcome
        return outcome

    def close(self) -> None:
        """End the process and wait until it is gone. Safe to call twice."""
        if not self._closed:
            self._end(0)

    def wait_until_up(self) -> None:
        """Wait until the interpreter has started, which is no part of the submission's time."""
        if self._announced and not self._closed:
            self._announced = False
            self._wait_for_announcement()

    def _load(self) -> Loaded:
        if self._closed:
            raise ValueError("the worker is closed")
        self.wait_until_up()
        answer = self._ask(b"", (wire.LOADED,), self._limits.load_seconds, 0)
        if isinstance(answer, Loaded):
            return answer
        assert isinstance(answer, Died)
        return Loaded(failure=answer)

    def _wait_for_announcement(self) -> None:
        """Wait for the interpreter's word; a fault here is the machine's, not the submission's."""
        try:
            self._receive(0, (wire.READY,), time.monotonic() + START_SECONDS)
        except (TimeoutError, EOFError, OSError, wire.ProtocolError) as error:
            status = self._end(STATUS_SECONDS)

            raise BrokenError(
                f"a Python process for submissions did not start (exit status {status})",
                remedy="see whether `python -c 'import numpy'` works",
            ) from error

    def _ask(
        self, frame: bytes, kinds: tuple[int, ...], seconds: float, arguments: int, last: int = 1
    ) -> Outcome | Loaded:
        """Send what is to be sent and return what the next reply says; none in time ends the process.

        `last` is the number of the last request that has been sent.
        """
        deadline = time.monotonic() + seconds
        try:
            if frame:
                self._channel.send(frame, deadline)
                self._channel.rest_until_answered(last, min(REST, seconds / 4))
            kind, values = self._receive(self._sequence, kinds, deadline)
            return self._outcome(kind, values, arguments)
        except TimeoutError:
            self._end(0)
            return Died("timed_out", seconds=seconds)
        except (EOFError, OSError):
            return self._cause(self._end(STATUS_SECONDS))
        except (wire.ProtocolError, MemoryError) as error:
            self._end(0)
            return Died("protocol", str(error))

    def _receive(self, sequence: int, kinds: tuple[int, ...], deadline: float) -> tuple[int, list[Any]]:
        head = self._channel.receive(wire.HEAD.size, deadline)
        kind, length = wire.unpack_head(head, sequence, kinds)
        return kind, wire.unpack_body(self._channel.receive(length, deadline), kind)

    def _outcome(self, kind: int, values: list[Any], arguments: int) -> Outcome | Loaded:
        if kind == wire.PLAIN:
            return Returned(replies.value_from(values[0]))
        room = self._limits.output_chars
        if kind == wire.LOADED:
            return replies.loaded_from(values, room)
        if kind == wire.RETURNED:
            return replies.returned_from(values, arguments, room)
        if kind == wire.RAISED:
            return replies.raised_from(values, room)
        return replies.absent_from(values)

    def _end(self, patience: float) -> int | None:
        self._closed = True
        self._channel.close()
        return self._process.end(patience)

    def _cause(self, status: int | None) -> Died:
        """Say how a process ended that closed its side."""
        if status is None:
            return Died("killed", "closed its connection")
        if status == wire.OUT_OF_MEMORY:
            return Died("memory", f"{self._limits.memory_mb} MiB")
        if 0 <= status < 1 << 31:
            return Died("exited", f"exit {status}")
        if sys.platform != "win32" and -status == signal.SIGXCPU:
            return Died("timed_out", "CPU time", self._limits.submission_seconds)
        return Died("killed", _signal_name(status))


def _fitting(frames: Sequence[bytes], start: int, room: int) -> int:
    """How many frames from there on go at once: as many as there is room for, and at least one."""
    count, size = 1, len(frames[start])
    while start + count < len(frames) and (size := size + len(frames[start + count])) <= room:
        count += 1
    return count


def _signal_name(status: int) -> str:
    """Return the name of the signal that ended a process; on Windows the number of its exception."""
    if status > 0:
        return f"{status:#x}"
    try:
        return signal.Signals(-status).name
    except ValueError:
        return f"signal {-status}"


def _load_frame(source: bytes, filename: str, limits: Limits, cells: Sequence[int]) -> bytes:
    cpu_seconds = math.ceil(limits.submission_seconds) + 1
    text = np.frombuffer(source, np.uint8)
    confines = (limits.memory_mb, cpu_seconds, limits.output_chars)
    return wire.pack(wire.LOAD, 1, text, filename, *confines, np.array(cells, np.int64))
