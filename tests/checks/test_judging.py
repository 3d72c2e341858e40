"""From outcomes to verdicts: what each check kind looks at, and what a call that did not return comes to."""

import itertools

import numpy as np
import pytest

from autograder.checks.builtin import status_of
from autograder.model.outcome import Died, NoFunction, NotCalled, Raised
from tests.grading.in_process import Functions, References, exercise, judged, softmax, statuses

TWO = {
    "first": {"given": {"S": [[1, 2, 3], [0, 1, 0]]}},
    "drawn": {"given": {"S": {"normal": ("n", "m")}}, "draws": 3},
}
ALL = (
    {"value": "first"},
    {"value": "drawn"},
    {"invariant": "rows_sum_to_one", "of": "A", "id": "sums"},
    {"invariant": "not_negative", "of": "A", "on": "first", "id": "signs"},
    {"relation": "unchanged_when_rows_shift", "shift": "S", "id": "shift"},
    {"leaves_arguments_alone": True, "id": "arguments"},
    {"same_answer": "twice", "id": "twice"},
    {"same_answer": "after_other_calls", "id": "after"},
)


def asked(**parts):
    return exercise(**{"cases": TWO, "checks": ALL, **parts})


def only(status):
    return {check.get("id") or check["value"]: status for check in ALL}


def test_the_reference_passes_every_check():
    assert statuses(asked(), softmax) == only("passed")


# Statuses of calls that did not return


def test_a_stub_is_not_attempted_in_every_check():
    assert statuses(asked(), Functions.of_source("def softmax(S):\n    raise NotImplementedError")) == only(
        "not_attempted"
    )


@pytest.mark.parametrize(
    ("outcome", "status"),
    [
        (Raised("ValueError", "no"), "raised"),
        (Raised("NotImplementedError", ""), "not_attempted"),
        (Died("timed_out", seconds=2), "timed_out"),
        (Died("exited", "0"), "crashed"),
        (Died("killed", "SIGSEGV"), "crashed"),
        (Died("memory"), "crashed"),
        (Died("protocol"), "crashed"),
        (NoFunction(), "missing"),
        (NoFunction("float"), "missing"),
        (NotCalled("deaths"), "skipped"),
        (NotCalled("time"), "skipped"),
    ],
)
def test_a_call_that_does_not_return_is_the_status_of_every_check(outcome, status):
    said = Functions({}, {"softmax": outcome})
    found = statuses(asked(checks=ALL[:1], cases={"first": TWO["first"]}), said)

    assert found == {"first": status}
    assert status_of(outcome, "softmax") == status


@pytest.mark.parametrize(
    ("source", "status"),
    [
        ("def softmax(S):\n    raise NotImplementedError\n", "not_attempted"),
        ("def softmax(S):\n    return helper(S)\ndef helper(S):\n    raise NotImplementedError\n", "raised"),
        (
            (
                "def wrap(f):\n    def inner(S):\n        return f(S)\n    return inner\n"
                "@wrap\ndef softmax(S):\n    raise NotImplementedError\n"
            ),
            "not_attempted",
        ),
        ("def unwritten(S):\n    raise NotImplementedError\nsoftmax = unwritten\n", "not_attempted"),
        (
            "class M:\n    def softmax(self, S):\n        raise NotImplementedError\nsoftmax = M().softmax\n",
            "not_attempted",
        ),
        ("def softmax(S):\n    raise ValueError('NotImplementedError')\n", "raised"),
    ],
)
def test_not_attempted_is_only_what_the_function_itself_has_not_begun(source, status):
    found = statuses(asked(checks=ALL[:2]), Functions.of_source(source))

    assert found == {"first": status, "drawn": status}


# What did return is judged where the kind allows it


def test_invariants_and_arguments_are_judged_on_the_calls_that_returned():
    def only_the_first(S):
        if not np.array_equal(S, TWO["first"]["given"]["S"]):
            raise ValueError
        return softmax(S)

    found = statuses(asked(), only_the_first)

    assert found["first"] == "passed"
    assert found["drawn"] == "raised"
    assert found["sums"] == found["arguments"] == "passed"
    assert found["shift"] == "raised"


def test_one_draw_of_three_that_raises_is_no_passed_value_check():
    count = itertools.count()

    def third_raises(S):
        if next(count) == 3:
            raise ValueError
        return softmax(S)

    assert statuses(asked(), third_raises)["drawn"] == "raised"


def test_a_check_that_looks_at_no_call_is_a_fault_of_the_author_and_never_passed():
    result = judged(
        asked(checks=({"value": "first"}, {"invariant": "finite", "of": "A", "on": (), "id": "x"})), softmax
    )

    assert result.verdicts["x"].status == "broken"
    assert "looks at no call" in result.faults["x"]


def test_a_reference_that_raises_breaks_the_check_and_not_the_student():
    def raises(S):
        raise RuntimeError("ours")

    result = judged(asked(checks=ALL[:1]), softmax, references=References(softmax=raises))

    assert result.verdicts["first"].status == "broken"
    assert "ours" in result.faults["first"]


# Each kind fails for what it is there for


def changes_its_argument(S):
    A = softmax(S)
    S[0, 0] += 1
    return A


def test_a_changed_argument_loses_that_check_and_no_other():
    assert statuses(asked(), changes_its_argument) == {**only("passed"), "arguments": "failed"}


