"""What one student handed in."""

from __future__ import annotations

import hashlib
import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

#: What ends a line for Python; `str.splitlines` knows more of them.
_LINE_END = re.compile(r"\r\n|\r|\n")


#: Characters of a line that is quoted.
LINE_CHARS = 1000


def notebook_name(file: str) -> str:
    """What a file of functions is called as a notebook: attention.ipynb for attention.py."""
    return file.removesuffix(".py") + ".ipynb"


@dataclass(frozen=True, slots=True)
class Origin:
    """What the platform that a submission was downloaded from says of it; empty where it says nothing.

    `id` is the platform's own number for the student (Canvas: the user's ID; Moodle: the
    participant's number; Gradescope: the SID), `handed_in` an ISO 8601 time with its offset, `late` the
    platform's own flag.
    """

    platform: str = ""
    id: str = ""
    login: str = ""
    email: str = ""
    name: str = ""
    handed_in: str | None = None
    late: bool | None = None

    def to_json(self) -> dict[str, str | bool]:
        """Plain data: what is known, in this order."""
        return {name: value for name in self.__slots__ if (value := getattr(self, name)) not in ("", None)}

    @classmethod
    def from_json(cls, data: object) -> Origin:
        """Read back what `to_json` wrote; TypeError or ValueError for what it cannot have written."""
        if not isinstance(data, dict):
            raise TypeError("an origin is an object")
        origin = cls(**data)
        texts = (origin.platform, origin.id, origin.login, origin.email, origin.name, origin.handed_in or "")
        if not all(isinstance(text, str) for text in texts) or origin.late not in (None, True, False):
            raise ValueError("an origin holds texts")
        return origin


#: Of a submission that came from no platform.
NOWHERE = Origin()


@dataclass(frozen=True)
class Submission:
    """A student's file as bytes: `content` is what was handed in, `source` the Python that runs.

    For a .py file both are equal; for a notebook `source` is the code of its cells, one after the other, and
    `cells` are the lines of it at which they begin (the line before each says which cell it is). Cells are
    numbered as people count them: the fourth code cell from the top is cell 4, whatever ran when. Every line
    number in the house is one of `source`; `place` says where in the notebook it is.
    """

    student: str
    file: str
    content: bytes
    source: bytes
    notes: tuple[str, ...] = ()
    cells: tuple[int, ...] = ()
    origin: Origin = NOWHERE

    @property
    def handed_in(self) -> str | None:
        """When it was handed in, in ISO 8601 with its offset, or None if nothing tells."""
        return self.origin.handed_in

    @property
    def is_notebook(self) -> bool:
        """Whether the file is a notebook, by its name."""
        return self.file.casefold().endswith(".ipynb")

    @cached_property
    def sha256(self) -> str:
        """The hex digest of the content: whether it is the same file."""
        return hashlib.sha256(self.content).hexdigest()

    @cached_property
    def code_sha256(self) -> str:
        """The hex digest of the source, from which inputs are drawn: the same code, the same inputs.

        A notebook's outputs change whenever it is run; its marks may not change with them.
        """
        return hashlib.sha256(self.source).hexdigest()

    def place(self, line: int) -> tuple[int | None, int]:
        """The cell and the line within it of a line of the source; no cell if the file is no notebook."""
        cell = bisect_right(self.cells, line)
        return (cell, line - self.cells[cell - 1] + 1) if cell else (None, line)

    def parts(self) -> Iterator[tuple[int, bytes]]:
        """The source in one, or cell by cell, each with the number of lines above it: each can be parsed alone."""
        if not self.cells:
            yield 0, self.source
            return
        lines = self.source.split(b"\n")
        ends = [*self.cells[1:], len(lines) + 2]
        for first, end in zip(self.cells, ends, strict=True):
            yield first - 1, b"\n".join(lines[first - 1 : end - 2])

    @cached_property
    def lines(self) -> tuple[str, ...]:
        """The source as lines of text, for quoting; undecodable bytes are replaced."""
        return tuple(_LINE_END.split(self.source.decode("utf-8", "replace")))

    def line(self, number: int | None) -> str | None:
        """The text of a line counted from 1, stripped and cut to be quoted, or None if there is no such line."""
        if number is None or not 1 <= number <= len(self.lines):
            return None
        return self.lines[number - 1].strip()[:LINE_CHARS]
