"""One exception per kind of fault, each with where, what, what next, and its exit code."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum

from autograder.model.place import Place


class ExitCode(IntEnum):
    """What the command's exit status means."""

    #: Everything passed (for `grade`: everything was graded, whatever the marks).
    PASSED = 0
    #: Something did not pass.
    NOT_PASSED = 1
    #: The command was used wrongly.
    MISUSED = 2
    #: An exercise, a config or a solution file is invalid.
    INVALID = 3
    #: A fault of ours.
    BROKEN = 4


@dataclass(frozen=True, slots=True)
class Problem:
    """One fault of a file of the author's: where, what, and what to do."""

    place: Place
    message: str
    remedy: str

    def __str__(self) -> str:
        return f"{self.place}: {self.message}; {self.remedy}"


class AutograderError(Exception):
    """Base of all faults that are shown as a message, not as a traceback."""

    exit_code = ExitCode.BROKEN

    def __init__(self, message: str, *, remedy: str = "") -> None:
        super().__init__(f"{message}; {remedy}" if remedy else message)
        self.message = message
        self.remedy = remedy


class UsageError(AutograderError):
    """The command was used wrongly: a file that is not there, a name that does not exist."""

    exit_code = ExitCode.MISUSED


class IsolationUnavailable(UsageError):
    """The level of isolation that was asked for does not hold on this machine."""


class ClusterUnavailable(UsageError):
    """There is no Dask cluster to grade on, or its workers would not all give the same results."""


class ResultsUnavailable(UsageError):
    """The results folder cannot be used: read-only, full, or another grader is at work in it."""


class GradebookError(UsageError):
    """A gradebook cannot be opened, or refuses an entry."""


class ExerciseError(AutograderError):
    """Exercises, configs or solutions are invalid; carries every problem found, in file order."""

    exit_code = ExitCode.INVALID

    def __init__(self, problems: tuple[Problem, ...]) -> None:
        super().__init__("\n".join(str(problem) for problem in problems))
        self.problems = problems


class BrokenError(AutograderError):
    """A fault of ours: no mark may be lost by it."""
