"""A notebook executed in a real kernel: checks by function and by magic, and what a reader gets of them."""

from typing import Any

import nbclient
import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_notebook

from tests.cli.small_course import TOP

CELLS = {
    "imports": "import numpy as np\n\nfrom autograder.notebook import check",
    "softmax": "def softmax(S):\n    e = np.exp(S - S.max())\n    return e / e.sum(axis=0)",
    "check": "check(softmax)",
    "scores": "def scores(Q, K):\n    return Q @ K",
    "by id": "check('scores')",
    "load": "%load_ext autograder.notebook",
    "magic": "%autograder scores softmax",
    "mended": "def softmax(S):\n    e = np.exp((S.T - S.max(axis=1)).T)\n    return (e.T / e.sum(axis=1)).T",
    "again": "check(softmax)",
    "kept": "checked = check(softmax)\n(checked.marks, checked.passed)",
    "unknown": "check(len)",
}


@pytest.fixture(scope="module")
def outputs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[Any]]:
    """The outputs of the cells, by name, after a run in a kernel whose folder lies in the course."""
    home = tmp_path_factory.mktemp("home")
    notebook = new_notebook(cells=[new_code_cell(source) for source in CELLS.values()])
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("IPYTHONDIR", str(home / "ipython"))
        patch.setenv("PYTHONPATH", str(TOP))
        resources = {"metadata": {"path": str(TOP / "exercises")}}
        nbclient.NotebookClient(notebook, timeout=60, allow_errors=True, resources=resources).execute()
    nbformat.validate(notebook)
    return {name: cell.outputs for name, cell in zip(CELLS, notebook.cells, strict=True)}


def data(outputs: list[Any]) -> dict[str, str]:
    """The rich output of a cell that shows one thing."""
    (output,) = outputs
    assert output.output_type == "execute_result", output
    return dict(output.data)


def test_a_check_shows_marks_evidence_and_heat_maps(outputs: dict[str, list[Any]]) -> None:
    shown = data(outputs["check"])

    assert set(shown) == {"text/plain", "text/html"}
    assert "0 of 4 marks" in shown["text/html"]
    assert "every column sums to 1" in shown["text/html"]
    assert shown["text/html"].count("<figure") == 2
    for panel in ("actual", "expected", "actual − expected"):
        assert f">{panel}</caption>" in shown["text/html"]
    assert 'aria-label="A, bank: 3 of 3 entries differ' in shown["text/html"]


def test_the_plain_text_is_the_report_of_a_terminal(outputs: dict[str, list[Any]]) -> None:
    text = data(outputs["check"])["text/plain"]

    assert text.startswith("attention.ipynb · qkv")
    assert "✗ rows sum to one        row 0 sums to 3; every column sums to 1" in text
    assert "<" not in text


def test_an_exception_is_told_by_the_number_beside_the_cell(outputs: dict[str, list[Any]]) -> None:
    assert "cell 4, line 2   return Q @ K" in data(outputs["by id"])["text/plain"]
    assert "cell 4, line 2" in data(outputs["by id"])["text/html"]


def test_it_is_said_once_that_it_runs_in_the_kernel(outputs: dict[str, list[Any]]) -> None:
    note = "Called in this notebook"

    assert note in data(outputs["check"])["text/plain"]
    assert note not in data(outputs["again"])["text/plain"]


def test_the_magic_checks_by_name_in_the_order_of_the_course(outputs: dict[str, list[Any]]) -> None:
    assert outputs["load"] == []
    html = data(outputs["magic"])["text/html"]

    assert html.index("<strong>scores</strong>") < html.index("<strong>softmax</strong>")


def test_a_function_that_is_written_again_is_the_one_that_is_checked(outputs: dict[str, list[Any]]) -> None:
    text = data(outputs["again"])["text/plain"]

    assert "4 of 4 marks" in text
    assert "defined 2 times" not in text


def test_the_result_can_be_kept_and_asked(outputs: dict[str, list[Any]]) -> None:
    assert data(outputs["kept"]) == {"text/plain": "(4.0, True)"}


def test_what_is_no_exercise_is_refused_in_one_line_without_a_traceback(
    outputs: dict[str, list[Any]],
) -> None:
    (error,) = outputs["unknown"]

    assert error.ename == "CheckError"
    assert error.traceback == [f"autograder: {error.evalue}"]
    assert error.evalue.startswith("no exercise asks for a function 'len'; known: scores,")
