"""`autograder nbgrader create`: the instructor's notebook and the lines of configuration."""

import json
from pathlib import Path
from typing import Any

import nbformat
import numpy as np
import pytest
from click.testing import CliRunner
from nbgrader.nbgraderformat import MetadataValidator
from traitlets.config.loader import PyFileConfigLoader

from autograder.authoring.nbgrader_course import write_course
from autograder.authoring.nbgrader_notebook import source_notebook
from autograder.cli.main import cli
from autograder.errors import UsageError
from autograder.gradebook.cells import cells_of
from autograder.loading.assignment import Course, load_assignment
from autograder.loading.notebooks import code_of
from tests.cli.small_course import write_course as write_small_course

TOP = Path(__file__).parents[2]


@pytest.fixture
def small(tmp_path: Path) -> Course:
    write_small_course(tmp_path / "project")
    return load_assignment(tmp_path / "project")


@pytest.fixture(scope="module")
def qkv() -> Course:
    return load_assignment(TOP, "qkv")


def with_solutions(course: Course, text: str) -> Course:
    (course.top / "solutions/mini.py").write_text(text, encoding="utf-8")
    return load_assignment(course.top)


def functions_of(course: Course) -> dict[str, Any]:
    """What the cells of the notebook define when they are run as a submission's are."""
    source, _, _ = code_of(source_notebook(course).encode())
    namespace: dict[str, Any] = {}
    exec(compile(source, "notebook", "exec"), namespace)
    return namespace


def test_the_notebook_is_one_for_jupyter_and_for_nbgrader(qkv: Course) -> None:
    notebook = nbformat.reads(source_notebook(qkv), as_version=4)

    nbformat.validate(notebook)
    MetadataValidator().validate_nb(notebook)
    named = [c.metadata.nbgrader.grade_id for c in notebook.cells if "nbgrader" in c.metadata]
    assert named == [cell.name for cell in cells_of(qkv.exercises)]


def test_points_are_those_of_the_config(qkv: Course) -> None:
    cells = nbformat.reads(source_notebook(qkv), as_version=4).cells
    points = {
        c.metadata.nbgrader.grade_id: c.metadata.nbgrader.points
        for c in cells
        if c.metadata.get("nbgrader", {}).get("grade")
    }

    assert points == {exercise.id: exercise.points for exercise in qkv.exercises}
    assert sum(points.values()) == 50


def test_the_solution_cells_do_what_the_references_do(qkv: Course) -> None:
    written, rng = functions_of(qkv), np.random.default_rng(3)
    Q, K, V = rng.normal(size=(3, 5)), rng.normal(size=(4, 5)), rng.normal(size=(4, 2))

    for actual, expected in zip(
        written["attention"](Q, K, V), qkv.references.functions["attention"](Q, K, V), strict=True
    ):
        assert np.array_equal(actual, expected)
    for exercise in qkv.exercises:
        assert callable(written[exercise.function])


def test_a_solution_keeps_its_comments_and_brings_its_helpers(small: Course) -> None:
    course = with_solutions(
        small,
        "import math\nimport numpy as np\n\nFACTOR = 2\n_UNUSED = 3\n\n"
        "def _times(S, factor):\n    return S * factor\n\n\n"
        "def double(S):\n    # why so\n    return _times(S, FACTOR)  # as said\n\n\n"
        'def total(S):\n    """Add up."""\n\n    return math.fsum(S.ravel())\n',
    )
    text = source_notebook(course)
    written = functions_of(course)

    assert "# why so" in text
    assert "# as said" in text
    assert "_UNUSED" not in text
    assert np.array_equal(written["double"](np.ones((1, 2))), [[2, 2]])
    assert written["total"](np.ones((2, 2))) == 4


@pytest.mark.parametrize(
    "body", ["def double(S): return 2 * S", "def double(S):\n  if True:\n    return 2 * S"]
)
def test_a_solution_may_be_written_on_one_line_or_with_another_indent(small: Course, body: str) -> None:
    course = with_solutions(small, f"{body}\n\n\ndef total(S):\n    return S.sum()\n")

    assert functions_of(course)["double"](3) == 6


