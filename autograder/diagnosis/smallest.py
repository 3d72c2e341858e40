"""Small inputs of an exercise, smallest first, and what is said of one that fails.

The inputs are made afresh from the recipes of visible cases: sizes of 1 and 2, entries from -2 to 2. No
number of a hidden case goes into them, so they may be shown where the hidden one may not.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from autograder.diagnosis.sample import Idea, agrees
from autograder.model.exercise import Case, Exercise, Product
from autograder.model.given import (
    Constant,
    FromReference,
    FunctionOf,
    IndexInto,
    Integers,
    Normal,
    Shape,
    SizeOf,
    Uniform,
    Weights,
)
from autograder.model.outcome import FunctionArgument, Outcome, Raised, Returned, Value
from autograder.numeric.compare import Expected
from autograder.numeric.draw import Reference, literal
from autograder.wording.say import number, place, say

#: How an outcome is wrong: "value", "shape", "nothing", "kind", or the exception's type; None if it is right.
Fault: TypeAlias = "str | None"

#: Characters of the inputs and of a row that are still read.
INPUT_CHARS, _ROW_CHARS = 130, 60
_CYCLE = (0, 1, 2, -1, -2)
#: A case with larger figures than this is about large numbers.
_MODERATE = 50
#: With more entries than this an input is too long to be read.
_ENTRIES = 30
#: In how many fixed ways an input is filled.
FILLS = 6


@dataclass(frozen=True, slots=True)
class Blank:
    """An input once its sizes are chosen: the entries of its arrays have still to be filled in."""

    exercise: Exercise
    case: Case
    sizes: Mapping[str, int]

    @property
    def shapes(self) -> dict[str, tuple[int, ...]]:
        """Shapes of the arrays to fill by name, functions' parameters included."""
        found = {}
        for name, given in self.case.given.items():
            shape = _shape_of(given)
            if shape is not None:
                found[name] = tuple(size if isinstance(size, int) else self.sizes[size] for size in shape)
        for name, given in self.case.given.items():
            if isinstance(given, FunctionOf) and given.of in found:
                found |= {f"{name}.{part}": shape for part, shape in _parts(given, found[given.of]).items()}
        return found

    @property
    def entries(self) -> int:
        """How many numbers have to be filled in."""
        return sum(math.prod(shape) for shape in self.shapes.values())

    def filled(self, fills: Mapping[str, NDArray[Any]], reference: Reference) -> dict[str, Value]:
        """The arguments by name, in the order of the parameters, with these whole numbers in their places."""
        drawn: dict[str, Value] = {}
        for name in self.case.given:
            given = self._given(name)
            if not isinstance(given, FromReference | FunctionOf):
                drawn[name] = self._value(name, given, fills)
        for name, given in self.case.given.items():
            if isinstance(given, FromReference):
                drawn[name] = reference(given.reference, drawn)[given.output]
            elif isinstance(given, FunctionOf):
                parts = {
                    key.partition(".")[2]: np.asarray(fills[key], dtype=np.float64)
                    for key in fills
                    if key.startswith(f"{name}.")
                }
                drawn[name] = FunctionArgument(given.function, parts)
        return {name: drawn[name] for name in self.exercise.parameters if name in drawn}

    def _given(self, name: str) -> Any:
        """The recipe of an argument: of a written whole number that other cases draw from a size, theirs."""
        given = self.case.given[name]
        if not isinstance(given, int):
            return given
        others = [case.given.get(name) for case in self.exercise.cases.values()]
        return next((other for other in others if isinstance(other, SizeOf | IndexInto)), given)

    def of_kind(self, kind: int, reference: Reference) -> dict[str, Value]:
        """The arguments filled in one of the fixed ways, `kind` from 0 to FILLS - 1."""
        fills = {name: fill(shape, kind, index) for index, (name, shape) in enumerate(self.shapes.items())}
        return self.filled(fills, reference)

    def _value(self, name: str, given: Any, fills: Mapping[str, NDArray[Any]]) -> Value:
        match given:
            case Integers():
                return np.asarray(np.clip(fills[name], given.low, given.high), dtype=np.int64)
            case Weights():
                return _distributions(fills[name])
            case Constant():
                return np.full(self.shapes[name], given.value)
            case SizeOf():
                return int(self.sizes[given.size])
            case IndexInto():
                return max(self.sizes[given.index] - 1, 0)
        if name in fills:
            return np.asarray(fills[name], dtype=np.float64)
        value: Value = literal(given, self.exercise.parameters[name].kind)
        return value


def _shape_of(given: Any) -> Shape | None:
    match given:
        case Normal(normal=shape) | Uniform(uniform=shape) | Integers(integers=shape):
            return shape
        case Weights(weights=shape) | Constant(constant=shape):
            return shape
    return None


