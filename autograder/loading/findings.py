"""Findings about a YAML file, and the words they are told in."""

from __future__ import annotations

import difflib
import math
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import Any, TypeAlias

from autograder.errors import Problem
from autograder.loading.yaml_strict import Document

Path: TypeAlias = tuple[str | int, ...]


@dataclass(frozen=True, slots=True)
class Finding:
    """One fault at a path of a document; `at_key` says that the last key is at fault, not its value."""

    path: Path
    message: str
    remedy: str
    at_key: bool = False
    #: Whether the message speaks of the path's last part itself, so that only what holds it is named before.
    within: bool = False

    def problem(self, document: Document) -> Problem:
        """The finding as a problem with its place in the document."""
        places = document.places
        path = self.path
        if path and isinstance(path[-1], int) and not places.holds(path):
            path = path[:-1]  # one name, written without a list around it
        place = places.key(path) if self.at_key else places.value(path)
        named = dotted(path[:-1] if self.within else path)
        return Problem(place, f"{named}: {self.message}" if named else self.message, self.remedy)


def sorted_problems(problems: Iterable[Problem]) -> tuple[Problem, ...]:
    """The problems by file, line and column, each once."""

    def order(problem: Problem) -> tuple[str, int, int, str]:
        place = problem.place
        return place.file, place.line or 0, place.column or 0, problem.message

    return tuple(sorted(dict.fromkeys(problems), key=order))


def dotted(path: Path) -> str:
    """The path as people write it: checks[3].of, cases.bank.given.S."""
    text = ""
    for part in path:
        text += f"[{part}]" if isinstance(part, int) else f".{part}" if text else part
    return text


def known_names(name: str, known: Collection[str]) -> str:
    """The remedy for an unknown name: the nearest known one, if one is near, and the list."""
    listed = ", ".join(known) or "none"
    near = nearest(name, known)
    return f"did you mean {near!r}? Known: {listed}" if near else f"known: {listed}"


def nearest(name: str, known: Iterable[str]) -> str | None:
    """The known name that this one may be a slip for."""
    by_plain = {other.lower(): other for other in reversed(list(known))}
    found = difflib.get_close_matches(name.lower(), by_plain, n=1, cutoff=0.6)
    return by_plain[found[0]] if found else None


def shown(value: Any) -> str:
    """A value as a message quotes it: short, as YAML writes it."""
    match value:
        case None:
            return "nothing"
        case bool():
            return str(value).lower()
        case str():
            return repr(value if len(value) <= 40 else value[:39] + "…")
        case float() if not math.isfinite(value):
            return ".nan" if math.isnan(value) else ".inf" if value > 0 else "-.inf"
        case float() if value and not 1e-4 <= abs(value) < 1e6:
            return f"{value:g}"
        case list() | tuple():
            return "an empty list" if not value else "a list"
        case dict():
            return "an empty mapping" if not value else "a mapping"
    text = repr(value)
    return text if len(text) <= 40 else text[:39] + "…"
