"""The families of functions for numerical gradients: right values, no state, no broadcasting."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from autograder.worker.inside.functions import FAMILIES, build

C, B = np.array([[1.0, 2.0], [3.0, 4.0]]), np.array([[0.5, 0.0], [0.0, -0.5]])
M = np.array([[1.0, -1.0], [2.0, 0.5]])
a = np.array([2.0, -3.0])

CASES: dict[str, tuple[dict[str, Any], float, Any]] = {
    "quadratic": ({"C": C, "B": B}, float((C * M * M).sum() / 2 + (B * M).sum()), C * M + B),
    "sines": ({"W": C}, float(np.sin(C * M).sum()), C * np.cos(C * M)),
    "total": ({"a": np.array(1.5)}, float(1.5 * M.sum() ** 2 / 2), np.full(M.shape, 1.5 * M.sum())),
    "coupled_rows": ({"a": a}, float(((a @ M) ** 2).sum() / 2), np.outer(a, a @ M)),
}


def test_every_family_has_a_case() -> None:
    assert set(CASES) == set(FAMILIES)


@pytest.mark.parametrize("family", CASES)
def test_a_family_has_the_value_and_gradient_it_says(family: str) -> None:
    parameters, value, gradient = CASES[family]
    f, h = build(family, parameters), 1e-5
    numeric = np.zeros_like(M)
    for index in np.ndindex(M.shape):
        step = np.zeros_like(M)
        step[index] = h
        numeric[index] = (f(M + step) - f(M - step)) / (2 * h)

    assert type(f(M)) is float
    assert f(M) == pytest.approx(value)
    assert np.allclose(numeric, gradient, rtol=1e-7, atol=1e-8)


@pytest.mark.parametrize("family", CASES)
def test_whole_numbers_and_lists_are_taken_for_their_values(family: str) -> None:
    f = build(family, CASES[family][0])

    assert f(np.array([[1, 2], [3, 4]])) == f([[1.0, 2.0], [3.0, 4.0]])


@pytest.mark.parametrize("family", sorted(set(CASES) - {"total"}))
@pytest.mark.parametrize("wrong", [np.ones(2), np.ones((1, 2)), np.ones((3, 2)), 1.0])
def test_another_shape_is_refused_and_never_broadcast(family: str, wrong: Any) -> None:
    with pytest.raises(ValueError, match="f takes an array of"):
        build(family, CASES[family][0])(wrong)


@pytest.mark.parametrize("family", CASES)
def test_what_was_given_can_be_written_to_afterwards_without_changing_the_function(family: str) -> None:
    parameters = {name: array.copy() for name, array in CASES[family][0].items()}
    f = build(family, parameters)
    before = f(M)
    for array in parameters.values():
        array[...] = 0

    assert f(M) == before


def test_arrays_that_do_not_fit_together_are_refused() -> None:
    with pytest.raises(ValueError, match="do not fit together"):
        build("quadratic", {"C": C, "B": B[:1]})
