"""The first line that parts: assigned values against the steps of the right path."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pytest

from autograder.diagnosis.lines import RETURN, Standing, Step, factors_of, first_parting
from autograder.diagnosis.sample import Idea, Sample
from autograder.model.check import Tolerance
from autograder.model.outcome import Assigned, Returned
from autograder.numeric.compare import Expected
from autograder.wording.say import say

RNG = np.random.default_rng(5)
D_K = 3
Q, K, V = RNG.normal(size=(4, D_K)), RNG.normal(size=(5, D_K)), RNG.normal(size=(5, 6))
S = Q @ K.T
SCALED = S / np.sqrt(D_K)
SIZES = {"n_q": 4, "n_k": 5, "d_k": D_K, "d_v": 6}
NOWHERE = Standing({}, {})


def weights(scores: np.ndarray, axis: int = 1) -> np.ndarray:
    powers = np.exp(scores)
    return powers / powers.sum(axis=axis, keepdims=True)


A = weights(SCALED)
O = A @ V  # noqa: E741 (the name that the formulas use)
STEPS = (
    Step("S", "raw scores", S, "scores"),
    Step("scaled", "scaled scores", SCALED, "scale"),
    Step("powers", "", np.exp(SCALED)),
    Step("A", "weights", A, "softmax"),
    Step("O", "mixed values", O, "mix"),
)


def parting(
    assigned: Sequence[tuple[int, str, Any]],
    outputs: Mapping[str, np.ndarray],
    *,
    standing: Standing = NOWHERE,
    hidden: bool = False,
    sizes: Mapping[str, int] = SIZES,
    others: Sequence[tuple[Sample, Mapping[str, int]]] = (),
) -> Idea | None:
    sample = a_sample(outputs, hidden=hidden)
    return first_parting([Assigned(*one) for one in assigned], STEPS, sample, sizes, standing, others)


def a_sample(outputs: Mapping[str, np.ndarray], *, hidden: bool = False) -> Sample:
    tolerance = Tolerance(atol=3e-6, rtol=2e-5)
    expected = {name: Expected({"O": O, "A": A}[name], tolerance) for name in outputs}
    return Sample("rectangle", 0, hidden, {}, Returned(None), outputs, expected)


def words(idea: Idea | None) -> str:
    assert idea is not None
    assert idea.kind == "line"
    return say(idea.code, idea.params)


def test_the_last_right_line_and_the_first_wrong_one_are_named() -> None:
    wrong = weights(SCALED, axis=0)
    idea = parting([(12, "s", SCALED), (14, "w", wrong), (15, RETURN, wrong)], {"A": wrong})

    assert words(idea) == (
        "line 12, `s`: equals scaled (scaled scores); line 14, `w`: its columns sum to 1; "
        "the next step should be A (weights)"
    )
    assert idea is not None
    assert idea.line == 14


def test_a_step_that_is_left_out_is_the_next_one() -> None:
    wrong = weights(S)
    idea = parting([(3, "s", S), (4, "a", wrong)], {"A": wrong})

    assert words(idea) == (
        "line 3, `s`: equals S (raw scores); line 4, `a`: differs from A (weights); "
        "the next step should be scaled (scaled scores)"
    )


@pytest.mark.parametrize(
    ("made", "finding"),
    [
        (lambda: SCALED.T, "S (raw scores) with rows and columns exchanged"),
        (lambda: -SCALED, "scaled (scaled scores) with the other sign"),
        (lambda: S * np.sqrt(D_K), "S (raw scores) times √d_k"),
        (lambda: S / np.sqrt(5), "S (raw scores) divided by √n_k"),
        (lambda: np.where(SCALED > 0, np.inf, SCALED), "the first value that is not finite"),
    ],
)
def test_a_value_is_told_by_how_it_is_off_a_step(made: Any, finding: str) -> None:
    finding = finding.replace("S (raw scores) with rows", "scaled (scaled scores) with rows")
    wrong = np.ones((4, 5)) / 5 + 0.01
    idea = parting([(2, "s", S), (3, "x", made()), (4, RETURN, wrong)], {"A": wrong})

    assert f"line 3, `x`: {finding}" in words(idea)


def test_what_stands_in_an_array_before_it_is_filled_is_no_value() -> None:
    wrong = A + 0.01
    empty = np.full(A.shape, np.nan)
    begun = np.where(np.arange(5) < 2, wrong, empty)
    idea = parting(
        [(2, "s", SCALED), (3, "a", empty), (5, "a", begun), (5, "a", wrong), (6, RETURN, wrong)],
        {"A": wrong},
    )

    assert "line 3" not in words(idea)
    assert "line 5, `a`: differs from A (weights)" in words(idea)


def test_whole_numbers_are_told_from_a_wrong_value() -> None:
    wrong = np.floor(SCALED).astype(int)
    steps_output = Sample(
        "rectangle",
        0,
        False,
        {},
        Returned(None),
        {"scaled": wrong},
        {"scaled": Expected(SCALED, Tolerance(atol=1e-6, rtol=1e-6))},
    )
    idea = first_parting([Assigned(5, "out", wrong)], STEPS, steps_output, SIZES, NOWHERE)

    assert "whole numbers" in words(idea)


def test_one_line_for_everything_is_said_to_be_one() -> None:
    wrong = weights(SCALED, axis=0) + 1
    idea = parting([(7, RETURN, wrong)], {"A": wrong})

    assert words(idea).startswith("line 7 holds the whole computation")


def test_an_output_that_is_another_step_is_named_as_that() -> None:
    idea = parting([(3, "s", S), (9, RETURN, (O, SCALED))], {"O": O, "A": SCALED})

    assert words(idea) == "line 9, the returned value: scaled (scaled scores) in the place of A (weights)"


def test_outputs_in_another_order_are_left_to_others() -> None:
    steps = {"O": A, "A": O}

    assert parting([(3, "a", A), (4, "o", O), (9, RETURN, (A, O))], steps) is None


def test_a_function_that_passed_is_blamed_for_nothing() -> None:
    wrong = weights(S)
    standing = Standing(passed={"softmax": range(10, 20)}, doubtful={"attention": range(30, 40)})
    trace = [(31, "s", S), (15, RETURN, wrong), (32, "a", wrong), (33, RETURN, wrong)]
    idea = parting(trace, {"A": wrong}, standing=standing)

    assert idea is not None
    assert idea.line == 32


def test_the_result_of_a_doubtful_function_is_compared_with_its_step() -> None:
    doubtful = S / 3.7
    wrong = weights(doubtful)
    standing = Standing(passed={}, doubtful={"scale": range(10, 20), "attention": range(30, 40)})
    trace = [(31, "s", S), (11, RETURN, doubtful), (32, "a", wrong)]
    idea = parting(trace, {"A": wrong}, standing=standing)

    assert "line 11, the returned value: differs from scaled (scaled scores)" in words(idea)


def test_a_right_value_after_an_odd_one_clears_it() -> None:
    wrong = A @ V + 1
    trace = [(3, "turned", S.T), (4, "s", SCALED), (5, "a", A), (6, "o", wrong)]

    assert words(parting(trace, {"O": wrong})).startswith("line 5, `a`: equals A (weights); line 6, `o`:")


def test_an_array_that_is_filled_counts_when_it_is_full() -> None:
    half = np.where(np.arange(4)[:, None] < 2, A, 0)
    wrong = O + 1
    trace = [(3, "a", half), (3, "a", A), (5, "o", wrong)]

    assert words(parting(trace, {"O": wrong})).startswith("line 3, `a`: equals A (weights); line 5")


@pytest.mark.parametrize(
    "value", [3.0, np.float64(2), np.ones((4, 5)), np.zeros((4, 5)), np.array([[S[0, 0]]])]
)
def test_what_fits_by_accident_is_no_match(value: Any) -> None:
    wrong = weights(SCALED, axis=0)
    idea = parting([(2, "c", value), (4, "w", wrong)], {"A": wrong})

    assert words(idea) == "line 4, `w`: its columns sum to 1"


def test_a_factor_is_named_only_if_other_samples_show_it_too() -> None:
    wrong = A / 5  # 5 keys here, but by a plain 5
    elsewhere = Sample(
        "rectangle",
        1,
        True,
        {},
        Returned(None),
        {"A": A[:, :3] / 5},
        {"A": Expected(A[:, :3], Tolerance(atol=1e-6, rtol=1e-6))},
    )
    trace = [(4, "w", wrong)]
    alone = parting(trace, {"A": wrong})
    together = parting(trace, {"A": wrong}, others=[(elsewhere, {"n_q": 4, "n_k": 3, "d_k": 7})])

    assert "A (weights) divided by n_k" in words(alone)
    assert "n_k" not in words(together)


def test_a_factor_that_two_sizes_share_has_no_name() -> None:
    assert "n_q" not in factors_of({"n_q": 4, "n_k": 4, "d_k": 3})
    assert "√d_k" in factors_of({"n_q": 4, "n_k": 4, "d_k": 3})
    assert "√n_k" not in factors_of({"n_k": 4, "d_k": 2})  # √4 is d_k


def test_nothing_is_said_of_a_hidden_or_a_right_sample() -> None:
    wrong = weights(SCALED, axis=0)

    assert parting([(4, "w", wrong)], {"A": wrong}, hidden=True) is None
    assert parting([(4, "w", A)], {"A": A}) is None


def test_a_sentence_holds_no_entry_of_an_array() -> None:
    wrong = weights(S)
    told = words(parting([(3, "s", S), (4, "a", wrong)], {"A": wrong}))

    assert not any(f"{entry:.2f}"[-3:] in told for entry in np.concatenate([S.ravel(), wrong.ravel()]))
