"""Draw the inputs of a case: the same seed, submission, exercise, case and draw give the same numbers."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

import numpy as np
from numpy.random.bit_generator import ISeedSequence
from numpy.typing import NDArray

from autograder.model.exercise import Case, Exercise
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
from autograder.model.outcome import FunctionArgument, Value

#: Calls a reference function with arguments by name; outputs in order.
Reference: TypeAlias = Callable[[str, Mapping[str, Value]], Mapping[str, NDArray[Any]]]

_TRIES = 500


class _Digest(ISeedSequence):
    """A seed that is a digest already, and so needs none of SeedSequence's own mixing (three times faster)."""

    def __init__(self, digest: bytes) -> None:
        self._digest = digest

    def generate_state(self, n_words: int, dtype: Any = np.uint32) -> NDArray[Any]:
        return np.frombuffer(self._digest, dtype)[:n_words]


class Seed:
    """What generators are made from: the texts of these parts, and of those that each adds."""

    def __init__(self, *parts: object) -> None:
        self._hash = hashlib.sha256("\x1f".join(map(str, parts)).encode())

    def generator(self, *more: object) -> np.random.Generator:
        """A generator seeded by all parts' texts alone."""
        digest = self._hash.copy()
        digest.update("".join([f"\x1f{part}" for part in more]).encode())
        seed: Any = _Digest(digest.digest())  # numpy takes any ISeedSequence; its stubs do not say so
        return np.random.Generator(np.random.PCG64(seed))


def generator(*parts: object) -> np.random.Generator:
    """A generator seeded by the parts' texts alone."""
    return Seed(*parts).generator()


def draw_sizes(exercise: Exercise, case: Case, rng: np.random.Generator) -> Mapping[str, int]:
    """A value for every size of the exercise, all distinct so that a mixed-up axis shows.

    ValueError if the ranges leave no distinct choice.
    """
    if not case.sizes and exercise.size_choices:
        # A chance is drawn evenly from [0, 1), so each choice is equally likely.
        return exercise.size_choices[int(rng.random() * len(exercise.size_choices))]
    for _ in range(_TRIES):
        chosen = {
            name: case.sizes[name] if name in case.sizes else values[int(rng.random() * len(values))]
            for name, values in exercise.free_sizes
        }
        sizes = exercise.with_products(chosen)
        if _fit(exercise, case, sizes):
            return sizes
    raise ValueError(f"the sizes of {exercise.id} leave no distinct choice in {_TRIES} tries")


def _fit(exercise: Exercise, case: Case, sizes: Mapping[str, int]) -> bool:
    """Whether all sizes are distinct; where a case fixes some, whether those that were drawn are."""
    if not case.sizes:
        return exercise.are_distinct(sizes)
    fixed = {sizes[name] for name, _ in exercise.free_sizes if name in case.sizes}
    drawn = [sizes[name] for name, _ in exercise.free_sizes if name not in case.sizes]
    return len(set(drawn)) == len(drawn) and fixed.isdisjoint(drawn)


def draw_case(
    exercise: Exercise,
    case: Case,
    rng: np.random.Generator,
    reference: Reference,
    *,
    sizes: Mapping[str, int] | None = None,
) -> dict[str, Value]:
    """The arguments of one draw, by name, in the order of the parameters; what is absent has its default."""
    if sizes is None:
        sizes = draw_sizes(exercise, case, rng) if exercise.sizes else {}
    drawn: dict[str, Value] = {}
    later = []
    for name, given in case.given.items():
        if isinstance(given, FromReference | FunctionOf):
            later.append((name, given))
        else:
            drawn[name] = _draw(given, sizes, rng, exercise.parameters[name].kind)
    for name, given in later:
        if isinstance(given, FromReference):
            drawn[name] = reference(given.reference, drawn)[given.output]
        else:
            drawn[name] = _draw_function(given, drawn, rng)
    return _in_order(exercise, drawn)


def _in_order(exercise: Exercise, drawn: Mapping[str, Value]) -> dict[str, Value]:
    """The arguments as a call by position needs them: a default that stands before a given one is written out."""
    arguments: dict[str, Value] = {}
    left = len(drawn)
    for name, parameter in exercise.parameters.items():
        if name in drawn:
            arguments[name] = drawn[name]
            left -= 1
            if not left:
                break
        else:
            arguments[name] = literal(parameter.default, parameter.kind)
    return arguments


def _draw(given: Any, sizes: Mapping[str, int], rng: np.random.Generator, kind: str) -> Value:
    recipe = _RECIPES.get(type(given))
    return literal(given, kind) if recipe is None else recipe(given, sizes, rng)


def _dims(shape: Shape, sizes: Mapping[str, int]) -> tuple[int, ...]:
    return tuple([size if isinstance(size, int) else sizes[size] for size in shape])


def _weights(given: Weights, sizes: Mapping[str, int], rng: np.random.Generator) -> NDArray[np.float64]:
    scores = rng.normal(0, given.std, _dims(given.weights, sizes))
    powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights: NDArray[np.float64] = powers / powers.sum(axis=-1, keepdims=True)
    return weights


#: How each recipe draws: from what is given, the sizes and the generator.
_RECIPES: Mapping[type, Callable[[Any, Mapping[str, int], np.random.Generator], Value]] = {
    Normal: lambda given, sizes, rng: rng.normal(given.mean, given.std, _dims(given.normal, sizes)),
    Uniform: lambda given, sizes, rng: rng.uniform(given.low, given.high, _dims(given.uniform, sizes)),
    Integers: lambda given, sizes, rng: rng.integers(
        given.low, given.high, _dims(given.integers, sizes), endpoint=True
    ),
    Weights: _weights,
    Constant: lambda given, sizes, rng: np.full(_dims(given.constant, sizes), given.value),
    SizeOf: lambda given, sizes, rng: sizes[given.size],
    IndexInto: lambda given, sizes, rng: int(rng.integers(sizes[given.index])),
}


def literal(given: Any, kind: str) -> Value:
    """Numbers written out, as what the parameter takes: an array, a number, a text."""
    if kind != "array":
        return given  # type: ignore[no-any-return]
    return np.array(given)


def _draw_function(
    given: FunctionOf, drawn: Mapping[str, Value], rng: np.random.Generator
) -> FunctionArgument:
    shape = np.shape(drawn[given.of])  # type: ignore[arg-type]
    parameters: dict[str, NDArray[Any]]
    if given.function == "quadratic":
        parameters = {"C": rng.normal(size=shape), "B": rng.normal(size=shape)}
    elif given.function == "sines":
        parameters = {"W": rng.normal(size=shape)}
    elif given.function == "total":
        parameters = {"a": np.asarray(rng.uniform(0.5, 1.5))}
    else:
        parameters = {"a": np.asarray(rng.normal(size=shape[0]))}
    return FunctionArgument(given.function, parameters)
