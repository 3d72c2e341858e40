"""The cells of an assignment that nbgrader knows: their names, kinds and points, the same everywhere.

A test cell is called as its exercise. The other names have a hyphen, which no exercise's id has.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from autograder.model.exercise import Exercise

SCHEMA_VERSION = 3
#: The read-only cell at the top of the notebook.
ABOUT = "assignment-about"


@dataclass(frozen=True, slots=True)
class Cell:
    """One cell as nbgrader keeps it. `points` are those of a cell that is graded, else None."""

    name: str
    kind: Literal["code", "markdown"]
    points: float | None = None
    solution: bool = False

    @property
    def grade(self) -> bool:
        """Whether the cell has marks."""
        return self.points is not None

    @property
    def locked(self) -> bool:
        """Whether the cell is put back as it was released, whatever a student made of it."""
        return not self.solution

    @property
    def metadata(self) -> Mapping[str, Any]:
        """What stands in the cell's metadata under `nbgrader`."""
        points = {} if self.points is None else {"points": self.points}
        return {
            "schema_version": SCHEMA_VERSION,
            "grade_id": self.name,
            "grade": self.grade,
            "locked": self.locked,
            "solution": self.solution,
            "task": False,
            **points,
        }


def statement_cell(exercise: Exercise) -> Cell:
    """The read-only cell that says what to write."""
    return Cell(f"{exercise.id}-statement", "markdown")


def solution_cell(exercise: Exercise) -> Cell:
    """The cell that a student writes the function in."""
    return Cell(f"{exercise.id}-solution", "code", solution=True)


def graded_cell(exercise: Exercise) -> Cell:
    """The locked cell that has the exercise's marks."""
    return Cell(exercise.id, "code", points=exercise.points)


def cells_of(exercises: Sequence[Exercise]) -> tuple[Cell, ...]:
    """All cells of an assignment in the notebook's order."""
    kinds = (statement_cell, solution_cell, graded_cell)
    return (Cell(ABOUT, "markdown"), *(kind(exercise) for exercise in exercises for kind in kinds))
