"""Properties that every single output must have. Each yields what is wrong with one array."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from autograder.model.check import InvariantCheck, Tolerance
from autograder.model.outcome import Value
from autograder.numeric.compare import SINGLE, Difference, numbers_of

Numbers = NDArray[Any]


class Subject(NamedTuple):
    """One output under scrutiny, with the arguments of its call and how near is near enough."""

    array: Numbers
    arguments: Mapping[str, Value]
    check: InvariantCheck
    tolerance: Tolerance

    @property
    def near(self) -> float:
        """How far from a claim about numbers of size 1 is near enough."""
        single = self.array.dtype == np.float32
        atol = max(self.tolerance.atol, SINGLE.atol) if single else self.tolerance.atol
        rtol = max(self.tolerance.rtol, SINGLE.rtol) if single else self.tolerance.rtol
        return atol + rtol

    @property
    def limit(self) -> float:
        """The check's own limit, or the tolerance's."""
        return self.check.limit if self.check.limit is not None else self.near

    def argument(self) -> Numbers:
        """The argument that the property speaks of, as an array."""
        array = numbers_of(self.arguments[str(self.check.values)])
        return np.asarray(array)


@dataclass(frozen=True, slots=True)
class Invariant:
    """A property: the fields it needs in YAML, and what is wrong with an array that lacks it (None: nothing)."""

    find: Callable[[Subject], Difference | None]
    needs: frozenset[str] = frozenset()
    #: Whether every array has it that is near a finite one.
    of_all_near: bool = False


def _row_sums(subject: Subject, total: float, code: str) -> Difference | None:
    array, near = subject.array, subject.near
    rows = array.sum(axis=-1)
    if (np.abs(rows - total) <= near).all():
        return None
    # Rounding grows with the entries of a row; an infinite one would make every sum near enough.
    slack = near * np.maximum(1.0, np.abs(array).max(axis=-1, initial=0.0))
    far = ~(np.isfinite(rows) & (np.abs(rows - total) <= slack))
    if not far.any():
        return None
    row = int(np.argmax(far))
    columns = array.sum(axis=0)
    turned = bool(np.all(np.abs(columns - total) <= near)) and array.ndim == 2
    whole = bool(abs(array.sum() - total) <= near)
    suffix = ".columns" if turned else ".whole" if whole and total else ""
    return Difference(code + suffix, {"row": row, "sum": _plain(rows.flat[row])})


def _rows_sum_to_one(subject: Subject) -> Difference | None:
    return _row_sums(subject, 1.0, "invariant.rows_sum_to_one")


def _rows_sum_to_zero(subject: Subject) -> Difference | None:
    return _row_sums(subject, 0.0, "invariant.rows_sum_to_zero")


def _not_negative(subject: Subject) -> Difference | None:
    bad = ~(subject.array >= 0)
    return _first(subject.array, bad, "invariant.not_negative")


def _finite(subject: Subject) -> Difference | None:
    return _first(subject.array, ~np.isfinite(subject.array), "invariant.finite")


def _first(array: Numbers, bad: NDArray[np.bool_], code: str) -> Difference | None:
    if not np.count_nonzero(bad):
        return None
    place = tuple(int(i) for i in np.argwhere(bad)[0])
    return Difference(code, {"index": list(place), "actual": _plain(array[place]), "count": int(bad.sum())})


def _plain(value: Any) -> float | str:
    number = float(value)
    return number if math.isfinite(number) else str(number)


def _rows_have_mean_zero(subject: Subject) -> Difference | None:
    return _row_figure(subject, subject.array.mean(axis=-1), 0.0, "invariant.rows_have_mean_zero")


def _rows_have_deviation_one(subject: Subject) -> Difference | None:
    return _row_figure(subject, subject.array.std(axis=-1), 1.0, "invariant.rows_have_deviation_one")


def _row_figure(subject: Subject, figures: Numbers, claim: float, code: str) -> Difference | None:
    far = ~(np.abs(figures - claim) <= subject.limit)
    if not far.any():
        return None
    row = int(np.argmax(far))
    return Difference(code, {"row": row, "figure": _plain(figures.flat[row])})


def _within_range_of(subject: Subject) -> Difference | None:
    values = subject.argument()
    slack = subject.near * max(1.0, float(np.abs(values).max(initial=0.0)))
    low, high = values.min(axis=0) - slack, values.max(axis=0) + slack
    bad = ~((subject.array >= low) & (subject.array <= high))
    return _first(subject.array, bad, "invariant.within_range_of")


def _plain_average_of(subject: Subject) -> Difference | None:
    average = subject.argument().mean(axis=0)
    bad = ~(np.abs(subject.array - average) <= subject.near * np.maximum(1.0, np.abs(average)))
    return _first(subject.array, bad, "invariant.plain_average_of")


def _heads_side_by_side_give(subject: Subject) -> Difference | None:
    whole = subject.argument()
    joined = np.concatenate(list(subject.array), axis=-1)
    if joined.shape != whole.shape:
        return Difference("invariant.heads_side_by_side.shape", {"actual": list(joined.shape)})
    bad = ~(np.abs(joined - whole) <= subject.near * np.maximum(1.0, np.abs(whole)))
    return _first(joined, bad, "invariant.heads_side_by_side_give")


def _nearly_zero(subject: Subject) -> Difference | None:
    return _first(subject.array, ~(np.abs(subject.array) <= subject.limit), "invariant.nearly_zero")


def _spread_grows_like_root(subject: Subject) -> Difference | None:
    width = subject.argument().shape[-1]
    return _spread(subject, math.sqrt(width), "invariant.spread_grows_like_root")


def _spread_is_one(subject: Subject) -> Difference | None:
    return _spread(subject, 1.0, "invariant.spread_is_one")


def _spread(subject: Subject, claim: float, code: str) -> Difference | None:
    actual = float(subject.array)
    if abs(actual - claim) <= subject.limit * claim:
        return None
    return Difference(code, {"actual": _plain(actual), "claim": claim})


INVARIANTS: Mapping[str, Invariant] = {
    "rows_sum_to_one": Invariant(_rows_sum_to_one),
    "rows_sum_to_zero": Invariant(_rows_sum_to_zero),
    "not_negative": Invariant(_not_negative),
    "finite": Invariant(_finite, of_all_near=True),
    "rows_have_mean_zero": Invariant(_rows_have_mean_zero),
    "rows_have_deviation_one": Invariant(_rows_have_deviation_one, frozenset({"limit"})),
    "within_range_of": Invariant(_within_range_of, frozenset({"values"})),
    "plain_average_of": Invariant(_plain_average_of, frozenset({"values"})),
    "heads_side_by_side_give": Invariant(_heads_side_by_side_give, frozenset({"values"})),
    "nearly_zero": Invariant(_nearly_zero, frozenset({"limit"})),
    "spread_grows_like_root": Invariant(_spread_grows_like_root, frozenset({"values", "limit"})),
    "spread_is_one": Invariant(_spread_is_one, frozenset({"limit"})),
}
