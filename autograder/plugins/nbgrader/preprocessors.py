"""The steps of `nbgrader autograde` that are ours: cells put back in order, and grading in a worker."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from nbformat.notebooknode import NotebookNode
from nbgrader.api import Gradebook
from nbgrader.preprocessors import Execute, NbGraderPreprocessor

from autograder.errors import UsageError
from autograder.gradebook.book import set_due
from autograder.model.exercise import Exercise
from autograder.notebook.card import Checked
from autograder.plugins.nbgrader.graders import grader_for, is_ours
from autograder.plugins.nbgrader.outputs import outputs_of
from autograder.plugins.nbgrader.restoring import released_cells, restored
from autograder.wording.languages import speaking


class RestoreCells(NbGraderPreprocessor):  # type: ignore[misc]
    """Give a submitted notebook the cells, names and points that were released; the first sanitizing step."""

    def preprocess(self, nb: NotebookNode, resources: Any) -> tuple[NotebookNode, Any]:
        """The notebook with its cells put in order; one that is not ours as it is."""
        told = resources["nbgrader"]
        if is_ours(told["assignment"], told["notebook"]):
            grader = grader_for(self.parent, told["assignment"])
            if _is_graded_here(self):
                grader.begin(*_this_and_the_next(self, resources))
            course = grader.course
            with Gradebook(told["db_url"]) as gradebook:
                set_due(gradebook, course.assignment)
                notebook = gradebook.find_notebook(told["notebook"], told["assignment"])
                released = released_cells(notebook, course.exercises)
            with_id = (nb.nbformat, nb.nbformat_minor) >= (4, 5)
            nb.cells = restored(nb.cells, released, with_id=with_id)
        return nb, resources


class GradeInWorker(Execute):  # type: ignore[misc]
    """Grade the submitted notebook in our worker and write marks and feedback into its test cells.

    It stands in the place of nbgrader's Execute. A notebook that is not ours is executed as ever; of ours no
    cell runs in a kernel.
    """

    def preprocess(self, nb: NotebookNode, resources: Any, km: Any = None) -> tuple[NotebookNode, Any]:
        """The notebook with outputs in its test cells; UsageError if it has test cells that are not ours."""
        told = resources["nbgrader"]
        if not is_ours(told["assignment"], told["notebook"]):
            executed: tuple[NotebookNode, Any] = super().preprocess(nb, resources, km=km)
            return executed
        grader = grader_for(self.parent, told["assignment"])
        exercises = {exercise.id: exercise for exercise in grader.course.exercises}
        cells = [cell for cell in nb.cells if _has_tests(cell)]
        for cell in cells:
            _refuse_strange(cell, exercises)
        checked = grader.grade(_submitted(self, resources))
        if checked.result.outcome == "broken":
            self.log.error("broken, a fault of ours that costs no marks: %s", _fault(checked))
        with speaking(grader.language):
            for number, cell in enumerate(cells):
                name, points = cell.metadata.nbgrader["grade_id"], float(cell.metadata.nbgrader["points"])
                cell.outputs = outputs_of(checked, name, points, with_file=number == 0)
        return nb, resources


def _submitted(step: NbGraderPreprocessor, resources: Any) -> Path:
    """The notebook as it was handed in, whose bytes `autograder grade` would see."""
    told = resources["nbgrader"]
    folder, coursedir = resources["metadata"]["path"], getattr(_command(step), "coursedir", None)
    if coursedir is not None:
        submitted = coursedir.submitted_directory
        folder = coursedir.format_path(submitted, told["student"], told["assignment"])
    return Path(folder) / f"{told['notebook']}.ipynb"


def _this_and_the_next(step: NbGraderPreprocessor, resources: Any) -> tuple[Path, ...]:
    """The notebook that is being read, and the one that nbgrader will read after it."""
    path = _submitted(step, resources)
    folders = [Path(folder) for folder in sorted(getattr(_command(step), "assignments", ()))]
    after = folders[folders.index(path.parent) + 1 :] if path.parent in folders else []
    return (path, *(folder / path.name for folder in after[:1]))


def _is_graded_here(step: NbGraderPreprocessor) -> bool:
    """Whether the configuration has our grading among the steps to come."""
    steps = getattr(_command(step), "autograde_preprocessors", ())
    return any(one is GradeInWorker or str(one).endswith(".GradeInWorker") for one in steps)


def _command(step: NbGraderPreprocessor) -> Any:
    """What runs the steps: nbgrader's Autograde, if it does."""
    return getattr(step.parent, "parent", None)


def _has_tests(cell: NotebookNode) -> bool:
    """Whether nbgrader reads marks off a cell's outputs; cells marked by hand have none."""
    told = cell.metadata.get("nbgrader", {})
    return cell.cell_type == "code" and told.get("grade", False) and not told.get("solution", False)


def _refuse_strange(cell: NotebookNode, exercises: dict[str, Exercise]) -> None:
    """UsageError for a test cell that we cannot mark: without outputs it would be given all its points."""
    name, points = cell.metadata.nbgrader["grade_id"], float(cell.metadata.nbgrader["points"])
    if name not in exercises:
        raise UsageError(
            f"the test cell {name!r} belongs to no exercise, and no kernel runs here",
            remedy="let it be graded by hand, or put Execute back into nbgrader_config.py",
        )
    if points != exercises[name].points:
        raise UsageError(
            f"the test cell {name!r} has {points:g} points, the exercise {exercises[name].points:g}",
            remedy="`autograder nbgrader create --force`, then `nbgrader generate_assignment --force`",
        )


def _fault(checked: Checked) -> str:
    result = checked.result
    faults = [str(c.evidence["fault"]) for e in result.exercises for c in e.checks if "fault" in c.evidence]
    return "\n".join([*(report.message for report in result.file_reports), *faults[:1]])
