"""The languages that texts are in: which one is spoken, and the catalogues that hold what others say for the English.

A catalogue is a gettext file (.po), read as it is; nothing is compiled. Babel, which reads it, is imported when a
language other than English is first spoken. An entry that is fuzzy, stale or absent falls back to the English text.
"""

from __future__ import annotations

import string
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

#: The language that all texts are written in first.
ENGLISH = "en"
_FOLDER = Path(__file__).with_name("locale")
_FILE = Path("LC_MESSAGES", "autograder.po")
_spoken: ContextVar[str] = ContextVar("language", default=ENGLISH)


def languages() -> tuple[str, ...]:
    """The languages that the feedback can be given in, English first."""
    return (ENGLISH, *sorted(path.name for path in _FOLDER.iterdir() if (path / _FILE).is_file()))


def spoken() -> str:
    """The language that is spoken here and now."""
    return _spoken.get()


def speak(language: str) -> None:
    """Speak a language from here on."""
    _spoken.set(language)


@contextmanager
def speaking(language: str) -> Iterator[None]:
    """Speak a language until the end of the block."""
    token = _spoken.set(language)
    try:
        yield
    finally:
        _spoken.reset(token)


def known_language(name: str) -> str | None:
    """The language of ours that a name means, or None: pt for pt_BR.UTF-8, en for en-GB.

    >>> known_language("en_GB.UTF-8"), known_language("C.UTF-8")
    ('en', None)
    """
    language = name.replace("-", "_").partition(".")[0].partition("@")[0].partition("_")[0].casefold()
    return language if language in languages() else None


def language_of(environment: Mapping[str, str]) -> str | None:
    """The language that the locale variables ask for, in gettext's order; None if they ask for none of ours."""
    wanted = next((v for n in ("LC_ALL", "LC_MESSAGES", "LANG") if (v := environment.get(n))), "")
    if wanted.partition(".")[0] in ("", "C", "POSIX"):
        return None
    names = [*environment.get("LANGUAGE", "").split(":"), wanted]
    return next((known for name in names if (known := known_language(name))), None)


# Catalogues


@dataclass(frozen=True, slots=True)
class Entry:
    """A text and its translation, and where it stands; `context` is its code, if it has one."""

    context: str
    text: str
    translation: str
    line: int
    fuzzy: bool = False


class BadCatalogueError(ValueError):
    """A file is no catalogue of gettext."""


def read_catalogue(path: Path) -> tuple[Entry, ...]:
    """The entries of a .po file. BadCatalogueError if it is none, OSError if it cannot be read."""
    return _entries(_catalogue(path))


def read_set_aside(path: Path) -> tuple[Entry, ...]:
    """The entries at the end of a .po file that are commented out, since their English text is gone."""
    return _entries(_catalogue(path).obsolete.values())


def _catalogue(path: Path) -> Any:
    from babel.messages.pofile import PoFileError, read_po

    try:
        with path.open("rb") as file:
            return read_po(file, charset="utf-8", abort_invalid=True)
    except (PoFileError, UnicodeError, ValueError) as error:
        raise BadCatalogueError(" ".join(str(error).split())[:200]) from None


def _entries(messages: Iterable[Any]) -> tuple[Entry, ...]:
    return tuple(
        Entry(one.context or "", one.id, str(one.string or ""), one.lineno or 1, one.fuzzy)
        for one in messages
        if isinstance(one.id, str) and one.id
    )


def own_catalogue(language: str) -> Path:
    """Where the catalogue of the feedback is."""
    return _FOLDER / language / _FILE


@cache
def feedback_entries(language: str) -> Mapping[str, Entry]:
    """The entries of the feedback's catalogue by code."""
    return {entry.context: entry for entry in read_catalogue(own_catalogue(language))}


def in_language(code: str, english: str, language: str) -> str:
    """A text of the feedback in a language; the English one if the catalogue has none that fits it."""
    if language == ENGLISH:
        return english
    entry = feedback_entries(language).get(code)
    return entry.translation if entry is not None and fits(entry, english) else english


def fits(entry: Entry, english: str) -> bool:
    """Whether a translation may stand for a text: it is of this text, finished, and names the same places."""
    return (
        bool(entry.translation)
        and not entry.fuzzy
        and same_text(entry.text, english)
        and (not entry.context or places(entry.translation) == places(english))
    )


def places(text: str) -> frozenset[str] | None:
    """The names in braces, or None if the braces do not match up."""
    try:
        return frozenset(field for _, field, _, _ in string.Formatter().parse(text) if field is not None)
    except ValueError:
        return None


def same_text(one: str, other: str) -> bool:
    """Whether two texts differ in nothing but where their lines end."""
    return one.split() == other.split()
