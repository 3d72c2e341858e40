"""The notebook that `autograder start --notebook` writes is valid, is graded, and is never lost."""

import json
from pathlib import Path

import nbformat
import pytest
from click.testing import CliRunner

from autograder.authoring.student_notebook import student_notebook
from autograder.cli.main import cli
from autograder.loading.assignment import load_assignment
from autograder.loading.notebooks import code_of
from tests.cli.small_course import TOP


def run(*arguments: str) -> tuple[int, str]:
    """Exit code and all that the command line prints."""
    ran = CliRunner().invoke(cli, list(arguments), prog_name="autograder")
    return ran.exit_code, ran.output


def test_it_is_a_valid_notebook_of_format_4_5_with_ids_that_stay() -> None:
    text = student_notebook(load_assignment(TOP, "qkv"))
    notebook = nbformat.reads(text, 4)
    nbformat.validate(notebook)
    ids = [cell.id for cell in notebook.cells]

    assert (notebook.nbformat, notebook.nbformat_minor) == (4, 5)
    assert len(set(ids)) == len(ids) == 2 + 3 * 14
    assert "softmax-function" in ids
    assert student_notebook(load_assignment(TOP, "qkv")) == text


def test_every_exercise_has_its_statement_its_stub_and_its_check(course: Path) -> None:
    cells = {
        cell["id"]: "".join(cell["source"])
        for cell in json.loads(student_notebook(load_assignment(course)))["cells"]
    }

    assert cells["double-statement"] == "## 1. Twice as much\n\nDouble it.\n\n`double(S)`, 3 marks"
    assert cells["double-function"].startswith("def double(S):\n")
    assert cells["double-function"].endswith('raise NotImplementedError("exercise 1, double: not begun")')
    assert cells["total-check"] == "check(total)"


def test_its_checks_are_no_part_of_what_is_graded(course: Path) -> None:
    source, _, left = code_of(student_notebook(load_assignment(course)).encode())

    assert "check" not in source
    assert left == ()


def test_start_writes_it_and_check_finds_it_not_begun(course: Path) -> None:
    started = run("start", "--notebook")
    code, printed = run("check")

    assert started[0] == 0
    assert started[1].splitlines() == [
        "wrote attention.ipynb: 2 functions to write",
        "next: write double, then `autograder check attention.ipynb double`",
    ]
    assert code == 1
    assert printed.count("– not begun") == 2
    assert "stopped" not in printed


def test_filled_in_it_gets_full_marks(course: Path) -> None:
    run("start", "--notebook")
    path = course / "attention.ipynb"
    text = path.read_text()
    for number, name, body in ((1, "double", "return 2 * S"), (2, "total", "return S.sum()")):
        text = text.replace(f'raise NotImplementedError(\\"exercise {number}, {name}: not begun\\")', body)
    path.write_text(text)
    code, printed = run("check")

    assert code == 0, printed


@pytest.mark.parametrize("force", [False, True])
def test_a_notebook_that_is_there_is_never_lost(force: bool, course: Path) -> None:
    (course / "attention.ipynb").write_text("my work")
    code, _ = run("start", "--notebook", *(["--force"] if force else []))
    kept = course / ("attention.ipynb.bak" if force else "attention.ipynb")

    assert code == (0 if force else 2)
    assert kept.read_text() == "my work"
