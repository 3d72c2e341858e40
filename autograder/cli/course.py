"""The course and the submission that a command works on, found from its arguments."""

from __future__ import annotations

import difflib
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from autograder.errors import UsageError

if TYPE_CHECKING:
    from autograder.loading.assignment import Course
    from autograder.model.submission import Submission

_SUFFIXES = (".py", ".ipynb")


def open_course(project: Path | None, assignment: str | None) -> Course:
    """The assignment of that name in the course at `project`, or in the nearest at or above this folder.

    It is in the language that the command speaks.
    """
    from autograder.cli.tongue import translated
    from autograder.loading.assignment import find_top, load_assignment

    return translated(load_assignment(find_top(project or Path()), assignment))


def file_and_exercises(arguments: Sequence[str], course: Course) -> tuple[Path, list[str]]:
    """The file to check and the ids asked for; the first argument is the file unless it names an exercise."""
    path = _own_file(Path(), course)
    names = list(arguments)
    if names and _names_file(names[0], course):
        path = Path(names.pop(0))
        path = _own_file(path, course) if path.is_dir() else path
    return path, [course.exercise(name).id for name in names]


def _own_file(folder: Path, course: Course) -> Path:
    """The assignment's file in a folder; its notebook, if that is there and the file is not."""
    from autograder.model.submission import notebook_name

    file, notebook = folder / course.assignment.file, folder / notebook_name(course.assignment.file)
    return notebook if notebook.is_file() and not file.exists() else file


def _names_file(argument: str, course: Course) -> bool:
    try:
        course.exercise(argument)
    except UsageError:
        path = Path(argument)
        return path.suffix in _SUFFIXES or len(path.parts) != 1 or path.exists()
    return False


def read_file(path: Path) -> Submission:
    """The student's own file. UsageError, with what to do, if it is not there or cannot be read."""
    from autograder.loading.submissions import Unreadable, read_submission

    if not path.exists():
        raise UsageError(f"there is no file {path}", remedy=_remedy(path))
    submission = read_submission(path.resolve())
    if isinstance(submission, Unreadable):
        raise UsageError(
            f"{path} cannot be read: {submission.message}", remedy="name a Python file or a notebook"
        )
    return submission


def _remedy(path: Path) -> str:
    entries = sorted(path.parent.iterdir()) if path.parent.is_dir() else []
    beside = [entry.name for entry in entries if entry.suffix in _SUFFIXES]
    near = difflib.get_close_matches(path.name, beside, n=1)
    if near:
        return f"did you mean {str(path.parent / near[0])!r}?"
    return "`autograder start` writes the file of stubs to fill in"
