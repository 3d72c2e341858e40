"""Marks and feedback as Moodle takes them: the offline grading worksheet, a CSV file, an XML file."""

from __future__ import annotations

import csv
import html
import io
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from xml.sax.saxutils import escape

from autograder.model.result import Result
from autograder.report.exports.canvas import marks_cell
from autograder.report.exports.feedback import result_feedback
from autograder.report.exports.roster import Matching, Person, match
from autograder.report.exports.tables import Table, column_of, read_table
from autograder.report.safe_text import visible
from autograder.wording.cells import guarded

#: "Participant 12345", in any language: the number at the end is the participant's.
_PARTICIPANT = re.compile(r"\D*?(\d+)\s*\Z")
_ILLEGAL = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


@dataclass(frozen=True, slots=True)
class Columns:
    """What the columns of the list of students are called where Moodle does not speak English."""

    identifier: str = "Identifier"
    grade: str = "Grade"
    maximum: str = "Maximum Grade"
    feedback: str = "Feedback comments"
    name: str = "Full name"
    idnumber: str = "ID number"
    username: str = "Username"
    email: str = "Email address"


@dataclass(frozen=True, slots=True)
class Exported:
    """Moodle's files: the worksheet only if the list was one, the XML only if it has id numbers."""

    worksheet: bytes | None
    grades_csv: str
    grades_xml: str | None
    matching: Matching
    notes: tuple[str, ...]


def export_moodle(
    roster: bytes,
    results: Iterable[Result],
    *,
    item: str = "",
    columns: Columns = Columns(),
    name: str = "the list of students",
) -> Exported:
    """The files for Moodle, from the worksheet or the list of participants that it gave.

    `item` is the ID number of the grade item, which the XML names. UsageError if it is no such list.
    """
    table = read_table(roster, name, lambda header: _knows(header, columns))
    people = _people(table, columns)
    matching = match(results, people, "moodle")
    notes = list(_notes(table, columns, matching))
    worksheet = _worksheet(table, columns, matching, notes)
    return Exported(
        worksheet,
        _csv(table, columns, matching),
        _xml(table, columns, matching, item),
        matching,
        tuple(notes),
    )


def _knows(header: Sequence[str], columns: Columns) -> bool:
    keys = (columns.identifier, columns.idnumber, columns.username, columns.email)
    return column_of(header, *keys) is not None


def _people(table: Table, columns: Columns) -> list[Person]:
    header = table.header
    at = {
        key: column_of(header, getattr(columns, key))
        for key in ("identifier", "idnumber", "username", "email")
    }
    first, last = column_of(header, "First name"), column_of(header, "Last name", "Surname")
    full = column_of(header, columns.name)
    people = []
    for row in range(1, len(table.lines)):
        text = {key: table.cell(row, place).strip() for key, place in at.items()}
        if any(text.values()):
            number = _PARTICIPANT.fullmatch(text["identifier"])
            names = [table.cell(row, place).strip() for place in (full, first, last)]
            name = " ".join(one for one in names if one) or next(one for one in text.values() if one)
            official = (text["idnumber"],) if text["idnumber"] else ()
            own = number[1] if number else ""
            people.append(Person(row, name, own, official, text["username"], text["email"]))
    return people


def _notes(table: Table, columns: Columns, matching: Matching) -> Iterable[str]:
    at = column_of(table.header, columns.maximum)
    maxima = {table.cell(person.key, at).strip().replace(",", ".") for _, person in matching.pairs} - {""}
    ours = {marks_cell(result.max_marks) for result, _ in matching.pairs}
    theirs = {marks_cell(float(text)) for text in maxima if re.fullmatch(r"\d+(\.\d+)?", text)}
    if theirs and ours - theirs:
        said = f"Moodle's maximum is {', '.join(sorted(theirs))}"
        yield f"{said}, the results are out of {', '.join(sorted(ours))}"
    for result, person in matching.pairs:
        if result.outcome == "broken":
            yield f"{visible(person.name)}: a fault of ours or the exercise's; all marks in doubt are given"


def _worksheet(table: Table, columns: Columns, matching: Matching, notes: list[str]) -> bytes | None:
    """The worksheet filled in, or None if the list is none."""
    identifier, grade = column_of(table.header, columns.identifier), column_of(table.header, columns.grade)
    if identifier is None or grade is None:
        notes.append(
            f"no worksheet is written: the list has no columns {columns.identifier!r} and {columns.grade!r}"
        )
        return None
    feedback = column_of(table.header, columns.feedback)
    if feedback is None:
        notes.append(f"no feedback goes into the worksheet: it has no column {columns.feedback!r}")
    comma = _has_decimal_commas(table, columns)
    for result, person in matching.pairs:
        table.put(person.key, grade, marks_cell(result.marks, comma=comma))
        if feedback is not None:
            table.put(person.key, feedback, feedback_html(result))
    for row, column in table.guard():
        what = visible(table.header[column]) if column < len(table.header) else "the last cells"
        notes.append(f"line {row + 1}, {what}: would start a formula; a ' was put before it")
    return table.content()


def _has_decimal_commas(table: Table, columns: Columns) -> bool:
    places = [column_of(table.header, one) for one in (columns.maximum, columns.grade)]
    cells = (table.cell(row, at) for at in places for row in range(1, len(table.lines)))
    return any(re.fullmatch(r"\d+,\d+", cell.strip()) for cell in cells)


def feedback_html(result: Result) -> str:
    """The feedback as HTML, which is what Moodle's comments are: escaped, its lines and indents kept."""
    lines = html.escape(result_feedback(result)).split("\n")
    return "<br>".join(re.sub(r"^ +", lambda match: "&nbsp;" * len(match[0]), line) for line in lines)


def _csv(table: Table, columns: Columns, matching: Matching) -> str:
    """A file for Moodle's import of grades: only students that it knows, as one it does not stops it all."""
    keys = [
        key
        for key in ("username", "idnumber", "email")
        if column_of(table.header, getattr(columns, key)) is not None
    ]
    keys = keys or ["identifier"]
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow([*keys, "grade", "feedback"])
    for result, person in matching.pairs:
        cells = [
            table.cell(person.key, column_of(table.header, getattr(columns, key))).strip() for key in keys
        ]
        writer.writerow([*map(guarded, cells), marks_cell(result.marks), guarded(feedback_html(result))])
    return out.getvalue()


def _xml(table: Table, columns: Columns, matching: Matching, item: str) -> str | None:
    """A file for Moodle's XML import, which knows students by ID numbers alone; None if none has one."""
    at = column_of(table.header, columns.idnumber)
    rows = [(table.cell(person.key, at).strip(), result) for result, person in matching.pairs]
    rows = [(number, result) for number, result in rows if number]
    if not rows or not item:
        return None
    parts = ['<?xml version="1.0" encoding="UTF-8"?>\n<results>\n']
    for number, result in rows:
        fields = {
            "assignment": item,
            "student": number,
            "score": marks_cell(result.marks),
            "feedback": feedback_html(result),
        }
        inner = "".join(f"    <{tag}>{_xml_text(text)}</{tag}>\n" for tag, text in fields.items())
        parts.append(f"  <result>\n{inner}  </result>\n")
    return "".join([*parts, "</results>\n"])


def _xml_text(text: str) -> str:
    """Text within an element: escaped, and what XML cannot hold spelt out."""
    return escape(_ILLEGAL.sub(lambda match: f"\\x{ord(match.group()):02x}", text))
