"""Invariants: each fires on an array without its property, never on one that has it, and passes no NaN."""

import numpy as np
import pytest

from autograder.checks.invariants import INVARIANTS, Subject
from autograder.model.check import InvariantCheck, Tolerance
from autograder.numeric.draw import generator
from tests.grading.in_process import course, plan_of, softmax

TOLERANCE = Tolerance(atol=3e-6, rtol=2e-5)
V = np.array([[0.0, 10.0], [2.0, -10.0], [1.0, 0.0]])
M = np.arange(8.0).reshape(2, 4)
WIDE = np.ones((3, 16))


def normalised(rng, n=4, d=6):
    X = rng.normal(3, 2, (n, d))
    return (X - X.mean(axis=1, keepdims=True)) / X.std(axis=1, keepdims=True)


def gradient(rng):
    A, dA = softmax(rng.normal(size=(4, 5))), rng.normal(size=(4, 5)) * 100
    return A * (dA - (dA * A).sum(axis=1, keepdims=True))


#: Name → (an array that has the property, made from a generator; what the check needs; arguments).
GOOD = {
    "rows_sum_to_one": (lambda rng: softmax(rng.normal(0, 300, (4, 60))), {}, {}),
    "rows_sum_to_zero": (gradient, {}, {}),
    "not_negative": (lambda rng: softmax(rng.normal(0, 300, (4, 60))), {}, {}),
    "finite": (lambda rng: rng.normal(0, 1e6, (3, 4)), {}, {}),
    "rows_have_mean_zero": (normalised, {}, {}),
    "rows_have_deviation_one": (normalised, {"limit": 1e-3}, {}),
    "within_range_of": (lambda rng: softmax(rng.normal(0, 50, (4, 3))) @ V, {"values": "V"}, {"V": V}),
    "plain_average_of": (lambda rng: np.full((4, 3), 1 / 3) @ V, {"values": "V"}, {"V": V}),
    "heads_side_by_side_give": (
        lambda rng: M.reshape(2, 2, 2).transpose(1, 0, 2),
        {"values": "M"},
        {"M": M},
    ),
    "nearly_zero": (lambda rng: rng.uniform(-1e-9, 1e-9, (3, 4)), {"limit": 1e-8}, {}),
    "spread_grows_like_root": (
        lambda rng: np.asarray(4 + rng.uniform(-0.3, 0.3)),
        {"values": "K", "limit": 0.1},
        {"K": WIDE},
    ),
    "spread_is_one": (lambda rng: np.asarray(1 + rng.uniform(-0.09, 0.09)), {"limit": 0.1}, {}),
}

