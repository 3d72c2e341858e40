"""Relations: each fires on a function that breaks it and never on one that keeps it, whatever is drawn."""

import numpy as np
import pytest

from autograder.checks.relations import RELATIONS
from tests.grading.in_process import References, exercise, softmax, statuses

MATRIX = {"shape": ("n", "m"), "about": "a matrix"}
PAIR = {"Q": {"shape": ("n", "d"), "about": "q"}, "K": {"shape": ("m", "d"), "about": "k"}}
DRAWN = {"given": {"Q": {"normal": ("n", "d")}, "K": {"normal": ("m", "d")}}}
WHOLE = {"given": {"Q": {"integers": ("n", "d")}, "K": {"integers": ("m", "d")}}}


def weights(Q, K):
    return softmax(Q @ K.T)


def total(Q, K):
    return weights(Q, K) @ K


def scores(Q, K):
    return Q @ K.T


#: Relation → (its key, a function that keeps it, functions that break it).
TABLE = {
    "unchanged_when_rows_shift": (
        {"shift": "Q"},
        lambda Q, K: softmax(Q),
        [lambda Q, K: Q, lambda Q, K: np.exp(Q), lambda Q, K: softmax(np.abs(Q)), lambda Q, K: softmax(Q**2)],
    ),
    "unchanged_when_rows_permute": (
        {"permute": "K"},
        total,
        [scores, lambda Q, K: total(Q, K) + K[0], lambda Q, K: np.cumsum(K, axis=0)[:2].mean(0)],
    ),
    "columns_follow_when_rows_permute": (
        {"permute": "K"},
        weights,
        [lambda Q, K: np.tril(weights(Q, K)), lambda Q, K: np.sort(weights(Q, K))],
    ),
    "rows_follow_when_rows_permute": (
        {"permute": "Q"},
        total,
        [
            lambda Q, K: total(Q, K) * np.arange(len(Q))[:, None],
            lambda Q, K: np.roll(Q, 1, 0) * [[1], *[[2]] * (len(Q) - 1)],
        ],
    ),
    "unchanged_when_replaced": (
        {"replace": "K"},
        lambda Q, K: Q,
        [lambda Q, K: Q + K.mean(), lambda Q, K: Q + 1e-3 * K.sum()],
    ),
    "doubles_when_doubled": (
        {"double": "Q"},
        scores,
        [lambda Q, K: np.cbrt(scores(Q, K)), lambda Q, K: scores(Q, K) + 1, lambda Q, K: scores(Q, K) // 1],
    ),
}

CONSTANTS = [np.nan, np.inf]


def asked(name, case=DRAWN):
    return exercise(
        parameters=PAIR,
        sizes={"n": (2, 5), "m": (3, 6), "d": (2, 6)},
        cases={"drawn": case},
        checks=({"relation": name, **TABLE[name][0], "id": "it"},),
    )


def status(name, answer, reference, case=DRAWN, seed=0):
    return statuses(asked(name, case), answer, references=References(softmax=reference), seed=seed)["it"]


def test_the_table_of_this_test_knows_every_relation():
    assert set(TABLE) == set(RELATIONS)


@pytest.mark.parametrize("name", TABLE)
@pytest.mark.parametrize("case", [DRAWN, WHOLE], ids=["drawn", "whole numbers"])
def test_a_relation_never_fires_on_a_function_that_keeps_it(name, case):
    keeps = TABLE[name][1]

    for seed in range(20):
        assert status(name, keeps, keeps, case, seed) == "passed"
        assert status(name, lambda Q, K: np.float32(keeps(Q, K)), keeps, case, seed) == "passed"


@pytest.mark.parametrize(("name", "index"), [(name, i) for name in TABLE for i in range(len(TABLE[name][2]))])
def test_a_relation_fires_on_a_function_that_breaks_it(name, index):
    breaks = TABLE[name][2][index]

    for seed in range(20):
        assert status(name, breaks, breaks, seed=seed) == "failed"


@pytest.mark.parametrize("name", TABLE)
@pytest.mark.parametrize("bad", CONSTANTS)
def test_no_relation_holds_between_values_that_are_not_finite(name, bad):
    keeps = TABLE[name][1]

    assert status(name, lambda Q, K: keeps(Q, K) * bad, keeps) == "failed"


@pytest.mark.parametrize("name", TABLE)
@pytest.mark.parametrize("value", [None, "text", np.zeros((0, 1)), (), np.full((2, 2), 1j)])
def test_no_relation_holds_between_values_of_the_wrong_kind(name, value):
    assert status(name, lambda Q, K: value, TABLE[name][1]) == "failed"


@pytest.mark.parametrize("name", TABLE)
def test_a_relation_on_an_answer_that_turns_complex_or_odd_half_way_fails(name):
    keeps = TABLE[name][1]
    answers = iter([lambda Q, K: keeps(Q, K), lambda Q, K: "odd"])

    def turns(Q, K):
        # The draw of the case comes first, the varied call after it.
        return next(answers)(Q, K)

    assert status(name, turns, keeps) == "failed"


def test_doubling_small_whole_numbers_does_not_wrap_round():
    def small(Q, K):
        return (100 * np.sign(Q)).astype(np.int8)

    def doubled(Q, K):
        return 100 * np.sign(Q) * (1 + (np.abs(Q).max() > BORDER))

    # Both draws are whole numbers from 1 to 3; doubled ones from 2 to 6.
    BORDER = 3
    case = {"given": {"Q": {"constant": ("n", "d"), "value": 2.0}, "K": {"normal": ("m", "d")}}}

    def answer(Q, K):
        return small(Q, K) if np.abs(Q).max() <= BORDER else doubled(Q, K)

    assert status("doubles_when_doubled", answer, doubled, case) == "passed"


def test_a_relation_on_one_row_alone_has_nothing_to_put_in_another_order_and_passes():
    case = {**DRAWN, "sizes": {"n": 1}}
    asked_ = exercise(
        parameters=PAIR,
        sizes={"n": (1, 5), "m": (3, 6), "d": (2, 6)},
        cases={"drawn": case},
        checks=({"relation": "rows_follow_when_rows_permute", "permute": "Q", "id": "it"},),
    )

    assert statuses(asked_, total, references=References(softmax=total)) == {"it": "passed"}
