"""The report of a class: a line a submission, counts, mean and median, shares of the exercises."""

from dataclasses import dataclass

from autograder.report.class_summary import render_class, render_summary, row_line
from autograder.report.layout import Look


@dataclass(frozen=True)
class Row:
    """One submission, as much as the report needs of it."""

    student: str
    marks: float
    max_marks: float = 10.0
    outcome: str = "graded"
    exercises: tuple[tuple[str, str, float, float], ...] = ()
    problem: str = ""


def passing(student: str, marks: float, *ids: str) -> Row:
    return Row(student, marks, exercises=tuple((name, "passed", 1.0, 1.0) for name in ids))


CLASS = [
    passing("cleo", 10, "scores", "softmax"),
    passing("ana", 7.5, "scores"),
    Row("ben", 0, outcome="not_loadable", problem="line 3: the file is not valid Python"),
]


def test_rows_come_in_the_order_of_the_names_then_the_summary() -> None:
    assert render_class(CLASS, ["scores", "softmax"], Look(), title="Query, Key, Value").splitlines() == [
        "Query, Key, Value",
        "",
        "ana      7.5 of 10  graded",
        "ben        0 of 10  not loadable: line 3: the file is not valid Python",
        "cleo      10 of 10  graded",
        "",
        "3 submissions: 2 graded, 1 not loadable",
        "mean 5.83, median 7.5 of 10 marks",
        "",
        "passed in full",
        " 1 scores   █████████████░░░░░░░   66 %  2 of 3",
        " 2 softmax  ███████░░░░░░░░░░░░░   33 %  1 of 3",
    ]


def test_what_is_broken_is_counted_and_stays_out_of_the_mean() -> None:
    text = render_summary([passing("ana", 4), Row("ben", 10, outcome="broken")], [], Look())

    assert text.startswith(
        "2 submissions: 1 graded, 1 broken\nmean 4, median 4 of 10 marks, without what is broken\n"
    )


def test_a_class_of_which_all_is_broken_has_no_mean() -> None:
    assert "mean" not in render_summary([Row("ben", 10, outcome="broken")], [], Look())


def test_every_outcome_has_its_own_word() -> None:
    outcomes = ["graded", "not_loadable", "timed_out", "crashed", "broken"]
    lines = [row_line(Row("a", 0, outcome=outcome), Look(), 1) for outcome in outcomes]

    assert len(set(lines)) == 5


def test_a_hostile_name_stays_on_its_line() -> None:
    line = row_line(Row("\x1b[2Jana\n1 ben", 0, outcome="crashed", problem="\rgone"), Look(), 4)

    assert line.isprintable()


def test_plain_bars_are_ascii() -> None:
    assert render_summary(CLASS, ["scores"], Look(plain=True)).isascii()
