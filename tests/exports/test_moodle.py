"""Moodle's worksheet, CSV and XML, read back by the standard library's readers."""

import csv
import html
import io
import xml.etree.ElementTree as ET
from dataclasses import replace

import pytest

from autograder.errors import UsageError
from autograder.model.result import Result
from autograder.model.submission import Origin
from autograder.report.exports.moodle import Columns, Exported, export_moodle
from tests.exports.sample import SECRET, a_class, a_result, hostile

HEADER = (
    "Identifier,Full name,ID number,Email address,Status,Grade,Maximum Grade,Grade can be changed,"
    "Last modified (submission),Last modified (grade),Feedback comments"
)
WORKSHEET = (
    f"\ufeff{HEADER}\n"
    "Participant 12345,Jane Doe,007,jane@example.org,Submitted for grading,,4.00,Yes,"
    '"Friday, 26 March 2027, 10:00 PM",-,""\n'
    "Participant 777,Ann Poe,008,ann@example.org,No submission,,4.00,Yes,-,-,\n"
)


def cells(content: bytes | str | None) -> list[dict[str, str]]:
    """The rows of a CSV file as an independent reader finds them."""
    assert content is not None
    text = content.decode("utf-8-sig") if isinstance(content, bytes) else content
    return list(csv.DictReader(io.StringIO(text, newline="")))


def export(results: list[Result], roster: str = WORKSHEET, **options: str) -> Exported:
    """Moodle's files for these results."""
    return export_moodle(roster.encode(), results, **options)


def jane(marks: float = 3.25, **more: object) -> Result:
    """A result from Moodle's folder of participant 12345."""
    return replace(
        a_result(6, student="Jane Doe_12345", origin=Origin("moodle", "12345")), marks=marks, **more
    )  # type: ignore[arg-type]


def test_the_worksheet_gets_grade_and_feedback_and_keeps_the_rest() -> None:
    before = cells(WORKSHEET.encode())
    exported = export([jane()])
    after = cells(exported.worksheet)

    assert after[0]["Grade"] == "3.25"
    assert after[0]["Feedback comments"].startswith("3.25 of 4 marks<br>softmax ")
    for row, old in zip(after, before, strict=True):
        changed = {"Grade", "Feedback comments"} if row["ID number"] == "007" else set()
        assert {key: row[key] for key in old if key not in changed} == {
            key: old[key] for key in old if key not in changed
        }
    assert exported.matching.lines() == ("Ann Poe: no result",)


def test_what_is_hidden_is_in_no_feedback() -> None:
    assert SECRET not in (export([jane()]).worksheet or b"").decode()


def test_a_participants_number_counts_for_moodle_alone() -> None:
    result = replace(jane(), student="x", origin=Origin("canvas", "12345"))

    assert [one.why for one in export([result]).matching.unclear] == ["fits no row"]


def test_a_worksheet_in_another_language_is_filled_when_its_columns_are_named() -> None:
    roster = "Identificador;Nome completo;Nota;Nota máxima;Comentários\nParticipante 12345;Jane;;4,00;\n"
    with pytest.raises(UsageError, match="has not the columns"):
        export([], roster)
    columns = Columns("Identificador", "Nota", "Nota máxima", "Comentários", "Nome completo")
    exported = export_moodle(roster.encode(), [jane()], columns=columns)
    assert exported.worksheet is not None

    row = exported.worksheet.decode().split("\n")[1].split(";")
    assert row[:4] == ["Participante 12345", "Jane", "3,25", "4,00"]


def test_a_list_that_is_no_worksheet_gives_the_other_two_files() -> None:
    roster = "First name,Last name,Username,ID number,Email address\nJane,Doe,jdoe,007,jane@example.org\n"
    exported = export([a_result(6, student="jdoe")], roster, item="qkv")

    assert exported.worksheet is None
    assert any("no worksheet is written" in note for note in exported.notes)
    (row,) = cells(exported.grades_csv)
    assert {key: row[key] for key in ("username", "idnumber", "email", "grade")} == {
        "username": "jdoe",
        "idnumber": "007",
        "email": "jane@example.org",
        "grade": "0.5",
    }
    assert exported.grades_xml is not None
    (result,) = ET.fromstring(exported.grades_xml)
    assert [result.findtext(tag) for tag in ("assignment", "student", "score")] == ["qkv", "007", "0.5"]


def test_no_xml_without_the_items_id_or_the_students_id_numbers() -> None:
    assert export([jane()]).grades_xml is None
    assert export([jane()], WORKSHEET.replace("007", ""), item="qkv").grades_xml is None


def test_another_maximum_in_moodle_is_told() -> None:
    notes = export([jane()], WORKSHEET.replace("4.00", "100.00")).notes

    assert "Moodle's maximum is 100, the results are out of 4" in notes


def test_a_class_of_200_with_hostile_names_comes_back_whole() -> None:
    out = io.StringIO(newline="")
    writer = csv.writer(out)
    writer.writerow(HEADER.split(","))
    for number in range(200):
        name = hostile(number).replace("\ud800", "?")
        writer.writerow(
            [f"Participant {1000 + number}", name, f"{number:05}", "", "", "", "4.00", "Yes", "-", "-", ""]
        )
    results = a_class("moodle")
    exported = export(results, out.getvalue(), item="qkv")
    rows = cells(exported.worksheet)

    assert exported.matching.lines() == ()
    assert [float(row["Grade"]) for row in rows] == [pytest.approx(r.marks, abs=1e-5) for r in results]
    assert [row["ID number"] for row in rows] == [f"{number:05}" for number in range(200)]
    every = [
        cell
        for row in [*rows, *cells(exported.grades_csv)]
        for key, cell in row.items()
        if key not in ("Last modified (submission)", "Last modified (grade)")
    ]
    assert not [cell for cell in every if cell.startswith(("=", "+", "-", "@", "＝", "\t", "\r", "\n"))]
    assert len(cells(exported.grades_csv)) == 200
    assert exported.grades_xml is not None
    tree = ET.fromstring(exported.grades_xml)
    assert [element.findtext("student") for element in tree] == [f"{number:05}" for number in range(200)]
    assert [float(element.findtext("score") or "") for element in tree] == [
        float(row["Grade"]) for row in rows
    ]
    for element in tree:
        feedback = element.findtext("feedback") or ""
        assert "<script" not in feedback.casefold()
        assert {tag for tag in feedback.split("<") if tag and feedback.index(tag)} <= {
            tag for tag in feedback.split("<") if tag.startswith("br>")
        }
        assert SECRET not in html.unescape(feedback)