def test_an_answer_that_differs_from_call_to_call_fails_the_repetition():
    rng = np.random.default_rng(0)

    found = statuses(asked(), lambda S: softmax(S) + rng.normal(0, 0.1, S.shape))

    assert found["twice"] == found["after"] == "failed"


def test_an_answer_remembered_by_shape_fails_the_value_check_of_several_draws():
    known = {}
    cases = {"drawn": {"given": {"S": {"normal": ("n", "m")}}, "draws": 2, "same_sizes": True}}
    ask = asked(cases=cases, checks=({"value": "drawn"}, {"same_answer": "twice", "id": "twice"}))

    found = statuses(ask, lambda S: known.setdefault(S.shape, softmax(S)))

    assert found == {"drawn": "failed", "twice": "passed"}


def test_an_answer_that_goes_bad_after_some_calls_fails_after_other_calls():
    count = itertools.count()

    found = statuses(asked(), lambda S: softmax(S) if next(count) < 6 else softmax(S) * 2)

    assert found["after"] == "failed"
    assert found["drawn"] == "passed"


@pytest.mark.parametrize("kind", ["twice", "after"])
@pytest.mark.parametrize(
    "value", [None, "text", np.nan, np.array([np.nan, 1.0]), object(), (), (np.ones(2), np.ones(3))]
)
def test_a_steady_answer_of_any_kind_is_the_same_answer(kind, value):
    assert statuses(asked(), lambda S: value)[kind] == "passed"


def test_a_value_check_of_some_outputs_looks_at_those_alone():
    two = {
        "returns": {"A": {"shape": ("n", "m"), "about": "a"}, "B": {"shape": ("n", "m"), "about": "b"}},
        "checks": (
            {"value": "drawn", "of": "A", "id": "a"},
            {"value": "drawn", "of": "B", "id": "b"},
            {"value": "drawn", "id": "both"},
        ),
    }
    references = References(softmax=lambda S: (softmax(S), S + 1))

    found = statuses(asked(**two), lambda S: (softmax(S), S), references=references)

    assert found == {"a": "passed", "b": "failed", "both": "failed"}


def test_the_tolerance_of_the_check_wins_over_the_cases_and_the_assignments():
    def ask(case, check):
        cases = {"first": {**TWO["first"], **case}}
        found = statuses(
            asked(cases=cases, checks=({"value": "first", **check},)), lambda S: softmax(S) + 1e-3
        )
        return found["first"]

    wide, narrow = ({"tolerance": {"atol": atol, "rtol": 0.0}} for atol in (1e-2, 1e-6))
    assert ask({}, {}) == "failed"
    assert ask(wide, {}) == "passed"
    assert ask({}, wide) == "passed"
    assert ask(wide, narrow) == "failed"


def test_a_value_check_may_name_another_reference():
    references = References(softmax=softmax, doubled=lambda S: 2 * softmax(S))
    ask = asked(checks=({"value": "first", "reference": "doubled"},))

    assert statuses(ask, lambda S: 2 * softmax(S), references=references) == {"first": "passed"}
    assert statuses(ask, softmax, references=references) == {"first": "failed"}


# What tells a right function from a stock answer


@pytest.mark.parametrize(
    ("S", "telling"),
    [([[1, 2, 3], [0, 1, 0]], True), ([[5], [2]], False), ([[0, 0], [3, 3]], False)],
)
def test_a_value_check_whose_expected_values_are_all_alike_tells_nothing(S, telling):
    result = judged(asked(cases={"first": {"given": {"S": S}}}, checks=ALL[:1]), softmax)

    assert result.verdicts["first"].status == "passed"
    assert result.tells("first") is telling


def test_a_value_check_that_expects_an_argument_as_it_came_tells_nothing():
    identity = References(softmax=lambda S: S.reshape(1, *S.shape))
    result = judged(asked(checks=ALL[:2]), lambda S: S[None], references=identity)

    assert not any(map(result.tells, result.verdicts))


# Odd values

ODD = [
    None,
    "text",
    1.0,
    True,
    np.zeros(0),
    np.zeros((0, 3)),
    np.ones((2, 3, 4)),
    1j,
    {},
    object(),
    [],
    [[1], [1, 2]],
]


@pytest.mark.parametrize("value", ODD, ids=range(len(ODD)))
def test_an_odd_value_fails_every_check_of_its_numbers_and_breaks_none(value):
    found = statuses(asked(), lambda S: value)

    assert {found[name] for name in ("first", "drawn", "sums", "signs", "shift")} == {"failed"}


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
def test_answers_that_are_not_finite_fail_every_check_of_their_numbers(bad):
    found = statuses(asked(), lambda S: np.full(S.shape, bad))

    assert {found[name] for name in ("first", "drawn", "sums", "shift")} == {"failed"}


def test_a_complex_result_without_imaginary_part_passes_everything():
    assert statuses(asked(), lambda S: softmax(S).astype(complex)) == only("passed")
    assert statuses(asked(), lambda S: softmax(S) + 1e-12j) == only("passed")


@pytest.mark.parametrize(
    "form", [list, np.matrix, lambda a: a.tolist(), lambda a: tuple(map(tuple, a.tolist())), tuple]
)
def test_lists_tuples_and_matrices_of_the_right_numbers_pass_everything(form):
    assert statuses(asked(), lambda S: form(softmax(S))) == only("passed")