def _parts(given: FunctionOf, shape: tuple[int, ...]) -> dict[str, tuple[int, ...]]:
    """The arrays of a function's family, for an argument of this shape."""
    if given.function == "quadratic":
        return {"C": shape, "B": shape}
    return {"W": shape} if given.function == "sines" else {"a": shape[:1]}


def _distributions(fill: NDArray[Any]) -> NDArray[np.float64]:
    """Rows of simple weights: as large as the whole numbers say, 1 in all, even where those are all alike."""
    raised = fill - fill.min(axis=1, keepdims=True)
    raised = np.where(raised.sum(axis=1, keepdims=True) == 0, 1, raised)
    weights: NDArray[np.float64] = raised / raised.sum(axis=1, keepdims=True)
    return weights


# Which inputs there are.


def templates(exercise: Exercise, names: Sequence[str]) -> tuple[Case, ...]:
    """Those of the named cases that small inputs can be made of, fewest numbers of their own first.

    A hidden case is none: its numbers would show. Neither is one whose sizes are written out as numbers, or
    whose entries are large by intent.
    """
    cases = [exercise.cases[name] for name in dict.fromkeys(names)]
    fit = [
        case for case in cases if case.drawn and not case.hidden and _is_symbolic(case) and _is_moderate(case)
    ]
    return tuple(sorted(fit, key=lambda case: (_is_whole(case), _written(case))))


def _is_symbolic(case: Case) -> bool:
    shapes = [shape for given in case.given.values() if (shape := _shape_of(given)) is not None]
    return bool(shapes) and all(isinstance(size, str) for shape in shapes for size in shape)


def _is_moderate(case: Case) -> bool:
    figures = [
        abs(getattr(given, figure, 0))
        for given in case.given.values()
        for figure in ("mean", "std", "low", "high")
    ]
    return max(figures, default=0) <= _MODERATE


def _is_whole(case: Case) -> bool:
    return any(isinstance(given, Integers) for given in case.given.values())


def _written(case: Case) -> int:
    """How many arguments and sizes the case writes out."""
    return len(case.sizes) + sum(isinstance(given, int | float | tuple) for given in case.given.values())


def starts(exercise: Exercise, case: Case) -> tuple[Blank, ...]:
    """Choices of sizes to begin with: all of them 2, then different ones, so that wrong axes show."""
    free = _free(exercise)
    plans = ((2,), (2, 3, 1, 3), (1, 3, 2, 2), (3, 1, 2, 1))
    chosen = [{name: plan[i % len(plan)] for i, name in enumerate(free)} for plan in plans]
    return tuple(_blank(exercise, case, sizes) for sizes in chosen)


def smaller(blank: Blank) -> Iterator[Blank]:
    """The same with one size made smaller, the largest step of each size first."""
    free = _free(blank.exercise)
    for name in free:
        for size in range(1, blank.sizes[name]):
            sizes = {other: blank.sizes[other] for other in free} | {name: size}
            yield Blank(blank.exercise, blank.case, _with_products(blank.exercise, sizes))


def all_blanks(exercise: Exercise, case: Case, largest: int) -> tuple[Blank, ...]:
    """All choices of sizes up to the largest whose inputs can be read, those with few numbers first."""
    free = _free(exercise)
    found = {}
    for chosen in product(range(1, largest + 1), repeat=len(free)):
        blank = _blank(exercise, case, dict(zip(free, chosen, strict=True)))
        if blank.entries <= _ENTRIES:
            found[tuple(blank.sizes.items())] = blank
    return tuple(sorted(found.values(), key=lambda blank: blank.entries))


def _free(exercise: Exercise) -> list[str]:
    return [name for name, size in exercise.sizes.items() if not isinstance(size, Product)]


def _blank(exercise: Exercise, case: Case, sizes: dict[str, int]) -> Blank:
    fixed = {name: size for name, size in case.sizes.items() if name in sizes}
    return Blank(exercise, case, _with_products(exercise, sizes | fixed))


def _with_products(exercise: Exercise, sizes: dict[str, int]) -> dict[str, int]:
    for name, size in exercise.sizes.items():
        if isinstance(size, Product):
            sizes[name] = math.prod(sizes[factor] for factor in size.product)
    return sizes


def fill(shape: tuple[int, ...], kind: int, index: int) -> NDArray[Any]:
    """Numbers from -2 to 2 for the array of this index, other ones for each kind; halves in the last kind."""
    size = math.prod(shape)
    if kind == 0:  # one 1, at the end
        numbers: list[float] = [int(place == size - 1) for place in range(size)]
    elif kind == 1:  # ones on the diagonal, moved on from array to array
        numbers = [int(place % (shape[-1] + 1) == index % 2) for place in range(size)]
    else:
        numbers = [_CYCLE[(place * (kind - 1) + 2 * index + kind) % len(_CYCLE)] for place in range(size)]
    if kind == FILLS - 1:  # what is cut off to whole numbers shows
        numbers = [number / 2 for number in numbers]
    return np.array(numbers, dtype=np.float64 if kind == FILLS - 1 else np.int64).reshape(shape)


