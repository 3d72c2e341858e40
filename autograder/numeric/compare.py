"""Compare an actual value with the expected one and say how they differ, in numpy's order of explanation.

Missing or wrong kind of value, then shape, then NaN and inf, then values:
|actual − expected| ≤ atol + rtol·|expected|, one formula, here alone.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from autograder.model.check import Tolerance
from autograder.model.outcome import Listed, Unsendable, Value

#: A float32 result is compared no more strictly than this.
SINGLE = Tolerance(atol=1e-5, rtol=1e-4)

#: The type characters of float32 and complex64.
_SINGLE_CHARS = "fF"

_SHOWN = 3


@dataclass(frozen=True)
class Expected:
    """What an output must be: values, and elementwise how near is near enough.

    `digits` is an array of the printed digits of each entry, −1 where nothing is printed, or None.
    """

    array: NDArray[Any]
    tolerance: Tolerance
    digits: NDArray[np.int64] | None = None

    def margin(self, actual: NDArray[Any]) -> NDArray[np.float64]:
        """The largest |actual − expected| that passes, entry by entry."""
        tolerance = self.tolerance
        if actual.dtype.char in _SINGLE_CHARS:
            return self._margin(max(tolerance.atol, SINGLE.atol), max(tolerance.rtol, SINGLE.rtol))
        return self._own_margin

    @cached_property
    def _own_margin(self) -> NDArray[np.float64]:
        return self._margin(self.tolerance.atol, self.tolerance.rtol)

    def _margin(self, atol: float, rtol: float) -> NDArray[np.float64]:
        size = np.abs(as_floats(self.array))
        relative = rtol * np.where(np.isfinite(size), size, 0.0)
        margin: NDArray[np.float64] = atol + relative
        if self.digits is not None:
            # A true value may lie at the edge of what is printed: there, too, the last digits of a float are free.
            half_a_unit = 0.5 * 10.0 ** -self.digits.astype(float) * (1 + 1e-6)
            margin = np.where(self.digits >= 0, half_a_unit + relative, margin)
        return margin


@dataclass(frozen=True, slots=True)
class Difference:
    """How an output differs: a code of the wording catalogue and what its text needs."""

    code: str
    params: Mapping[str, Any] = field(default_factory=dict)


def numbers_of(value: Value) -> NDArray[Any] | None:
    """The value as an array of numbers, or None if it is no number, array or regular list of them.

    Truth values are 0 and 1; complex numbers without an imaginary part are the real ones that they equal.
    """
    if type(value) is np.ndarray:
        return _numbers(value)
    if isinstance(value, Listed):
        return _numbers(value.array)
    if isinstance(value, np.ndarray | np.generic | bool | int | float | complex):
        return _numbers(np.asarray(value))
    if isinstance(value, tuple | list) and value:
        parts = [numbers_of(item) for item in value]
        if all(part is not None and part.shape == parts[0].shape for part in parts):  # type: ignore[union-attr]
            return np.stack(parts)  # type: ignore[arg-type]
    return None


def _numbers(array: NDArray[Any]) -> NDArray[Any] | None:
    kind = array.dtype.kind
    if kind == "b":
        return array.astype(np.float64)
    if kind == "c" and not array.imag.any():
        return array.real
    return array if kind in "iufc" else None


def kind_of(value: Value) -> str:
    """A word or two for what came back, such as "None", "a tuple of 2", "text"."""
    if value is None:
        return "None"
    if isinstance(value, Unsendable):
        return value.type_name
    if isinstance(value, str):
        return "text"
    if isinstance(value, tuple | list):
        return f"a {type(value).__name__} of {len(value)}"
    axes = value.array.ndim if isinstance(value, Listed) else np.ndim(value)  # type: ignore[arg-type]
    return "one array" if axes else "one number"


def outputs_of(value: Value, names: Sequence[str]) -> tuple[Value, ...] | Difference:
    """The value as one output a name, or why it cannot be taken so.

    A list, or an array whose first axis has the right length, is taken apart as tuple unpacking would.
    """
    if value is None:
        return Difference("value.nothing", {"outputs": list(names)})
    if len(names) == 1:
        if isinstance(value, tuple) and len(value) == 1:
            return Difference("value.tuple_for_one", {"output": names[0]})
        return (value,)
    if isinstance(value, Listed) and value.was != "matrix":
        if len(value.array) != len(names):
            return _miscounted(f"a {value.was} of {len(value.array)}", names)
        value = tuple(value.array)
    if isinstance(value, np.ndarray) and value.ndim >= 1 and len(value) == len(names):
        value = tuple(value)
    if not isinstance(value, tuple | list) or len(value) != len(names):
        return _miscounted(kind_of(value), names)
    return tuple(value)


def _miscounted(actual: str, names: Sequence[str]) -> Difference:
    return Difference("value.count", {"actual": actual, "expected": len(names), "outputs": list(names)})


def compare(actual: Value, expected: Expected) -> Difference | None:
    """How the actual output differs from the expected one, or None if it is near enough."""
    array = numbers_of(actual)
    if array is None:
        return Difference("value.kind", {"actual": kind_of(actual), "shape": list(expected.array.shape)})
    if array.shape != expected.array.shape:
        if isinstance(actual, tuple):  # several results of one shape, not one array with an axis more
            return Difference("value.kind", {"actual": kind_of(actual), "shape": list(expected.array.shape)})
        return _shapes_differ(array, expected.array)
    margin = expected.margin(array)
    # Floats from here on: the difference of two whole numbers may wrap round.
    array = as_floats(array)
    with np.errstate(all="ignore"):
        near = (np.abs(array - expected.array) <= margin) | (array == expected.array)  # or both infinite
    return None if near.all() else _values_differ(array, expected, ~near)


def all_near(actual: Sequence[Value], expected: Sequence[Expected], tolerance: Tolerance) -> bool:
    """Whether `compare` finds every value near enough, told in one go, and all expected ones are finite.

    False also where it cannot be told in one go: then compare them one by one.
    """
    left, right = [], []
    for value, wanted in zip(actual, expected, strict=True):
        array = numbers_of(value)
        if (
            array is None
            or array.shape != wanted.array.shape
            or not (_is_plain(array) and _is_plain(wanted.array))
        ):
            return False
        if wanted.digits is not None or wanted.tolerance is not tolerance:
            if compare(array, wanted) is not None or not np.isfinite(wanted.array).all():
                return False
            continue
        left.append(array.ravel())
        right.append(wanted.array.ravel())
    if not left:
        return bool(actual)
    with np.errstate(all="ignore"):
        there = np.concatenate(right, dtype=np.float64)
        margin = tolerance.atol + tolerance.rtol * np.abs(there)
        near = np.abs(np.concatenate(left, dtype=np.float64) - there) <= margin
        return bool(near.all() and np.isfinite(margin).all())


def as_floats(array: NDArray[Any]) -> NDArray[Any]:
    """The array with whole numbers as floats, which do not wrap round."""
    return array.astype(np.float64) if array.dtype.kind in "iu" else array


def _is_plain(array: NDArray[Any]) -> bool:
    """Whether an array is compared as float64: no complex or single-precision numbers."""
    return array.dtype.kind in "iuf" and array.dtype.char not in _SINGLE_CHARS


def _shapes_differ(actual: NDArray[Any], expected: NDArray[Any]) -> Difference:
    turned = actual.ndim == expected.ndim == 2 and actual.shape == expected.shape[::-1]
    code = "shape.transposed" if turned else "shape.differs" if expected.ndim else "shape.number"
    return Difference(code, {"actual": list(actual.shape), "expected": list(expected.shape)})


def _values_differ(actual: NDArray[Any], expected: Expected, far: NDArray[np.bool_]) -> Difference:
    """Not finite before far off; the first few places with both values."""
    params: dict[str, Any] = {"total": int(far.size)}
    bad = ~np.isfinite(actual)
    if bad.any():
        nan = int(np.isnan(actual).sum())
        params |= {"count": int(bad.sum()), "nan": nan, "inf": int(bad.sum()) - nan, "first": _places(bad)[0]}
        return Difference("value.not_finite", params | {"shown": _shown(actual, expected.array, bad)})
    with np.errstate(all="ignore"):
        size = np.abs(actual - expected.array)[far]
        relative = (size / np.abs(expected.array[far]))[expected.array[far] != 0]
    params |= {
        "count": int(far.sum()),
        "shown": _shown(actual, expected.array, far),
        "largest_difference": _plain(size.max()),
        "largest_relative": _plain(relative.max()) if relative.size else None,
    }
    if expected.digits is not None and (expected.digits[far] >= 0).all():
        params["printed_digits"] = int(expected.digits[far].max())
    return Difference("value.differs", params)


def _places(mask: NDArray[np.bool_]) -> list[list[int]]:
    return [[int(i) for i in place] for place in np.argwhere(mask)[:_SHOWN]]


def _shown(actual: NDArray[Any], expected: NDArray[Any], mask: NDArray[np.bool_]) -> list[dict[str, Any]]:
    return [
        {"index": place, "actual": _plain(actual[tuple(place)]), "expected": _plain(expected[tuple(place)])}
        for place in _places(mask)
    ]


def _plain(number: Any) -> float | str:
    """A number as JSON has it; what JSON has not (nan, inf, complex) as text."""
    if isinstance(number, complex | np.complexfloating):
        return str(complex(number))
    value = float(number)
    return value if np.isfinite(value) else str(value)


def same(left: Value, right: Value, tolerance: Tolerance) -> bool:
    """Whether two actual values agree, NaN and inf included, at the tolerance; shapes must be equal."""
    a, b = numbers_of(left), numbers_of(right)
    if a is None or b is None:
        return _same_parts(left, right, tolerance)
    if a.shape != b.shape:
        return False
    if a.dtype == b.dtype and a.tobytes() == b.tobytes():  # NaN of the same bits included
        return True
    single = a.dtype.char in _SINGLE_CHARS or b.dtype.char in _SINGLE_CHARS
    atol = max(tolerance.atol, SINGLE.atol) if single else tolerance.atol
    rtol = max(tolerance.rtol, SINGLE.rtol) if single else tolerance.rtol
    if a.dtype.char == b.dtype.char == "d" and _all_near(a, b, rtol, atol):
        return True
    return bool(np.isclose(a, b, rtol=rtol, atol=atol, equal_nan=True).all())


def _all_near(a: NDArray[np.float64], b: NDArray[np.float64], rtol: float, atol: float) -> bool:
    """Whether finite numbers agree, by isclose's own formula without its handling of all else."""
    with np.errstate(all="ignore"):
        size = np.abs(b)
        return bool((np.abs(a - b) <= atol + rtol * size).all() and np.isfinite(size).all())


def _same_parts(left: Value, right: Value, tolerance: Tolerance) -> bool:
    if isinstance(left, tuple | list) and isinstance(right, tuple | list):
        return len(left) == len(right) and all(
            same(a, b, tolerance) for a, b in zip(left, right, strict=True)
        )
    return type(left) is type(right) and left == right
