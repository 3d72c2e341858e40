"""What is to be said of loading a file: syntax, exceptions at load, exits, limits."""

from __future__ import annotations

from collections.abc import Mapping

from autograder.grading.feedback import shortened
from autograder.grading.marks import total
from autograder.loading.assignment import Course
from autograder.loading.submissions import Unreadable
from autograder.model.limits import Limits
from autograder.model.outcome import Died, Loaded, Raised
from autograder.model.result import ExerciseResult, FileReport, Result
from autograder.model.submission import Submission
from autograder.wording.say import number, say

_EXITS = ("SystemExit", "KeyboardInterrupt")
_SYNTAX = ("SyntaxError", "IndentationError", "TabError")


def load_reports(loaded: Loaded, submission: Submission, limits: Limits) -> tuple[FileReport, ...]:
    """One report of how loading failed, with the line and its text, or none."""
    match loaded.failure:
        case None:
            return () if submission.source.strip() else (FileReport("file.empty", say("file.empty")),)
        case Died(how="timed_out"):
            seconds = number(limits.load_seconds)
            return (FileReport("file.timed_out", say("file.timed_out", {"seconds": seconds})),)
        case Died(detail=detail, how=how):
            return (FileReport("file.died", say("file.died", {"detail": detail or how})),)
        case Raised() as raised:
            return (_raised(raised, loaded, submission),)


def _raised(raised: Raised, loaded: Loaded, submission: Submission) -> FileReport:
    code = "file.raised"
    if raised.type_name in _EXITS and not loaded.names:
        code = "file.exits"
    elif raised.type_name in _SYNTAX and not loaded.names:
        code = "file.syntax"
    elif loaded.names:
        code = "file.raised.some"
    words = {"type": raised.type_name, "message": shortened(raised.message)}
    return FileReport(code, say(code, words), raised.line, submission.line(raised.line))


def broken_result(
    student: str, file: str, course: Course, environment: Mapping[str, str], fault: str
) -> Result:
    """The result of a submission that a fault of ours kept from being graded: all marks are given, loudly."""
    words = say("check.broken")
    told = say("file.broken", {"fault": shortened(fault.strip().rpartition("\n")[2])})
    exercises = tuple(
        ExerciseResult(e.id, e.title, e.function, "broken", e.points, e.points, message=words)
        for e in course.exercises
    )
    points = total([exercise.points for exercise in course.exercises])
    return Result(
        assignment=course.assignment.name,
        student=student,
        file=file,
        sha256="",
        outcome="broken",
        marks=points,
        max_marks=points,
        exercises=exercises,
        file_reports=(FileReport("file.broken", told),),
        environment=environment,
        exercises_sha256=course.sha256,
        seed=course.assignment.seed,
    )


def unreadable_result(unreadable: Unreadable, course: Course, environment: Mapping[str, str]) -> Result:
    """The result of a submission that could not be read: a row with a reason."""
    words = say("file.unreadable", {"message": unreadable.message})
    exercises = tuple(
        ExerciseResult(e.id, e.title, e.function, "skipped", 0.0, e.points, message=say("exercise.not_loaded"))
        for e in course.exercises
    )
    return Result(
        assignment=course.assignment.name,
        student=unreadable.student,
        file=unreadable.file,
        sha256="",
        outcome="not_loadable",
        marks=0.0,
        max_marks=total([exercise.points for exercise in course.exercises]),
        exercises=exercises,
        file_reports=(FileReport("file.unreadable", words),),
        environment=environment,
        exercises_sha256=course.sha256,
        seed=course.assignment.seed,
    )
