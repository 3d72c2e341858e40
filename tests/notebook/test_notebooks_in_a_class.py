"""Notebooks beside Python files: found, run cell by cell, marked alike, spoken of by cell and line."""

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from autograder.cli.main import cli
from autograder.loading.submissions import find_submissions
from autograder.model.limits import Limits
from autograder.model.outcome import Loaded
from autograder.worker.portable import PortableWorkshop
from tests.cli.small_course import RIGHT
from tests.notebook.written import cell, notebook

DOUBLE, TOTAL = RIGHT.split("\n\n\n")
WRONG_DOUBLE = "def double(S):\n    return S + 2"


def check(*arguments: str) -> Any:
    """Run `autograder check` in this process."""
    return CliRunner().invoke(cli, ["check", *arguments], prog_name="autograder")


def grade(folder: Path) -> dict[str, Any]:
    """The results of `autograder grade` on a folder, by student."""
    ran = CliRunner().invoke(
        cli, ["grade", str(folder), "--out", "results", "--jobs", "1", "--isolation", "portable"]
    )
    assert ran.exit_code == 0, ran.output
    return {path.stem: json.loads(path.read_text()) for path in Path("results").glob("*.json")}


def loaded(source: str, cells: tuple[int, ...]) -> Loaded:
    """How a worker loads a source with cells that begin at these lines."""
    with PortableWorkshop() as workshop:
        return workshop.start(source.encode(), "attention.ipynb", Limits(), cells).loaded  # type: ignore[call-arg]


# Found


