"""Grade a class: one result file each as soon as it is known, nothing lost, nothing done twice."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, closing
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from autograder.grading.crew import Crew, Lost
from autograder.grading.file_reports import unreadable_result
from autograder.grading.store import Row, file_name, grades_csv, read_result, result_text, results_folder, write_atomically
from autograder.grading.submission import Grader
from autograder.loading.assignment import Course, load_assignment
from autograder.loading.submissions import Found, Unreadable, read_submission
from autograder.model.result import Result
from autograder.worker.levels import open_workshop


@dataclass(frozen=True, slots=True)
class Order:
    """What a batch was asked to do; travels to the processes of the crew."""

    top: Path
    assignment: str
    out: Path
    level: str
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
        submission = found.problem and Unreadable(found.student, found.path.name, found.problem)
        submission = submission or read_submission(found.path, found.student, notes=found.notes)
        if isinstance(submission, Unreadable):
            result = unreadable_result(submission, self.grader.course, self.grader.environment)
        else:
            known = None if self.order.again else read_result(path)
            if known is not None and self._still_holds(known, submission.sha256):
                return Done(Row.of(known, unchanged=True))
            result = self.grader.grade(submission)
        return self._written(path, result)

    def _still_holds(self, known: Result, sha256: str) -> bool:
        course = self.grader.course
        return (
            known.sha256 == sha256
            and known.exercises_sha256 == course.sha256
            and known.seed == course.assignment.seed
            and known.environment == self.grader.environment
            and known.outcome != "broken"
        )

    def _written(self, path: Path, result: Result) -> Done:
        row = Row.of(result)
        try:
            write_atomically(path, result_text(result))
        except OSError as error:
            return Done(row, f"{result.student}: the result could not be written: {error.strerror}")
        return Done(row)


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
            yield answer if isinstance(answer, Done) else _lost(one, answer, course)


def _lost(found: Found, lost: Lost, course: Course) -> Done:
    points = sum(exercise.points for exercise in course.exercises)
    row = Row(found.student, points, points, "broken", (), "a fault of the grader, not of the submission")
    return Done(row, f"{found.student}: {lost.why}")
