"""A course of nbgrader's with 20 notebooks, taken through nbgrader's own commands once for all tests."""

import os
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest
from filelock import FileLock

from autograder.grading.store import read_result
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


def once(factory: pytest.TempPathFactory, name: str, make: Callable[[Path], None]) -> Path:
    """A folder that is made once, however many processes the tests run in."""
    base = factory.getbasetemp()
    folder = (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / name
    with FileLock(f"{folder}.lock"):
        if not (folder / "done").exists():
            folder.mkdir()
            make(folder)
            (folder / "done").touch()
    return folder


@pytest.fixture(scope="session")
def prepared(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """A project and a course of nbgrader's, with the assignment generated and nothing handed in."""
    base = once(tmp_path_factory, "prepared", _prepare)
    return base / "project", base / "course"


def _prepare(base: Path) -> None:
    (base / "project").mkdir()
    project, course = write_project(base / "project", EXERCISES), base / "course"
    run("autograder", "-C", str(project), "nbgrader", "create", str(course), folder=base)
    source = course / "source" / ASSIGNMENT / f"{ASSIGNMENT}.ipynb"
    source.write_bytes(text_of(with_cells_marked_by_hand(read(source))))
    run("nbgrader", "generate_assignment", ASSIGNMENT, folder=course)


@pytest.fixture(scope="session")
def classroom(prepared: tuple[Path, Path], tmp_path_factory: pytest.TempPathFactory) -> Classroom:
    """The class, graded with our preprocessor, with feedback and export; and graded by `autograder grade`."""
    base = once(tmp_path_factory, "class", lambda base: _take_class(base, *prepared))
    results = [read_result(path) for path in (base / "results").glob("*.json")]
    by_student = {result.student: result for result in results if result is not None}
    return Classroom(prepared[0], base / "course", (base / "log").read_text(encoding="utf-8"), by_student)


def _take_class(base: Path, project: Path, generated: Path) -> None:
    course = base / "course"
    shutil.copytree(generated, course)
    point_to(course, project)
    notebooks = everybody(read(course / "release" / ASSIGNMENT / f"{ASSIGNMENT}.ipynb"))
    hand_in(course, {**notebooks, "ana": with_text_by_hand(notebooks["ana"])})
    log = run("nbgrader", "autograde", ASSIGNMENT, folder=course).stdout
    (base / "log").write_text(log, encoding="utf-8")
    run("nbgrader", "generate_feedback", ASSIGNMENT, folder=course)
    run("nbgrader", "export", folder=course)
    graded = ("grade", str(course / "submitted"), "--out", str(base / "results"))
    run("autograder", "-C", str(project), *graded, folder=base)


def point_to(course: Path, project: Path) -> None:
    """Let a copied course's configuration find the project."""
    config = course / "nbgrader_config.py"
    config.write_text(config.read_text().replace("'../project'", repr(str(project))))
