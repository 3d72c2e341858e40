"""How a text report is laid out: its width, colours and marks; wrapped lines and rows of short items."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from autograder.model.result import Status
from autograder.report.safe_text import columns

_STYLES = {"good": "32", "bad": "31", "faint": "2", "strong": "1", "loud": "1;31"}

#: Of each status: its mark, its mark in plain ASCII, its style.
MARKS: dict[Status, tuple[str, str, str]] = {
    "passed": ("✓", "+", "good"),
    "partly": ("✗", "x", "bad"),
    "failed": ("✗", "x", "bad"),
    "raised": ("✗", "x", "bad"),
    "timed_out": ("✗", "x", "bad"),
    "crashed": ("✗", "x", "bad"),
    "not_attempted": ("–", "-", "faint"),
    "missing": ("✗", "x", "bad"),
    "skipped": ("–", "-", "faint"),
    "broken": ("!", "!", "loud"),
}


@dataclass(frozen=True, slots=True)
class Look:
    """What the place can show: columns, colours, other marks than ASCII ones."""

    width: int = 88
    colour: bool = False
    plain: bool = False

    def paint(self, text: str, style: str) -> str:
        """The text in a style, where there are colours."""
        return f"\x1b[{_STYLES[style]}m{text}\x1b[0m" if self.colour and text else text

    def mark(self, status: Status) -> str:
        """The painted mark of a status: one column."""
        fine, ascii_mark, style = MARKS[status]
        return self.paint(ascii_mark if self.plain else fine, style)

    def bar(self, share: float, cells: int) -> str:
        """A bar that is full at a share of 1."""
        full = round(share * cells)
        return ("#" if self.plain else "█") * full + ("." if self.plain else "░") * (cells - full)


def wrapped(text: str, width: int) -> list[str]:
    """The text in lines of at most `width` columns, broken at spaces, or within a word that is longer."""
    lines: list[str] = []
    line = ""
    for word in text.split(" "):
        joined = f"{line} {word}" if line else word
        if columns(joined) <= width:
            line = joined
            continue
        if line:
            lines.append(line)
        *whole, line = pieces(word, width)
        lines += whole
    return [*lines, line]


def pieces(word: str, width: int) -> list[str]:
    """A word cut into parts of at most `width` columns."""
    parts = [""]
    for character in word:
        if parts[-1] and columns(parts[-1]) + columns(character) > max(width, 1):
            parts.append("")
        parts[-1] += character
    return parts


def indented(text: str, look: Look, *, first: str, hang: int) -> list[str]:
    """The text after `first`, further lines `hang` columns in; `first` takes as many columns."""
    lines = wrapped(text, max(look.width - hang, 20))
    return [f"{first}{lines[0]}".rstrip(), *(" " * hang + line for line in lines[1:])]


def padded(text: str, width: int) -> str:
    """The text with spaces up to a width in columns."""
    return text + " " * (width - columns(text))


def row_of_items(items: Sequence[tuple[str, str]], look: Look, *, indent: int) -> list[str]:
    """Items (painted mark, plain name) side by side, in as many lines as they need."""
    lines: list[str] = []
    used = look.width + 1
    for mark, name in items:
        wide = columns(name) + 2
        if used + 3 + wide > look.width:
            lines.append(" " * indent)
            used = indent
        else:
            lines[-1] += "   "
            used += 3
        lines[-1] += f"{mark} {name}"
        used += wide
    return lines


def marks_text(marks: float) -> str:
    """Marks with at most two digits after the point, rounded down, so that nearly all is never all."""
    return f"{math.floor(marks * 100 + 1e-6) / 100:.2f}".rstrip("0").rstrip(".")


def both_ends(left: str, right: str, look: Look, *, strong: bool = False) -> str:
    """One line with a text at each end, or a narrow gap if it is too long."""
    gap = max(look.width - columns(left) - columns(right), 2)
    return (look.paint(left, "strong") if strong else left) + " " * gap + right


def joined(lines: Iterable[str]) -> str:
    """The lines as a text with a line end after each."""
    return "".join(f"{line}\n" for line in lines)
