"""What a submission says cannot move the cursor, colour the screen, hide itself or flood it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from autograder.report.safe_text import columns, source_line, spelt_out, visible, visible_lines

HOSTILE = {
    "\x1b[2J\x1b[31mred": r"\x1b[2J\x1b[31mred",
    "\x1b]0;title\x07": r"\x1b]0;title\x07",
    "\x9b31m": r"\x9b31m",
    "pass\rfail": r"pass\rfail",
    "one\ntwo": r"one\ntwo",
    "back\b\b\b\bover": r"back\x08\x08\x08\x08over",
    "nul\x00del\x7f": r"nul\x00del\x7f",
    "abc\u202edcba\u202c": r"abc\u202edcba\u202c",
    "\u2066isolated\u2069": r"\u2066isolated\u2069",
    "zero\u200bwidth\ufeff": r"zero\u200bwidth\ufeff",
    "no-break\xa0space": r"no-break\xa0space",
    "line\u2028separator": r"line\u2028separator",
    "lone \ud800 surrogate": r"lone \ud800 surrogate",
    "tag \U000e0041": r"tag \U000e0041",
    "private \ue000": r"private \ue000",
    "z" + "\u0310" * 5: "z" + "\u0310" * 3 + r"\u0310\u0310",
    "naïve √d_k – 日本語 é": "naïve √d_k – 日本語 é",
}


@pytest.mark.parametrize("text", HOSTILE, ids=range(len(HOSTILE)))
def test_what_a_terminal_would_obey_is_spelt_out(text: str) -> None:
    assert visible(text) == HOSTILE[text]


@given(st.text(alphabet=st.characters(codec=None), max_size=80), st.integers(1, 40))
def test_every_text_becomes_printable_one_line_and_short(text: str, limit: int) -> None:
    shown = visible(text, limit)

    assert shown.isprintable()
    assert len(shown) <= limit


@given(st.text(alphabet=st.characters(codec=None), max_size=80))
def test_spelling_out_twice_changes_nothing_more(text: str) -> None:
    assert spelt_out(spelt_out(text)) == spelt_out(text)


def test_a_long_text_is_cut_with_a_mark() -> None:
    assert visible("x" * 10_000_000, 5) == "xxxx…"


def test_printed_lines_are_counted_where_they_are_left_out() -> None:
    assert visible_lines("a\nb\r\nc\n\n", lines=2, chars=9) == ("a", "b", "… 1 more line")
    assert visible_lines("a\nb\nc\nd", lines=2, chars=9)[-1] == "… 2 more lines"


def test_tabs_in_source_and_print_are_spaces() -> None:
    assert visible_lines("a\tb", lines=1, chars=9) == ("a   b",)
    assert source_line("\treturn S") == "    return S"


def test_columns_count_wide_letters_twice_and_marks_not_at_all() -> None:
    assert [columns(text) for text in ("abc", "日本", "e\u0301", "✓")] == [3, 4, 1, 1]
