"""`grade … --gradebook URL`: each result into nbgrader's gradebook, as soon as it is known."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from autograder.errors import GradebookError

if TYPE_CHECKING:
    from autograder.gradebook.book import Book
    from autograder.grading.batch import Done
    from autograder.loading.assignment import Course
    from autograder.model.result import Result

_WIDTH = 78


class Recorder:
    """Writes the results of a folder into a gradebook; a result that it refuses is told on stderr."""

    def __init__(self, book: Book | None, folder: Path) -> None:
        self._book = book
        self._folder = folder
        self.failed = False

    def __call__(self, done: Done) -> None:
        """Write the result of one submission, as it stands in its file."""
        if self._book is None:
            return
        from autograder.cli.screen import err
        from autograder.grading.store import file_name, read_result

        result = read_result(self._folder / file_name(done.row.student))
        try:
            if result is None:
                raise GradebookError(f"{done.row.student}: there is no result to write to the gradebook")
            self._book.record(result, feedback_of(result))
        except GradebookError as error:
            self.failed = True
            err(f"autograder: {error}")


@contextmanager
def open_recorder(url: str | None, course: Course, folder: Path) -> Iterator[Recorder]:
    """A recorder for a gradebook that is open and prepared; without a URL, one that does nothing.

    GradebookError, before anything is graded, if the gradebook cannot be used.
    """
    if url is None:
        yield Recorder(None, folder)
        return
    from autograder.gradebook.book import Book

    with Book.open(url) as book:
        book.prepare(course.assignment, course.exercises)
        yield Recorder(book, folder)


def feedback_of(result: Result) -> dict[str, str]:
    """What a student reads of each exercise, by its id; what is said of the file stands with the first."""
    from autograder.report.layout import Look
    from autograder.report.terminal import render_terminal

    order = [exercise.id for exercise in result.exercises]
    texts = {}
    for number, exercise in enumerate(result.exercises):
        marks = {"marks": exercise.marks, "max_marks": exercise.max_marks}
        part = replace(result, exercises=(exercise,), late=None, **marks)  # type: ignore[arg-type]
        if number:
            part = replace(part, file_reports=(), printed="")
        texts[exercise.id] = render_terminal(part, Look(width=_WIDTH), order=order)
    return texts
