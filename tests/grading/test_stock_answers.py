"""Marks of whole functions on the shipped exercises: references earn all, answers without thought nothing."""

import numpy as np
import pytest

from autograder.grading.marks import mark_checks
from tests.grading.in_process import course, judged

EXERCISES = course().exercises
#: The share of an exercise's marks that an answer without thought may earn.
NEXT_TO_NOTHING = 0.08


def share(asked, answer, seed=0):
    result = judged(
        asked, answer, references=course().references, seed=seed, tolerance=course().assignment.tolerance
    )
    assert not result.faults, result.faults
    statuses = {name: verdict.status for name, verdict in result.verdicts.items()}
    marked = mark_checks(asked.checks, statuses, tells=result.tells)
    return sum(mark.earned for mark in marked.values()) / asked.total_weight


def shaped(asked, make):
    """A function that makes each output from the reference's, for shapes alone."""
    reference = course().references.functions[asked.function]

    def answer(*arguments):
        values = reference(*arguments)
        made = tuple(
            make(np.asarray(value, dtype=float))
            for value in (values if isinstance(values, tuple) else (values,))
        )
        return made if len(asked.outputs) > 1 else made[0]

    return answer


def spread(value):
    """Entries that a row shares evenly."""
    return np.full(value.shape, 1 / value.shape[-1] if value.ndim else 0.5)


STOCK = {
    "zeros": np.zeros_like,
    "ones": np.ones_like,
    "even shares": spread,
    "NaN": lambda value: np.full(value.shape, np.nan),
    "infinity": lambda value: np.full(value.shape, np.inf),
    "an empty array": lambda value: np.zeros((0, 1, 1)),
    "one column": lambda value: np.ones((*value.shape[:-1], 1)),
    "numbers in order": lambda value: np.arange(value.size, dtype=float).reshape(value.shape),
}


@pytest.mark.parametrize("asked", EXERCISES, ids=lambda asked: asked.id)
def test_the_reference_earns_all_and_so_it_does_with_every_harmless_deviation(asked):
    reference = course().references.functions[asked.function]

    assert share(asked, reference) == 1
    assert share(asked, shaped(asked, lambda value: value * (1 + 1e-7)), seed=1) == 1
    assert share(asked, shaped(asked, lambda value: value.astype(complex)), seed=1) == 1
    if any(value.shape for value in asked.returns.values()):
        assert share(asked, shaped(asked, np.matrix if _flat(asked) else np.asarray), seed=2) == 1
        assert share(asked, shaped(asked, lambda value: value.tolist()), seed=2) == 1


def _flat(asked):
    return all(len(output.shape or ()) == 2 for output in asked.returns.values())


@pytest.mark.parametrize("asked", EXERCISES, ids=lambda asked: asked.id)
def test_a_reference_whose_result_is_rounded_to_float32_earns_all(asked):
    assert share(asked, shaped(asked, lambda value: value.astype(np.float32)), seed=3) == 1


@pytest.mark.parametrize("asked", EXERCISES, ids=lambda asked: asked.id)
@pytest.mark.parametrize("what", STOCK)
def test_an_answer_of_the_right_shape_that_takes_no_thought_earns_next_to_nothing(asked, what):
    for seed in range(2):
        assert share(asked, shaped(asked, STOCK[what]), seed) <= NEXT_TO_NOTHING


@pytest.mark.parametrize("asked", EXERCISES, ids=lambda asked: asked.id)
@pytest.mark.parametrize("value", [None, 0, 1.0, "text", (), [], np.zeros((2, 2)), np.nan], ids=repr)
def test_the_same_answer_whatever_is_asked_earns_nothing(asked, value):
    count = len(asked.outputs)

    assert share(asked, lambda *arguments: value) == 0
    assert share(asked, lambda *arguments: (value,) * count if count > 1 else value) == 0


@pytest.mark.parametrize("asked", EXERCISES, ids=lambda asked: asked.id)
def test_an_argument_returned_as_it_came_earns_next_to_nothing(asked):
    count = len(asked.outputs)

    for index in range(len(asked.parameters)):

        def answer(*arguments, index=index):
            value = arguments[min(index, len(arguments) - 1)]
            return value if count == 1 else (value,) * count

        assert share(asked, answer) <= NEXT_TO_NOTHING


def test_the_plain_average_with_even_weights_is_no_attention():
    def average(Q, K, V):
        return np.tile(V.mean(axis=0), (len(Q), 1)), np.full((len(Q), len(K)), 1 / len(K))

    assert share(course().exercise("attention"), average) <= 0.15


@pytest.mark.parametrize("asked", EXERCISES, ids=lambda asked: asked.id)
def test_the_references_value_with_one_entry_off_earns_no_value_check_of_a_drawn_case(asked):
    def spoilt(value):
        value = np.array(value)
        value.flat[-1] += 0.01 + 0.01 * abs(value.flat[-1])
        return value

    assert share(asked, shaped(asked, spoilt)) < 0.7
