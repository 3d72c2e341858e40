"""A course of nbgrader's with 20 notebooks, taken through nbgrader's own commands once for all tests."""

import shutil
from dataclasses import dataclass
from pathlib import Path

import pytest

from autograder.model.result import Result
from tests.nbgrader.classroom import (
    ASSIGNMENT,
    EXERCISES,
    Notebook,
    everybody,
    hand_in,
    read,
    run,
    text_of,
    with_cells_marked_by_hand,
    with_text_by_hand,
    write_project,
)


@dataclass(frozen=True)
class Classroom:
    """Where everything is, what autograde said, and what `autograder grade` makes of the same notebooks."""

    project: Path
    course: Path
    log: str
    results: dict[str, Result]

    @property
    def gradebook(self) -> str:
        """The URL of nbgrader's gradebook."""
        return f"sqlite:///{self.course}/gradebook.db"

    def page(self, student: str) -> str:
        """A student's feedback, as HTML."""
        return self._of("feedback", student, ".html").read_text(encoding="utf-8")

    def autograded(self, student: str) -> Notebook:
        """A student's notebook with its marks."""
        return read(self._of("autograded", student, ".ipynb"))

    def released(self) -> Notebook:
        """The students' notebook."""
        return read(self.course / "release" / ASSIGNMENT / f"{ASSIGNMENT}.ipynb")

    def _of(self, step: str, student: str, ending: str) -> Path:
        return self.course / step / student / ASSIGNMENT / f"{ASSIGNMENT}{ending}"


@pytest.fixture(scope="session")
def prepared(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """A project and a course of nbgrader's, with the assignment generated and nothing handed in."""
    base = tmp_path_factory.mktemp("nbgrader")
    (base / "project").mkdir()
    project, course = write_project(base / "project", EXERCISES), base / "course"
    run("autograder", "-C", str(project), "nbgrader", "create", str(course), folder=base)
    source = course / "source" / ASSIGNMENT / f"{ASSIGNMENT}.ipynb"
    source.write_bytes(text_of(with_cells_marked_by_hand(read(source))))
    run("nbgrader", "generate_assignment", ASSIGNMENT, folder=course)
    return project, course


@pytest.fixture(scope="session")
def classroom(prepared: tuple[Path, Path], tmp_path_factory: pytest.TempPathFactory) -> Classroom:
    """The class, graded with our preprocessor, with feedback and export; and graded by `autograder grade`."""
    project, generated = prepared
    course = tmp_path_factory.mktemp("class") / "course"
    shutil.copytree(generated, course)
    point_to(course, project)
    notebooks = everybody(read(course / "release" / ASSIGNMENT / f"{ASSIGNMENT}.ipynb"))
    hand_in(course, {**notebooks, "ana": with_text_by_hand(notebooks["ana"])})
    log = run("nbgrader", "autograde", ASSIGNMENT, folder=course).stdout
    run("nbgrader", "generate_feedback", ASSIGNMENT, folder=course)
    run("nbgrader", "export", folder=course)
    return Classroom(project, course, log, grade(project, course))


def point_to(course: Path, project: Path) -> None:
    """Let a copied course's configuration find the project."""
    config = course / "nbgrader_config.py"
    config.write_text(config.read_text().replace("'../project'", repr(str(project))))


def grade(project: Path, course: Path) -> dict[str, Result]:
    """The results of `autograder grade` for what was handed in to nbgrader, by student."""
    from autograder.grading.store import read_result

    out = course.parent / "results"
    run(
        *("autograder", "-C", str(project), "grade", str(course / "submitted"), "--out", str(out)),
        folder=course.parent,
    )
    results = [read_result(path) for path in out.glob("*.json")]
    return {result.student: result for result in results if result is not None}
