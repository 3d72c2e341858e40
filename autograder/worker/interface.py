"""What the rest of the house knows of a worker: start one on a source, call a function, close it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal, Protocol, Self, TypeAlias

from autograder.model.limits import Limits
from autograder.model.outcome import Loaded, Outcome, Value

#: "sandbox" (bubblewrap + fork + system-call filter), "no-open" (fork + filter, no system package),
#: "portable" (a fresh process, pipes and a time limit).
Level: TypeAlias = Literal["sandbox", "no-open", "portable"]

#: A call to make: the name of a function and its arguments.
Request: TypeAlias = tuple[str, Sequence[Value]]


class Worker(Protocol):
    """One process with one submission loaded in it. Nothing it says is a verdict.

    `alive` is False once loading or a call ended in `Died`; a dead worker answers every further call with
    that Died.
    """

    @property
    def loaded(self) -> Loaded:
        """How loading went; waits for it."""

    @property
    def alive(self) -> bool:
        """Whether the process can still be asked."""

    def call(self, function: str, arguments: Sequence[Value], *, trace: bool = False) -> Outcome:
        """Call a module-level function by position; what the submission does is never raised."""

    def calls(self, requests: Sequence[Request], *, trace: bool = False) -> Iterator[Outcome]:
        """Make several calls one after the other; nothing comes after a death.

        No other call may be made before the last outcome; whoever leaves while replies are to come ends the process.
        """

    def close(self) -> None:
        """End the process and wait until it is gone. Safe to call twice."""


class Workshop(Protocol):
    """One level of isolation: makes workers. Used as a context manager, or closed by hand."""

    @property
    def level(self) -> Level:
        """The name of the level."""

    def start(self, source: bytes, filename: str, limits: Limits, cells: Sequence[int] = ()) -> Worker:
        """Start a worker and begin loading the source in it; `worker.loaded` tells how that went.

        With `cells`, the source is a notebook's and its cells begin at these lines: each is run by itself,
        and one that raises ends there.
        """

    def close(self) -> None:
        """End everything that was started. Safe to call twice; a later start begins anew."""

    def __enter__(self) -> Self: ...

    def __exit__(self, *exception: object) -> None: ...