#: Name → (an array that lacks the property, the code that says so).
BAD = [
    ("rows_sum_to_one", [[0.5, 0.5], [0.5, 0.6]], "invariant.rows_sum_to_one"),
    ("rows_sum_to_one", [[0.9, 0.2, 0.3], [0.1, 0.8, 0.7]], "invariant.rows_sum_to_one.columns"),
    ("rows_sum_to_one", [[0.1, 0.2, 0.3], [0.1, 0.1, 0.2]], "invariant.rows_sum_to_one.whole"),
    ("rows_sum_to_one", [[1.0, np.inf], [0.5, 0.5]], "invariant.rows_sum_to_one"),
    ("rows_sum_to_one", [[np.inf, -np.inf], [0.5, 0.5]], "invariant.rows_sum_to_one"),
    ("rows_sum_to_one", [[0.5, 0.6], [0.5, 0.5]], "invariant.rows_sum_to_one"),
    ("rows_sum_to_one", [[0.5, 0.6], [1e6, 1 - 1e6]], "invariant.rows_sum_to_one"),
    ("rows_sum_to_zero", [[1.0, -1.0], [1.0, -0.9]], "invariant.rows_sum_to_zero"),
    ("rows_sum_to_zero", [[1.0, -2.0], [-1.0, 2.0]], "invariant.rows_sum_to_zero.columns"),
    ("rows_sum_to_zero", [[1.0, -1.0], [np.inf, 0.0]], "invariant.rows_sum_to_zero"),
    ("not_negative", [[0.0, -1e-9]], "invariant.not_negative"),
    ("finite", [[0.0, np.inf]], "invariant.finite"),
    ("rows_have_mean_zero", [[1.0, -1.0], [1.0, -0.9]], "invariant.rows_have_mean_zero"),
    ("rows_have_deviation_one", [[1.0, -1.0], [2.0, -2.0]], "invariant.rows_have_deviation_one"),
    ("rows_have_deviation_one", [[0.0, 0.0]], "invariant.rows_have_deviation_one"),
    ("within_range_of", [[1.0, 0.0], [2.1, 0.0]], "invariant.within_range_of"),
    ("within_range_of", [[-0.1, 0.0]], "invariant.within_range_of"),
    ("within_range_of", [[5.0, 5.0]], "invariant.within_range_of"),
    ("plain_average_of", [[1.0, 0.1]], "invariant.plain_average_of"),
    ("heads_side_by_side_give", M.reshape(2, 2, 2), "invariant.heads_side_by_side_give"),
    ("heads_side_by_side_give", np.ones((3, 2, 2)), "invariant.heads_side_by_side.shape"),
    ("nearly_zero", [[0.0, 2e-8]], "invariant.nearly_zero"),
    ("spread_grows_like_root", 16.0, "invariant.spread_grows_like_root"),
    ("spread_grows_like_root", 1.0, "invariant.spread_grows_like_root"),
    ("spread_is_one", 0.8, "invariant.spread_is_one"),
]


def find(name, array):
    _, needs, arguments = GOOD[name]
    check = InvariantCheck.model_validate({"invariant": name, "of": "A", **needs})
    with np.errstate(all="ignore"):
        return INVARIANTS[name].find(Subject(np.asarray(array), arguments, check, TOLERANCE))


def test_the_tables_of_this_test_know_every_invariant():
    assert set(GOOD) == set(INVARIANTS) == {name for name, *_ in BAD}


@pytest.mark.parametrize("name", INVARIANTS)
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_an_invariant_never_fires_on_an_array_that_has_it(name, dtype):
    make = GOOD[name][0]

    for seed in range(20):
        assert find(name, make(generator(name, seed)).astype(dtype)) is None


@pytest.mark.parametrize(("name", "array", "code"), BAD)
def test_an_invariant_fires_on_an_array_that_lacks_it(name, array, code):
    found = find(name, array)

    assert found is not None
    assert found.code == code


@pytest.mark.parametrize("name", INVARIANTS)
@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
def test_no_invariant_passes_an_entry_that_is_not_finite(name, bad):
    """But for the sign alone, of which infinity has one."""
    array = np.array(GOOD[name][0](generator(name)), dtype=float)
    array.flat[0] = bad
    found = find(name, array)

    assert (found is None) == (name == "not_negative" and bad == np.inf)


@pytest.mark.parametrize(("name", "array", "code"), BAD)
def test_what_an_invariant_says_is_plain_data_that_json_has(name, array, code):
    import json

    found = find(name, np.where(np.asarray(array) == np.max(array), np.nan, array))

    assert found is not None
    json.dumps(dict(found.params), allow_nan=False)


@pytest.mark.parametrize("asked", course().exercises, ids=lambda asked: asked.id)
def test_the_shipped_references_have_every_invariant_asked_of_them_on_twenty_seeds(asked):
    from autograder.grading.expectations import Expectations

    references = course().references
    for seed in range(20):
        plan = plan_of(asked, references, seed)
        expected = Expectations(asked, references, TOLERANCE)
        for check in (check for check in asked.checks if check.kind == "invariant"):
            for trial in plan.draws:
                if check.on is not None and trial.case not in check.on:
                    continue
                array = expected(trial, asked.function)[check.of].array
                for result in (array, array.astype(np.float32)):
                    subject = Subject(result, trial.arguments, check, TOLERANCE)
                    found = INVARIANTS[check.invariant].find(subject)
                    assert found is None, (check.name, trial.case, seed, result.dtype, found)
