"""What came back in place of the outputs: each kind has its own code and sentence."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest

from autograder.diagnosis.returns import explain_return
from autograder.diagnosis.sample import Sample
from autograder.model.check import Tolerance
from autograder.model.exercise import Exercise
from autograder.model.outcome import Listed, Raised, Returned, Unsendable
from autograder.numeric.compare import Expected
from autograder.wording.say import say

O, A = np.array([[1.0, 2.0], [3.0, 4.0]]), np.array([[0.25, 0.75], [0.5, 0.5]])  # noqa: E741 (its name)


def an_exercise(*outputs: str) -> Exercise:
    data: dict[str, Any] = {
        "id": "attention",
        "title": "Attention",
        "about": "weights",
        "function": "attention",
        "parameters": {"S": {"shape": ("n", "m"), "about": "scores"}},
        "returns": {name: {"shape": ("n", "m"), "about": name} for name in outputs},
        "points": 4,
        "sizes": {"n": (2, 5), "m": (2, 6)},
        "cases": {"drawn": {"given": {"S": {"normal": ("n", "m")}}}},
        "checks": ({"value": "drawn"},),
        "hints": ("think",),
    }
    return Exercise.model_validate(data)


def sample(
    value: Any,
    expected: Mapping[str, np.ndarray],
    *,
    printed: str = "",
    outputs: Mapping[str, np.ndarray] | None = None,
    hidden: bool = False,
) -> Sample:
    tolerance = Tolerance(atol=1e-6, rtol=1e-6)
    wanted = {name: Expected(array, tolerance) for name, array in expected.items()}
    return Sample("drawn", 0, hidden, {}, Returned(value, printed=printed), outputs, wanted)


ONE, TWO = {"A": A}, {"O": O, "A": A}

RETURNS = {
    "nothing": (
        None,
        ONE,
        "None came back: the way that this call took ends without a `return` that gives a value",
    ),
    "a tuple of one": ((A,), ONE, "a comma after `return …` makes a tuple of one; A alone is asked for"),
    "a tuple for one that holds it": (
        (O, A),
        ONE,
        "a tuple of 2 came back where A alone is asked for; its item 2 is A",
    ),
    "a tuple for one": ((O, O), ONE, "a tuple of 2 came back where A alone is asked for"),
    "one for several": (A + 7, TWO, "a single result came back where 2 are asked for: O and A"),
    "the first of several": (O, TWO, "O alone came back; O and A are asked for, together and in this order"),
    "too many": ((O, A, O), TWO, "3 results came back where 2 are asked for: O and A"),
    "one missing": ((O,), TWO, "1 of the 2 results came back; A is not among them"),
    "a text": ("[[1, 2]]", ONE, "a text came back in place of numbers"),
    "a function": (Unsendable("function"), ONE, "a function came back: without ( ) it is named, not called"),
    "a dictionary": (
        Unsendable("dict"),
        TWO,
        "a dictionary came back; O and A are asked for, as arrays in this order",
    ),
    "something else": (
        Unsendable("Tensor"),
        ONE,
        "a value of type Tensor came back, which is neither a number nor an array",
    ),
    "a number": (
        np.float64(3),
        ONE,
        "one number came back where A has shape (2, 2); a sum or mean without an axis, for instance, gives one number",
    ),
    "a joined list": (
        Listed(np.arange(8.0), "list"),
        ONE,
        "a list came back: on lists `+` joins and `*` repeats, so arithmetic on them goes another way",
    ),
    "a ragged list": (
        [Listed(np.arange(2.0), "list"), Listed(np.arange(3.0), "list")],
        ONE,
        "a list came back whose parts have different lengths; it makes no matrix",
    ),
}


@pytest.mark.parametrize("name", RETURNS)
def test_what_came_back_is_said(name: str) -> None:
    value, expected, words = RETURNS[name]
    idea = explain_return(sample(value, expected), an_exercise(*expected))

    assert idea is not None
    assert idea.kind == "return"
    assert say(idea.code, idea.params) == words


def test_a_print_in_place_of_a_return_is_told_from_nothing() -> None:
    idea = explain_return(sample(None, ONE, printed="[[0.5 0.5]]\n"), an_exercise("A"))

    assert idea is not None
    assert idea.code == "return.printed"


def test_a_right_list_is_not_explained() -> None:
    outcome = sample(Listed(A, "list"), ONE, outputs={"A": A})

    assert explain_return(outcome, an_exercise("A")) is None


def test_a_wrong_value_of_the_right_kind_is_not_explained_here() -> None:
    assert explain_return(sample(A + 1, ONE, outputs={"A": A + 1}), an_exercise("A")) is None
    assert explain_return(sample((A, O), TWO, outputs={"O": A, "A": O}), an_exercise("O", "A")) is None


def test_an_exception_is_not_explained_here() -> None:
    wanted = {"A": Expected(A, Tolerance(atol=0, rtol=0))}

    assert (
        explain_return(
            Sample("drawn", 0, False, {}, Raised("ValueError", ""), None, wanted), an_exercise("A")
        )
        is None
    )


@pytest.mark.parametrize("value", [np.float64(3), Unsendable("Leak4711")])
def test_of_a_hidden_case_neither_a_shape_nor_a_made_up_name_is_said(value: Any) -> None:
    assert explain_return(sample(value, ONE, hidden=True), an_exercise("A")) is None
