"""nbgrader's gradebook, opened by its URL: an assignment prepared in it, and results written into it.

What nbgrader or a grader by hand wrote there stays: manual scores and comments, extra credit, further cells.
"""

from __future__ import annotations

import logging
import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from autograder.errors import GradebookError
from autograder.gradebook.cells import Cell, cells_of, solution_cell
from autograder.model.exercise import Assignment, Exercise
from autograder.model.result import ExerciseResult, Result
from autograder.model.submission import Origin

if TYPE_CHECKING:
    from sqlalchemy.engine import URL

_COURSE = "default_course"
#: nbgrader's columns for names take so many characters; SQLite would not mind, PostgreSQL does.
_MOST_NAME_CHARS = 128
#: URLs without a driver, and the driver that the extra `postgres` installs.
_DRIVERS = {"postgresql": "postgresql+psycopg", "postgres": "postgresql+psycopg"}
_KERNEL = '{"display_name": "Python 3", "language": "python", "name": "python3"}'


class Book:
    """One gradebook that is open for one assignment. Used as a context manager, or closed by hand."""

    def __init__(self, gradebook: Any, shown: str) -> None:
        self._gradebook = gradebook
        self._shown = shown
        self._assignment = ""
        self._notebook = ""
        self._exercises: dict[str, Exercise] = {}

    @classmethod
    def open(cls, url: str) -> Self:
        """Open the gradebook at a URL, or at the path of a SQLite file, and make it if it is not there.

        GradebookError, which never shows a password, if that cannot be done.
        """
        try:
            from nbgrader.api import Gradebook
        except ImportError:
            raise GradebookError(
                "the gradebook needs nbgrader, which is not installed",
                remedy="pip install 'autograder[nbgrader]'",
            ) from None
        address = _address(url)
        shown = address.render_as_string(hide_password=True)
        with _told(shown), _own_tools_on_path():
            # Without a course of its own nbgrader's class adds none to those that are there.
            gradebook = Gradebook(address.render_as_string(hide_password=False), course_id="")
            gradebook.course_id = _course(gradebook)
        return cls(gradebook, shown)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the connection."""
        self._gradebook.close()

    def prepare(self, assignment: Assignment, exercises: Sequence[Exercise]) -> None:
        """Have the assignment, its notebook and a cell for each exercise there, with their points.

        What `nbgrader generate_assignment` has made is used as it is; it can also be run later.
        """
        book, name = self._gradebook, assignment.name
        self._exercises = {exercise.id: exercise for exercise in exercises}
        with _told(self._shown):
            found = book.update_or_create_assignment(name)
            set_due(book, assignment)
            self._assignment = name
            self._notebook = _notebook_with(found, set(self._exercises)) or name
            book.update_or_create_notebook(self._notebook, name)
            notebook = book.find_notebook(self._notebook, name)
            if notebook.kernelspec is None:
                notebook.kernelspec = _KERNEL
            known = {cell.name for cell in notebook.source_cells}
            for cell in cells_of(exercises):
                self._prepare_cell(cell, is_new=cell.name not in known)
            book.db.commit()

    def _prepare_cell(self, cell: Cell, *, is_new: bool) -> None:
        book, where = self._gradebook, (self._notebook, self._assignment)
        if cell.grade:
            book.update_or_create_grade_cell(cell.name, *where, max_score=cell.points, cell_type=cell.kind)
        if cell.solution:
            book.update_or_create_solution_cell(cell.name, *where)
        if is_new:
            book.add_source_cell(cell.name, *where, cell_type=cell.kind, locked=cell.locked)

    def record(self, result: Result, feedback: dict[str, str] | None = None) -> None:
        """Write a result's marks, and the feedback on each exercise by its id as the comment on its function.

        All marks of it or, with GradebookError, none. A score given by hand stays, marked for a second look.
        """
        book, student = self._gradebook, result.student
        if len(student) > _MOST_NAME_CHARS:
            message = f"nbgrader's names have at most {_MOST_NAME_CHARS} characters"
            raise GradebookError(f"{student[:40]}…: {message}", remedy="shorten the name of the file")
        with _told(self._shown):
            try:
                self._student(student, result.origin)
                moment = _moment(result.origin.handed_in)
                when = {"timestamp": moment} if moment is not None else {}
                book.update_or_create_submission(self._assignment, student, **when)
                if result.late is not None:
                    self._submitted(student).late_submission_penalty = result.late.penalty or None
                for exercise in result.exercises:
                    if exercise.id in self._exercises:
                        self._record_exercise(student, exercise, (feedback or {}).get(exercise.id))
                book.db.commit()
            except BaseException:
                book.db.rollback()
                raise

    def _student(self, student: str, origin: Origin) -> None:
        """Have the student there; what is known of one who is there stays."""
        from nbgrader.api import MissingEntry

        try:
            self._gradebook.find_student(student)
        except MissingEntry:
            told = {"email": origin.email, "last_name": origin.name, "lms_user_id": origin.id}
            known = {name: value for name, value in told.items() if 0 < len(value) <= _MOST_NAME_CHARS}
            self._gradebook.add_student(student, **known)

    def _record_exercise(self, student: str, exercise: ExerciseResult, feedback: str | None) -> None:
        grade = self._entry("grade", exercise.id, student)
        grade.auto_score = min(exercise.marks, grade.max_score or exercise.max_marks)
        # As nbgrader has it: marks that were given by hand on an earlier state want a second look.
        grade.needs_manual_grade = grade.manual_score is not None
        if feedback is not None:
            name = solution_cell(self._exercises[exercise.id]).name
            self._entry("comment", name, student).auto_comment = as_comment(feedback)

    def _entry(self, kind: str, cell: str, student: str) -> Any:
        """A student's grade or comment of a cell; made if the cell is younger than the submission."""
        from nbgrader.api import Comment, Grade, MissingEntry

        book, where = self._gradebook, (self._notebook, self._assignment)
        find = book.find_grade if kind == "grade" else book.find_comment
        try:
            return find(cell, *where, student)
        except MissingEntry:
            found = book.find_grade_cell if kind == "grade" else book.find_solution_cell
            submitted = self._submitted(student)
            entry = Grade if kind == "grade" else Comment
            book.db.add(entry(cell_id=found(cell, *where).id, notebook=submitted))
            book.db.commit()
            return find(cell, *where, student)

    def _submitted(self, student: str) -> Any:
        """A student's notebook; made if the assignment's is younger than the submission."""
        from nbgrader.api import MissingEntry, SubmittedNotebook

        book, where = self._gradebook, (self._notebook, self._assignment)
        try:
            return book.find_submission_notebook(*where, student)
        except MissingEntry:
            submission = book.find_submission(self._assignment, student)
            submitted = SubmittedNotebook(notebook=book.find_notebook(*where), assignment=submission)
            book.db.add(submitted)
            book.db.commit()
            return submitted


