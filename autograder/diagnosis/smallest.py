"""Small inputs of an exercise, smallest first, and what is said of one that fails.

The inputs are made afresh from the recipes of visible cases: sizes of 1 and 2, entries from -2 to 2. No number of a
hidden case goes into them, so they may be shown where the hidden one may not.
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
from autograder.wording.say import number, place

#: How an outcome is wrong: "value", "shape", "nothing", "kind", or the exception's type; None if it is right.
Fault: TypeAlias = "str | None"

#: Characters of the inputs and of a row that are still read.
_INPUT_CHARS, _ROW_CHARS = 130, 60
_SIZES = (1, 2)
_CYCLE = (0, 1, 2, -1, -2)
_FILLS = 4


@dataclass(frozen=True, slots=True)
class Blank:
    """What an input is made of once its sizes are chosen: the entries of every array that has to be filled."""

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

    def filled(self, fills: Mapping[str, NDArray[np.int64]], reference: Reference) -> dict[str, Value]:
        """The arguments by name, in the order of the parameters, with these whole numbers in their places."""
        drawn: dict[str, Value] = {}
        for name, given in self.case.given.items():
            if not isinstance(given, FromReference | FunctionOf):
                drawn[name] = self._value(name, given, fills)
        for name, given in self.case.given.items():
            if isinstance(given, FromReference):
                drawn[name] = reference(given.reference, drawn)[given.output]
            elif isinstance(given, FunctionOf):
                parts = {key.partition(".")[2]: fills[key] + 0.0 for key in fills if key.startswith(f"{name}.")}
                drawn[name] = FunctionArgument(given.function, parts)
        return {name: drawn[name] for name in self.exercise.parameters if name in drawn}

    def _value(self, name: str, given: Any, fills: Mapping[str, NDArray[np.int64]]) -> Value:
        match given:
            case Integers():
                return np.clip(fills[name], given.low, given.high)
            case Weights():
                return _distributions(fills[name])
            case Constant():
                return np.full(self.shapes[name], given.value)
            case SizeOf():
                return self.sizes[given.size]
            case IndexInto():
                return self.sizes[given.index] - 1
        return fills[name] + 0.0 if name in fills else literal(given, self.exercise.parameters[name].kind)


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


def _distributions(fill: NDArray[np.int64]) -> NDArray[np.float64]:
    """Rows of simple weights: as large as the whole numbers say, 1 in all, even where those are all alike."""
    raised = fill - fill.min(axis=1, keepdims=True)
    raised = np.where(raised.sum(axis=1, keepdims=True) == 0, 1, raised)
    weights: NDArray[np.float64] = raised / raised.sum(axis=1, keepdims=True)
    return weights


# Which inputs there are.


def templates(exercise: Exercise, failed: Sequence[str]) -> tuple[Case, ...]:
    """Visible drawn cases to make small inputs of: the failed ones first, fractions before whole numbers.

    One whose arrays have sizes written out as numbers cannot be made smaller and is left out.
    """
    fit = [
        (name, case)
        for name, case in exercise.cases.items()
        if case.drawn and not case.hidden and _is_symbolic(case)
    ]
    order = sorted(fit, key=lambda one: (one[0] not in failed, _is_whole(one[1])))
    return tuple(case for _, case in order)


def _is_symbolic(case: Case) -> bool:
    shapes = [shape for given in case.given.values() if (shape := _shape_of(given)) is not None]
    return bool(shapes) and all(isinstance(size, str) for shape in shapes for size in shape)


def _is_whole(case: Case) -> bool:
    return any(isinstance(given, Integers) for given in case.given.values())


def blanks(exercise: Exercise, case: Case, *, largest: int = max(_SIZES)) -> tuple[Blank, ...]:
    """All choices of small sizes, those with the fewest numbers to fill in first."""
    free = [name for name, size in exercise.sizes.items() if not isinstance(size, Product)]
    choices = [(case.sizes[name],) if name in case.sizes else tuple(range(1, largest + 1)) for name in free]
    found = [
        Blank(exercise, case, _with_products(exercise, dict(zip(free, chosen, strict=True))))
        for chosen in product(*choices)
    ]
    return tuple(sorted(found, key=lambda blank: blank.entries))


def _with_products(exercise: Exercise, sizes: dict[str, int]) -> dict[str, int]:
    for name, size in exercise.sizes.items():
        if isinstance(size, Product):
            sizes[name] = math.prod(sizes[factor] for factor in size.product)
    return sizes


def ladder(exercise: Exercise, case: Case, reference: Reference) -> Iterator[dict[str, Value]]:
    """Some small inputs of a case, the smallest first, each short enough to be read."""
    for blank in blanks(exercise, case):
        shapes = blank.shapes
        for kind in range(_FILLS):
            fills = {name: _fill(shape, kind, index) for index, (name, shape) in enumerate(shapes.items())}
            arguments = blank.filled(fills, reference)
            if len(shown_inputs(arguments)) <= _INPUT_CHARS:
                yield arguments


def _fill(shape: tuple[int, ...], kind: int, index: int) -> NDArray[np.int64]:
    """Whole numbers from -2 to 2 for the array of this index: one 1 at the end, or a cycle from another start."""
    size = math.prod(shape)
    if kind == 0:
        numbers = [0] * (size - 1) + [1] if size else []
    else:
        numbers = [_CYCLE[(place * kind + index + kind) % len(_CYCLE)] for place in range(size)]
    return np.array(numbers, dtype=np.int64).reshape(shape)


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
    if len(inputs) > _INPUT_CHARS:
        return None
    said = _fault_words(outcome, outputs, expected)
    return Idea("smallest", said[0], {"inputs": inputs} | said[1]) if said is not None else None


def _fault_words(
    outcome: Outcome, outputs: Mapping[str, NDArray[Any]] | None, expected: Mapping[str, Expected]
) -> tuple[str, dict[str, Any]] | None:
    fault = fault_of(outcome, outputs, expected)
    if fault in ("nothing", "kind"):
        return f"smallest.{fault}", {}
    if isinstance(outcome, Raised):
        return "smallest.raised", {"type": outcome.type_name}
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
    return "smallest.entry", {"index": place([int(i) for i in first]), "actual": left[1:-1], "expected": right[1:-1]}


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
