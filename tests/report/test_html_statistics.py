"""A class in figures, by numbers that can be worked out by hand, down to classes of one and of none."""

import math
import statistics

import pytest

from autograder.model.result import Result
from autograder.report.html.figures_table import HEAD, figure_rows
from autograder.report.html.statistics import ClassFigures, Entry, class_figures, correlation
from tests.report.made_up import a_check, a_result, an_exercise, an_idea


def figures(*results: Result) -> ClassFigures:
    return class_figures(map(Entry.of, results))


def of_marks(student: str, *marks: float) -> Result:
    """A result with these marks of exercises e1, e2, …, each out of four."""
    pieces = [
        an_exercise(f"e{n}", "passed" if mark == 4 else "partly", marks=mark)
        for n, mark in enumerate(marks, 1)
    ]
    return a_result(student, *pieces)


# Marks and items


def test_marks_are_counted_in_tenths_the_full_marks_in_the_last() -> None:
    made = figures(of_marks("a", 4.0), of_marks("b", 0.0), of_marks("c", 0.4), of_marks("d", 3.9))

    assert made.marks.bins[0] == (0.0, 0.4, 1)
    assert made.marks.bins[1] == (0.4, 0.8, 1)
    assert made.marks.bins[9][2] == 2
    assert sum(count for _, _, count in made.marks.bins) == 4
    assert made.marks.mean == pytest.approx(8.3 / 4)
    assert made.marks.deviation == pytest.approx(statistics.stdev([4.0, 0.0, 0.4, 3.9]))


def test_what_is_broken_counts_among_the_submissions_but_not_among_the_marks() -> None:
    made = figures(
        of_marks("a", 2.0), a_result("b", an_exercise("e1", "broken", marks=4.0), outcome="broken")
    )

    assert dict(made.outcomes) == {"graded": 1, "broken": 1}
    assert made.marks.count == 1
    assert made.marks.mean == 2.0
    assert made.items[0].count == 1


def test_facility_is_the_mean_share_of_the_marks() -> None:
    made = figures(of_marks("a", 4.0, 0.0), of_marks("b", 2.0, 0.0))

    assert [item.facility for item in made.items] == [0.75, 0.0]


def test_discrimination_is_the_correlation_with_the_rest_of_the_marks() -> None:
    marks = [(4.0, 4.0, 3.0), (2.0, 3.0, 1.0), (0.0, 1.0, 2.0), (3.0, 0.0, 0.5)]
    made = figures(*(of_marks(f"s{n}", *row) for n, row in enumerate(marks)))

    for place, item in enumerate(made.items):
        own = [row[place] for row in marks]
        rest = [sum(row) - row[place] for row in marks]
        assert item.discrimination == pytest.approx(statistics.correlation(own, rest))


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ([], []),
        ([1.0], [2.0]),
        ([1.0, 2.0], [2.0, 1.0]),
        ([1.0, 1.0, 1.0], [1.0, 2.0, 3.0]),
        ([1.0, 2.0, 3.0], [0.1 + 0.2, 0.3, 0.3]),
    ],
)
def test_a_correlation_that_nothing_defines_is_none(left: list[float], right: list[float]) -> None:
    assert correlation(left, right) is None


def test_a_correlation_is_never_beyond_one() -> None:
    values = [0.1 * n for n in range(7)]

    assert correlation(values, [3 * value for value in values]) == pytest.approx(1.0)
    assert abs(correlation(values, [-value / 3 for value in values]) or 0.0) <= 1.0


def test_the_only_exercise_has_no_rest_and_so_no_discrimination() -> None:
    made = figures(of_marks("a", 4.0), of_marks("b", 2.0), of_marks("c", 0.0))

    assert made.items[0].discrimination is None


def test_shares_of_not_begun_missing_and_following_through() -> None:
    made = figures(
        a_result("a", an_exercise("e1", "not_attempted")),
        a_result("b", an_exercise("e1", "missing")),
        a_result("c", an_exercise("e1", "passed", follow_through=True)),
        a_result("d", an_exercise("e1", "passed")),
        a_result("e", an_exercise("e1", "skipped"), outcome="not_loadable"),
    )

    item = made.items[0]
    assert (item.not_begun, item.missing, item.following, item.passed) == (0.25, 0.25, 0.25, 0.5)
    assert item.count == 4


@pytest.mark.parametrize(
    "results",
    [
        [],
        [a_result("a")],
        [of_marks("a", 4.0, 4.0)],
        [of_marks(name, 4.0, 4.0) for name in "abcd"],
        [of_marks(name, 0.0, 0.0) for name in "abcd"],
        [a_result("a", an_exercise("e1", "broken"), outcome="broken")],
        [a_result("a", an_exercise("e1", "skipped"), outcome="not_loadable")],
    ],
    ids=["none", "no exercises", "one", "all perfect", "all zero", "broken alone", "not loadable alone"],
)
def test_no_class_is_too_small_or_too_uniform(results: list[Result]) -> None:
    made = figures(*results)

    rows = list(figure_rows(made))
    assert rows[0] == HEAD
    assert ("class", "", "", "submissions", str(len(results))) in rows
    assert all(item.discrimination is None for item in made.items)
    assert not any(value in ("nan", "inf") for *_, value in rows)


