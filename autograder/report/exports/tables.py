"""A table of separated values that is changed cell by cell: what is not changed keeps its bytes.

Byte order mark, separator, quotes, line ends and leading zeros stay as they were, since the platform that
wrote the table has to know it again.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from autograder.errors import UsageError
from autograder.wording.cells import guarded

_SEPARATORS = (",", ";", "\t")
_MARKS = ((codecs.BOM_UTF8, "utf-8"), (codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be"))
_MOST_BYTES = 64 * 1024 * 1024


class Line(NamedTuple):
    """The cells of a line as they are written, quotes and all, and what ends it."""

    cells: list[str]
    end: str


@dataclass(slots=True)
class Table:
    """A table being filled in; the first line is the header."""

    mark: bytes
    encoding: str
    separator: str
    lines: list[Line]

    @property
    def header(self) -> list[str]:
        """The names of the columns."""
        return [plain(cell) for cell in self.lines[0].cells]

    def cell(self, row: int, column: int | None) -> str:
        """What a cell says; empty if the line is too short or there is no such column."""
        cells = self.lines[row].cells
        return plain(cells[column]) if column is not None and column < len(cells) else ""

    def put(self, row: int, column: int, text: str) -> None:
        """Write a cell, in quotes if it was or has to be."""
        cells = self.lines[row].cells
        cells += [""] * (column + 1 - len(cells))
        cells[column] = written(text, self.separator, quoted=cells[column].startswith('"'))

    def guard(self) -> tuple[tuple[int, int], ...]:
        """Make sure that no cell starts a formula; the places (row, column) that had to be changed."""
        changed = []
        for row, line in enumerate(self.lines):
            for column, cell in enumerate(line.cells):
                text = plain(cell)
                if (safe := guarded(text)) != text:
                    line.cells[column] = written(safe, self.separator, quoted=cell.startswith('"'))
                    changed.append((row, column))
        return tuple(changed)

    def content(self) -> bytes:
        """The bytes of the table."""
        text = "".join(self.separator.join(line.cells) + line.end for line in self.lines)
        return self.mark + text.encode(self.encoding)


def plain(cell: str) -> str:
    """What a cell says, without its quotes."""
    if not cell.startswith('"'):
        return cell
    inner, _, rest = cell[1:].rpartition('"')
    return inner.replace('""', '"') + rest


def written(text: str, separator: str, *, quoted: bool = False) -> str:
    """A text as a cell; in quotes if it is asked for or has to be."""
    if quoted or re.search(rf'[{re.escape(separator)}"\r\n]', text):
        return '"' + text.replace('"', '""') + '"'
    return text


def read_table(content: bytes, name: str, knows: Callable[[Sequence[str]], bool]) -> Table:
    """The table in a file; `knows` says of a header whether it is the right one, which tells the separator.

    UsageError if it is no such table.
    """
    if len(content) > _MOST_BYTES:
        raise UsageError(
            f"{name} has more than {_MOST_BYTES:,} bytes", remedy="name the platform's own export"
        )
    mark, encoding = next((pair for pair in _MARKS if content.startswith(pair[0])), (b"", "utf-8"))
    try:
        text = content[len(mark) :].decode(encoding)
    except UnicodeDecodeError:
        raise UsageError(
            f"{name} is not in UTF-8", remedy="use the platform's export as it was downloaded"
        ) from None
    for separator in _SEPARATORS:
        if knows(_header(text, separator, name)):
            return Table(mark, encoding, separator, list(_lines(text, separator, name)))
    first = text.split("\n", 1)[0].strip()[:200]
    raise UsageError(
        f"{name} has not the columns that are needed; its first line is {first!r}", remedy=_REMEDY
    )


_REMEDY = "use the platform's export as it was downloaded"


def _header(text: str, separator: str, name: str) -> list[str]:
    """The names of the columns, if that is the separator; else whatever comes of it."""
    try:
        first = next(_lines(text, separator, name), None)
    except UsageError:
        return []
    return [plain(cell) for cell in first.cells] if first is not None else []


def _lines(text: str, separator: str, name: str) -> Iterator[Line]:
    one = re.compile(
        rf'("[^"]*(?:""[^"]*)*"(?!")[^{re.escape(separator)}\r\n]*|(?!")[^{re.escape(separator)}\r\n]*)'
        rf"({re.escape(separator)}|\r\n|\n|\r|\Z)"
    )
    cells: list[str] = []
    at = 0
    while at < len(text) or cells:
        match = one.match(text, at)
        if match is None:
            number = text.count("\n", 0, at) + 1
            raise UsageError(f"{name} line {number}: a quote is not closed", remedy=_REMEDY)
        cells.append(match[1])
        at = match.end()
        if match[2] != separator:
            yield Line(cells, match[2])
            cells = []


def column_of(header: Sequence[str], *names: str) -> int | None:
    """The first column of one of these names, whatever their case; None if there is none."""
    known = [name.strip().casefold() for name in header]
    return next((known.index(name.casefold()) for name in names if name.casefold() in known), None)
