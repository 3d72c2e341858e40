"""All calls of one submission: a fresh worker after each death, within the submission's deaths and time."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from typing import Self

from autograder.model.limits import Limits
from autograder.model.outcome import Died, Loaded, NotCalled, Outcome, Value
from autograder.worker.dialogue import Dialogue, WorkshopGoneError
from autograder.worker.interface import Request, Worker, Workshop


class Session:
    """One submission in a workshop. Nothing is started before `loaded` or `call` needs it."""

    def __init__(
        self,
        workshop: Workshop,
        source: bytes,
        filename: str,
        limits: Limits,
        cells: Sequence[int] = (),
        after: Session | None = None,
    ) -> None:
        """`after` is a session on the same submission, whose time counts here too."""
        self._workshop = workshop
        self._source = source
        self._filename = filename
        self._limits = limits
        self._cells = cells
        self._worker: Worker | None = None
        self._loaded: Loaded | None = None
        self._spent = 0.0
        self._after = after
        self.deaths = 0

    @property
    def loaded(self) -> Loaded:
        """How the file's first loading went; a death in it is final."""
        if self._loaded is None:
            self._loaded = self._first_load()
        return self._loaded

    def call(self, function: str, arguments: Sequence[Value], trace: bool = False) -> Outcome:
        """Call a function, in a fresh worker if the last one died.

        `NotCalled` once deaths or time are used up. TypeError or ValueError if an argument cannot be sent.
        """
        return next(self.calls(((function, arguments),), trace=trace))

    def calls(self, requests: Sequence[Request], *, trace: bool = False) -> Iterator[Outcome]:
        """Make several calls one after the other; the outcomes are those of so many `call`.

        They are sent many at once, so no other call may be made before the last has its outcome; whoever does
        not want them all leaves the iterator.
        """
        done = 0
        while done < len(requests):
            if (refusal := self._refusal()) is not None:
                done += 1
                yield refusal
                continue
            for outcome in self._of_one_worker(requests[done:], trace):
                done += 1
                yield outcome

    def prepare(self) -> None:
        """Start the worker without waiting for it, so that it loads while its user is busy."""
        if self._worker is None and self._loaded is None:
            self._worker = self._start()

    def close(self) -> None:
        """End the worker, if there is one. Safe to call twice."""
        worker, self._worker = self._worker, None
        if worker is not None:
            worker.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    def _first_load(self) -> Loaded:
        try:
            loaded = self._timed_load()
        except WorkshopGoneError:
            self._forget()
            loaded = self._timed_load()
        if isinstance(loaded.failure, Died):
            self.deaths += 1
        return loaded

    def _timed_load(self) -> Loaded:
        worker = self._living_worker()
        began = time.monotonic()
        try:
            return worker.loaded
        finally:
            self._spent += time.monotonic() - began

    def _refusal(self) -> Outcome | None:
        """Why no further call is made, if none is."""
        if isinstance(self.loaded.failure, Died):
            return self.loaded.failure
        if self.deaths >= self._limits.deaths:
            return NotCalled("deaths")
        return NotCalled("time") if self._is_spent() else None

    def _is_spent(self) -> bool:
        before = self._after._spent if self._after is not None else 0.0
        return self._spent + before >= self._limits.submission_seconds

    def _of_one_worker(self, requests: Sequence[Request], trace: bool) -> Iterator[Outcome]:
        """Outcomes of one after the other until the worker dies or the time is used up."""
        outcomes = self._living_worker().calls(requests, trace=trace)
        for index in range(len(requests)):
            if self._is_spent():
                return
            began = time.monotonic()
            try:
                outcome = next(outcomes)
            except WorkshopGoneError:  # not the submission's doing: once more
                self._forget()
                outcomes = self._living_worker().calls(requests[index:], trace=trace)
                outcome = next(outcomes)
            finally:
                self._spent += time.monotonic() - began
            died = isinstance(outcome, Died)
            self.deaths += died
            yield outcome
            if died:
                return
            del outcome  # it may be large, and the next is on its way

    def _living_worker(self) -> Worker:
        """Return the worker, or a fresh one; the start of an interpreter is not the submission's time."""
        if self._worker is None or not self._worker.alive:
            self._worker = self._start()
        if isinstance(self._worker, Dialogue):
            self._worker.wait_until_up()
        return self._worker

    def _start(self) -> Worker:
        return self._workshop.start(self._source, self._filename, self._limits, self._cells)

    def _forget(self) -> None:
        self._worker = None
