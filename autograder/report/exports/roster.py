"""Whose result is whose row: matched by id, then by login, then by e-mail address, and never guessed."""

from __future__ import annotations

import unicodedata
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from autograder.model.result import Result
from autograder.report.safe_text import visible


@dataclass(frozen=True, slots=True)
class Person:
    """One row of a platform's list.

    `own` is the platform's own number, `official` the ids of the institution; `key` says which row it is.
    """

    key: int
    name: str
    own: str = ""
    official: tuple[str, ...] = ()
    login: str = ""
    email: str = ""


@dataclass(frozen=True, slots=True)
class Unclear:
    """A result that is written to no row, and why."""

    result: Result
    why: str


@dataclass(frozen=True, slots=True)
class Matching:
    """The results with their rows, what could not be matched, and the rows without a result."""

    pairs: tuple[tuple[Result, Person], ...]
    unclear: tuple[Unclear, ...]
    without: tuple[Person, ...]

    def lines(self) -> tuple[str, ...]:
        """What a person has to look at, a line each."""
        lines = [f"{visible(one.result.student)}: {one.why}" for one in self.unclear]
        lines += [f"{visible(person.name)}: no result" for person in self.without]
        return tuple(lines)


def match(results: Iterable[Result], people: Sequence[Person], platform: str) -> Matching:
    """Find the one row of every result; one that fits two rows, or two that fit one, are written to none."""
    found: dict[int, list[Result]] = defaultdict(list)
    unclear = []
    indexes = [_index(people, keys) for keys in _KEYS]
    for result in results:
        rows = _rows(result, indexes, platform)
        if len(rows) == 1:
            found[rows[0].key].append(result)
        elif rows:
            names = ", ".join(visible(person.name) for person in rows[:5])
            unclear.append(Unclear(result, f"fits {len(rows)} rows: {names}"))
        else:
            unclear.append(Unclear(result, "fits no row"))
    pairs = []
    for person in people:
        fitting = found.get(person.key, [])
        if len(fitting) == 1:
            pairs.append((fitting[0], person))
        for result in fitting if len(fitting) > 1 else ():
            others = ", ".join(visible(other.student) for other in fitting if other is not result)
            unclear.append(
                Unclear(result, f"is one of {len(fitting)} results for {visible(person.name)}: {others}")
            )
    matched = {person.key for _, person in pairs}
    doubled = {key for key, fitting in found.items() if len(fitting) > 1}
    without = tuple(person for person in people if person.key not in matched | doubled)
    unclear.sort(key=lambda one: one.result.student)
    return Matching(tuple(pairs), tuple(unclear), without)


#: What a row can be found by, in the order in which it is tried.
_KEYS: tuple[Callable[[Person], Iterable[str]], ...] = (
    lambda person: (f"own {_exact(person.own)}", *(f"official {_exact(one)}" for one in person.official)),
    lambda person: (f"login {_folded(person.login)}",),
    lambda person: (
        f"mail {_folded(person.email)}",
        f"mail {_folded(person.login)}" if "@" in person.login else "",
    ),
)


def _index(people: Sequence[Person], keys: Callable[[Person], Iterable[str]]) -> dict[str, list[Person]]:
    index: dict[str, list[Person]] = defaultdict(list)
    for person in people:
        for key in {key for key in keys(person) if key.partition(" ")[2]}:
            index[key].append(person)
    return index


def _rows(result: Result, indexes: Sequence[dict[str, list[Person]]], platform: str) -> list[Person]:
    """The rows that a result fits by the first kind of key that fits any."""
    for index, keys in zip(indexes, _keys(result, platform), strict=True):
        rows = {person.key: person for key in keys for person in index.get(key, ())}
        if rows:
            return list(rows.values())
    return []


def _keys(result: Result, platform: str) -> tuple[list[str], list[str], list[str]]:
    """What a result may be found by: what its platform says, and where it came from none, the student's name.

    A platform's own number means nothing elsewhere: only Gradescope's is the institution's.
    """
    origin = result.origin
    bare = result.student if origin.platform in ("", "nbgrader") else ""
    own = origin.id if origin.platform == platform else bare
    official = origin.id if origin.platform == "gradescope" else bare
    ids = [f"own {_exact(own)}" if own else "", f"official {_exact(official)}" if official else ""]
    email = origin.email or (bare if "@" in bare else "")
    login = _folded(origin.login or bare)
    return ids, [f"login {login}" if login else ""], [f"mail {_folded(email)}" if email else ""]


def _exact(text: str) -> str:
    return unicodedata.normalize("NFC", text.strip())


def _folded(text: str) -> str:
    return _exact(text).casefold()