def test_a_reference_that_is_no_plain_function_is_refused(small: Course) -> None:
    course = with_solutions(
        small,
        "def _twice(S):\n    return 2 * S\n\n\ndouble = _twice\n\n\ndef total(S):\n    return S.sum()\n",
    )

    with pytest.raises(UsageError, match="no `def double`"):
        source_notebook(course)


def test_the_same_course_gives_the_same_bytes(small: Course) -> None:
    assert source_notebook(small) == source_notebook(load_assignment(small.top))


# The files


def test_the_configuration_is_what_nbgrader_reads(small: Course, tmp_path: Path) -> None:
    folder = tmp_path / "physics 101"
    write_course(small, folder)
    config = PyFileConfigLoader("nbgrader_config.py", path=str(folder)).load_config()

    assert config.CourseDirectory.course_id == "physics-101"
    assert config.Autograde.autograde_preprocessors[0].endswith("GradeInWorker")
    assert not [name for name in config.Autograde.autograde_preprocessors if name.endswith("Execute")]


def test_the_configured_steps_are_nbgraders_own_with_ours_among_them(small: Course, tmp_path: Path) -> None:
    from nbgrader.converters import Autograde
    from traitlets import import_item

    write_course(small, tmp_path / "nb")
    config = PyFileConfigLoader("nbgrader_config.py", path=str(tmp_path / "nb")).load_config()
    before = [import_item(name) for name in config.Autograde.sanitize_preprocessors]
    after = [import_item(name) for name in config.Autograde.autograde_preprocessors]

    assert before[1:] == Autograde.sanitize_preprocessors.default()
    assert after[1:] == Autograde.autograde_preprocessors.default()[1:]


def test_the_configuration_leads_to_the_project_wherever_both_are_moved(
    small: Course, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import os

    monkeypatch.setenv("AUTOGRADER_PROJECT", "")
    write_course(small, tmp_path / "nb")
    moved = tmp_path / "moved"
    moved.mkdir()
    (tmp_path / "nb").rename(moved / "nb")
    small.top.rename(moved / "project")
    PyFileConfigLoader("nbgrader_config.py", path=str(moved / "nb")).load_config()

    assert Path(os.environ["AUTOGRADER_PROJECT"]) == moved / "project"


def test_what_is_there_is_not_overwritten(small: Course, tmp_path: Path) -> None:
    folder = tmp_path / "nb"
    write_course(small, folder)
    notebook = folder / "source/mini/mini.ipynb"
    notebook.write_text("mine", encoding="utf-8")

    with pytest.raises(UsageError, match="there already"):
        write_course(small, folder)
    assert notebook.read_text() == "mine"

    written = write_course(small, folder, force=True)
    assert (folder / "source/mini/mini.ipynb.bak").read_text() == "mine"
    assert [one.unchanged for one in written] == [False, True]


def test_a_configuration_of_ones_own_keeps_its_lines(small: Course, tmp_path: Path) -> None:
    folder = tmp_path / "nb"
    folder.mkdir()
    config = folder / "nbgrader_config.py"
    config.write_text('c = get_config()\nc.CourseDirectory.course_id = "mine"\n', encoding="utf-8")
    with pytest.raises(UsageError, match=r"nbgrader_config\.py is there already"):
        write_course(small, folder)
    assert not (folder / "source").exists()

    write_course(small, folder, force=True)
    once = config.read_text()
    write_course(small, folder, force=True)

    assert config.read_text() == once
    assert once.startswith('c = get_config()\nc.CourseDirectory.course_id = "mine"\n')
    loaded = PyFileConfigLoader("nbgrader_config.py", path=str(folder)).load_config()
    assert loaded.CourseDirectory.course_id == "mine"


def test_the_command_says_what_it_wrote_and_what_is_next(small: Course, tmp_path: Path) -> None:
    command = ["-C", str(small.top), "nbgrader", "create", str(tmp_path / "nb")]
    first, second = (CliRunner().invoke(cli, command) for _ in range(2))

    assert (first.exit_code, second.exit_code) == (0, 0)
    assert "nbgrader generate_assignment mini" in first.stdout
    assert second.stdout.count("unchanged") == 2
    assert json.loads((tmp_path / "nb/source/mini/mini.ipynb").read_text())["nbformat"] == 4
