"""The instructor's notebook of an assignment, as nbgrader's `source` folder holds it, with the solutions.

`nbgrader generate_assignment` makes the students' notebook of it: what stands between BEGIN SOLUTION and END
SOLUTION goes.
"""

from __future__ import annotations

import ast
import json
import textwrap
from collections.abc import Sequence
from typing import Any

from autograder.authoring.stubs import stub
from autograder.authoring.student_notebook import METADATA, code_cell, markdown_cell, statement
from autograder.errors import UsageError
from autograder.gradebook import cells
from autograder.gradebook.cells import Cell
from autograder.loading.assignment import Course
from autograder.model.exercise import Exercise

_ABOUT = """\
Write each function in its own cell, in the place of `raise NotImplementedError()`; keep its name and its
parameters. A later function may call the earlier ones. Cells may be added; the locked cells below the
functions have the marks.

Running a locked cell checks the function in this notebook's own kernel. For the marks, all cells run in a
process of their own, from the top down, as *Restart and run all* does."""
_BEGIN, _END = "    ### BEGIN SOLUTION", "    ### END SOLUTION"
_NUMPY = "import numpy as np"


def source_notebook(course: Course) -> str:
    """The text of the notebook, of format 4.5: the same course gives the same text.

    UsageError if a reference is no function written at the top of its file.
    """
    references = _References(course)
    made = [_with(markdown_cell, cells.Cell(cells.ABOUT, "markdown"), _opening(course))]
    made.append(code_cell("assignment-imports", _NUMPY))
    for number, exercise in enumerate(course.exercises, 1):
        text = _solved(stub(exercise, number), references.region(exercise))
        made += [
            _with(markdown_cell, cells.statement_cell(exercise), statement(exercise, number)),
            _with(code_cell, cells.solution_cell(exercise), text),
            _with(code_cell, cells.graded_cell(exercise), _test(exercise, course.assignment.name)),
        ]
    notebook = {"cells": made, "metadata": METADATA, "nbformat": 4, "nbformat_minor": 5}
    return json.dumps(notebook, ensure_ascii=False, indent=1) + "\n"


def _opening(course: Course) -> str:
    blocks = [f"# {course.assignment.title}", course.assignment.about.strip(), _ABOUT]
    return "\n\n".join(block for block in blocks if block)


def _with(make: Any, cell: Cell, text: str) -> dict[str, Any]:
    made: dict[str, Any] = make(cell.name, text)
    made["metadata"] = {"nbgrader": dict(cell.metadata)}
    return made


def _test(exercise: Exercise, assignment: str) -> str:
    """The code of a test cell: it runs where there is no preprocessor of ours, and in a student's kernel."""
    return f'from autograder.notebook import marks\n\nmarks("{exercise.id}", assignment="{assignment}")'


def _solved(stub: str, region: str) -> str:
    """A stub with the solution, between its marks, in the place of its last line."""
    head, _, _ = stub.rpartition("\n")
    return f"{head}\n{_BEGIN}\n{region}\n{_END}"


class _References:
    """The solutions file as text: what a function of it consists of, helpers of the file included."""

    def __init__(self, course: Course) -> None:
        self._file = course.references.file
        self._source = course.references.content.decode("utf-8-sig")
        self._lines = self._source.split("\n")
        tree = ast.parse(self._source)
        self._functions = {node.name: node for node in tree.body if isinstance(node, ast.FunctionDef)}
        asked = {exercise.function for exercise in course.exercises}
        self._beside = [node for node in tree.body if _names(node) and not _names(node) & asked]

    def region(self, exercise: Exercise) -> str:
        """The lines of an exercise's reference below its docstring, after the helpers that they need."""
        function = self._functions.get(exercise.function)
        if function is None:
            raise UsageError(
                f"{self._file} has no `def {exercise.function}` whose lines a notebook could show",
                remedy="write the reference as a function of its own",
            )
        body = function.body[1:] if ast.get_docstring(function) is not None else function.body
        parts = [self._text(node) for node in self._needed(body)]
        return "\n".join([*parts, self._body(function, body)])

    def _needed(self, body: Sequence[ast.stmt]) -> list[ast.stmt]:
        """The file's own names that these statements use, and those that these use, in the file's order."""
        needed: set[int] = set()
        used = _used(body)
        while more := [
            index
            for index, node in enumerate(self._beside)
            if index not in needed and _names(node) & used and ast.unparse(node) != _NUMPY
        ]:
            needed.update(more)
            used |= _used([self._beside[index] for index in more])
        return [self._beside[index] for index in sorted(needed)]

    def _text(self, node: ast.stmt) -> str:
        first = min([node.lineno, *(d.lineno for d in getattr(node, "decorator_list", ()))])
        return _indented("\n".join(self._lines[first - 1 : node.end_lineno]))

    def _body(self, function: ast.FunctionDef, body: Sequence[ast.stmt]) -> str:
        """The statements with the comments among them, as they are written."""
        if not body:
            return "    pass"
        if function.lineno == body[0].lineno:
            return _indented("\n".join(ast.unparse(node) for node in body))
        documented = len(body) < len(function.body)
        above = function.body[0].end_lineno if documented else self._header_end(function)
        return _indented("\n".join(self._lines[above or 0 : function.end_lineno]).strip("\n"))

    def _header_end(self, function: ast.FunctionDef) -> int:
        """The last line before the comments above a function's first statement."""
        line = function.body[0].lineno - 1
        while line > function.lineno and self._lines[line - 1].strip().startswith("#"):
            line -= 1
        return line


def _indented(text: str) -> str:
    """The text four columns in; one that is there already keeps its every character."""
    if text.startswith("    ") and not text.startswith("     "):
        return text
    return textwrap.indent(textwrap.dedent(text), "    ")


def _names(node: ast.stmt) -> set[str]:
    """The names that a statement at the top of a file gives something."""
    match node:
        case ast.FunctionDef() | ast.ClassDef():
            return {node.name}
        case ast.Import() | ast.ImportFrom():
            return {(alias.asname or alias.name).partition(".")[0] for alias in node.names}
        case ast.Assign() | ast.AnnAssign():
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            return {name.id for target in targets for name in ast.walk(target) if isinstance(name, ast.Name)}
    return set()


def _used(nodes: Sequence[ast.stmt]) -> set[str]:
    return {name.id for node in nodes for name in ast.walk(node) if isinstance(name, ast.Name)}
