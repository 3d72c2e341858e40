"""Grade a class: one result file each as soon as it is known, nothing lost, nothing done twice."""

from __future__ import annotations

import traceback
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, closing
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from autograder.grading.crew import Crew
from autograder.grading.file_reports import broken_result, unreadable_result
from autograder.grading.store import Row, file_name, grades_csv, read_result, result_text, results_folder, write_atomically
from autograder.grading.submission import Grader, environment
from autograder.loading.assignment import Course, load_assignment
from autograder.loading.submissions import Found, Unreadable, read_submission
from autograder.model.result import Result
from autograder.model.submission import Submission
from autograder.worker.levels import Wanted, open_workshop


@dataclass(frozen=True, slots=True)
class Order:
    """What a batch was asked to do; travels to the processes of the crew."""

    top: Path
    assignment: str
    out: Path
    level: Wanted
    again: bool = False


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
        path = self.order.out / file_name(found.student)
        submission = _read(found)
        if isinstance(submission, Unreadable):
            result = unreadable_result(submission, self.grader.course, self.grader.environment)
            return _written(path, replace(result, origin=found.origin))
        known = None if self.order.again else read_result(path)
        if known is not None and self._still_holds(known, submission):
            if known.origin == found.origin:
                return Done(Row.of(known, unchanged=True))
            done = _written(path, replace(known, origin=found.origin))
            return replace(done, row=replace(done.row, unchanged=True))
        try:
            return _written(path, replace(self.grader.grade(submission), origin=found.origin))
        except Exception:  # a fault of ours, which may not stop the class
            return _broken(found, traceback.format_exc(), self.order, self.grader.course)

    def _still_holds(self, known: Result, submission: Submission) -> bool:
        course = self.grader.course
        return (
            (known.student, known.file) == (submission.student, submission.file)
            and known.sha256 == submission.sha256
            and known.exercises_sha256 == course.sha256
            and known.seed == course.assignment.seed
            and known.environment == self.grader.environment
            and known.outcome != "broken"
        )


def _read(found: Found) -> Submission | Unreadable:
    if found.problem is not None:
        return Unreadable(found.student, found.path.name, found.problem)
    return read_submission(found.path, found.student, notes=found.notes, origin=found.origin)


def _written(path: Path, result: Result) -> Done:
    row = Row.of(result)
    try:
        write_atomically(path, result_text(result))
    except OSError as error:
        return Done(row, f"{result.student}: the result could not be written: {error.strerror}")
    return Done(row)


def _broken(found: Found, fault: str, order: Order, course: Course) -> Done:
    """A submission that a fault of ours kept from being graded: a row with all marks, and the fault told."""
    result = broken_result(found.student, found.path.name, course, environment(order.level), fault)
    done = _written(order.out / file_name(found.student), replace(result, origin=found.origin))
    return replace(done, trouble=f"{found.student}: {fault}")


def prepare(order: Order) -> Unit:
    """What each process of a crew does once: load the course, open a workshop."""
    course = load_assignment(order.top, order.assignment)
    return Unit(order, Grader(course, open_workshop(order.level)))


def grade_batch(
    course: Course,
    found: Sequence[Found],
    order: Order,
    *,
    jobs: int = 1,
    on_done: Callable[[Done], None] = lambda done: None,
) -> tuple[Done, ...]:
    """Grade all and write grades.csv; rows in the order of the students' names.

    If it is interrupted, grades.csv holds what was done; the same call again goes on from there.
    ResultsUnavailable if the folder cannot be used, IsolationUnavailable if the level does not hold.
    """
    done: list[Done] = []
    exercises = [exercise.id for exercise in course.exercises]
    with results_folder(order.out) as folder:
        try:
            for one in _each(course, found, order, jobs):
                done.append(one)
                on_done(one)
        finally:
            csv = grades_csv([one.row for one in done], exercises)
            write_atomically(folder / "grades.csv", csv)
    return tuple(sorted(done, key=lambda one: one.row.student))


def _each(course: Course, found: Sequence[Found], order: Order, jobs: int) -> Iterator[Done]:
    with ExitStack() as stack:
        if jobs <= 1 or len(found) <= 1:
            workshop = stack.enter_context(closing(open_workshop(order.level)))
            yield from map(Unit(order, Grader(course, workshop)), found)
            return
        with closing(open_workshop(order.level)) as tested:
            order = replace(order, level=tested.level)
        crew: Crew[Found, Done] = stack.enter_context(closing(Crew(partial(prepare, order), jobs)))
        for one, answer in crew.map(found):
            yield answer if isinstance(answer, Done) else _broken(one, answer.why, order, course)
