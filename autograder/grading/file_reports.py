"""What is to be said of loading a file: syntax, exceptions at load, exits, limits."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from autograder.grading.feedback import shortened
from autograder.grading.marks import total
from autograder.loading.assignment import Course
from autograder.loading.submissions import Unreadable
from autograder.model.limits import Limits
from autograder.model.outcome import Died, Loaded, Raised
from autograder.model.result import ExerciseResult, FileReport, Result
from autograder.model.submission import Submission
from autograder.wording.languages import spoken
from autograder.wording.say import number, say

_EXITS = ("SystemExit", "KeyboardInterrupt")
#: Of so many cells that stopped it is said how.
_CELLS = 5
_SYNTAX = ("SyntaxError", "IndentationError", "TabError")


def load_reports(loaded: Loaded, submission: Submission, limits: Limits) -> tuple[FileReport, ...]:
    """How loading failed, with the line and its text, or nothing; of a notebook, each cell that failed."""
    match loaded.failure:
        case None:
            code = "file.no_code" if submission.is_notebook else "file.empty"
            return () if submission.source.strip() else (FileReport(code, say(code)),)
        case Died(how="timed_out"):
            seconds = number(limits.load_seconds)
            return (FileReport("file.timed_out", say("file.timed_out", {"seconds": seconds})),)
        case Died(detail=detail, how=how):
            return (FileReport("file.died", say("file.died", {"detail": detail or how})),)
        case Raised() as raised if not submission.cells:
            return (_raised(raised, loaded, submission),)
    return _of_cells(loaded.failures, submission)


def _of_cells(failures: Sequence[Raised], submission: Submission) -> tuple[FileReport, ...]:
    """What stopped the first few cells that failed, and how many more there are; an exit before all."""
    failures = sorted(failures, key=lambda raised: raised.type_name != "SystemExit")
    shown, more = failures[:_CELLS], len(failures) - _CELLS
    reports = [_of_cell(raised, submission) for raised in shown]
    if more > 0:
        code = "file.cells_more.one" if more == 1 else "file.cells_more"
        reports.append(FileReport("file.cells_more", say(code, {"count": more})))
    return tuple(reports)


def _of_cell(raised: Raised, submission: Submission) -> FileReport:
    code = "file.cell_syntax" if raised.type_name in _SYNTAX else "file.cell_raised"
    code = "file.exits" if raised.type_name == "SystemExit" else code
    cell = submission.place(raised.line)[0] if raised.line is not None else None
    words = {"type": raised.type_name, "message": shortened(raised.message), "cell": cell if cell else "?"}
    return FileReport(code, say(code, words), raised.line, submission.line(raised.line))


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
        language=spoken(),
    )


def unreadable_result(unreadable: Unreadable, course: Course, environment: Mapping[str, str]) -> Result:
    """The result of a submission that could not be read: a row with a reason."""
    words = say("file.unreadable", {"message": unreadable.message})
    exercises = tuple(
        ExerciseResult(
            e.id, e.title, e.function, "skipped", 0.0, e.points, message=say("exercise.not_loaded")
        )
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
        language=spoken(),
    )
