"""Small inputs: which there are, how an outcome is wrong on them, and what is said."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from autograder.diagnosis.smallest import (
    FILLS,
    INPUT_CHARS,
    all_blanks,
    describe,
    fault_of,
    shown_inputs,
    smaller,
    starts,
    templates,
)
from autograder.grading.expectations import call_reference
from autograder.loading.assignment import Course, load_assignment
from autograder.model.check import Tolerance
from autograder.model.outcome import FunctionArgument, Raised, Returned, Value
from autograder.numeric.compare import Expected
from autograder.wording.say import say

TOP = Path(__file__).parents[2]
IDS = [
    "scores",
    "scale",
    "softmax",
    "mix",
    "attention",
    "layer_norm",
    "project",
    "split_heads",
    "one_head",
    "pattern_scores",
    "score_spread",
    "softmax_backward",
    "backward",
    "numerical_gradient",
]


@pytest.fixture(scope="module")
def course() -> Course:
    return load_assignment(TOP, "qkv")


def reference_of(course: Course) -> Any:
    by_function = {exercise.function: exercise for exercise in course.exercises}

    def reference(function: str, arguments: Mapping[str, Value]) -> Mapping[str, np.ndarray]:
        exercise = by_function[function]
        own = {name: arguments[name] for name in exercise.parameters if name in arguments}
        return dict(zip(exercise.outputs, call_reference(course.references, function, own), strict=True))

    return reference


@pytest.mark.parametrize("name", IDS)
def test_every_small_input_is_one_that_the_reference_takes(course: Course, name: str) -> None:
    exercise, reference = course.exercise(name), reference_of(course)
    cases = templates(exercise, list(exercise.cases))

    assert cases
    for start in starts(exercise, cases[0]):
        for kind in range(FILLS):
            arguments = start.of_kind(kind, reference)
            values = call_reference(course.references, exercise.function, arguments)
            assert all(np.isfinite(value).all() for value in values)


@pytest.mark.parametrize("name", IDS)
def test_entries_lie_between_minus_two_and_two(course: Course, name: str) -> None:
    exercise, reference = course.exercise(name), reference_of(course)
    case = templates(exercise, list(exercise.cases))[0]
    for kind in range(FILLS):
        for value in starts(exercise, case)[0].of_kind(kind, reference).values():
            if isinstance(value, np.ndarray):
                assert np.abs(value).max() <= 2


@pytest.mark.parametrize("name", ["softmax_backward", "mix", "backward"])
def test_given_weights_stay_distributions(course: Course, name: str) -> None:
    exercise, reference = course.exercise(name), reference_of(course)
    case = templates(exercise, list(exercise.cases))[0]
    for kind in range(FILLS):
        weights = starts(exercise, case)[0].of_kind(kind, reference)["A"]
        assert isinstance(weights, np.ndarray)
        assert weights.min() >= 0
        assert np.allclose(weights.sum(axis=1), 1)


def test_sizes_of_one_name_agree_and_products_hold(course: Course) -> None:
    exercise = course.exercise("one_head")
    case = templates(exercise, list(exercise.cases))[0]
    for blank in all_blanks(exercise, case, 2):
        arguments = blank.of_kind(2, reference_of(course))
        heads, h = arguments["n_heads"], arguments["h"]
        assert isinstance(heads, int)
        assert isinstance(h, int)
        assert np.shape(arguments["X"])[1] % heads == 0
        assert 0 <= h < heads


def test_smaller_blanks_are_smaller(course: Course) -> None:
    exercise = course.exercise("attention")
    start = starts(exercise, templates(exercise, ["rectangle"])[0])[0]

    assert all(0 < less.entries < start.entries for less in smaller(start))
    assert {less.sizes["d_k"] for less in smaller(start)} == {1, 2}


def test_a_hidden_case_lends_none_of_its_numbers(course: Course) -> None:
    exercise = course.exercise("numerical_gradient")
    hidden = [name for name, case in exercise.cases.items() if case.hidden]

    assert hidden
    assert templates(exercise, hidden) == ()


def test_a_case_of_large_numbers_is_no_pattern_for_small_ones(course: Course) -> None:
    exercise = course.exercise("layer_norm")

    assert templates(exercise, [name for name in exercise.cases if "offset" in name]) == ()


def test_whole_numbers_come_after_fractions(course: Course) -> None:
    exercise = course.exercise("scale")
    first, second = templates(exercise, ["whole-numbers", "rectangle"])

    assert first is exercise.cases["rectangle"]
    assert second is exercise.cases["whole-numbers"]


def told(arguments: Mapping[str, Value], actual: Any, expected: Mapping[str, Any]) -> str:
    wanted = {
        n: Expected(np.array(v, dtype=float), Tolerance(atol=1e-6, rtol=1e-6)) for n, v in expected.items()
    }
    outputs = {name: np.array(value) for name, value in actual.items()}
    idea = describe(arguments, Returned(None), outputs, wanted)
    assert idea is not None
    assert idea.kind == "smallest"
    return say(idea.code, idea.params)


S = np.array([[0.0, 0.0], [0.0, 1.0]])


@pytest.mark.parametrize(
    ("actual", "expected", "words"),
    [
        (
            {"A": [[0.5, 0.27], [0.5, 0.73]]},
            {"A": [[0.5, 0.5], [0.27, 0.73]]},
            "S = [[0, 0], [0, 1]]: row 0 is [0.5, 0.27], expected [0.5, 0.5]",
        ),
        (
            {"O": [[1.0]], "A": [[0.5]]},
            {"O": [[1.0]], "A": [[1.0]]},
            "S = [[0, 0], [0, 1]]: A row 0 is [0.5], expected [1]",
        ),
        ({"A": 3.0}, {"A": 2.5}, "S = [[0, 0], [0, 1]]: is 3, expected 2.5"),
        (
            {"A": [1.0, 2.0]},
            {"A": [[1.0, 2.0]]},
            "S = [[0, 0], [0, 1]]: has shape (2,), expected (1, 2)",
        ),
        (
            {"A": [[[1.0, 2.0]]]},
            {"A": [[[1.0, 3.0]]]},
            "S = [[0, 0], [0, 1]]: entry [0, 0, 1] is 2, expected 3",
        ),
        (
            {"A": [[0.33333]]},
            {"A": [[0.33334]]},
            "S = [[0, 0], [0, 1]]: row 0 is [0.33333], expected [0.33334]",
        ),
    ],
)
def test_the_first_difference_is_shown(actual: Any, expected: Any, words: str) -> None:
    assert told({"S": S}, actual, expected) == words


def test_whole_numbers_and_exceptions_are_named() -> None:
    wanted = {"A": Expected(np.ones((1, 1)), Tolerance(atol=0, rtol=0))}
    idea = describe({"S": np.array([[1, 0]]), "d_k": 2}, Raised("UFuncTypeError", "…"), None, wanted)

    assert idea is not None
    assert say(idea.code, idea.params) == "S = [[1, 0]], d_k = 2 in whole numbers: raises UFuncTypeError"


def test_a_function_is_shown_with_its_numbers() -> None:
    f = FunctionArgument("quadratic", {"C": np.array([[1.0]]), "B": np.array([[0.0]])})

    assert shown_inputs({"f": f, "h": 0.1}) == "f = quadratic(C = [[1]], B = [[0]]), h = 0.1"


def test_an_input_that_is_too_long_is_not_shown() -> None:
    wanted = {"A": Expected(np.ones(1), Tolerance(atol=0, rtol=0))}

    assert len(shown_inputs({"S": np.zeros((9, 9))})) > INPUT_CHARS
    assert describe({"S": np.zeros((9, 9))}, Returned(None), {"A": np.zeros(1)}, wanted) is None


def test_faults_are_told_apart() -> None:
    wanted = {"A": Expected(np.ones((1, 2)), Tolerance(atol=1e-6, rtol=0))}

    assert fault_of(Raised("ValueError", ""), None, wanted) == "ValueError"
    assert fault_of(Returned(None), None, wanted) == "nothing"
    assert fault_of(Returned("text"), None, wanted) == "kind"
    assert fault_of(Returned(1), {"A": np.ones(2)}, wanted) == "shape"
    assert fault_of(Returned(1), {"A": np.zeros((1, 2))}, wanted) == "value"
    assert fault_of(Returned(1), {"A": np.ones((1, 2))}, wanted) is None
