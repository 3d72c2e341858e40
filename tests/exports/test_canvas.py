"""The Canvas gradebook: one column filled, every other cell as it was, nobody guessed."""

import csv
import io
from dataclasses import replace

import pytest

from autograder.errors import UsageError
from autograder.model.result import Result
from autograder.model.submission import Origin
from autograder.report.exports.canvas import fill_gradebook
from tests.exports.sample import a_class, a_result, hostile

HEADER = "Student,ID,SIS User ID,SIS Login ID,Section,Attention (987),Essay (988),Final Score"
TOP = ",,,,,Manual Posting,,\n    Points Possible,,,,,4,10,(read only)"
ROWS = (
    '"Doe, Jane",101,007,jdoe,"A and B",,9.5,"80"',
    '"Poe, Ann",102,008,ann@example.org,A,EX,,',
    "Student Test,103,,,A,,,",
)
BOOK = "\n".join([HEADER, TOP, *ROWS]) + "\n"


def fill(
    results: list[Result], book: str = BOOK, column: str = "Attention", **options: bool
) -> tuple[list[list[str]], tuple[str, ...], tuple[str, ...]]:
    """The cells as an independent reader finds them, the notes, and what has to be looked at."""
    filled = fill_gradebook(book.encode(), results, column, **options)
    separator = ";" if ";" in book.split("\n")[0] else ","
    rows = list(csv.reader(io.StringIO(filled.content.decode("utf-8-sig"), newline=""), delimiter=separator))
    return rows, filled.notes, filled.matching.lines()


def jane(**origin: str) -> Result:
    """A result with 4 of 4 marks."""
    return a_result(5, student="someone", origin=Origin(**{"platform": "canvas", **origin}))


def test_only_the_cell_of_the_student_changes() -> None:
    result = replace(jane(id="101"), marks=3.25)
    filled = fill_gradebook(BOOK.encode(), [result], "Attention")

    assert filled.content.decode() == BOOK.replace('"A and B",,9.5', '"A and B",3.25,9.5')


@pytest.mark.parametrize("column", ["Attention (987)", "Attention", "987", "(987)", " Attention "])
def test_the_column_is_found_by_title_or_by_id(column: str) -> None:
    assert fill([jane(id="101")], column=column)[0][3][5] == "2"


def test_a_column_that_is_not_there_or_there_twice_is_refused() -> None:
    with pytest.raises(UsageError, match=r"no column 'Attn'; it has 'Attention \(987\)', 'Essay \(988\)'"):
        fill([], column="Attn")
    with pytest.raises(UsageError, match="2 columns 'Attention'"):
        fill([], BOOK.replace("Essay", "Attention"))
    with pytest.raises(UsageError, match="no column 'Final Score'"):
        fill([], column="Final Score")


@pytest.mark.parametrize(
    ("origin", "name"),
    [
        ({"id": "101"}, "Doe, Jane"),
        ({"platform": "gradescope", "id": "007"}, "Doe, Jane"),
        ({"platform": "gradescope", "id": "007", "email": "ann@example.org"}, "Doe, Jane"),
        ({"platform": "gradescope", "id": "7", "email": "ANN@example.org"}, "Poe, Ann"),
        ({"platform": "gradescope", "email": "zoe@example.org"}, None),
        ({"platform": "moodle", "id": "101"}, None),
        ({"platform": "moodle", "login": "JDOE"}, "Doe, Jane"),
    ],
)
def test_students_are_found_by_id_then_login_then_mail(origin: dict[str, str], name: str | None) -> None:
    matching = fill_gradebook(BOOK.encode(), [jane(**origin)], "Attention").matching

    assert [person.name for _, person in matching.pairs] == ([name] if name else [])
    assert ("someone: fits no row" in matching.lines()) == (name is None)


@pytest.mark.parametrize(
    ("student", "row"), [("101", 3), ("007", 3), ("jdoe", 3), ("7", None), ("Doe, Jane", None)]
)
def test_a_bare_name_of_a_file_is_an_id_or_a_login_but_never_a_name(student: str, row: int | None) -> None:
    rows = fill([a_result(5, student=student)])[0]

    assert (rows[3][5] == "2") == (row == 3)


