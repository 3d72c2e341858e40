"""Whatever a file named .ipynb holds, it becomes code, or one clear line."""

import json
from pathlib import Path

import pytest

from autograder.loading.notebooks import NoNotebookError, code_of, notebook_submission
from autograder.loading.submissions import Unreadable, read_submission
from autograder.model.submission import Submission
from tests.notebook.written import PYTHON, cell, notebook

CODE = "def f():\n    return 1"
GOOD = notebook(CODE)
BROKEN_OFF = GOOD[: GOOD.index(b"return")]
CONFLICT = json.dumps(json.loads(GOOD), indent=1).replace(
    '   "source"', '<<<<<<< HEAD\n   "source": [],\n=======\n   "source"'
)

REFUSED = {
    "nothing": (b"", "the notebook is empty (0 bytes)"),
    "blanks": (b" \n\n", "the notebook holds nothing but blanks"),
    "half of it": (
        BROKEN_OFF,
        "the notebook breaks off at line 1 of the file: only a part of it was saved or sent",
    ),
    "all but the last bracket": (
        GOOD[:-1],
        "the notebook breaks off at line 1 of the file: only a part of it",
    ),
    "a merge": (
        CONFLICT.encode(),
        "the notebook holds the marks of an unfinished merge (line 8 of the file)",
    ),
    "a merge with Windows' line ends": (
        CONFLICT.replace("\n", "\r\n").encode(),
        "the notebook holds the marks of an unfinished merge (line 8 of the file)",
    ),
    "Python": (b"import numpy\n", "the file is no notebook: it is not JSON (line 1 of it: Expecting value)"),
    "a list": (b"[1, 2]", "the file is no notebook: it is JSON without a list of cells"),
    "another object": (b'{"a": 1}', "the file is no notebook: it is JSON without a list of cells"),
    "cells that are no list": (
        b'{"cells": 3}',
        "the file is no notebook: it is JSON without a list of cells",
    ),
    "UTF-16": (GOOD.decode().encode("utf-16"), "the notebook is no text in UTF-8"),
    "nested beyond all measure": (b"[" * 100_000, "the file is no notebook: it is not JSON"),
    "R": (
        notebook("x <- 1", metadata={"kernelspec": {"name": "ir", "language": "R"}}),
        "the notebook is written for R, not for Python",
    ),
    "R by its kernel alone": (
        notebook("x <- 1", metadata={"kernelspec": {"name": "ir"}}),
        "the notebook is written for R, not for Python",
    ),
    "Julia": (
        notebook("x = 1", metadata={"language_info": {"name": "julia"}}),
        "the notebook is written for julia, not for Python",
    ),
    "Julia by its kernel alone": (
        notebook("x = 1", metadata={"kernelspec": {"name": "julia-1.9"}}),
        "the notebook is written for Julia, not for Python",
    ),
    "too much code": (
        notebook("#" * 3_000_000),
        "the notebook holds 3,000,000 bytes of code, more than the limit",
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_no_notebook_of_python_is_refused_in_one_line(name: str) -> None:
    content, expected = REFUSED[name]
    with pytest.raises(NoNotebookError) as refused:
        code_of(content)

    assert str(refused.value).startswith(expected)
    assert "\n" not in str(refused.value)


V3 = {
    "metadata": {"name": "old"},
    "nbformat": 3,
    "nbformat_minor": 0,
    "worksheets": [
        {
            "cells": [
                {"cell_type": "markdown", "source": ["text"]},
                {
                    "cell_type": "code",
                    "language": "python",
                    "input": ["def f():\n", "    return 1"],
                    "outputs": [],
                },
            ]
        }
    ],
}

TAKEN = {
    "source as one text": GOOD,
    "source as a list": notebook(["def f():\n", "    return 1"]),
    "a byte order mark": b"\xef\xbb\xbf" + GOOD,
    "format 3": json.dumps(V3).encode(),
    "no metadata": notebook(CODE, metadata={}),
    "metadata that is no object": notebook(CODE, metadata=[1]),
    "an unheard-of format": notebook(CODE, nbformat=7),
    "the kernel of an environment": notebook(
        CODE, metadata={"kernelspec": {"name": "conda-env-x-py", "language": "python"}}
    ),
    "a language with a number": notebook(CODE, metadata={"language_info": {"name": "python3"}}),
    "Windows' line ends": notebook("def f():\r\n    return 1"),
    "markdown, raw and damaged cells between": notebook(
        {"cell_type": "markdown", "source": "# text"},
        {"cell_type": "raw", "source": "x"},
        {},
        CODE,
        cells_after=1,
    ),
    "an assignment for nbgrader": notebook(
        cell(
            CODE, metadata={"nbgrader": {"grade": False, "grade_id": "f", "locked": False, "solution": True}}
        )
    ),
    "widgets": notebook(
        CODE,
        metadata=PYTHON
        | {"widgets": {"application/vnd.jupyter.widget-state+json": {"state": {"a": {"model_name": "x"}}}}},
    ),
    "outputs": notebook(
        cell(CODE, outputs=[{"output_type": "stream", "text": ["def f(): return 2\n"] * 1000}])
    ),
}


@pytest.mark.parametrize("name", TAKEN)
def test_every_kind_of_notebook_gives_the_same_code(name: str) -> None:
    source, cells, left = code_of(TAKEN[name])

    assert source.split("\n", 1)[1] == f"# cell 1\n{CODE}\n"
    assert (cells, left) == ((3,), ())


@pytest.mark.parametrize(
    "content", [notebook(), notebook("", " \n"), notebook({"cell_type": "markdown", "source": "x"})]
)
def test_a_notebook_without_code_has_an_empty_source(content: bytes) -> None:
    assert code_of(content) == ("", (), ())


def test_a_cell_whose_source_is_no_text_counts_and_is_empty() -> None:
    source, cells, _ = code_of(notebook({"cell_type": "code", "source": 3}, "x = 1"))

    assert source.split("\n")[cells[1] - 1] == "x = 1"


def test_half_a_surrogate_does_not_stop_the_reading() -> None:
    submission = notebook_submission("ana", "ana.ipynb", notebook("s = '\ud800'"))

    assert b"s = '\\ud800'" in submission.source


def test_an_encoding_cookie_in_the_first_cell_is_a_comment_like_any_other() -> None:
    submission = notebook_submission("ana", "ana.ipynb", notebook("# -*- coding: latin-1 -*-\ns = 'é'"))
    names: dict[str, str] = {}
    exec(compile(submission.source, "x", "exec"), names)

    assert names["s"] == "é"


def test_lines_of_the_source_are_found_in_their_cells() -> None:
    submission = notebook_submission("ana", "ana.ipynb", notebook("a = 1\nb = 2", "", "c = 3\nd = 4"))
    places = {submission.line(n): submission.place(n) for n in range(1, len(submission.lines) + 1)}

    assert places["b = 2"] == (1, 2)
    assert places["d = 4"] == (3, 2)


def test_running_a_notebook_again_changes_the_file_and_not_what_is_drawn_from() -> None:
    before = notebook_submission("ana", "ana.ipynb", notebook(CODE))
    after = notebook_submission("ana", "ana.ipynb", notebook(cell(CODE, outputs=[1], execution_count=7)))

    assert before.sha256 != after.sha256
    assert before.code_sha256 == after.code_sha256


def test_what_is_not_run_is_noted_with_cell_and_line_and_the_rest_counted() -> None:
    submission = notebook_submission(
        "ana", "ana.ipynb", notebook("x = 1", "y = 2\n" + "%who\n" * 7, "%%bash\nls")
    )

    assert submission.notes[0] == "not run, as it is no Python: %who (cell 2, line 2)"
    assert submission.notes[-1] == "3 more lines of this kind were not run"


def test_a_cell_that_is_not_run_at_all_is_noted() -> None:
    submission = notebook_submission("ana", "ana.ipynb", notebook("x = 1", "%%bash\nls"))

    assert submission.notes == ("cell 2 was not run, as it is no Python: %%bash",)


def test_a_notebook_with_outputs_larger_than_any_python_file_is_read(tmp_path: Path) -> None:
    path = tmp_path / "ana.ipynb"
    path.write_bytes(notebook(cell(CODE, outputs=["x" * 4_000_000])))
    submission = read_submission(path)

    assert isinstance(submission, Submission)
    assert len(submission.source) < 200


def test_a_damaged_notebook_is_unreadable_with_its_reason(tmp_path: Path) -> None:
    path = tmp_path / "ana.ipynb"
    path.write_bytes(b"")

    assert read_submission(path) == Unreadable("ana", "ana.ipynb", "the notebook is empty (0 bytes)")
