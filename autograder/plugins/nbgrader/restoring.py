"""A submitted notebook with the cells that nbgrader must find in it, as the gradebook knows them.

A test cell that was renamed, copied, changed or deleted would stop nbgrader, or cost its author the marks of a
function that is there. Nothing of the student's text is changed here: of locked cells nbgrader does that.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Self

from nbformat.notebooknode import NotebookNode
from nbformat.v4 import new_code_cell, new_markdown_cell

from autograder.gradebook.cells import SCHEMA_VERSION, cells_of
from autograder.model.exercise import Exercise


@dataclass(frozen=True, slots=True)
class Released:
    """One cell as it was released: its text and what stands in its metadata under `nbgrader`."""

    name: str
    kind: str
    source: str
    metadata: Mapping[str, Any]

    @classmethod
    def of(cls, cell: Any, points: Mapping[str, float], solutions: set[str], tasks: set[str]) -> Self:
        """A cell of the gradebook's; `points` are those of graded cells and tasks."""
        name = cell.name
        metadata = {
            "schema_version": SCHEMA_VERSION,
            "grade_id": name,
            "grade": name in points and name not in tasks,
            "locked": bool(cell.locked),
            "solution": name in solutions,
            "task": name in tasks,
            "cell_type": cell.cell_type,
            **({"points": points[name]} if name in points else {}),
            **({"checksum": cell.checksum} if cell.checksum else {}),
        }
        return cls(name, cell.cell_type, cell.source or "", metadata)

    def new(self, *, with_id: bool) -> NotebookNode:
        """The cell anew, where a notebook lacks it."""
        make = new_code_cell if self.kind == "code" else new_markdown_cell
        cell = make(self.source, id=f"restored-{self.name}"[:64], metadata={"nbgrader": dict(self.metadata)})
        if not with_id:
            del cell["id"]
        return cell


def released_cells(notebook: Any, exercises: Sequence[Exercise]) -> tuple[Released, ...]:
    """The cells of one of the gradebook's notebooks: ours in their order, then those added to them."""
    graded = [*notebook.grade_cells, *notebook.task_cells]
    points = {cell.name: float(cell.max_score) for cell in graded}
    solutions = {cell.name for cell in notebook.solution_cells}
    tasks = {cell.name for cell in notebook.task_cells}
    # The database keeps no order.
    order = {cell.name: number for number, cell in enumerate(cells_of(exercises))}
    cells = sorted(notebook.source_cells, key=lambda cell: (order.get(cell.name, len(order)), cell.name))
    return tuple(Released.of(cell, points, solutions, tasks) for cell in cells)


def restored(
    cells: Sequence[NotebookNode], released: Sequence[Released], *, with_id: bool
) -> list[NotebookNode]:
    """The cells with the metadata they were released with, each name once, and none missing that has marks.

    Of several cells of one name the last keeps it, as with nbgrader.
    """
    by_name = {cell.name: cell for cell in released}
    kept: list[NotebookNode] = []
    seen: set[str] = set()
    for cell in reversed(cells):
        name = _name(cell)
        cell["metadata"].pop("nbgrader", None)
        if name in by_name and name not in seen:
            seen.add(name)
            cell = _of_kind(cell, by_name[name].kind)
            cell["metadata"]["nbgrader"] = NotebookNode(by_name[name].metadata)
        kept.insert(0, cell)
    return _with_missing(kept, released, with_id=with_id)


def _with_missing(
    cells: list[NotebookNode], released: Sequence[Released], *, with_id: bool
) -> list[NotebookNode]:
    """The cells, and after the last one released before it each that has marks and is missing."""
    places = {name: cell for cell in cells if (name := _name(cell)) is not None}
    previous: NotebookNode | None = None
    for one in released:
        found = places.get(one.name)
        if found is None and (one.metadata["grade"] or one.metadata["task"]):
            found = one.new(with_id=with_id)
            at = next((i + 1 for i, cell in enumerate(cells) if cell is previous), 0)
            cells.insert(at, found)
        previous = found or previous
    return cells


def _name(cell: NotebookNode) -> str | None:
    """The name that a cell claims, or None."""
    claimed = cell["metadata"].get("nbgrader")
    name = claimed.get("grade_id") if isinstance(claimed, dict) else None
    return name if isinstance(name, str) else None


def _of_kind(cell: NotebookNode, kind: str) -> NotebookNode:
    """The cell with its text as a cell of this kind."""
    if cell["cell_type"] == kind:
        return cell
    make = new_code_cell if kind == "code" else new_markdown_cell
    made = make(cell["source"], metadata=cell["metadata"])
    if "id" in cell:
        made["id"] = cell["id"]
    else:
        del made["id"]
    return made
