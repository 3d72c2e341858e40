"""Grade a class: one result file each as soon as it is known, nothing lost, nothing done twice."""

from __future__ import annotations

import json
import traceback
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TypeAlias

from autograder.grading.crew import Crew
from autograder.grading.file_reports import broken_result, unreadable_result
from autograder.grading.lateness import Deadlines, charged
from autograder.grading.store import (
    LATE,
    Exercises,
    Row,
    file_name,
    grades_csv,
    late_csv,
    read_result,
    result_text,
    results_folder,
    write_atomically,
)
from autograder.grading.submission import Grader, environment
from autograder.loading.assignment import Course, load_assignment
from autograder.loading.submissions import Found, Unreadable, read_submission
from autograder.loading.translations import in_language
from autograder.model.result import Result
from autograder.model.submission import Submission
from autograder.wording.languages import ENGLISH, speak, spoken
from autograder.worker.levels import Wanted, open_workshop


@dataclass(frozen=True, slots=True)
class Order:
    """What a batch was asked to do; travels to the processes of the crew."""

    top: Path
    assignment: str
    out: Path
    level: Wanted
    again: bool = False
    deadlines: Deadlines | None = None
    language: str = ENGLISH


@dataclass(frozen=True, slots=True)
class Done:
    """One submission dealt with: its row, and what went wrong on our side, if anything."""

    row: Row
    trouble: str = ""


class Unit:
    """The unit of work: one submission read, graded unless unchanged, and its result written."""

    def __init__(self, order: Order, grader: Grader) -> None:
        self.order = order
        self.grader = grader

    def __call__(self, found: Found) -> Done:
        """Deal with one submission. Never raises for what the submission is or does."""
        submission = due(found, self.order, self.grader.course, self.grader.environment)
        if isinstance(submission, Done):
            return submission
        try:
            result = finished(self.grader.grade(submission), found, self.order)
            return _written(result_path(self.order, found), result)
        except Exception:  # a fault of ours, which may not stop the class
            return broken(found, traceback.format_exc(), self.order, self.grader.course)


def result_path(order: Order, found: Found) -> Path:
    """Where the result of a submission is written."""
    return order.out / file_name(found.student)


def due(found: Found, order: Order, course: Course, environment: Mapping[str, str]) -> Submission | Done:
    """The submission if it is to be graded; what is done about it if it cannot be read, or is unchanged."""
    path = result_path(order, found)
    submission = _read(found)
    if isinstance(submission, Unreadable):
        return _written(path, finished(unreadable_result(submission, course, environment), found, order))
    known = None if order.again else read_result(path)
    if known is None or not _still_holds(known, submission, course, environment):
        return submission
    result = finished(known, found, order)
    done = Done(Row.of(result)) if result == known else _written(path, result)
    return replace(done, row=replace(done.row, unchanged=True))


def finished(result: Result, found: Found, order: Order) -> Result:
    """A result with whose it is and when it came, and its marks after what being late costs."""
    return charged(replace(result, origin=found.origin), order.deadlines)


def _still_holds(
    known: Result, submission: Submission, course: Course, environment: Mapping[str, str]
) -> bool:
    return (
        (known.student, known.file) == (submission.student, submission.file)
        and known.sha256 == submission.sha256
        and known.exercises_sha256 == course.sha256
        and known.seed == course.assignment.seed
        and known.environment == environment
        and known.outcome != "broken"
        and known.language == spoken()
    )


def _read(found: Found) -> Submission | Unreadable:
    if found.problem is not None:
        return Unreadable(found.student, found.path.name, found.problem)
    return read_submission(found.path, found.student, notes=found.notes, origin=found.origin)


def _written(path: Path, result: Result) -> Done:
    return written(path, result_text(result), Row.of(result))


def arrived(order: Order, found: Found, text: str, row: Row) -> Done:
    """Write a result that was made elsewhere and came as text."""
    if order.deadlines is None:
        return written(result_path(order, found), text, row)
    result = finished(Result.from_json(json.loads(text)), found, order)
    return _written(result_path(order, found), result)


def written(path: Path, text: str, row: Row) -> Done:
    """Write the text of a result; the trouble, if that cannot be."""
    try:
        write_atomically(path, text)
    except OSError as error:
        return Done(row, f"{row.student}: the result could not be written: {error.strerror}")
    return Done(row)


def broken(found: Found, fault: str, order: Order, course: Course) -> Done:
    """A submission that a fault of ours kept from being graded: a row with all marks, and the fault told."""
    result = broken_result(found.student, found.path.name, course, environment(order.level), fault)
    done = _written(result_path(order, found), finished(result, found, order))
    return replace(done, trouble=f"{found.student}: {fault}")


def prepare(order: Order) -> Unit:
    """What each process of a crew does once: load the course, open a workshop."""
    speak(order.language)
    course = in_language(load_assignment(order.top, order.assignment), order.language)
    return Unit(order, Grader(course, open_workshop(order.level)))


#: Deals with every submission, in any order.
Each: TypeAlias = Callable[[Course, Sequence[Found], Order], Iterator[Done]]


def grade_batch(
    course: Course,
    found: Sequence[Found],
    order: Order,
    *,
    jobs: int = 1,
    on_done: Callable[[Done], None] = lambda done: None,
    each: Each | None = None,
) -> tuple[Done, ...]:
    """Grade all and write grades.csv; rows in the order of the students' names.

    `each` deals with the submissions in another way than by `jobs` processes of this machine.
    If it is interrupted, grades.csv holds what was done; the same call again goes on from there.
    ResultsUnavailable if the folder cannot be used, IsolationUnavailable if the level does not hold.
    """
    done: list[Done] = []
    known: dict[Exercises, Exercises] = {}
    exercises = [exercise.id for exercise in course.exercises]
    with results_folder(order.out) as folder:
        try:
            for one in (each or partial(_each, jobs=jobs))(course, found, order):
                done.append(_sharing(one, known))
                on_done(one)
        finally:
            rows = [one.row for one in done]
            write_tables(folder, rows, exercises)
    return tuple(sorted(done, key=lambda one: one.row.student))


def _sharing(one: Done, known: dict[Exercises, Exercises]) -> Done:
    """The same, with what its exercises came to held once for all rows in which they came to that."""
    exercises = known.setdefault(one.row.exercises, one.row.exercises)
    return replace(one, row=replace(one.row, exercises=exercises))


def write_tables(folder: Path, rows: Sequence[Row], exercises: Sequence[str]) -> None:
    """Write grades.csv, and late.csv where there is a rule for late work."""
    write_atomically(folder / "grades.csv", grades_csv(rows, exercises))
    if any(row.late is not None for row in rows):
        write_atomically(folder / LATE, late_csv(rows))
    else:
        (folder / LATE).unlink(missing_ok=True)


def _each(course: Course, found: Sequence[Found], order: Order, *, jobs: int) -> Iterator[Done]:
    with ExitStack() as stack:
        if jobs <= 1 or len(found) <= 1:
            workshop = stack.enter_context(closing(open_workshop(order.level)))
            yield from map(Unit(order, Grader(course, workshop)), found)
            return
        with closing(open_workshop(order.level)) as tested:
            order = replace(order, level=tested.level)
        crew: Crew[Found, Done] = stack.enter_context(closing(Crew(partial(prepare, order), jobs)))
        for one, answer in crew.map(found):
            yield answer if isinstance(answer, Done) else broken(one, answer.why, order, course)
