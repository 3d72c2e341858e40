"""What one student handed in."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from functools import cached_property


@dataclass(frozen=True)
class Submission:
    """A student's file as bytes: `content` is what was handed in, `source` the Python that runs.

    For a .py file both are equal but for line ends and encoding; for a notebook `source` is its code.
    `sha256` is of the content: the same file always draws the same inputs.
    """

    student: str
    file: str
    content: bytes
    source: bytes
    notes: tuple[str, ...] = ()

    @cached_property
    def sha256(self) -> str:
        """The hex digest of the content."""
        return hashlib.sha256(self.content).hexdigest()

    @cached_property
    def lines(self) -> tuple[str, ...]:
        """The source as lines of text, for quoting; undecodable bytes are replaced."""
        return tuple(self.source.decode("utf-8", "replace").splitlines())

    def line(self, number: int | None) -> str | None:
        """The text of a line counted from 1, stripped, or None if there is no such line."""
        if number is None or not 1 <= number <= len(self.lines):
            return None
        return self.lines[number - 1].strip()
