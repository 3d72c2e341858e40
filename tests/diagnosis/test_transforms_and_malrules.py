"""Wrong functions that fit, transforms that explain, and which of them is shown."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).parent))
from samples import RECTANGLES, draws, exercise, samples

from autograder.diagnosis.malrules import fit
from autograder.diagnosis.ranking import SHOWN, best, rank
from autograder.diagnosis.sample import Idea, Sample
from autograder.diagnosis.transforms import find_transforms
from autograder.wording.say import say


def softmax(S: Any) -> Any:
    powers = np.exp(S - S.max(axis=1, keepdims=True))
    return powers / powers.sum(axis=1, keepdims=True)


def columns(S: Any) -> Any:
    return softmax(S.T).T


def no_keepdims(S: Any) -> Any:
    powers = np.exp(S)
    return powers / powers.sum(axis=1)


def predicting(function: Any) -> Any:
    def predict(sample: Sample) -> Any:
        try:
            return {"A": np.asarray(function(**sample.arguments))}
        except ValueError:
            return None

    return predict


def test_a_wrong_function_that_gives_the_same_everywhere_is_named_with_the_calls_that_agree() -> None:
    assert fit(samples(softmax, columns), predicting(columns)) == (4, 4)


def test_the_right_function_fits_no_wrong_one() -> None:
    assert fit(samples(softmax, softmax), predicting(columns)) is None


def test_one_telling_call_is_not_enough() -> None:
    few = draws((3, 4), (1, 1))

    assert fit(samples(softmax, columns, few), predicting(columns)) is None


def test_raising_where_the_wrong_function_raises_counts_beside_a_value() -> None:
    square = [*RECTANGLES, *draws((4, 4), seed=1)]

    assert fit(samples(softmax, no_keepdims, square), predicting(no_keepdims)) == (5, 5)


def test_raising_alone_names_nothing() -> None:
    assert fit(samples(softmax, no_keepdims), predicting(no_keepdims)) is None


def test_a_submission_that_is_wrong_where_the_wrong_function_is_right_is_not_accused() -> None:
    def only_first_row(S: Any) -> Any:
        result = softmax(S)
        result[0] = columns(S)[0]
        return result

    def wide_rows_wrong(S: Any) -> Any:
        return columns(S) if S.shape[1] > 4 else softmax(S)

    assert fit(samples(softmax, columns), predicting(wide_rows_wrong)) is None
    assert fit(samples(softmax, only_first_row), predicting(columns)) is None


TRANSFORMS = {
    "transposed": (lambda S: S, lambda S: S.T, "transform.transposed"),
    "sign": (lambda S: S, lambda S: -S, "transform.negated"),
    "twice": (lambda S: S, lambda S: 2 * S, "transform.factor.constant"),
    "root of the number of keys": (lambda S: S, lambda S: S * np.sqrt(S.shape[1]), "transform.factor.root"),
    "over the number of queries": (lambda S: S, lambda S: S / len(S), "transform.factor.inverse_size"),
    "another factor in each call": (
        lambda S: S,
        lambda S: S / (3 + len(S) * S.shape[1]),
        "transform.factor.varying",
    ),
    "a factor for each row": (
        lambda S: S,
        lambda S: S * np.arange(1, len(S) + 1)[:, None],
        "transform.row_factors",
    ),
    "one more": (lambda S: S, lambda S: S + 1, "transform.offset.constant"),
    "rows over their sums": (
        lambda S: np.abs(S),
        lambda S: np.abs(S) / np.abs(S).sum(1, keepdims=True),
        "transform.rows_normalised",
    ),
    "columns over their sums": (
        lambda S: np.abs(S),
        lambda S: np.abs(S) / np.abs(S).sum(0),
        "transform.columns_normalised",
    ),
    "rounded": (softmax, lambda S: softmax(S).round(3), "transform.rounded"),
    "half precision": (softmax, lambda S: softmax(S).astype(np.float16), "transform.float16"),
    "whole numbers": (lambda S: 9 * S, lambda S: (9 * S).astype(int), "transform.truncated"),
    "flat": (lambda S: S, lambda S: S.ravel(), "transform.flattened"),
    "the argument": (softmax, lambda S: S, "transform.argument"),
    "always 0": (softmax, lambda S: 0 * S, "transform.constant"),
    "signs lost": (lambda S: S, lambda S: np.abs(S), "transform.absolute"),
    "lower triangle": (lambda S: S, lambda S: np.tril(S), "transform.lower_triangle"),
}


@pytest.mark.parametrize("name", TRANSFORMS)
def test_a_transform_is_found_by_recomputation(name: str) -> None:
    right, actual, code = TRANSFORMS[name]

    ideas = find_transforms(exercise(), samples(right, actual))

    assert code in [idea.code for idea in ideas]
    assert all(say(idea.code, idea.params) for idea in ideas)


def test_the_right_function_shows_no_transform() -> None:
    assert find_transforms(exercise(), samples(softmax, softmax)) == ()


def test_outputs_in_another_order_are_told_as_such() -> None:
    pair = samples(lambda S: (S, 2 * S), lambda S: (2 * S, S), names=("O", "A"))

    (idea,) = find_transforms(exercise(("O", "A")), pair)

    assert (idea.code, idea.params["actual"]) == ("transform.order", ["A", "O"])


def test_one_right_output_is_told_beside_the_wrong_one() -> None:
    pair = samples(lambda S: (S, S + 1), lambda S: (S, S**3), names=("O", "A"))

    codes = {idea.code: idea.params for idea in find_transforms(exercise(("O", "A")), pair)}

    assert codes["transform.partly"] == {"right": ["O"], "wrong": ["A"]}


def test_a_cache_by_shape_is_told_as_something_kept() -> None:
    known: dict[Any, Any] = {}

    def cached(S: Any) -> Any:
        return known.setdefault(S.shape, softmax(S))

    same_shapes = draws((3, 4), (3, 4), (2, 5), (2, 5))

    assert "transform.kept" in [
        i.code for i in find_transforms(exercise(), samples(softmax, cached, same_shapes))
    ]


def test_only_whole_numbers_going_wrong_is_told_and_why_where_it_shows() -> None:
    whole = [{"S": np.arange(6).reshape(2, 3)}, {"S": np.arange(8).reshape(4, 2)}]

    def into_the_same_type(S: Any) -> Any:
        result = np.zeros_like(S)
        result[...] = softmax(S)
        return result * (1 + (S.dtype.kind == "i") * S)

    def into_bytes(S: Any) -> Any:
        return softmax(S.astype(np.uint8) if S.dtype.kind == "i" else S)

    whole = [*whole, {"S": -whole[0]["S"]}, {"S": 300 * whole[1]["S"]}]
    for wrong, code in (
        (into_the_same_type, "only.whole_numbers.cut_off"),
        (into_bytes, "only.whole_numbers"),
    ):
        cases = [*RECTANGLES, *(whole[:2] if wrong is into_the_same_type else whole[2:])]
        ideas = find_transforms(exercise(), samples(softmax, wrong, cases))
        assert code in [idea.code for idea in ideas]


def test_a_wrong_function_that_is_right_for_a_single_key_by_chance_is_not_said_to_know_one_size() -> None:
    single = [*RECTANGLES, *draws((3, 1))]

    ideas = find_transforms(exercise(), samples(softmax, lambda S: softmax(-S), single))

    assert "only.one_size" not in [idea.code for idea in ideas]


def test_sizes_written_into_the_function_are_told() -> None:
    def of_the_lecture(S: Any) -> Any:
        return np.array([[S[i, j] for j in range(4)] for i in range(3)])

    ideas = find_transforms(exercise(), samples(lambda S: S, of_the_lecture))

    assert [idea.code for idea in ideas] == ["only.one_size"]


def idea(kind: str, code: str = "a.b", agrees: tuple[int, int] | None = None) -> Idea:
    return Idea(kind, code, {}, agrees)


def test_what_did_not_come_back_is_told_before_ideas_and_ideas_before_places() -> None:
    kinds = ["smallest", "line", "transform", "malrule", "exception", "return"]

    assert [one.kind for one in rank([idea(kind) for kind in kinds])] == [
        "return", "exception", "malrule", "line", "smallest", "transform",
    ]  # fmt: skip


def test_the_idea_that_more_calls_speak_for_comes_first() -> None:
    few, many = idea("malrule", "a.few", (2, 2)), idea("malrule", "a.many", (9, 9))

    assert rank([few, many])[0] is many


def test_at_most_three_are_shown_and_a_place_to_look_is_among_them() -> None:
    shown = best([idea("malrule", f"a.m{n}") for n in range(4)] + [idea("line"), idea("smallest")])

    assert len(shown) == SHOWN
    assert [one.kind for one in shown] == ["malrule", "malrule", "line"]


def test_a_relation_that_follows_from_a_named_idea_is_left_out() -> None:
    assert [one.kind for one in best([idea("transform"), idea("malrule")])] == ["malrule"]
