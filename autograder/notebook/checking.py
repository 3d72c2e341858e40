"""The calls that a student writes in a notebook: which exercises they mean, and the course they belong to."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

from autograder.errors import AutograderError, UsageError
from autograder.grading.expectations import Expectations
from autograder.grading.judging import Judged
from autograder.grading.submission import Grader
from autograder.loading.assignment import Course, find_top, load_assignment
from autograder.loading.findings import known_names
from autograder.model.exercise import Exercise
from autograder.notebook.card import Checked
from autograder.notebook.figures import Figure, figures_of
from autograder.notebook.kernel import KernelWorkshop
from autograder.notebook.pages import CellName, Pages
from autograder.wording.say import say


class CheckError(UsageError):
    """A check that could not be made. IPython shows its message alone, without a traceback."""

    def _render_traceback_(self) -> list[str]:
        return [f"autograder: {self}"]


def check(
    *functions: Callable[..., Any] | str, project: str | Path | None = None, assignment: str | None = None
) -> Checked:
    """Check functions of this notebook (by default every one that an exercise asks for), and say what holds.

    The course is the one at or above `project`, or at or above the current folder. CheckError if it is not
    there, or if no exercise asks for a function.

        check(softmax)
    """
    shell = _shell()
    namespace = shell.user_ns if shell is not None else sys._getframe(1).f_globals
    return _check(functions, namespace, shell, project, assignment)


def check_by_name(line: str) -> Checked:
    """The line magic `%autograder softmax attention`: check by the names of functions or exercises."""
    shell = _shell()
    return _check(tuple(line.split()), shell.user_ns if shell is not None else {}, shell, None, None)


def _check(
    asked: tuple[Any, ...],
    namespace: Mapping[str, Any],
    shell: Any,
    project: str | Path | None,
    assignment: str | None,
) -> Checked:
    try:
        checker = _checker(find_top(Path(project) if project is not None else Path()), assignment)
        return checker.check(asked, dict(namespace), _cell_name(shell))
    except AutograderError as error:
        raise CheckError(str(error)) from None


@lru_cache(maxsize=4)
def _checker(top: Path, assignment: str | None) -> Checker:
    return Checker(load_assignment(top, assignment))


class Checker:
    """Checks functions of a namespace against the exercises of one course, as often as asked."""

    def __init__(self, course: Course) -> None:
        self._course = course
        self._workshop = KernelWorkshop()
        self._figures: list[Figure] = []
        self._grader = Grader(course, self._workshop, self._note)
        self._told = False

    def check(self, asked: tuple[Any, ...], namespace: dict[str, Any], cell_name: CellName | None) -> Checked:
        """The result of the functions asked for (all that are there, if none), by object or by name."""
        exercises = [self._meant(one, namespace) for one in asked] or self._begun(namespace)
        self._workshop.namespace = namespace
        self._workshop.pages = Pages.of(namespace, cell_name)
        self._figures = []
        submission = self._workshop.pages.submission(self._course.assignment.file)
        result = self._grader.grade(submission, [exercise.id for exercise in exercises])
        note, self._told = "" if self._told else say("kernel.note"), True
        order = tuple(exercise.id for exercise in self._course.exercises)
        return Checked(result, tuple(self._figures), note, order)

    def _note(self, judged: Judged, expected: Expectations) -> None:
        self._figures += figures_of(judged, expected)

    def _meant(self, asked: Any, namespace: dict[str, Any]) -> Exercise:
        """The exercise that a function or a name stands for; the function is then the one that is called."""
        if isinstance(asked, str):
            return self._course.exercise(asked)
        by_function = {exercise.function: exercise for exercise in self._course.exercises}
        names = [name for name, value in namespace.items() if value is asked]
        for name in (*names, getattr(asked, "__name__", "")):
            if name in by_function:
                namespace[name] = asked
                return by_function[name]
        shown = str(getattr(asked, "__name__", type(asked).__name__))
        remedy = known_names(shown, list(by_function))
        raise UsageError(f"no exercise asks for a function {shown!r}", remedy=remedy)

    def _begun(self, namespace: Mapping[str, Any]) -> list[Exercise]:
        begun = [
            exercise for exercise in self._course.exercises if callable(namespace.get(exercise.function))
        ]
        if not begun:
            known = ", ".join(exercise.function for exercise in self._course.exercises)
            raise UsageError("there is no function here that an exercise asks for", remedy=f"known: {known}")
        return begun


def _shell() -> Any:
    """The IPython that this runs in, or None."""
    ipython = sys.modules.get("IPython")
    return ipython.get_ipython() if ipython is not None else None


def _cell_name(shell: Any) -> CellName | None:
    """What says which cell a file name of a running IPython stands for."""
    return getattr(getattr(shell, "compile", None), "format_code_name", None)
