"""How `nbgrader autograde` reads notebooks: a damaged one becomes the released one with a word on top."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import nbformat
from nbconvert.exporters import NotebookExporter
from nbformat.notebooknode import NotebookNode
from nbformat.v4 import new_markdown_cell, new_notebook
from nbgrader.api import Gradebook

from autograder.model.exercise import Exercise
from autograder.plugins.nbgrader.graders import grader_for, is_ours
from autograder.plugins.nbgrader.restoring import released_cells


class SubmittedNotebookExporter(NotebookExporter):
    """Reads any file as a notebook: one that cannot be read would else have no marks and no feedback."""

    def from_file(self, file_stream: Any, resources: Any = None, **kw: Any) -> tuple[NotebookNode, Any]:
        """The notebook; in the place of one of ours that cannot be read, the one that was released."""
        told = (resources or {}).get("nbgrader", {})
        try:
            notebook = nbformat.read(file_stream, as_version=4)
            _refuse_invalid(notebook)
        except Exception as error:  # whatever was handed in
            if not told or not is_ours(told["assignment"], told["notebook"]):
                raise
            self.log.warning("%s's notebook cannot be read: %s", told["student"], type(error).__name__)
            notebook = _stand_in(told, grader_for(self, told["assignment"]).course.exercises)
        made: tuple[NotebookNode, Any] = self.from_notebook_node(notebook, resources=resources, **kw)
        return made


def _refuse_invalid(notebook: NotebookNode) -> None:
    """An error if the steps of nbgrader's would trip over the notebook's form."""
    nbformat.validate(notebook, relax_add_props=True)
    if not all(isinstance(cell["source"], str) for cell in notebook["cells"]):
        raise ValueError("a cell's source is no text")


def _stand_in(told: Any, exercises: Sequence[Exercise]) -> NotebookNode:
    """The notebook as it was released, without marks so far."""
    with Gradebook(told["db_url"]) as gradebook:
        notebook = gradebook.find_notebook(told["notebook"], told["assignment"])
        released = released_cells(notebook, exercises)
    note = new_markdown_cell(
        "**The notebook that was handed in cannot be read as one.** What follows is the notebook as it was "
        "released; the first test cell says what is wrong with the file.",
        id="damaged",
    )
    return new_notebook(cells=[note, *(cell.new(with_id=True) for cell in released)])
