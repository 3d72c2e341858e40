"""What nbgrader's test cells call where they run: the marks of one exercise, in a notebook's own kernel.

Nothing keeps the grading and the graded apart here; `autograder.plugins.nbgrader` grades in a worker, and is
faster. The inputs are the same: they are drawn from the code of the whole notebook as it was handed in.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any

from autograder.errors import AutograderError
from autograder.grading.expectations import Expectations
from autograder.grading.judging import Judged
from autograder.grading.submission import Grader
from autograder.loading.assignment import Course, find_top, load_assignment
from autograder.loading.submissions import Unreadable, read_submission
from autograder.model.exercise import Exercise
from autograder.model.submission import Submission
from autograder.notebook.card import Checked
from autograder.notebook.checking import CheckError, _cell_name, _shell
from autograder.notebook.figures import Figure, figures_of
from autograder.notebook.kernel import KernelWorkshop
from autograder.notebook.pages import Pages

#: Where the course lies, if it is not at or above the current folder: nbgrader_config.py says it.
PROJECT = "AUTOGRADER_PROJECT"
#: nbgrader sets this to "autograde" or "validate" in the kernels that it starts.
_EXECUTION = "NBGRADER_EXECUTION"
_CONFIG, _SUBMITTED = "nbgrader_config.py", "submitted"


def marks(exercise: str, *, assignment: str | None = None) -> float:
    """The marks of one exercise, as the last value of a cell; the feedback is shown above them.

    Functions that the exercise builds on are called too, for the follow-through. CheckError if the course is
    not there.

        marks("softmax")
    """
    shell = _shell()
    if shell is None:
        raise CheckError("marks() is for notebooks", remedy="`autograder check` marks a file")
    try:
        checked = _grader(_top(), assignment).grade(exercise, dict(shell.user_ns), shell)
    except AutograderError as error:
        raise CheckError(str(error)) from None
    from IPython.display import display

    display(checked)  # type: ignore[no-untyped-call]
    return float(checked.result.exercises[0].marks)


def _top() -> Path:
    place = os.environ.get(PROJECT)
    return Path(place) if place else find_top(Path())


@lru_cache(maxsize=4)
def _grader(top: Path, assignment: str | None) -> KernelGrader:
    return KernelGrader(load_assignment(top, assignment))


class KernelGrader:
    """Marks functions of a kernel, an exercise at a time, on the inputs that the whole notebook draws."""

    def __init__(self, course: Course) -> None:
        self._course = course
        self._workshop = KernelWorkshop()
        self._figures: list[Figure] = []
        self._grader = Grader(course, self._workshop, self._note)

    def grade(self, name: str, namespace: dict[str, Any], shell: Any) -> Checked:
        """The result of one exercise; those that it builds on are graded beside it and left out."""
        exercise = self._course.exercise(name)
        self._workshop.namespace = namespace
        self._workshop.pages = Pages.of(namespace, _cell_name(shell))
        self._figures = []
        pages = self._workshop.pages.submission(self._course.assignment.file)
        submission = OfNotebook.of(pages, handed_in(self._course.assignment.name) or pages)
        below = below_it(exercise, self._course.exercises)
        result = self._grader.grade(submission, [one.id for one in below])
        order = tuple(one.id for one in self._course.exercises)
        return part_of(Checked(result, tuple(self._figures), order=order), exercise.id)

    def _note(self, judged: Judged, expected: Expectations) -> None:
        self._figures += figures_of(judged, expected)


@dataclass(frozen=True)
class OfNotebook(Submission):
    """The functions of a kernel, which draw their inputs from the code of the notebook that they are of."""

    drawn_from: str = ""

    @classmethod
    def of(cls, pages: Submission, notebook: Submission) -> OfNotebook:
        """The pages of a kernel with the inputs of a notebook as it was handed in."""
        own = {field.name: getattr(pages, field.name) for field in fields(Submission)}
        return cls(**own, drawn_from=notebook.code_sha256)

    @cached_property
    def code_sha256(self) -> str:
        """The digest of the whole notebook's code."""
        return self.drawn_from


def handed_in(assignment: str) -> Submission | None:
    """The notebook that nbgrader is running here, as it was handed in; None outside of `nbgrader autograde`.

    It lies in the same place below `submitted` as this folder below `autograded`. Where that is not so, the
    copy in this folder is taken, which differs only if locked cells were changed.
    """
    if os.environ.get(_EXECUTION) != "autograde":
        return None
    here = Path.cwd()
    paths = [here / f"{assignment}.ipynb"]
    top = next((folder for folder in here.parents if (folder / _CONFIG).is_file()), None)
    if top is not None:
        paths.insert(0, top / _SUBMITTED / Path(*here.relative_to(top).parts[1:]) / paths[0].name)
    read = (read_submission(path) for path in paths if path.is_file())
    return next((one for one in read if not isinstance(one, Unreadable)), None)


def below_it(exercise: Exercise, exercises: Sequence[Exercise]) -> tuple[Exercise, ...]:
    """An exercise and all that it builds on, in the assignment's order."""
    by_id = {one.id: one for one in exercises}
    needed = {exercise.id}
    while more := {name for one in needed for name in by_id[one].uses} - needed:
        needed |= more
    return tuple(one for one in exercises if one.id in needed)


def part_of(checked: Checked, exercise: str, *, with_file: bool = True) -> Checked:
    """What a check shows of one exercise, with or without what is to be said of the whole file."""
    result = checked.result
    one = tuple(part for part in result.exercises if part.id == exercise)
    result = replace(
        result,
        exercises=one,
        marks=one[0].marks,
        max_marks=one[0].max_marks,
        file_reports=result.file_reports if with_file else (),
        printed=result.printed if with_file else "",
    )
    figures = tuple(figure for figure in checked.figures if figure.exercise == exercise)
    return replace(checked, result=result, figures=figures)
