"""What a submission said, made safe to show: what a terminal would obey is spelt out, what is long is cut."""

from __future__ import annotations

import unicodedata

#: So many marks may sit on one letter; what is piled higher covers the lines around it.
_MOST_MARKS = 3
_TAB = "    "
_NAMED = {"\n": r"\n", "\r": r"\r", "\t": r"\t"}


def visible(text: str, limit: int = 300) -> str:
    """The text on one line and of at most `limit` characters, every unprintable character spelt out.

    >>> visible("red\\x1b[31m")
    'red\\\\x1b[31m'
    """
    return cut(spelt_out(text[: limit + 1]), limit)


def visible_lines(text: str, *, lines: int, chars: int) -> tuple[str, ...]:
    """The first lines of a text, as `visible` shows each (tabs as spaces), and how many are left."""
    every = text.rstrip().split("\n")
    shown = tuple(visible(line.removesuffix("\r").expandtabs(len(_TAB)), chars) for line in every[:lines])
    left = len(every) - len(shown)
    return (*shown, f"… {left} more line{'s' if left > 1 else ''}") if left else shown


def source_line(text: str, limit: int = 200) -> str:
    """A line of source as `visible` shows it, its tabs as spaces."""
    return visible(text.replace("\t", _TAB), limit)


def spelt_out(text: str) -> str:
    """The text with controls, escapes, direction marks, lone surrogates and odd spaces as \\x1b, \\u202e."""
    parts = []
    marks = 0
    for character in text:
        marks = marks + 1 if unicodedata.combining(character) else 0
        parts.append(character if character.isprintable() and marks <= _MOST_MARKS else _code(character))
    return "".join(parts)


def cut(text: str, limit: int) -> str:
    """The text, or its beginning with a mark if it is longer than the limit."""
    return text if len(text) <= limit else text[: limit - 1] + "…"


def _code(character: str) -> str:
    point = ord(character)
    if character in _NAMED:
        return _NAMED[character]
    return f"\\x{point:02x}" if point < 0x100 else f"\\u{point:04x}" if point < 0x10000 else f"\\U{point:08x}"


def columns(text: str) -> int:
    """How many columns of a terminal a visible text takes: wide letters two, marks on a letter none."""
    if text.isascii():
        return len(text)
    return sum(
        0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in text
    )
