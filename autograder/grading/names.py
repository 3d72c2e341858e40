"""Names of a file that nearly fit what the exercises ask: one letter off, another alphabet, methods of a class.

The source is parsed here and never run.
"""

from __future__ import annotations

import ast
import difflib
import re
import unicodedata
import warnings
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import overload

from autograder.model.exercise import Exercise
from autograder.model.outcome import Loaded, NameFound
from autograder.model.result import FileReport
from autograder.model.submission import Submission
from autograder.wording.say import say

_MOST_BYTES = 400_000
_BLOCKS = ("body", "orelse", "finalbody")
#: A definition as nearly everybody writes it; whatever else holds "def" is left to the parser.
_DEF = re.compile(rb"^[ \t]*def[ \t]+(\w+)", re.MULTILINE)
#: Letters of other alphabets that look like Latin ones, for comparing only.
_LOOKALIKE = str.maketrans("аеорсухіјѕԁԛԝһαορυνκѵ", "aeopcyxijsdqwhaopuvkv")


@dataclass(frozen=True, slots=True)
class Definition:
    """A function definition in the source: its name, lines, what it stands in (classes, functions, blocks), and the
    names in it.
    """

    name: str
    line: int
    inside: str | None
    in_class: bool
    is_async: bool
    empty: bool
    end: int = 0
    names: frozenset[str] = frozenset()


class Definitions(Sequence[Definition]):
    """The function definitions of a submission; its source is parsed when they are first asked for."""

    def __init__(self, submission: Submission) -> None:
        self._submission = submission

    @cached_property
    def _found(self) -> tuple[Definition, ...]:
        return definitions(self._submission)

    @overload
    def __getitem__(self, index: int) -> Definition: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[Definition, ...]: ...
    def __getitem__(self, index: int | slice) -> Definition | tuple[Definition, ...]:
        return self._found[index]

    def __len__(self) -> int:
        return len(self._found)

    @cached_property
    def look_plain(self) -> bool:
        """Whether the text alone shows that no name is defined twice, and none as `async`."""
        source = self._submission.source
        names = _DEF.findall(source)
        return (
            source.isascii()
            and len(set(names)) == len(names) == source.count(b"def")
            and b"async" not in source
            and b"coding" not in source
        )


def definitions(submission: Submission) -> tuple[Definition, ...]:
    """All function definitions of a source, without those of parts (cells, or the whole) that do not parse."""
    if len(submission.source) > _MOST_BYTES:
        return ()
    return tuple(found for above, part in submission.parts() for found in _of_part(part, above))


def _of_part(source: bytes, above: int) -> tuple[Definition, ...]:
    """The definitions of a part that stands below so many lines."""
    if b"def" not in source and b"coding" not in source:
        return ()
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = ast.parse(source)
    except (SyntaxError, ValueError, LookupError, RecursionError, MemoryError):
        return ()
    if above:
        ast.increment_lineno(tree, above)
    return tuple(_walk(tree.body, None, in_class=False))


def _walk(
    body: Sequence[ast.stmt], inside: str | None, *, in_class: bool, depth: int = 0
) -> Iterator[Definition]:
    if depth > 20:
        return
    for node in body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            is_async = isinstance(node, ast.AsyncFunctionDef)
            end = node.end_lineno or node.lineno
            names = frozenset(one.id for one in ast.walk(node) if isinstance(one, ast.Name))
            yield Definition(node.name, node.lineno, inside, in_class, is_async, _is_empty(node), end, names)
            yield from _walk(node.body, node.name, in_class=False, depth=depth + 1)
        elif isinstance(node, ast.ClassDef):
            yield from _walk(node.body, node.name, in_class=True, depth=depth + 1)
        else:
            word = f"`{type(node).__name__.lower()}`"
            blocks = [node, *getattr(node, "handlers", ()), *getattr(node, "cases", ())]
            for inner in (getattr(block, field, None) for block in blocks for field in _BLOCKS):
                if isinstance(inner, list):
                    yield from _walk(inner, word, in_class=in_class, depth=depth + 1)


def reaches(found: Sequence[Definition], function: str, others: Sequence[str]) -> bool:
    """Whether a function names one of the others, itself or through functions of the file that it names."""
    seen = reached([function], {one.name: one.names for one in found if one.inside is None})
    return not seen.isdisjoint(set(others) - {function})


