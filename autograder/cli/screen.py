"""The two streams of a command: what stdout can show, results on it, trouble on stderr."""

from __future__ import annotations

import codecs
import os
import shutil
import sys
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from autograder.report.layout import Look

_WIDTH_ELSEWHERE = 88
_WIDEST = 120
#: Signs of our own texts, for encodings that lack them; any other character is spelt out.
_SPELT = {"…": "...", "·": "-", "–": "-", "−": "-", "×": "x", "√": "sqrt ", "≤": "<=", "→": "->"}


def look(*, plain: bool) -> Look:
    """What stdout can show: as wide as the terminal, coloured on a terminal unless that is unwanted."""
    from autograder.report.layout import Look

    plain = plain or not _can_encode("✓✗–│█░·")
    colour = not plain and on_terminal() and not os.environ.get("NO_COLOR")
    return Look(width=_width(), colour=colour, plain=plain)


def on_terminal() -> bool:
    """Whether stdout is a terminal that obeys escapes."""
    return sys.stdout.isatty() and os.environ.get("TERM") != "dumb"


def out(text: str) -> None:
    """Write a text, with its line ends, to stdout; no character stops it."""
    click.echo(fitted(text, sys.stdout.encoding), nl=False)


def out_utf8(text: str) -> None:
    """Write data to stdout in UTF-8, whatever the terminal's encoding."""
    sys.stdout.flush()
    sys.stdout.buffer.write(text.encode("utf-8", "backslashreplace"))


def err(text: str) -> None:
    """Write lines to stderr, with nothing in them that a terminal would obey."""
    from autograder.report.safe_text import spelt_out

    safe = "\n".join(spelt_out(line) for line in text.split("\n"))
    click.echo(fitted(safe, sys.stderr.encoding), err=True)


def fitted(text: str, encoding: str | None) -> str:
    """The text with the characters that an encoding lacks replaced by likenesses or spelt out.

    >>> fitted("√d_k – é", "ascii")
    'sqrt d_k - \\\\xe9'
    """
    encoding = encoding or "ascii"
    return text.encode(encoding, "autograder.spelt").decode(encoding)


def _spelt(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    character = error.object[error.start]
    code = character.encode("ascii", "backslashreplace").decode("ascii")
    return _SPELT.get(character, code), error.start + 1


codecs.register_error("autograder.spelt", _spelt)


def _can_encode(text: str) -> bool:
    try:
        text.encode(sys.stdout.encoding or "ascii")
    except UnicodeError:
        return False
    return True


def _width() -> int:
    return max(min(shutil.get_terminal_size((_WIDTH_ELSEWHERE, 24)).columns, _WIDEST), 40)
