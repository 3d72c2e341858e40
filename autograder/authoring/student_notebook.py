"""The notebook that students fill in: every exercise's statement, its stub, and a cell that checks it."""

from __future__ import annotations

import json
import textwrap
from typing import Any

from autograder.authoring.stubs import stub
from autograder.loading.assignment import Course
from autograder.model.exercise import Exercise
from autograder.wording.say import say

_WIDTH = 108

#: What the whole notebook says of itself.
METADATA = {
    "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
    "language_info": {"file_extension": ".py", "mimetype": "text/x-python", "name": "python"},
}


def student_notebook(course: Course) -> str:
    """The text of the notebook, of format 4.5: the same course gives the same text."""
    cells = [
        markdown_cell("about", _opening(course)),
        code_cell("imports", "import numpy as np\n\nfrom autograder.notebook import check"),
    ]
    for number, exercise in enumerate(course.exercises, 1):
        cells += [
            markdown_cell(f"{exercise.id}-statement", statement(exercise, number)),
            code_cell(f"{exercise.id}-function", stub(exercise, number)),
            code_cell(f"{exercise.id}-check", f"check({exercise.function})"),
        ]
    notebook = {"cells": cells, "metadata": METADATA, "nbformat": 4, "nbformat_minor": 5}
    return json.dumps(notebook, ensure_ascii=False, indent=1) + "\n"


def _opening(course: Course) -> str:
    blocks = [f"# {course.assignment.title}", course.assignment.about.strip(), _about()]
    return "\n\n".join(block for block in blocks if block)


def _about() -> str:
    first = ". ".join(say(code) for code in ("stub.about", "stub.later", "stub.notebook.run"))
    second = " ".join(f"{say(code)}." for code in ("stub.notebook.kernel", "stub.notebook.marks"))
    return f"{textwrap.fill(f'{first}.', _WIDTH)}\n\n{textwrap.fill(second, _WIDTH)}"


def statement(exercise: Exercise, number: int) -> str:
    """What an exercise asks for, in Markdown."""
    code = "stub.points.one" if exercise.points == 1 else "stub.points"
    points = say(code, {"points": exercise.points})
    return f"## {number}. {exercise.title}\n\n{exercise.about.strip()}\n\n`{exercise.signature}`, {points}"


def markdown_cell(name: str, text: str) -> dict[str, Any]:
    """A cell of Markdown as the format has it."""
    return {"cell_type": "markdown", "id": name, "metadata": {}, "source": _lines(text)}


def code_cell(name: str, text: str) -> dict[str, Any]:
    """A cell of code that was never run, as the format has it."""
    empty: dict[str, Any] = {"execution_count": None, "metadata": {}, "outputs": []}
    return {"cell_type": "code", "id": name, **empty, "source": _lines(text)}


def _lines(text: str) -> list[str]:
    """The text as notebooks keep it: a list of lines with their ends."""
    return [f"{line}\n" for line in text.split("\n")[:-1]] + [text.split("\n")[-1]]
