"""Graders for nbgrader's processes: one for each assignment, with one workshop, as long as it is needed."""

from __future__ import annotations

import os
import traceback
import weakref
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path

from autograder.authoring.soundness import refuse_unsound
from autograder.errors import UsageError
from autograder.grading.expectations import Expectations
from autograder.grading.file_reports import broken_result, unreadable_result
from autograder.grading.judging import Judged
from autograder.grading.submission import Grader
from autograder.loading.assignment import assignment_names, load_assignment
from autograder.loading.submissions import Unreadable, read_submission
from autograder.notebook.card import Checked
from autograder.notebook.figures import Figure, figures_of
from autograder.wording.languages import ENGLISH, speaking
from autograder.worker.levels import open_workshop

#: Where config/, exercises/ and solutions/ lie; nbgrader_config.py sets it, and kernels inherit it.
PROJECT = "AUTOGRADER_PROJECT"

_known: weakref.WeakKeyDictionary[object, dict[str, NotebookGrader]] = weakref.WeakKeyDictionary()


def project() -> Path:
    """The top of the course; UsageError if the configuration does not say where it is."""
    place = os.environ.get(PROJECT)
    if not place:
        raise UsageError(
            f"{PROJECT} does not say where config/, exercises/ and solutions/ lie",
            remedy="`autograder nbgrader create` writes a line that does into nbgrader_config.py",
        )
    return Path(place)


def is_ours(assignment: str, notebook: str) -> bool:
    """Whether a notebook of one of nbgrader's assignments is one that `autograder nbgrader create` made."""
    return notebook == assignment and assignment in assignment_names(project())


def grader_for(owner: object, assignment: str) -> NotebookGrader:
    """The grader of an assignment; it lives as long as its owner, which is one run over many submissions."""
    graders = _known.setdefault(owner, {})
    if assignment not in graders:
        graders[assignment] = NotebookGrader(project(), assignment)
        weakref.finalize(owner, graders[assignment].close)
    return graders[assignment]


class NotebookGrader:
    """Grades notebooks by their paths, exactly as `autograder grade` does, one after the other.

    What is begun goes on beside what nbgrader does meanwhile: most of the time of grading is the worker's, which
    is a process of its own.
    """

    def __init__(self, top: Path, assignment: str) -> None:
        self.course = load_assignment(top, assignment)
        refuse_unsound(self.course)
        self._workshop = open_workshop(self.course.assignment.isolation)
        self._figures: list[Figure] = []
        self._grader = Grader(self.course, self._workshop, self._note)
        self.language = self.course.assignment.language or ENGLISH
        self._thread = ThreadPoolExecutor(1, "autograder")
        self._begun: dict[Path, Future[Checked]] = {}

    def close(self) -> None:
        """End the workshop, once what was begun is done."""
        self._thread.shutdown(cancel_futures=True)
        self._workshop.close()

    def begin(self, *paths: Path) -> None:
        """Begin to grade notebooks that will be asked for; others that were begun are forgotten."""
        begun = {path: self._begun.get(path) or self._thread.submit(self._grade, path) for path in paths}
        self._begun = begun

    def grade(self, path: Path) -> Checked:
        """The result of one notebook and its pictures. Never raises for what the notebook is or does.

        What is broken on our side gives all marks and says so, as everywhere.
        """
        begun = self._begun.pop(path, None)
        return (begun or self._thread.submit(self._grade, path)).result()

    def _grade(self, path: Path) -> Checked:
        with speaking(self.language):
            return self._checked(path, student=path.parent.parent.name)

    def _checked(self, path: Path, student: str) -> Checked:
        self._figures = []
        submission = read_submission(path, student)
        made_with = self._grader.environment
        if isinstance(submission, Unreadable):
            result = unreadable_result(submission, self.course, made_with)
        else:
            try:
                result = self._grader.grade(submission)
            except Exception:  # a fault of ours, which may not stop the class
                result = broken_result(student, path.name, self.course, made_with, traceback.format_exc())
        order = tuple(exercise.id for exercise in self.course.exercises)
        return Checked(result, tuple(self._figures), order=order)

    def _note(self, judged: Judged, expected: Expectations) -> None:
        self._figures += figures_of(judged, expected)
