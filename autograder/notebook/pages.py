"""Where the functions of a kernel were written: its cells (or a file), as a submission with a map of lines.

A cell is named by the number beside it: cell 3 is the one with [3], which IPython calls In[3].
"""

from __future__ import annotations

import linecache
import re
import types
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, TypeAlias

from autograder.model.submission import Submission, notebook_name

#: Says of a file name under which IPython compiled a cell what people call it: ("Cell", "In[3]").
CellName: TypeAlias = Callable[[str], "tuple[str, str] | None"]

_NUMBER = re.compile(r"\[(\d+)\]")
_ELSEWHERE = "# The functions here were written elsewhere.\n"
_OPENING = "# The cells of a kernel in which functions were written, by their numbers."


@dataclass(frozen=True)
class Pages:
    """The source of a kernel's functions. `cells` are texts by number; `files` say where each name begins."""

    text: str
    cells: tuple[int, ...]
    files: Mapping[str, int] = field(repr=False)

    @classmethod
    def of(cls, namespace: Mapping[str, Any], cell_name: CellName | None) -> Pages:
        """The pages of the functions that a namespace holds and that were written in it."""
        files = list(dict.fromkeys(_files(namespace)))
        numbers = {name: number for name in files if (number := _number(name, cell_name)) is not None}
        if not numbers:
            first = files[:1]
            text = "".join(_lines(first[0])) if first else ""
            return cls(text or _ELSEWHERE, (), dict.fromkeys(first, 1))
        by_number = {number: name for name, number in numbers.items()}
        lines, starts = [_OPENING], []
        for number in range(1, max(by_number) + 1):
            lines.append(f"# cell {number}")
            starts.append(len(lines) + 1)
            text = "".join(_lines(by_number[number])) if number in by_number else ""
            lines += text.rstrip("\n").split("\n")
        where = {name: starts[number - 1] for number, name in by_number.items()}
        return cls("\n".join(lines) + "\n", tuple(starts), where)

    def line(self, file: str, line: int) -> int:
        """A line of a file in the whole text."""
        return self.files[file] + line - 1

    def submission(self, file: str) -> Submission:
        """The pages as a submission: a notebook if they are cells, else a file of that name."""
        name = notebook_name(file) if self.cells else file
        return Submission("", name, self._source, self._source, cells=self.cells)

    @cached_property
    def _source(self) -> bytes:
        return self.text.encode("utf-8", "backslashreplace")


def _files(namespace: Mapping[str, Any]) -> Iterator[str]:
    """The file names of the functions that belong to the namespace's own module."""
    own = namespace.get("__name__", "__main__")
    for value in list(namespace.values()):
        for _ in range(10):
            inner = getattr(value, "__dict__", {}).get("__wrapped__")
            if inner is None:
                break
            value = inner
        if isinstance(value, types.FunctionType) and value.__module__ == own:
            yield value.__code__.co_filename


def _number(file: str, cell_name: CellName | None) -> int | None:
    named = cell_name(file) if cell_name is not None else None
    match = _NUMBER.search(named[1]) if named else None
    return int(match[1]) if match else None


def _lines(file: str) -> list[str]:
    return [line.replace("\r\n", "\n") for line in linecache.getlines(file)]