def reached(start: Iterable[str], following: Mapping[str, Iterable[str]]) -> set[str]:
    """The names to start with and all that follow, directly or through others."""
    seen: set[str] = set()
    queue = list(start)
    while queue:
        name = queue.pop()
        if name not in seen:
            seen.add(name)
            queue += following.get(name, ())
    return seen


def _is_empty(node: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    """Whether a body has nothing but a docstring, pass or an ellipsis."""
    return all(
        isinstance(statement, ast.Pass)
        or (isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant))
        for statement in node.body
    )


def name_reports(exercises: Sequence[Exercise], loaded: Loaded, found: Definitions) -> tuple[FileReport, ...]:
    """What is to be said of names: missing ones that nearly exist, doubled ones, wrong parameter counts."""
    functions = {name.name: name for name in loaded.names if name.kind != "value"}
    wanted = [exercise for exercise in exercises if exercise.function not in functions]
    others = [name for name in functions if name not in {exercise.function for exercise in exercises}]
    values = {name.name for name in loaded.names if name.kind == "value"}
    reports = [
        report
        for exercise in wanted
        if exercise.function not in values
        and (report := _missing(exercise.function, others, found)) is not None
    ]
    reports += [
        report
        for exercise in exercises
        if exercise.function in functions and (report := _parameters(exercise, functions[exercise.function]))
    ]
    if not found.look_plain:
        reports += _twice(exercises, found) + _async(exercises, found)
    return tuple(reports)


def _missing(wanted: str, others: Sequence[str], found: Sequence[Definition]) -> FileReport | None:
    lines = {definition.name: definition.line for definition in found}
    for name in others:
        if name.translate(_LOOKALIKE) == wanted:
            letters = ", ".join(f"U+{ord(c):04X} {unicodedata.name(c, '?')}" for c in name if not c.isascii())
            params = {"wanted": wanted, "found": name, "letters": letters}
            return FileReport("file.lookalike", say("file.lookalike", params), lines.get(name))
    near = _nearest(wanted, others)
    if near is not None:
        return FileReport(
            "file.near_name", say("file.near_name", {"wanted": wanted, "found": near}), lines.get(near)
        )
    for definition in found:
        if definition.name == wanted and definition.inside is not None:
            code = "file.method" if definition.in_class else "file.inside"
            params = {"wanted": wanted, "found": definition.inside, "line": str(definition.line)}
            return FileReport(code, say(code, params), definition.line)
    return None


def _nearest(wanted: str, others: Sequence[str]) -> str | None:
    def plain(name: str) -> str:
        return name.casefold().replace("_", "")

    same = [name for name in others if plain(name) == plain(wanted)]
    close = difflib.get_close_matches(plain(wanted), [plain(name) for name in others], n=1, cutoff=0.75)
    if same:
        return same[0]
    return next((name for name in others if close and plain(name) == close[0]), None)


def _parameters(exercise: Exercise, name: NameFound) -> FileReport | None:
    most, least = len(exercise.parameters), sum(p.default is None for p in exercise.parameters.values())
    if name.required is None or (name.required <= least and (name.accepted is None or name.accepted >= most)):
        return None
    takes = str(name.required)
    if name.accepted != name.required:
        code = "count.or_more" if name.accepted is None else "count.range"
        takes = say(code, {"least": takes, "most": name.accepted})
    params = {
        "function": exercise.function,
        "accepted": takes,
        "expected": most if most == least else say("count.either", {"least": least, "most": most}),
        "signature": exercise.signature,
    }
    return FileReport("file.parameters", say("file.parameters", params), name.line)


def _twice(exercises: Sequence[Exercise], found: Sequence[Definition]) -> list[FileReport]:
    outer = [definition for definition in found if definition.inside is None]
    counts = Counter(definition.name for definition in outer)
    reports = []
    for exercise in exercises:
        name = exercise.function
        if counts[name] > 1:
            line = max(definition.line for definition in outer if definition.name == name)
            params = {"function": name, "count": counts[name], "line": line}
            reports.append(FileReport("file.twice", say("file.twice", params), line))
    return reports


def _async(exercises: Sequence[Exercise], found: Sequence[Definition]) -> list[FileReport]:
    wanted = {exercise.function for exercise in exercises}
    return [
        FileReport("file.async", say("file.async", {"function": definition.name}), definition.line)
        for definition in found
        if definition.is_async and definition.inside is None and definition.name in wanted
    ]
