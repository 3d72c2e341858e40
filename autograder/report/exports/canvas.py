"""A column of a gradebook that Canvas exported, filled with the marks; all else as it was."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from autograder.errors import UsageError
from autograder.model.result import Result
from autograder.report.exports.roster import Matching, Person, match
from autograder.report.exports.tables import Table, column_of, read_table
from autograder.report.safe_text import visible

_EXCUSED = "EX"
_ID_OF_TITLE = re.compile(r"\((\d+)\)\s*\Z")
#: Columns that Canvas works out itself, and those that say whose a row is.
_NO_ASSIGNMENT = re.compile(
    r"(student|lastname|firstname|id|sis (user|login) id|integration id|root account|section|"
    r".*(current|final) (score|points|grade)|.*override (score|grade|status))",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Filled:
    """A table that was filled in: its bytes, whose row is whose, and what else is to be known."""

    content: bytes
    matching: Matching
    notes: tuple[str, ...]


def fill_gradebook(
    content: bytes,
    results: Iterable[Result],
    column: str,
    *,
    name: str = "the gradebook",
    scale: bool = False,
) -> Filled:
    """The gradebook with the marks in the column of that title (or id); UsageError if it has no such column.

    `scale` turns marks into the points that Canvas has for the assignment.
    """
    table = read_table(content, name, _is_header)
    at = _assignment_column(table.header, column, name)
    people = _people(table)
    matching = match(results, people, "canvas")
    possible = _possible(table, at, {person.key for person in people})
    notes = list(_point_notes(matching, possible, scale))
    comma = _has_decimal_commas(table)
    for result, person in matching.pairs:
        old = table.cell(person.key, at).strip()
        if old.upper() == _EXCUSED:
            notes.append(f"{visible(person.name)} is excused; the cell is left alone")
            continue
        factor = possible / result.max_marks if scale and possible and result.max_marks else 1.0
        table.put(person.key, at, marks_cell(result.marks * factor, comma=comma))
        if result.outcome == "broken":
            notes.append(
                f"{visible(person.name)}: a fault of ours or the exercise's; all marks in doubt are given"
            )
    changed = table.guard()
    notes += [
        f"line {row + 1}, {visible(table.header[col])}: would start a formula; a ' was put before it"
        for row, col in changed
        if col < len(table.header)
    ]
    return Filled(table.content(), matching, tuple(notes))


def marks_cell(marks: float, *, comma: bool = False) -> str:
    """Marks as a gradebook takes them: at most five digits after the point."""
    text = f"{marks:.5f}".rstrip("0").rstrip(".")
    return text.replace(".", ",") if comma else text


def _is_header(header: Sequence[str]) -> bool:
    named = column_of(header, "Student") is not None or column_of(header, "LastName") is not None
    return named and column_of(header, "ID") is not None


def _assignment_column(header: Sequence[str], wanted: str, name: str) -> int:
    """The column with that title, with or without the id in brackets, or with that id."""
    columns = [
        (at, title.strip()) for at, title in enumerate(header) if not _NO_ASSIGNMENT.fullmatch(title.strip())
    ]
    wanted = wanted.strip()
    fitnesses: tuple[Callable[[str], bool], ...] = (
        lambda title: title == wanted,
        lambda title: _ID_OF_TITLE.sub("", title).strip() == wanted,
        lambda title: (found := _ID_OF_TITLE.search(title)) is not None and found[1] == wanted.strip("()"),
    )
    for fits in fitnesses:
        fitting = [at for at, title in columns if fits(title)]
        if len(fitting) > 1:
            raise UsageError(
                f"{name} has {len(fitting)} columns {wanted!r}",
                remedy="name the id that stands in brackets after it",
            )
        if fitting:
            return fitting[0]
    listed = ", ".join(repr(title) for _, title in columns[:20])
    raise UsageError(f"{name} has no column {wanted!r}", remedy=f"it has {listed or 'none of an assignment'}")


def _people(table: Table) -> list[Person]:
    """The rows that are students: those that bear an id or a login, as the rows on top do not."""
    header = table.header
    own, official = column_of(header, "ID"), column_of(header, "SIS User ID")
    more, login = column_of(header, "Integration ID"), column_of(header, "SIS Login ID")
    names = [column_of(header, one) for one in ("Student", "LastName", "FirstName")]
    people = []
    for row in range(1, len(table.lines)):
        ids = [table.cell(row, at).strip() for at in (own, official, login)]
        if any(ids):
            name = ", ".join(text for at in names if (text := table.cell(row, at).strip()))
            officials = tuple(text for at in (official, more) if (text := table.cell(row, at).strip()))
            people.append(Person(row, name or ids[0], ids[0], officials, ids[2]))
    return people


def _possible(table: Table, at: int, students: set[int]) -> float | None:
    """The points that an assignment has in Canvas, from the row above the students."""
    for row in range(1, min(len(table.lines), 4)):
        text = table.cell(row, at).strip().replace(",", ".")
        if row not in students and re.fullmatch(r"\d+(\.\d+)?", text):
            return float(text)
    return None


def _point_notes(matching: Matching, possible: float | None, scale: bool) -> Iterable[str]:
    ours = {result.max_marks for result, _ in matching.pairs}
    if scale and not possible:
        raise UsageError("the gradebook does not say how many points there are", remedy="leave out --scale")
    if possible is not None and not scale and ours - {possible}:
        listed = ", ".join(marks_cell(marks) for marks in sorted(ours))
        yield f"Canvas has {marks_cell(possible)} points for it, the results are out of {listed}; see --scale"


def _has_decimal_commas(table: Table) -> bool:
    """Whether numbers have a comma before their decimals, as where ; separates the cells."""
    cells = (cell for line in table.lines[1:] for cell in line.cells)
    return table.separator == ";" and any(re.fullmatch(r'"?\d+,\d+"?', cell) for cell in cells)
