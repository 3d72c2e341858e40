"""Cells and tables: nothing that a spreadsheet runs, numbers, ids and unchanged bytes as they were."""

import csv
import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from autograder.report.exports.tables import Table, column_of, read_table
from autograder.wording.cells import guarded


@pytest.mark.parametrize(
    "text", ["-12.5", "+3", "0042", "1,5", "-", "12345678901234567890", "Doe, Jane", "a-b", "x; -3", ""]
)
def test_numbers_ids_and_names_stay(text: str) -> None:
    assert guarded(text) == text


@pytest.mark.parametrize(
    ("text", "cell"),
    [
        ("=1", "'=1"),
        ("-1+cmd|' /C calc'!A0", "'-1+cmd|' /C calc'!A0"),
        ("+44 20", "'+44 20"),
        ("@ana", "'@ana"),
        ("＝1", "'＝1"),
        ("\t=1", "'\t'=1"),
        (" =1", " '=1"),
        ("a;=1", "a;'=1"),
        ('a;"=1"', 'a;"\'=1"'),
        ("a\n=1", "a\n'=1"),
        ("a,@x", "a,'@x"),
    ],
)
def test_what_would_be_run_is_text(text: str, cell: str) -> None:
    assert guarded(text) == cell


@given(
    st.lists(st.text(alphabet="=+-@1;,\"'\t\n xA＝", max_size=12), min_size=1, max_size=4),
    st.sampled_from(",;\t"),
)
def test_no_cell_starts_a_formula_whichever_separator_the_reader_takes(
    texts: list[str], separator: str
) -> None:
    out = io.StringIO(newline="")
    csv.writer(out).writerow([guarded(text) for text in texts])
    rows = csv.reader(io.StringIO(out.getvalue(), newline=""), delimiter=separator)

    for cell in (cell for row in rows for cell in row):
        beginning = cell.lstrip(' "')
        assert not beginning.startswith(("=", "@", "＝"))


@given(
    st.lists(
        st.lists(st.text(alphabet='ab,;"\n é', max_size=6), min_size=2, max_size=4), min_size=1, max_size=5
    ),
    st.sampled_from(["", "\ufeff"]),
    st.sampled_from(["\n", "\r\n"]),
    st.sampled_from(list(",;\t")),
    st.sampled_from([csv.QUOTE_MINIMAL, csv.QUOTE_ALL]),
)
def test_a_table_that_is_not_changed_keeps_its_bytes_and_reads_as_csv_does(
    rows: list[list[str]], mark: str, end: str, separator: str, quoting: int
) -> None:
    out = io.StringIO(newline="")
    csv.writer(out, delimiter=separator, lineterminator=end, quoting=quoting).writerows([["ID", "x"], *rows])  # type: ignore[arg-type]
    content = (mark + out.getvalue()).encode()
    table = read_table(content, "it", lambda header: header[0] == "ID" and len(header) == 2)

    assert table.content() == content
    assert [
        [table.cell(row, at) for at in range(len(rows[row - 1]))] for row in range(1, len(rows) + 1)
    ] == rows


def test_a_cell_is_put_in_quotes_if_it_was_or_has_to_be() -> None:
    table: Table = read_table(b'ID,x,y\n1,"a",b\n2\n', "it", lambda header: column_of(header, "id") == 0)
    for row, column, text in ((1, 1, "c"), (1, 2, 'd,"e'), (2, 2, "f")):
        table.put(row, column, text)

    assert table.content() == b'ID,x,y\n1,"c","d,""e"\n2,,f\n'