# Misconceptions and checks


def test_the_commonest_idea_comes_first_with_whom_it_was_given_to() -> None:
    columns = an_idea("softmax.columns", "Each column is normalised.")
    other = an_idea("softmax.unnormalised", "Nothing is normalised.")
    made = figures(
        a_result("a", an_exercise("softmax", "failed", diagnosis=(other,))),
        a_result(
            "b", an_exercise("softmax", "failed", diagnosis=(columns, an_idea("line.parts", "line 3: …")))
        ),
        a_result("c", an_exercise("softmax", "failed", diagnosis=(columns,))),
    )

    assert [(idea.code, idea.students) for idea in made.ideas] == [
        ("softmax.columns", ("b", "c")),
        ("softmax.unnormalised", ("a",)),
    ]


def test_a_check_that_nobody_fails_is_named_unless_nobody_was_judged_by_it() -> None:
    made = figures(
        a_result(
            "a", an_exercise("e1", "partly", a_check("x"), a_check("y", "failed"), a_check("z", "skipped"))
        ),
        a_result("b", an_exercise("e1", "passed", a_check("x"), a_check("y"), a_check("z", "skipped"))),
        a_result("c", an_exercise("e1", "not_attempted", a_check("x", "not_attempted"))),
    )

    assert [(never.check, never.judged) for never in made.never_fail] == [("x", 2)]


def test_checks_that_the_same_students_fail_are_put_together() -> None:
    both = (a_check("x", "failed"), a_check("y", "raised"))
    made = figures(
        a_result("a", an_exercise("e1", "failed", *both, a_check("z"))),
        a_result("b", an_exercise("e1", "failed", *both, a_check("z", "failed"))),
        a_result("c", an_exercise("e1", "passed", a_check("x"), a_check("y"), a_check("z"))),
    )

    assert [(group.checks, group.students) for group in made.together] == [
        ((("e1", "x"), ("e1", "y")), ("a", "b")),
    ]


def test_what_one_student_fails_alone_is_no_pattern() -> None:
    made = figures(a_result("a", an_exercise("e1", "failed", a_check("x", "failed"), a_check("y", "failed"))))

    assert made.together == ()


# Who needs a person


def test_a_person_is_asked_for_what_is_broken_crashed_or_not_loadable() -> None:
    made = figures(
        a_result("a", an_exercise("e1")),
        a_result("b", an_exercise("e1", "skipped"), outcome="timed_out"),
        a_result("c", an_exercise("e1", "passed", a_check("x", "broken"))),
        a_result("d", an_exercise("e1", "crashed", a_check("x", "crashed"))),
    )

    assert [(one.student, one.outcome, one.broken, one.crashed) for one in made.for_a_person] == [
        ("b", "timed_out", (), ()),
        ("c", "graded", ("e1",), ()),
        ("d", "graded", (), ("e1",)),
    ]


def wrong(student: str, message: str = "row 0 sums to 2", **more: str) -> Result:
    check = a_check("x", "failed", message)
    return a_result(student, an_exercise("e1", "failed", check), an_exercise("e2", "failed", check), **more)  # type: ignore[arg-type]


def test_results_that_say_the_same_of_what_is_wrong_are_put_together() -> None:
    made = figures(wrong("a"), wrong("b"), wrong("c", "row 0 sums to 3"))

    assert [(group.students, group.wrong, group.same_file) for group in made.alike] == [
        (("a", "b"), ("e1", "e2"), False),
    ]


def test_perfect_results_are_not_suspicious_but_equal_files_are() -> None:
    perfect = [
        a_result(name, an_exercise("e1"), sha256=sha) for name, sha in (("a", "1"), ("b", "2"), ("c", "2"))
    ]

    made = figures(*perfect)

    assert [(group.students, group.same_file) for group in made.alike] == [(("b", "c"), True)]


def test_the_file_as_it_was_shipped_is_no_shared_work() -> None:
    shipped = [a_result(name, an_exercise("e1", "not_attempted"), sha256="stubs") for name in "ab"]

    assert figures(*shipped).alike == ()


def test_equal_files_are_named_once_not_as_equal_results_too() -> None:
    made = figures(wrong("a", sha256="same"), wrong("b", sha256="same"))

    assert [group.same_file for group in made.alike] == [True]


# The table


def test_the_table_holds_the_same_figures_and_says_undefined() -> None:
    made = figures(of_marks("a", 4.0, 1.0), of_marks("b", 2.0, 1.0), of_marks("c", 1.0, 1.0))
    rows = list(figure_rows(made))

    assert ("exercise", "e1", "", "facility", "0.5833") in rows
    assert ("exercise", "e1", "", "discrimination", "undefined") in rows
    assert ("marks", "", "", "mean", "3.3333") in rows
    assert {len(row) for row in rows} == {5}


def test_the_order_of_the_results_changes_nothing() -> None:
    results = [of_marks(f"s{n}", n % 5, (n * n) % 5) for n in range(9)]
    one, other = figures(*results), figures(*reversed(results))

    assert list(figure_rows(one)) == list(figure_rows(other))
    assert math.isclose(one.marks.mean or 0.0, sum(n % 5 + (n * n) % 5 for n in range(9)) / 9)
