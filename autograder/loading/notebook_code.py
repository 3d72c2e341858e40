"""The code of one notebook cell as plain Python, line for line: magics, `!` and `?` are taken out and told.

A cell that is Python as it stands is left as it is. Any other goes through IPython's own transformer, where
IPython is installed, and what that makes of magics is taken out; where it is not, or where its work does not
parse, the lines that the parser refuses are taken out one by one if they look like magics. A cell that is not
Python even then stays as it is: it is a syntax error, and the submission's.
"""

from __future__ import annotations

import ast
import difflib
import re
import textwrap
import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any, TypeAlias

#: A piece of a cell that is not run: its line (None: the whole cell) and its text.
LeftOut: TypeAlias = tuple[int | None, str]

#: Cell magics whose body is run in the notebook's own namespace, as if the magic were not there.
_TRANSPARENT = ("time", "capture", "prun")
_CELL_MAGIC = re.compile(r"\s*%%(?P<name>\w+)")
_MAGIC = re.compile(r"\s*[%!?]|.*\?\s*(#.*)?$|\s*[\w.,][\w., ]*=\s*[%!]")
_ASSIGNED = re.compile(r"(?P<before>\s*[\w.,][\w., ]*=\s*)[%!]")
_PROMPT = re.compile(r"^(>>>|\.\.\.) ?", re.MULTILINE)
_OUR_MAGIC = re.compile(r"%\w*\s*autograder\b")
#: Characters above which a cell is not looked at.
_MOST_CHARS = 400_000
#: How much work a notebook may be, so that none holds up a class: IPython's grows with the lines that may be
#: magics times all lines of a cell, the parser's with the characters of each attempt.
_IPYTHON_WORK, _PARSING_WORK = 30_000, 5_000_000
#: Our own package: what a notebook asks of it is for the student's eyes, and is nothing to grade.
_OURS = "autograder"


@dataclass(slots=True)
class Cells:
    """Turns cells into Python, in order; `checks` are the names that earlier cells took from our package."""

    checks: set[str] = field(default_factory=set)
    _ipython_work: int = _IPYTHON_WORK
    _parsing_work: int = _PARSING_WORK

    def plain(self, text: str) -> tuple[str, tuple[LeftOut, ...]]:
        """The cell as Python with the same lines, and what of it is not run."""
        told: list[LeftOut] = []
        while magic := _CELL_MAGIC.match(text):
            number = text[: magic.start("name")].count("\n")
            line = text.split("\n")[number].strip()
            if magic["name"] not in _TRANSPARENT:
                return "\n" * text.count("\n"), ((None, line),)
            told.append((number + 1, line))
            text = _without_line(text, number)
        if len(text) <= _MOST_CHARS:
            text, left = self._without_magics(text)
            told += [one for one in left if not _OUR_MAGIC.match(one[1])]
        return text, tuple(sorted(told, key=lambda one: one[0] or 0))

    def _without_magics(self, text: str) -> tuple[str, list[LeftOut]]:
        """The cell as Python, and what was left out; the cell itself if it is no Python even so."""
        told: list[LeftOut] = []
        made, tree = text, _parsed(text)
        if tree is None:
            made, tree, told = self._made_python(text)
        if tree is None:
            return text, []
        made, left = self._without_calls(made, tree, text)
        return made, [*told, *left]

    def _without_calls(self, made: str, tree: ast.Module, written: str) -> tuple[str, list[LeftOut]]:
        """The cell without its calls of the kernel and of our package, and what was left out, as written."""
        lines, originals = made.split("\n"), written.split("\n")
        every = [*_statements(tree.body)]
        ours = [node for node in every if self._is_ours(node)]
        kernel = [node for node in every if _calls_kernel(node)]
        for node in sorted([*ours, *kernel], key=lambda node: (node.lineno, node.col_offset), reverse=True):
            _take_out(lines, node)
        told: list[LeftOut] = [(node.lineno, originals[node.lineno - 1].strip()) for node in kernel]
        return "\n".join(lines), told

    def _made_python(self, text: str) -> tuple[str, ast.Module | None, list[LeftOut]]:
        """The cell made to parse, by IPython if it is there and can, or by taking out lines; else no tree."""
        lines = text.split("\n")
        work = (1 + sum(_MAGIC.match(line) is not None for line in lines)) * max(len(lines), len(text) // 40)
        if work <= self._ipython_work and (manager := _transformer()) is not None:
            self._ipython_work -= work
            transformed = _transformed(manager, lines)
            if transformed is not None and (tree := _parsed(transformed)) is not None:
                return transformed, tree, []
        reduced, left, parsed = _reduced(text, self._parsing_work)
        self._parsing_work -= parsed
        return reduced, _parsed(reduced), left

    def _is_ours(self, node: ast.stmt) -> bool:
        if isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] == _OURS:
            self.checks |= {alias.asname or alias.name for alias in node.names}
            return True
        if isinstance(node, ast.Import) and all(alias.name.split(".")[0] == _OURS for alias in node.names):
            return True
        called = _called(node)
        return isinstance(called, ast.Name) and called.id in self.checks


def _parsed(text: str) -> ast.Module | None:
    try:
        return _parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def _parse(text: str) -> ast.Module:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return ast.parse(text)


