"""The arrays of a failed value check that may be shown: actual and expected, small enough for a picture."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from autograder.checks.trial import Mismatch, View
from autograder.model.check import CheckBase, ValueCheck
from autograder.numeric.compare import Expected, numbers_of

#: Entries along one axis, and in all, of an array that goes into a result.
_MOST_ALONG, _MOST_ENTRIES, _MOST_AXES = 12, 144, 3


def arrays_of(check: CheckBase, view: View, mismatch: Mismatch) -> dict[str, Any]:
    """`arrays` for the evidence of a mismatch: actual, expected, which entries are near, names of the rows.

    Empty for a hidden case, for what is no value check, and for arrays that are no numbers or too large.
    """
    if not isinstance(check, ValueCheck) or mismatch.trial.hidden or mismatch.output is None:
        return {}
    tried = next((tried for tried in view.of_case(check.value) if tried.trial is mismatch.trial), None)
    if tried is None or not isinstance(tried.outputs, Mapping):
        return {}
    actual = numbers_of(tried.outputs[mismatch.output])
    expected = view.expected(mismatch.trial, check.reference)[mismatch.output]
    if actual is None or not (_is_small(actual) and _is_small(expected.array)):
        return {}
    if check.tolerance is not None:
        expected = Expected(expected.array, check.tolerance, expected.digits)
    arrays = {"actual": _plain(actual), "expected": _plain(expected.array)}
    if actual.shape == expected.array.shape:
        arrays["near"] = _near(actual, expected).tolist()
    tokens = view.exercise.cases[mismatch.trial.case].tokens
    return {"arrays": arrays | ({"tokens": list(tokens)} if tokens else {})}


def _is_small(array: NDArray[Any]) -> bool:
    """Whether it is an array of real numbers that fits into a picture."""
    if array.dtype.kind not in "iuf" or not 1 <= array.ndim <= _MOST_AXES:
        return False
    return 0 < array.size <= _MOST_ENTRIES and max(array.shape) <= _MOST_ALONG


def _near(actual: NDArray[Any], expected: Expected) -> NDArray[np.bool_]:
    numbers = actual.astype(np.float64)
    with np.errstate(all="ignore"):
        near: NDArray[np.bool_] = np.abs(numbers - expected.array) <= expected.margin(actual)
    same: NDArray[np.bool_] = near | (numbers == expected.array)
    return same


def _plain(array: NDArray[Any]) -> Any:
    """Nested lists of numbers in six significant digits; what JSON has not (nan, inf) as text."""
    if array.ndim:
        return [_plain(part) for part in array]
    value = float(array)
    return float(f"{value:.6g}") if math.isfinite(value) else str(value)
