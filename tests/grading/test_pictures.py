"""Arrays in the evidence: of failed value checks that may be shown, small ones, never of a hidden case."""

import json
from typing import Any

import numpy as np
import pytest

from autograder.grading.feedback import Speaker
from autograder.model.exercise import Feedback
from autograder.model.limits import Limits
from tests.grading.in_process import exercise, judged, softmax, submission


def evidence(
    answer: Any, *, case: dict[str, Any] | None = None, check: dict[str, Any] | None = None
) -> dict[str, Any]:
    """The evidence of a value check on one case of the softmax."""
    case = case or {"given": {"S": [[0.0, 1.0, 2.0], [1.0, 1.0, 1.0]]}}
    ask = exercise(cases={"c": case}, checks=(check or {"value": "c"},))
    result = judged(ask, answer)
    speaker = Speaker(ask, submission(""), Limits(), Feedback())
    (check_,) = ask.checks
    _, told = speaker.of_verdict(check_, result.verdicts[check_.name], result.view)
    json.dumps(told, allow_nan=False)
    return dict(told)


def test_both_arrays_are_there_in_six_digits_with_what_is_near() -> None:
    def answer(S: Any) -> Any:
        A = softmax(S)
        A[0, 0] = 2 / 3
        return A

    arrays = evidence(answer)["arrays"]
    assert arrays["actual"][0][0] == 0.666667
    assert arrays["expected"][0] == [0.0900306, 0.244728, 0.665241]
    assert arrays["near"] == [[False, True, True], [True, True, True]]


def test_near_is_what_the_comparison_calls_near() -> None:
    loose = {"value": "c", "tolerance": {"atol": 0.5, "rtol": 0.0}}
    arrays = evidence(lambda S: softmax(S) + np.array([0.4, 0.6, 0.0]), check=loose)["arrays"]

    assert arrays["near"] == [[True, False, True], [True, False, True]]


def test_tokens_of_the_case_go_with_them() -> None:
    case = {"given": {"S": [[0.0, 1.0]]}, "tokens": ("sat", "bank")}

    assert evidence(lambda S: S, case=case)["arrays"]["tokens"] == ["sat", "bank"]


def test_of_another_shape_nothing_is_near() -> None:
    arrays = evidence(lambda S: softmax(S).T)["arrays"]

    assert "near" not in arrays
    assert np.shape(arrays["actual"]) == (3, 2)


def test_what_json_has_not_is_text() -> None:
    arrays = evidence(lambda S: np.full(S.shape, np.nan))["arrays"]

    assert arrays["actual"][0] == ["nan", "nan", "nan"]


@pytest.mark.parametrize(
    "answer",
    [
        lambda S: None,
        lambda S: "text",
        lambda S: softmax(S) + 1j,
        lambda S: 1.0,
        lambda S: np.zeros((13, 1)),
        lambda S: np.zeros((2, 12, 12)),
        lambda S: np.zeros((1, 1, 2, 3)),
        lambda S: np.zeros((0, 3)),
    ],
    ids=["nothing", "text", "complex", "number", "long", "large", "four axes", "empty"],
)
def test_what_no_picture_can_show_is_left_out(answer: Any) -> None:
    told = evidence(answer)

    assert told["code"]
    assert "arrays" not in told


def test_of_a_hidden_case_there_are_none() -> None:
    told = evidence(lambda S: S, case={"given": {"S": [[0.0, 1.0]]}, "hidden": True})

    assert told["code"] == "value.differs"
    assert "arrays" not in told


def test_other_checks_than_of_values_have_none() -> None:
    assert "arrays" not in evidence(lambda S: S, check={"invariant": "rows_sum_to_one", "of": "A"})
