"""How outputs must change when an argument does (metamorphic relations).

Each relation varies the arguments of a call, and says what the outputs of the varied call must be, given
those of the first: both are the submission's own, so no reference value is needed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from autograder.model.check import RelationCheck
from autograder.model.outcome import Value
from autograder.numeric.compare import numbers_of

Arguments: TypeAlias = Mapping[str, Value]
Memo: TypeAlias = Mapping[str, Any]
Numbers: TypeAlias = NDArray[Any]


@dataclass(frozen=True, slots=True)
class Relation:
    """`vary` makes the changed arguments and a memo; `follow` makes what an output must become."""

    vary: Callable[[Arguments, RelationCheck, np.random.Generator], tuple[dict[str, Value], Memo]]
    follow: Callable[[Numbers, Memo], Numbers]
    needs: frozenset[str]


def _array(arguments: Arguments, name: str) -> Numbers:
    return np.asarray(numbers_of(arguments[name]))


def _shift_rows(
    arguments: Arguments, check: RelationCheck, rng: np.random.Generator
) -> tuple[dict[str, Value], Memo]:
    name = str(check.shift)
    array = _array(arguments, name)
    constants = rng.uniform(1, 3, (*array.shape[:-1], 1)) * rng.choice([-1, 1], (*array.shape[:-1], 1))
    return {**arguments, name: array + constants}, {}


def _permute_rows(
    arguments: Arguments, check: RelationCheck, rng: np.random.Generator
) -> tuple[dict[str, Value], Memo]:
    names = check.permute or ()
    rows = len(_array(arguments, names[0]))
    order = np.roll(np.arange(rows), int(rng.integers(1, max(rows, 2))))
    changed: dict[str, Value] = {name: _array(arguments, name)[order] for name in names}
    return {**arguments, **changed}, {"order": order}


def _replace(
    arguments: Arguments, check: RelationCheck, rng: np.random.Generator
) -> tuple[dict[str, Value], Memo]:
    name = str(check.replace)
    return {**arguments, name: rng.normal(0, 2, _array(arguments, name).shape)}, {}


def _double(
    arguments: Arguments, check: RelationCheck, rng: np.random.Generator
) -> tuple[dict[str, Value], Memo]:
    name = str(check.double)
    return {**arguments, name: 2 * _array(arguments, name)}, {}


def _unchanged(output: Numbers, memo: Memo) -> Numbers:
    return output


def _columns_permuted(output: Numbers, memo: Memo) -> Numbers:
    return output[..., memo["order"]]


def _rows_permuted(output: Numbers, memo: Memo) -> Numbers:
    return output[memo["order"]]


def _doubled(output: Numbers, memo: Memo) -> Numbers:
    with np.errstate(all="ignore"):
        return 2.0 * output  # a float, so that small whole numbers do not wrap round


RELATIONS: Mapping[str, Relation] = {
    "unchanged_when_rows_shift": Relation(_shift_rows, _unchanged, frozenset({"shift"})),
    "unchanged_when_rows_permute": Relation(_permute_rows, _unchanged, frozenset({"permute"})),
    "columns_follow_when_rows_permute": Relation(_permute_rows, _columns_permuted, frozenset({"permute"})),
    "rows_follow_when_rows_permute": Relation(_permute_rows, _rows_permuted, frozenset({"permute"})),
    "unchanged_when_replaced": Relation(_replace, _unchanged, frozenset({"replace"})),
    "doubles_when_doubled": Relation(_double, _doubled, frozenset({"double"})),
}