def test_the_unmatched_and_the_doubled_are_listed_and_nothing_is_written_for_them() -> None:
    twice = BOOK + '"Doe, Jon",104,007,jon,A,,,\n'
    results = [
        a_result(5, student="007"),
        a_result(5, student="ghost"),
        a_result(5, student="jon"),
        jane(id="104"),
    ]
    rows, _, lines = fill(results, twice)

    assert [cells[5] for cells in rows[3:]] == ["", "EX", "", ""]
    assert lines == (
        "007: fits 2 rows: Doe, Jane, Doe, Jon",
        "ghost: fits no row",
        "jon: is one of 2 results for Doe, Jon: someone",
        "someone: is one of 2 results for Doe, Jon: jon",
        "Doe, Jane: no result",
        "Poe, Ann: no result",
        "Student Test: no result",
    )


def test_an_excused_student_stays_excused() -> None:
    rows, notes, _ = fill([a_result(5, student="102")])

    assert rows[4][5] == "EX"
    assert "Poe, Ann is excused; the cell is left alone" in notes


def test_other_points_in_canvas_are_told_and_scaled_only_if_asked() -> None:
    book = BOOK.replace(",4,10,(read", ",100,10,(read")
    result = replace(jane(id="101"), marks=3.0)

    assert fill([result], book)[0][3][5] == "3"
    assert "Canvas has 100 points for it, the results are out of 4; see --scale" in fill([result], book)[1]
    assert fill([result], book, scale=True)[0][3][5] == "75"


def test_marks_whose_points_are_in_doubt_are_named() -> None:
    notes = fill([a_result(4, student="101")])[1]

    assert "Doe, Jane: a fault of ours or the exercise's; all marks in doubt are given" in notes


def test_semicolons_decimal_commas_a_byte_order_mark_and_line_ends_stay() -> None:
    book = "\ufeff" + BOOK.replace('"A and B"', "'A'").replace(",", ";").replace("9.5", "9,5").replace(
        "\n", "\r\n"
    )
    book = book.replace('"Doe; Jane"', '"Doe, Jane"').replace('"Poe; Ann"', '"Poe, Ann"')
    filled = fill_gradebook(book.encode(), [replace(jane(id="101"), marks=3.25)], "Attention")

    assert filled.content.decode() == book.replace("'A';;9,5", "'A';3,25;9,5")


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"\xff\xfe\x00", "is not in UTF-8"),
        (b"caf\xe9,ID\n", "is not in UTF-8"),
        (b"", "has not the columns"),
        (b"a,b\n1,2\n", "its first line is 'a,b'"),
        (b'Student,ID,A\n"Doe,1,\n', "line 2: a quote is not closed"),
    ],
)
def test_what_is_no_gradebook_is_refused_in_one_line(content: bytes, said: str) -> None:
    with pytest.raises(UsageError, match=said) as caught:
        fill_gradebook(content, [], "A")

    assert "\n" not in str(caught.value)


def test_a_class_of_200_with_hostile_names_is_filled_and_no_cell_starts_a_formula() -> None:
    out = io.StringIO(newline="")
    writer = csv.writer(out)
    writer.writerow(HEADER.split(","))
    writer.writerow(["    Points Possible", "", "", "", "", "4", "10", "(read only)"])
    for number in range(200):
        name = hostile(number).replace("\ud800", "?")
        writer.writerow([name, 1000 + number, f"{number:05}", f"user{number}", "A", "", "-0.5", "=1+1"])
    rows, notes, lines = fill(a_class(), out.getvalue())

    assert lines == ()
    assert [float(row[5]) for row in rows[2:]] == [
        pytest.approx(result.marks, abs=1e-5) for result in a_class()
    ]
    assert [row[2] for row in rows[2:]] == [f"{number:05}" for number in range(200)]
    assert {row[6] for row in rows[2:]} == {"-0.5"}
    assert {row[7] for row in rows[2:]} == {"'=1+1"}
    assert len(rows) == 202
    for row in rows:
        for cell in row:
            assert not cell.startswith(("=", "+", "@", "＝", "\t", "\r", "\n"))
            assert not cell.startswith("-") or float(cell)
            assert ";=" not in cell
    assert any("would start a formula" in note for note in notes)
