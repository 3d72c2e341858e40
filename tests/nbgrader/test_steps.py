"""The steps of `nbgrader autograde` that are ours, on notebooks made by hand."""

import io
import json
import logging
import os
from pathlib import Path
from typing import Any

import nbformat
import pytest
from nbformat import NotebookNode
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook
from nbgrader.preprocessors import Execute
from nbgrader.utils import determine_grade

from autograder.errors import UsageError
from autograder.gradebook.book import Book
from autograder.gradebook.cells import cells_of
from autograder.loading.assignment import Course, load_assignment
from autograder.model.result import ExerciseResult, Result
from autograder.model.submission import Submission
from autograder.notebook import marks
from autograder.notebook.card import Checked
from autograder.notebook.checking import CheckError
from autograder.notebook.graded_cells import OfNotebook, below_it, handed_in
from autograder.plugins.nbgrader.exporter import SubmittedNotebookExporter
from autograder.plugins.nbgrader.graders import grader_for, is_ours
from autograder.plugins.nbgrader.outputs import outputs_of
from autograder.plugins.nbgrader.preprocessors import GradeInWorker
from autograder.plugins.nbgrader.restoring import Released, restored
from tests.cli.small_course import RIGHT, write_course


@pytest.fixture
def course(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Course:
    """The small course, as nbgrader_config.py tells of it."""
    top = tmp_path / "project"
    write_course(top)
    config = top / "config/mini.yaml"
    config.write_text(config.read_text() + "isolation: portable\n")
    monkeypatch.setenv("AUTOGRADER_PROJECT", str(top))
    return load_assignment(top)


@pytest.fixture
def released(course: Course) -> list[Released]:
    """The cells of the small course as they were released."""
    return [
        Released(cell.name, cell.kind, f"# {cell.name}", {**cell.metadata, "cell_type": cell.kind})
        for cell in cells_of(course.exercises)
    ]


def fresh(released: list[Released]) -> list[NotebookNode]:
    return [one.new(with_id=True) for one in released]


def names(cells: list[NotebookNode]) -> list[str]:
    return [cell.metadata.get("nbgrader", {}).get("grade_id", "") for cell in cells]


ORDER = ["double-statement", "double-solution", "double", "total-statement", "total-solution", "total"]


# Cells put back in order


def test_a_notebook_that_was_left_as_it_was_stays_as_it_is(released: list[Released]) -> None:
    assert restored(fresh(released), released, with_id=True) == fresh(released)


def test_a_missing_test_cell_comes_after_the_last_cell_before_it(released: list[Released]) -> None:
    cells = [
        cell for cell in fresh(released) if names([cell]) not in (["double"], ["total-solution"], ["total"])
    ]
    cells.append(new_code_cell("mine"))

    again = restored(cells, released, with_id=True)

    assert names(again)[1:] == [
        "double-statement",
        "double-solution",
        "double",
        "total-statement",
        "total",
        "",
    ]


def test_a_notebook_without_any_cell_gets_all_that_have_marks(released: list[Released]) -> None:
    assert names(restored([], released, with_id=True)) == ["double", "total"]


def test_of_copies_the_last_is_the_cell_and_the_others_are_the_students_own(released: list[Released]) -> None:
    cells = [*fresh(released), *(cell for cell in fresh(released) if names([cell]) == ["double"])]
    cells[-1].source = "changed"

    again = restored(cells, released, with_id=True)

    assert names(again).count("double") == 1
    assert again[-1].metadata.nbgrader.grade_id == "double"
    assert "nbgrader" not in again[3].metadata


@pytest.mark.parametrize(
    "claim",
    [
        "text",
        [],
        {},
        {"grade_id": 5},
        {"grade_id": "unknown", "grade": True, "points": 99},
        {"grade_id": "double", "grade": False, "points": -1, "schema_version": 1, "more": [{}]},
        {"grade_id": "double", "grade": True, "solution": True, "points": "many"},
    ],
)
def test_no_claim_of_a_cells_changes_what_it_is_worth(released: list[Released], claim: Any) -> None:
    cells = fresh(released)
    cells[3]["metadata"]["nbgrader"] = claim

    again = restored(cells, released, with_id=True)

    found = [cell for cell in again if names([cell]) == ["double"]]
    assert len(found) == 1
    assert found[0].metadata.nbgrader == {**released[3].metadata}
    assert "unknown" not in names(again)


def test_a_cell_made_text_is_code_again_with_its_text(released: list[Released]) -> None:
    cells = fresh(released)
    cells[2] = new_markdown_cell("def double(S): ...", metadata=cells[2].metadata, attachments={})

    again = restored(cells, released, with_id=True)

    assert (again[2].cell_type, again[2].source) == ("code", "def double(S): ...")
    nbformat.validate(new_notebook(cells=again))


def test_cells_of_an_older_format_get_no_id(released: list[Released]) -> None:
    assert all("id" not in cell for cell in restored([], released, with_id=False))


# Marks as nbgrader reads them


def checked(marks: float, points: float = 3.0, message: str = "") -> Checked:
    exercise = ExerciseResult("double", "Twice", "double", "partly", marks, points, message=message)
    return Checked(Result("mini", "ana", "mini.ipynb", "", "graded", marks, points, (exercise,)))


@pytest.mark.parametrize("marks", [0.0, 1e-6, 0.1, 0.3, 1.000001, 2.666667, 2.999999, 3.0])
def test_nbgrader_reads_our_marks_to_the_last_digit(marks: float) -> None:
    cell = new_code_cell("marks()", metadata={"nbgrader": {"grade": True, "solution": False, "points": 3.0}})
    cell.outputs = outputs_of(checked(marks), "double", 3.0, with_file=True)

    assert determine_grade(cell) == (marks, 3.0)
    nbformat.validate(new_notebook(cells=[cell]))


def test_feedback_is_escaped_in_html_and_there_as_text() -> None:
    output = outputs_of(checked(1.0, message="<img src=x onerror=alert(1)>"), "double", 3.0, with_file=True)[
        0
    ]

    assert "<img" not in output.data["text/html"]
    assert "&lt;img src=x onerror=alert(1)&gt;" in output.data["text/html"]
    assert "<img src=x" in output.data["text/plain"]


# Grading


def resources(path: Path, assignment: str = "mini") -> Any:
    told = {"student": "ana", "assignment": assignment, "notebook": assignment, "db_url": ""}
    return {"nbgrader": told, "metadata": {"path": str(path)}}


def notebook_in(path: Path, cells: list[NotebookNode]) -> NotebookNode:
    notebook = new_notebook(cells=cells)
    (path / "mini.ipynb").write_text(nbformat.writes(notebook), encoding="utf-8")
    return notebook


def graded(path: Path, cells: list[NotebookNode]) -> NotebookNode:
    notebook = notebook_in(path, cells)
    made, _ = GradeInWorker(parent=SubmittedNotebookExporter()).preprocess(notebook, resources(path))
    return made


def test_marks_come_from_the_functions_of_the_notebook(released: list[Released], tmp_path: Path) -> None:
    made = graded(tmp_path, [new_code_cell(RIGHT.replace("S + S", "S + 1")), *fresh(released)])
    scores = {
        name: determine_grade(c)[0] for c in made.cells if (name := names([c])[0]) in ("double", "total")
    }

    assert scores == {"double": 0.0, "total": 1.0}


def test_what_is_said_of_the_file_stands_with_the_first_test_cell(
    released: list[Released], tmp_path: Path
) -> None:
    cells = [new_code_cell("raise ValueError('in my cell')"), new_code_cell(RIGHT), *fresh(released)]
    shown = [o.data["text/plain"] for c in graded(tmp_path, cells).cells for o in c.get("outputs", [])]

    assert ["in my cell" in text for text in shown] == [True, False, False, False]


def test_a_test_cell_that_is_no_exercises_is_refused_and_given_no_marks(
    released: list[Released], tmp_path: Path
) -> None:
    strange = fresh(released)
    strange[3].metadata.nbgrader.grade_id = "extra"

    with pytest.raises(UsageError, match="'extra' belongs to no exercise"):
        graded(tmp_path, strange)


def test_points_that_are_no_longer_the_configs_are_told(released: list[Released], tmp_path: Path) -> None:
    cells = fresh(released)
    cells[3].metadata.nbgrader.points = 7.0

    with pytest.raises(UsageError, match=r"has 7 points, the exercise 3.*create --force"):
        graded(tmp_path, cells)


def test_a_fault_of_ours_costs_no_marks_and_is_loud(
    released: list[Released], tmp_path: Path, course: Course, caplog: pytest.LogCaptureFixture
) -> None:
    exporter = SubmittedNotebookExporter()
    grader = grader_for(exporter, "mini")
    grader._grader.grade = None  # type: ignore[assignment,method-assign]
    notebook = notebook_in(tmp_path, [new_code_cell(RIGHT), *fresh(released)])
    step = GradeInWorker(parent=exporter)
    step.log = logging.getLogger("nbgrader of the test")

    made, _ = step.preprocess(notebook, resources(tmp_path))

    assert [determine_grade(c)[0] for c in made.cells if names([c])[0] in ("double", "total")] == [3.0, 1.0]
    assert "a fault of ours" in caplog.text


def test_a_notebook_of_another_assignment_is_executed_as_ever(
    course: Course, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Execute, "preprocess", lambda self, nb, resources, km=None: (nb, "executed"))

    _, told = GradeInWorker().preprocess(new_notebook(), resources(tmp_path, "other"))

    assert told == "executed"


def test_a_second_notebook_of_an_assignment_is_not_ours(course: Course) -> None:
    assert is_ours("mini", "mini")
    assert not is_ours("mini", "appendix")
    assert not is_ours("other", "other")


def test_a_configuration_that_does_not_say_where_the_course_is_is_told(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delenv("AUTOGRADER_PROJECT", raising=False)

    with pytest.raises(UsageError, match="AUTOGRADER_PROJECT does not say"):
        is_ours("mini", "mini")


def test_one_run_has_one_grader_and_the_next_run_another(course: Course) -> None:
    one, other = SubmittedNotebookExporter(), SubmittedNotebookExporter()

    assert grader_for(one, "mini") is grader_for(one, "mini")
    assert grader_for(one, "mini") is not grader_for(other, "mini")


def test_what_was_begun_is_what_is_asked_for_and_nothing_else(course: Course, tmp_path: Path) -> None:
    paths = {name: tmp_path / name / "mini/mini.py" for name in ("ana", "bo", "cy")}
    for path in paths.values():
        path.parent.mkdir(parents=True)
        path.write_text(RIGHT)
    paths["bo"].write_text(RIGHT.replace("S + S", "S"))
    grader = grader_for(SubmittedNotebookExporter(), "mini")
    grader.begin(paths["ana"], paths["bo"])
    grader.begin(paths["bo"], paths["cy"])

    results = [grader.grade(path).result for path in reversed(paths.values())]

    assert [(r.student, r.marks) for r in results] == [("cy", 4.0), ("bo", 1.0), ("ana", 4.0)]


# Files that are no notebooks


@pytest.fixture(scope="module")
def empty_gradebook(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("steps") / "gradebook.db"
    Book.open(str(path)).close()
    return path


def read_as(content: bytes, course: Course, gradebook: Path) -> NotebookNode:
    """What the exporter makes of a file that was handed in."""
    with Book.open(str(gradebook)) as book:
        book.prepare(course.assignment, course.exercises)
    told = resources(Path())
    told["nbgrader"]["db_url"] = f"sqlite:///{gradebook}"
    stream = io.TextIOWrapper(io.BytesIO(content), encoding="utf-8")
    text, _ = SubmittedNotebookExporter().from_file(stream, resources=told)
    return nbformat.reads(text, as_version=4)


WHOLE = json.dumps({"cells": [], "metadata": {}, "nbformat": 4, "nbformat_minor": 4})


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"\n",
        b'{"cells": [{"cell_type": "code", "sou',
        b"\xff\xfe{\x00}\x00",
        b"[1, 2]",
        b"null",
        b'{"nbformat": 4, "nbformat_minor": 5}',
        b'{"cells": 3, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}',
        WHOLE.replace("[]", '["text"]').encode(),
        WHOLE.replace("[]", '[{"cell_type": "code", "metadata": [], "source": "", "outputs": []}]').encode(),
        WHOLE.replace("[]", '[{"cell_type": "code", "metadata": {}, "source": {"a": 1}}]').encode(),
        b"[" * 100_000,
        WHOLE.replace('"nbformat": 4', '"nbformat": 99').encode(),
    ],
    ids=lambda content: repr(content[:30]),
)
def test_any_file_becomes_a_notebook_with_every_test_cell(
    content: bytes, course: Course, empty_gradebook: Path
) -> None:
    notebook = read_as(content, course, empty_gradebook)

    assert names(notebook.cells)[2:] == ORDER
    assert "cannot be read as one" in notebook.cells[0].source


@pytest.mark.parametrize("minor", [2, 4, 5])
@pytest.mark.filterwarnings("ignore:Cell is missing an id field")
def test_a_notebook_that_can_be_read_is_taken_as_it_is(
    minor: int, course: Course, empty_gradebook: Path
) -> None:
    cell = {"cell_type": "code", "metadata": {}, "source": "x = 1", "outputs": [], "execution_count": None}
    content = {"cells": [cell], "metadata": {}, "nbformat": 4, "nbformat_minor": minor}

    notebook = read_as(json.dumps(content).encode(), course, empty_gradebook)

    assert [c.source for c in notebook.cells] == ["x = 1"]


# In a kernel


def test_a_kernel_draws_from_the_notebook_that_was_handed_in(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    here, there = (tmp_path / step / "ana/mini" for step in ("autograded", "submitted"))
    for folder in (here, there):
        folder.mkdir(parents=True)
    (tmp_path / "nbgrader_config.py").write_text("")
    notebook_in(here, [new_code_cell("x = 'put in order'")])
    notebook_in(there, [new_code_cell("x = 'handed in'")])
    monkeypatch.chdir(here)

    assert handed_in("mini") is None  # a student's own kernel
    monkeypatch.setenv("NBGRADER_EXECUTION", "autograde")
    found = handed_in("mini")
    assert found is not None
    assert b"handed in" in found.source
    os.remove(there / "mini.ipynb")
    found = handed_in("mini")
    assert found is not None
    assert b"put in order" in found.source


def test_marks_outside_of_a_notebook_are_refused() -> None:
    with pytest.raises(CheckError, match="for notebooks"):
        marks("double")


def test_inputs_follow_the_notebook_and_lines_the_kernel() -> None:
    pages = Submission("", "a.ipynb", b"def f(): ...", b"def f(): ...", cells=(1,))
    notebook = Submission("ana", "b.ipynb", b"whole", b"whole")

    both = OfNotebook.of(pages, notebook)

    assert both.code_sha256 == notebook.code_sha256
    assert (both.source, both.cells) == (pages.source, pages.cells)


def test_what_an_exercise_builds_on_is_graded_beside_it() -> None:
    exercises = load_assignment(Path(__file__).parents[2], "qkv").exercises
    by_id = {exercise.id: exercise for exercise in exercises}

    assert [e.id for e in below_it(by_id["scores"], exercises)] == ["scores"]
    assert [e.id for e in below_it(by_id["attention"], exercises)] == [
        *("scores", "scale", "softmax", "mix", "attention"),
    ]