def set_due(gradebook: Any, assignment: Assignment) -> None:
    """Give the gradebook's assignment the due date of the config, unless it has one."""
    found = gradebook.find_assignment(assignment.name)
    if found.duedate is None and assignment.due is not None:
        found.duedate = _utc(assignment.due)
        gradebook.db.commit()


def as_comment(feedback: str) -> str:
    """Feedback as a comment that Markdown shows letter for letter: every line is indented, as code is.

    >>> as_comment("a < b")
    '    a < b'
    """
    return "\n".join(f"    {line}".rstrip() for line in feedback.strip("\n").split("\n"))


# Opening


def _address(url: str) -> URL:
    """The URL with the driver that we install; a path stands for a SQLite file."""
    from sqlalchemy.engine import make_url
    from sqlalchemy.exc import ArgumentError

    if "://" not in url:
        url = f"sqlite:///{Path(url).resolve()}"
    try:
        address = make_url(url)
    except (ArgumentError, ValueError):
        remedy = "write sqlite:///gradebook.db or postgresql://user@host/name"
        raise GradebookError("the gradebook's URL cannot be read", remedy=remedy) from None
    return address.set(drivername=_DRIVERS.get(address.drivername, address.drivername))


def _course(gradebook: Any) -> str:
    """The course that new assignments belong to: the one that is there, else nbgrader's default."""
    from nbgrader.api import Course

    names: list[str] = [course.id for course in gradebook.db.query(Course).order_by(Course.id)]
    if len(names) == 1:
        return names[0]
    gradebook.check_course(_COURSE)
    return _COURSE


def _notebook_with(assignment: Any, exercises: set[str]) -> str | None:
    """The name of the notebook that has test cells of these exercises, the most first."""
    shared = {n.name: len(exercises & {cell.name for cell in n.grade_cells}) for n in assignment.notebooks}
    best = max(shared, key=lambda name: shared[name], default=None)
    return best if best is not None and shared[best] else None


@contextmanager
def _told(shown: str) -> Iterator[None]:
    """Tell what the database or nbgrader refuses as one GradebookError, without nbgrader's own log of it."""
    from nbgrader.api import InvalidEntry, MissingEntry
    from sqlalchemy.exc import NoSuchModuleError, SQLAlchemyError

    log = logging.getLogger("traitlets")
    was, log.disabled = log.disabled, True
    try:
        yield
    except (ModuleNotFoundError, NoSuchModuleError) as error:
        message = f"{shown} needs a driver that is not installed: {_first_line(error)}"
        raise GradebookError(message, remedy="pip install 'autograder[postgres]' for PostgreSQL") from None
    except (SQLAlchemyError, InvalidEntry, MissingEntry) as error:
        remedy = "mend the URL, or bring an old gradebook up to date with `nbgrader db upgrade`"
        raise GradebookError(f"{shown}: {_first_line(error)}", remedy=remedy) from None
    finally:
        log.disabled = was


@contextmanager
def _own_tools_on_path() -> Iterator[None]:
    """nbgrader starts `alembic` by its name for a new gradebook: ours is found, activated or not."""
    before = os.environ.get("PATH")
    os.environ["PATH"] = os.pathsep.join([str(Path(sys.executable).parent), *([before] if before else [])])
    try:
        yield
    finally:
        if before is None:
            del os.environ["PATH"]
        else:
            os.environ["PATH"] = before


def _first_line(error: Exception) -> str:
    return str(error).strip().partition("\n")[0]


# Times


def _utc(moment: datetime) -> datetime:
    """A moment as nbgrader keeps it: in UTC, without saying so."""
    return moment.astimezone(UTC).replace(tzinfo=None)


def _moment(handed_in: str | None) -> datetime | None:
    try:
        moment = datetime.fromisoformat(handed_in) if handed_in else None
    except ValueError:
        return None
    return _utc(moment) if moment is not None and moment.tzinfo is not None else None
