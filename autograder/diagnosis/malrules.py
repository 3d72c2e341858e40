"""Which wrong function gives exactly what the submission gives.

The rule: on every call where the wrong function differs from the reference the submission gives what the wrong
function gives (or raises where it raises), on at least two calls and at least once by value; and where the
wrong function is right, so is the submission. Fitting everywhere is what keeps the innocent from being named.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias

from numpy.typing import NDArray

from autograder.diagnosis.sample import Sample, agrees
from autograder.model.outcome import Raised, Returned
from autograder.numeric.compare import Expected, numbers_of

#: What a wrong function makes of a sample's arguments: outputs by name, one array where several outputs are
#: asked for, or None where it raises.
Prediction: TypeAlias = Callable[[Sample], Mapping[str, NDArray[Any]] | NDArray[Any] | None]

#: So many telling calls must agree before a mistake is named.
FEWEST = 2


def fit(samples: Sequence[Sample], predict: Prediction) -> tuple[int, int] | None:
    """(agreeing, telling) calls if the wrong function fits everywhere, else None."""
    telling = by_value = 0
    for sample in samples:
        predicted = predict(sample)
        if predicted is None:
            if not isinstance(sample.outcome, Raised):
                return None
            telling += 1
        elif not isinstance(predicted, Mapping):
            if not _came_back(sample, predicted):
                return None
            telling += 1
            by_value += 1
        elif differs(sample, predicted):
            if sample.outputs is None or not _alike(sample, predicted):
                return None
            telling += 1
            by_value += 1
        elif not sample.right:
            return None
    return (telling, telling) if telling >= FEWEST and by_value else None


def differs(sample: Sample, predicted: Mapping[str, NDArray[Any]]) -> bool:
    """Whether the wrong function differs from the reference on this call."""
    return not all(agrees(predicted[name], wanted) for name, wanted in sample.expected.items())


def _came_back(sample: Sample, predicted: NDArray[Any]) -> bool:
    """Whether the submission gave this one array in place of its several outputs."""
    actual = numbers_of(sample.outcome.value) if isinstance(sample.outcome, Returned) else None
    tolerance = next(iter(sample.expected.values())).tolerance
    return actual is not None and agrees(actual, Expected(predicted, tolerance))


def _alike(sample: Sample, predicted: Mapping[str, NDArray[Any]]) -> bool:
    assert sample.outputs is not None
    return all(
        agrees(sample.outputs[name], Expected(predicted[name], wanted.tolerance))
        for name, wanted in sample.expected.items()
    )