# IPython's transformer


@cache
def _transformer() -> Any:
    """IPython's transformer of cells, or None where it is not installed."""
    try:
        from IPython.core.inputtransformer2 import TransformerManager
    except ImportError:
        return None
    return TransformerManager()  # type: ignore[no-untyped-call]


def _transformed(manager: Any, lines: Sequence[str]) -> str | None:
    """What IPython makes of a cell, its lines where they were; None if it cannot."""
    try:
        made: str = manager.transform_cell("\n".join(lines))
    except Exception:  # the transformer meets text of any kind, and is not ours
        return None
    return _in_step(lines, made.removesuffix("\n").split("\n"))


def _in_step(before: Sequence[str], after: Sequence[str]) -> str:
    """The lines after with blank ones put in, so that what was not changed stands on its old line."""
    if len(before) == len(after):
        return "\n".join(after)
    placed: list[str] = []
    matcher = difflib.SequenceMatcher(None, before, after, autojunk=False)
    for _, start, end, first, last in matcher.get_opcodes():
        placed += _padded(before[start:end], after[first:last])
    return "\n".join(placed)


def _padded(old: Sequence[str], new: Sequence[str]) -> list[str]:
    """The new lines, and blank ones to make up for old ones: where a line was continued, else at the end."""
    lines: list[str] = []
    for line in new:
        lines.append(line)
        while len(lines) < len(old) and old[len(lines) - 1].endswith("\\"):
            lines.append("")
    return [*lines, *[""] * (len(old) - len(lines))]


# Without IPython


def _reduced(text: str, most: int) -> tuple[str, list[LeftOut], int]:
    """The cell without lines that the parser refuses and that look like magics, until it parses or is stuck.

    Also what was left out, and how many characters were parsed for it, which are `most` at most.
    """
    told: list[LeftOut] = []
    lines, parsed = _without_prompts(text).split("\n"), 0
    while (parsed := parsed + len(text) + 1) <= most:
        try:
            _parse("\n".join(lines))
        except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
            number = error.lineno if isinstance(error, SyntaxError) else None
            if number is None or number > len(lines) or not _MAGIC.match(lines[number - 1]):
                break
            told.append((number, lines[number - 1].strip()))
            _blank(lines, number - 1)
        else:
            break
    return "\n".join(lines), told, min(parsed, most)


def _without_prompts(text: str) -> str:
    """A cell that begins with an indent without it, and one that was copied from a prompt without that."""
    beginning = text.lstrip("\n")
    if beginning.startswith(">>>"):
        return _PROMPT.sub("", text)
    return textwrap.dedent(text) if beginning.startswith((" ", "\t")) else text


def _blank(lines: list[str], index: int) -> None:
    """Put a statement that does nothing in the place of a magic and the lines that continue it."""
    line = lines[index]
    assigned = _ASSIGNED.match(line)
    indent = line[: len(line) - len(line.lstrip())]
    lines[index] = f"{assigned['before']}None" if assigned else f"{indent}pass"
    while line.endswith("\\") and index + 1 < len(lines):
        index += 1
        line, lines[index] = lines[index], ""


def _without_line(text: str, index: int) -> str:
    lines = text.split("\n")
    lines[index] = ""
    return "\n".join(lines)


# Statements


def _statements(body: Sequence[ast.stmt], depth: int = 0) -> Iterator[ast.stmt]:
    """The statements of a block and of the blocks in it, in order."""
    for node in body:
        yield node
        if depth < 20:
            blocks = [node, *getattr(node, "handlers", ()), *getattr(node, "cases", ())]
            for block in blocks:
                for name in ("body", "orelse", "finalbody"):
                    inner = getattr(block, name, None)
                    if isinstance(inner, list):
                        yield from _statements(inner, depth + 1)


def _called(node: ast.stmt) -> ast.expr | None:
    """What a statement calls, if it is nothing but a call or the assignment of one."""
    value = node.value if isinstance(node, ast.Expr | ast.Assign) else None
    return value.func if isinstance(value, ast.Call) else None


def _calls_kernel(node: ast.stmt) -> bool:
    """Whether a statement is get_ipython().something(…), as IPython writes a magic."""
    called = _called(node)
    while isinstance(called, ast.Attribute):
        called = called.value
    return (
        isinstance(called, ast.Call) and isinstance(called.func, ast.Name) and called.func.id == "get_ipython"
    )


def _take_out(lines: list[str], node: ast.stmt) -> None:
    """Put what does nothing in the place of a statement (`pass`), or of the value it assigns (None)."""
    part: Any = node.value if isinstance(node, ast.Assign) else node
    first, last = part.lineno - 1, part.end_lineno - 1
    before = lines[first].encode()[: part.col_offset].decode()
    after = lines[last].encode()[part.end_col_offset :].decode()
    lines[first] = (
        before + ("None" if isinstance(node, ast.Assign) else "pass") + (after if first == last else "")
    )
    if last > first:
        indent = before[: len(before) - len(before.lstrip())]
        lines[first + 1 : last + 1] = [*[""] * (last - first - 1), indent + after.lstrip(" ;\t")]
