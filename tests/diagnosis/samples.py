"""Samples for the tests of diagnosis: an exercise's reference and a submission's function on drawn matrices."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from autograder.diagnosis.sample import Sample
from autograder.model.check import Tolerance
from autograder.model.exercise import Exercise
from autograder.model.outcome import Raised, Returned
from autograder.numeric.compare import Expected

TOLERANCE = Tolerance(atol=3e-6, rtol=2e-5)


def exercise(outputs: Sequence[str] = ("A",), parameters: Any = None) -> Exercise:
    """A small exercise with these outputs."""
    return Exercise.model_validate(
        {
            "id": "step",
            "title": "A step",
            "about": "A step.",
            "function": "step",
            "parameters": parameters or {"S": {"shape": ["n_q", "n_k"], "about": "scores"}},
            "returns": {name: {"shape": ["n_q", "n_k"], "about": name} for name in outputs},
            "points": 1,
            "cases": {"one": {"given": {name: [[1.0]] for name in (parameters or {"S": None})}}},
            "checks": [{"value": "one"}],
            "hints": ["look"],
        }
    )


def draws(*shapes: tuple[int, ...], seed: int = 0) -> list[dict[str, Any]]:
    """Arguments S of these shapes."""
    rng = np.random.default_rng(seed)
    return [{"S": rng.normal(size=shape)} for shape in shapes]


RECTANGLES = draws((3, 4), (2, 5), (4, 3), (3, 6))


def samples(
    right: Callable[..., Any],
    actual: Callable[..., Any],
    arguments: Sequence[dict[str, Any]] = RECTANGLES,
    names: Sequence[str] = ("A",),
) -> list[Sample]:
    """What comes of a function where `right` is meant."""
    return [_sample(right, actual, given, names, number) for number, given in enumerate(arguments)]


def _sample(right: Any, actual: Any, given: dict[str, Any], names: Sequence[str], number: int) -> Sample:
    expected = dict(zip(names, map(np.asarray, _tuple(right(**given))), strict=True))
    wanted = {name: Expected(array, TOLERANCE) for name, array in expected.items()}
    try:
        value = actual(**given)
    except Exception as error:  # what the submission does is what is looked at
        return Sample("drawn", number, False, given, Raised(type(error).__name__, str(error)), None, wanted)
    got = _tuple(value)
    outputs = dict(zip(names, map(np.asarray, got), strict=True)) if len(got) == len(names) else None
    return Sample("drawn", number, False, given, Returned(value), outputs, wanted)


def _tuple(value: Any) -> tuple[Any, ...]:
    return value if isinstance(value, tuple) else (value,)
