"""Marks: points by weight, exact at both ends, never lower for a better answer; statuses are never empty."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from autograder.grading.marks import exercise_status, mark_checks, marks, total
from autograder.model.check import ArgumentsCheck, InvariantCheck, ValueCheck
from autograder.model.result import STATUSES

LOST = ("failed", "raised", "timed_out", "crashed", "not_attempted", "missing", "skipped")
#: What a status is worth at least.
RANKS = {**dict.fromkeys(LOST, 0), "passed": 1, "broken": 2}

WEIGHTS = st.sampled_from([0.1, 0.25, 0.3, 0.5, 1.0, 1 / 3, 3.0, 7.0, 1000.0])
STATUS = st.sampled_from([*LOST, "passed", "broken"])


@st.composite
def exercises(draw):
    """Checks of all kinds, one value check at least, their statuses, and value checks that tell nothing."""
    kinds = draw(st.lists(st.sampled_from("via"), min_size=0, max_size=7))
    checks = [make(kind, f"c{i}", draw(WEIGHTS)) for i, kind in enumerate(["v", *kinds])]
    statuses = {check.name: draw(STATUS) for check in checks}
    values = [check.name for check in checks if check.kind == "value"]
    return checks, statuses, draw(st.sets(st.sampled_from(values)))


def make(kind, name, weight=1.0):
    if kind == "v":
        return ValueCheck(value="case", id=name, weight=weight)
    if kind == "i":
        return InvariantCheck(invariant="finite", of="A", id=name, weight=weight)
    return ArgumentsCheck(leaves_arguments_alone=True, id=name, weight=weight)


def marked_as(checks, statuses, untelling):
    return mark_checks(checks, statuses, tells=lambda name: name not in untelling)


def earned(checks, statuses, untelling=()):
    marked = marked_as(checks, statuses, untelling)
    whole = sum(check.weight for check in checks)
    return marks(4.0, sum(mark.earned for mark in marked.values()), whole)


@given(exercises(), st.data())
def test_a_better_status_of_one_check_never_lowers_the_marks(exercise, data):
    checks, statuses, untelling = exercise
    name = data.draw(st.sampled_from(sorted(statuses)))
    better = data.draw(st.sampled_from([s for s in STATUSES if RANKS.get(s, -1) >= RANKS[statuses[name]]]))

    before, after = earned(checks, statuses, untelling), earned(checks, {**statuses, name: better}, untelling)

    assert after >= before


@given(exercises())
def test_broken_in_place_of_any_status_costs_nothing(exercise):
    checks, statuses, untelling = exercise

    for name in statuses:
        assert earned(checks, {**statuses, name: "broken"}, untelling) >= earned(checks, statuses, untelling)


@given(exercises(), st.sampled_from([0.1, 0.3, 2.5, 3.0, 7.7]))
def test_all_passed_is_exactly_the_points_and_nothing_passed_exactly_nothing(exercise, points):
    checks, statuses, untelling = exercise
    whole = sum(check.weight for check in checks)

    full = marked_as(checks, dict.fromkeys(statuses, "passed"), untelling)
    none = marked_as(checks, dict.fromkeys(statuses, "failed"), untelling)

    assert marks(points, sum(mark.earned for mark in full.values()), whole) == points
    assert marks(points, sum(mark.earned for mark in none.values()), whole) == 0


@given(exercises())
def test_marks_lie_between_nothing_and_the_points_and_each_check_has_a_known_status(exercise):
    checks, statuses, untelling = exercise
    marked = marked_as(checks, statuses, untelling)

    assert 0 <= earned(checks, statuses, untelling) <= 4
    assert list(marked) == [check.name for check in checks]
    assert all(mark.status in STATUSES for mark in marked.values())
    assert all(mark.earned in (0, check.weight) for check, mark in zip(checks, marked.values(), strict=True))


@pytest.mark.parametrize(
    ("value", "other", "status", "whole"),
    [
        ("passed", "passed", "passed", 4.0),
        ("failed", "passed", "skipped", 0.0),
        ("raised", "passed", "skipped", 0.0),
        ("failed", "failed", "failed", 0.0),
        ("broken", "passed", "passed", 4.0),
        ("failed", "broken", "broken", 2.0),
        ("passed", "failed", "failed", 2.0),
    ],
)
def test_what_a_stock_answer_fulfils_counts_once_a_value_check_passes(value, other, status, whole):
    checks = [make("v", "v"), make("a", "a")]
    statuses = {"v": value, "a": other}

    assert mark_checks(checks, statuses)["a"].status == status
    assert earned(checks, statuses) == whole


def test_a_value_check_that_tells_nothing_grounds_no_other_check():
    checks = [make("v", "one-key"), make("v", "random"), make("a", "a")]
    statuses = {"one-key": "passed", "random": "failed", "a": "passed"}

    assert marked_as(checks, statuses, {"one-key"})["a"].status == "skipped"
    assert mark_checks(checks, statuses)["a"].status == "passed"
    assert marked_as(checks, {**statuses, "random": "passed"}, {"one-key"})["a"].status == "passed"


def test_where_no_value_check_tells_anything_all_of_them_together_do():
    checks = [make("v", "x"), make("v", "y"), make("a", "a")]
    everything = {"x", "y"}

    def status(x, y):
        return marked_as(checks, {"x": x, "y": y, "a": "passed"}, everything)["a"].status

    assert status("passed", "passed") == "passed"
    assert status("passed", "failed") == "skipped"


# The status of an exercise


@given(st.lists(st.sampled_from([s for s in STATUSES if s != "partly"]), min_size=1, max_size=8))
def test_the_status_of_an_exercise_is_a_status_and_tells_full_part_and_nothing_apart(statuses):
    status = exercise_status(statuses)
    good = [s for s in statuses if s in ("passed", "broken")]

    assert status in STATUSES
    assert (status == "passed") == (set(statuses) == {"passed"})
    assert (status in ("passed", "broken")) == (len(good) == len(statuses))
    assert (status == "partly") == (0 < len(good) < len(statuses))


@pytest.mark.parametrize(
    ("statuses", "status"),
    [
        (["not_attempted"] * 3, "not_attempted"),
        (["not_attempted", "skipped"], "not_attempted"),
        (["missing", "missing"], "missing"),
        (["timed_out", "skipped"], "timed_out"),
        (["failed", "raised"], "failed"),
        (["raised", "timed_out", "not_attempted"], "timed_out"),
        (["raised", "not_attempted"], "raised"),
        (["skipped"], "skipped"),
        (["passed", "broken"], "broken"),
        (["failed", "broken"], "partly"),
        ([], "skipped"),
    ],
)
def test_an_exercise_without_a_passed_check_is_called_by_what_stopped_it(statuses, status):
    assert exercise_status(statuses) == status


@given(st.lists(st.sampled_from([0.1, 0.2, 0.3, 1 / 3, 2.5]), max_size=30))
def test_totals_have_no_dust_of_binary_fractions(parts):
    assert total(parts) == round(sum(parts), 6)
    assert abs(total(parts) - sum(parts)) < 1e-6