def test_every_way_to_hand_in_a_notebook_is_found(tmp_path: Path) -> None:
    for name in ("ana.ipynb", "ben/attention.ipynb", "cleo/Attention (1).IPYNB", "dan/mine.ipynb", "eve.py"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("")
    (tmp_path / "ben/.ipynb_checkpoints").mkdir()
    (tmp_path / "ben/.ipynb_checkpoints/attention-checkpoint.ipynb").write_text("")
    found = {one.student: one for one in find_submissions(tmp_path)}

    assert {name: one.path.name for name, one in found.items()} == {
        "ana": "ana.ipynb",
        "ben": "attention.ipynb",
        "cleo": "Attention (1).IPYNB",
        "dan": "mine.ipynb",
        "eve": "eve.py",
    }
    assert found["dan"].notes == ("the file is named mine.ipynb, not attention.ipynb",)
    assert all(one.problem is None for one in found.values())


@pytest.mark.parametrize("names", [("ana.py", "ana.ipynb"), ("ana/attention.py", "ana/attention.ipynb")])
def test_of_a_file_and_a_notebook_of_one_name_the_file_counts_and_it_is_noted(
    names: tuple[str, ...], tmp_path: Path
) -> None:
    for name in names:
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("")
    (one,) = find_submissions(tmp_path)
    file, other = (Path(name).name for name in names)

    assert (one.student, one.path.name) == ("ana", file)
    assert one.notes == (f"{other} lies beside {file}; only {file} counts",)


def test_a_notebook_of_the_right_name_counts_before_a_helper_in_python(tmp_path: Path) -> None:
    (tmp_path / "ana").mkdir()
    for name in ("attention.ipynb", "helper.py"):
        (tmp_path / "ana" / name).write_text("")
    (one,) = find_submissions(tmp_path)

    assert (one.path.name, one.notes) == ("attention.ipynb", ())


# Run cell by cell


def test_a_cell_that_raises_ends_there_and_the_next_goes_on() -> None:
    result = loaded("# 1\nx = 1\n1 / 0\ny = 2\n# 2\nz = 3\n# 3\nw = undefined\n", (2, 6, 8))

    assert [name.name for name in result.names] == ["x", "z"]
    assert [(f.type_name, f.line) for f in result.failures] == [("ZeroDivisionError", 3), ("NameError", 8)]
    assert result.failure == result.failures[0]


def test_a_cell_that_is_no_python_is_left_out_alone() -> None:
    result = loaded("# 1\ndef f(:\n# 2\nz = 3\n", (2, 4))

    assert [name.name for name in result.names] == ["z"]
    assert [(f.type_name, f.line) for f in result.failures] == [("SyntaxError", 2)]


def test_an_exit_in_a_cell_ends_everything_as_in_a_file() -> None:
    result = loaded("# 1\nx = 1\n# 2\nraise SystemExit\n# 3\nz = 3\n", (2, 4, 6))

    assert result.names == ()
    assert [f.type_name for f in result.failures] == ["SystemExit"]


def test_annotations_stay_postponed_in_later_cells_as_in_a_kernel() -> None:
    result = loaded("# 1\nfrom __future__ import annotations\n# 2\ndef f(x: Unknown): pass\n", (2, 4))

    assert "f" in [name.name for name in result.names]
    assert result.failures == ()


def test_cells_that_show_something_run() -> None:
    assert loaded("# 1\ndisplay(1, metadata={})\n", (2,)).failures == ()


def test_of_any_number_of_failing_cells_a_bounded_number_is_told() -> None:
    source = "".join(f"# {n}\n1 / 0\n" for n in range(200))
    result = loaded(source, tuple(range(2, 401, 2)))

    assert len(result.failures) == 30


# Marked alike


def test_the_same_code_gets_the_same_marks_as_a_file_and_as_a_notebook(course: Path) -> None:
    folder = course / "class"
    folder.mkdir()
    for name, double in (("right", DOUBLE), ("wrong", WRONG_DOUBLE)):
        (folder / f"{name}.py").write_text(f"{double}\n\n\n{TOTAL}")
        (folder / f"{name}_in_cells.ipynb").write_bytes(notebook("%matplotlib inline\nx = 1", double, TOTAL))
    results = grade(folder)

    assert (results["right"]["marks"], results["wrong"]["marks"]) == (4.0, 1.0)
    for name in ("right", "wrong"):
        in_file, in_cells = (
            [(e["id"], e["status"], e["marks"]) for e in results[key]["exercises"]]
            for key in (name, f"{name}_in_cells")
        )
        assert in_cells == in_file


def test_every_odd_notebook_of_a_class_gets_a_row_and_a_reason(course: Path) -> None:
    folder = course / "class"
    folder.mkdir()
    odd = {
        "empty": b"",
        "cut": notebook(DOUBLE)[:-20],
        "in_r": notebook("x <- 1", metadata={"kernelspec": {"language": "R"}}),
        "no_code": notebook(),
        "exits": notebook(DOUBLE, "raise SystemExit"),
        "stops": notebook("1 / 0", DOUBLE, TOTAL),
    }
    for name, content in odd.items():
        (folder / f"{name}.ipynb").write_bytes(content)
    results = grade(folder)

    assert {name: (one["outcome"], one["marks"]) for name, one in results.items()} == {
        "empty": ("not_loadable", 0.0),
        "cut": ("not_loadable", 0.0),
        "in_r": ("not_loadable", 0.0),
        "no_code": ("graded", 0.0),
        "exits": ("not_loadable", 0.0),
        "stops": ("graded", 4.0),
    }
    assert all(one["file_reports"] for one in results.values())
    assert results["no_code"]["file_reports"][0]["message"] == "the notebook has no code in it"


# Spoken of by cell and line


def test_an_exception_is_told_with_its_cell_and_line(course: Path) -> None:
    path = course / "attention.ipynb"
    path.write_bytes(notebook("import numpy as np", "x = 1\n\ndef double(S):\n    return S @ S", TOTAL))
    ran = check("--format", "json", "double")
    evidence = json.loads(ran.stdout)["exercises"][0]["checks"][0]["evidence"]

    assert (evidence["cell"], evidence["line"], evidence["source"]) == (2, 4, "return S @ S")
    assert "cell 2, line 4   return S @ S" in check("double").stdout


def test_a_cell_that_stopped_is_told_with_its_line_and_what_it_says(course: Path) -> None:
    (course / "attention.ipynb").write_bytes(notebook(DOUBLE, "x = 1\nundefined + 1", "def f(:", TOTAL))
    printed = " ".join(check().stdout.split())

    assert "! cell 2 stopped with NameError: name 'undefined' is not defined; the rest of it did" in printed
    assert "cell 2, line 2 undefined + 1" in printed
    assert "! cell 3 is not valid Python and was left out" in printed
    assert "4 of 4 marks" in printed


def test_a_function_below_the_line_that_stopped_its_cell_is_told_with_its_place(course: Path) -> None:
    (course / "attention.ipynb").write_bytes(notebook(DOUBLE, "undefined + 1\n\n" + TOTAL))
    printed = " ".join(check().stdout.split())

    assert "not reached: loading stopped above cell 2, line 3, where total stands" in printed


def test_many_cells_that_stopped_are_counted(course: Path) -> None:
    (course / "attention.ipynb").write_bytes(notebook(DOUBLE, TOTAL, *["undefined"] * 9))

    assert "! 4 more cells stopped" in check().stdout


def test_of_a_function_written_twice_the_last_counts_and_its_cell_is_named(course: Path) -> None:
    (course / "attention.ipynb").write_bytes(
        notebook(DOUBLE, TOTAL, "def broken(:", "x = 1\n" + WRONG_DOUBLE)
    )
    ran = check("double")

    assert "double is defined 2 times; the last definition counts (cell 4, line 2)" in ran.stdout
    assert "0 of 3 marks" in ran.stdout


def test_what_was_not_run_is_noted(course: Path) -> None:
    (course / "attention.ipynb").write_bytes(notebook("%matplotlib inline", DOUBLE, TOTAL))
    ran = check()

    assert "– not run, as it is no Python: %matplotlib inline (cell 1, line 1)" in ran.stdout
    assert ran.exit_code == 0


def test_an_exercise_that_is_missing_is_to_be_written_in_the_notebook(course: Path) -> None:
    (course / "attention.ipynb").write_bytes(notebook(DOUBLE))

    assert "write total in attention.ipynb" in check().stdout


def test_check_takes_the_file_where_both_lie_in_a_folder(course: Path) -> None:
    (course / "attention.ipynb").write_bytes(notebook(WRONG_DOUBLE, TOTAL))
    (course / "attention.py").write_text(RIGHT)

    assert check().exit_code == 0
    assert check("attention.ipynb").exit_code == 1


def test_a_notebook_that_cannot_be_read_is_a_misuse_with_the_reason(course: Path) -> None:
    (course / "attention.ipynb").write_bytes(notebook("x <- 1", metadata={"kernelspec": {"language": "R"}}))
    ran = check()

    assert ran.exit_code == 2
    assert "attention.ipynb cannot be read: the notebook is written for R, not for Python" in ran.stderr


def test_running_a_notebook_again_leaves_its_marks_alone(course: Path) -> None:
    (course / "attention.ipynb").write_bytes(notebook(WRONG_DOUBLE, TOTAL))
    before = json.loads(check("--format", "json").stdout)["exercises"]
    (course / "attention.ipynb").write_bytes(notebook(cell(WRONG_DOUBLE, execution_count=3), TOTAL))

    assert json.loads(check("--format", "json").stdout)["exercises"] == before
