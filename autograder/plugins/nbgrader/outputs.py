"""What stands below a test cell once it is graded: the feedback, and the marks as nbgrader reads them.

nbgrader takes the first `execute_result` for the marks and never looks at `display_data`; an `error`, or
anything on stderr, would be 0 marks, so there is none.
"""

from __future__ import annotations

from nbformat.notebooknode import NotebookNode, from_dict

from autograder.notebook.card import Checked
from autograder.notebook.graded_cells import part_of


def outputs_of(checked: Checked, exercise: str, points: float, *, with_file: bool) -> list[NotebookNode]:
    """The outputs of an exercise's test cell; `with_file` tells there what is to be said of the whole file."""
    shown = part_of(checked, exercise, with_file=with_file)
    marks = min(float(shown.result.exercises[0].marks), points)
    data = {"text/html": shown._repr_html_(), "text/plain": repr(shown)}
    return [
        _output("display_data", data),
        _output("execute_result", {"text/plain": repr(marks)}, execution_count=None),
    ]


def _output(kind: str, data: dict[str, str], **more: None) -> NotebookNode:
    """An output as the format has it; nbformat's own maker would validate each of them by itself."""
    return from_dict({"output_type": kind, "data": data, "metadata": {}, **more})