# How an outcome is wrong, and what is said of it.


def fault_of(
    outcome: Outcome, outputs: Mapping[str, NDArray[Any]] | None, expected: Mapping[str, Expected]
) -> Fault:
    """In what way an outcome is wrong, or None if it is right."""
    if isinstance(outcome, Raised):
        return outcome.type_name
    if not isinstance(outcome, Returned) or outcome.value is None:
        return "nothing"
    if outputs is None:
        return "kind"
    if any(outputs[name].shape != wanted.array.shape for name, wanted in expected.items()):
        return "shape"
    return None if all(agrees(outputs[name], wanted) for name, wanted in expected.items()) else "value"


def describe(
    arguments: Mapping[str, Value],
    outcome: Outcome,
    outputs: Mapping[str, NDArray[Any]] | None,
    expected: Mapping[str, Expected],
) -> Idea | None:
    """The small input with what came back and what should have; None if it is too long to be read."""
    inputs = shown_inputs(arguments)
    if len(inputs) > INPUT_CHARS:
        return None
    if any(isinstance(value, np.ndarray) and value.dtype.kind in "iu" for value in arguments.values()):
        inputs = say("smallest.whole", {"inputs": inputs})
    said = _fault_words(outcome, outputs, expected)
    return Idea("smallest", said[0], {"inputs": inputs} | said[1]) if said is not None else None


def _fault_words(
    outcome: Outcome, outputs: Mapping[str, NDArray[Any]] | None, expected: Mapping[str, Expected]
) -> tuple[str, dict[str, Any]] | None:
    fault = fault_of(outcome, outputs, expected)
    if isinstance(outcome, Raised):
        name = outcome.type_name  # of a class that may have been made up
        return "smallest.raised", {"type": name if name.isidentifier() else say("told.exception")}
    if fault is None or outputs is None:
        return None
    for name, wanted in expected.items():
        if not agrees(outputs[name], wanted):
            words = {"output": f"{name} " if len(expected) > 1 else ""}
            code, more = _array_words(outputs[name], wanted.array)
            return code, words | more
    return None


def _array_words(actual: NDArray[Any], wanted: NDArray[Any]) -> tuple[str, dict[str, Any]]:
    if actual.shape != wanted.shape:
        return "smallest.shape", {"actual": actual.shape, "expected": wanted.shape}
    if not actual.shape:
        left, right = shown_rows(actual.reshape(1), wanted.reshape(1))
        return "smallest.number", {"actual": left[1:-1], "expected": right[1:-1]}
    with np.errstate(all="ignore"):
        far = ~(np.abs(actual - wanted) <= 1e-6 + 1e-5 * np.abs(wanted))
    first = np.argwhere(far)[0] if far.any() else np.zeros(actual.ndim, dtype=int)
    if actual.ndim == 2:
        left, right = shown_rows(actual[first[0]], wanted[first[0]])
        if max(len(left), len(right)) <= _ROW_CHARS:
            return "smallest.row", {"row": int(first[0]), "actual": left, "expected": right}
    left, right = shown_rows(actual[tuple(first)].reshape(1), wanted[tuple(first)].reshape(1))
    return "smallest.entry", {
        "index": place([int(i) for i in first]),
        "actual": left[1:-1],
        "expected": right[1:-1],
    }


def shown_rows(actual: NDArray[Any], wanted: NDArray[Any]) -> tuple[str, str]:
    """Two rows with as few digits as it takes to see that they differ."""
    for digits in (2, 4, 7, 10, 17):
        left, right = (_row(row, digits) for row in (actual, wanted))
        if left != right:
            break
    return left, right


def _row(row: NDArray[Any], digits: int) -> str:
    return "[" + ", ".join(number(float(entry) + 0.0, digits) for entry in row) + "]"


def shown_inputs(arguments: Mapping[str, Value]) -> str:
    """The arguments as they are written: S = [[0, 0], [0, 1]], d_k = 2."""
    return ", ".join(f"{name} = {_shown(value)}" for name, value in arguments.items())


def _shown(value: Value) -> str:
    if isinstance(value, FunctionArgument):
        parts = ", ".join(f"{name} = {_shown(array)}" for name, array in value.parameters.items())
        return f"{value.family}({parts})"
    if isinstance(value, np.ndarray):
        if value.ndim == 0:
            return number(float(value), 4)
        return "[" + ", ".join(_shown(part) for part in value) + "]"
    if isinstance(value, np.generic | float | int) and not isinstance(value, bool):
        return number(float(value), 4)
    return f'"{value}"' if isinstance(value, str) else str(value)
