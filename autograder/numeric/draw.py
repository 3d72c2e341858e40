"""Draw the inputs of a case: the same seed, submission, exercise, case and draw give the same numbers."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

import numpy as np
from numpy.random.bit_generator import ISeedSequence
from numpy.typing import NDArray

from autograder.model.exercise import Case, Exercise, OneOf, Product
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


def generator(*parts: object) -> np.random.Generator:
    """A generator seeded by the parts' texts alone."""
    digest = hashlib.sha256("\x1f".join(map(str, parts)).encode()).digest()
    seed: Any = _Digest(digest)  # numpy takes any ISeedSequence; its stubs do not say so
    return np.random.Generator(np.random.PCG64(seed))


def draw_sizes(exercise: Exercise, case: Case, rng: np.random.Generator) -> dict[str, int]:
    """A value for every size of the exercise, all distinct so that a mixed-up axis shows.

    ValueError if the ranges leave no distinct choice.
    """
    free = [name for name, size in exercise.sizes.items() if not isinstance(size, Product)]
    for _ in range(_TRIES):
        chances = rng.random(len(free)).tolist()  # one call of the generator costs as much as ten of Python
        chosen = {
            name: case.sizes.get(name, _choose(exercise.sizes[name], chance))
            for name, chance in zip(free, chances, strict=True)
        }
        drawn = [chosen[name] for name in free if name not in case.sizes]
        fixed = {chosen[name] for name in free if name in case.sizes}
        if len(set(drawn)) < len(drawn) or fixed & set(drawn):
            continue
        sizes = _with_products(exercise, chosen)
        if not case.sizes and not _distinct_products(exercise, sizes):
            continue
        return sizes
    raise ValueError(f"the sizes of {exercise.id} leave no distinct choice in {_TRIES} tries")


def _choose(size: Any, chance: float) -> int:
    """One of the size's values, all equally likely for a chance drawn evenly from [0, 1)."""
    if isinstance(size, OneOf):
        return size.one_of[int(chance * len(size.one_of))]
    low, high = size
    return int(low + int(chance * (high - low + 1)))


def _with_products(exercise: Exercise, chosen: Mapping[str, int]) -> dict[str, int]:
    sizes = dict(chosen)
    for name, size in exercise.sizes.items():
        if isinstance(size, Product):
            sizes[name] = math.prod(sizes[factor] for factor in size.product)
    return sizes


def _distinct_products(exercise: Exercise, sizes: Mapping[str, int]) -> bool:
    for name, size in exercise.sizes.items():
        if isinstance(size, Product):
            others = {sizes[other] for other in sizes if other != name and other not in size.product}
            if sizes[name] in others:
                return False
    return True


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
    for name, given in case.given.items():
        if isinstance(given, FromReference | FunctionOf):
            continue
        drawn[name] = _draw(given, sizes, rng, exercise.parameters[name].kind)
    for name, given in case.given.items():
        if isinstance(given, FromReference):
            drawn[name] = reference(given.reference, drawn)[given.output]
        elif isinstance(given, FunctionOf):
            drawn[name] = _draw_function(given, drawn, rng)
    return _in_order(exercise, drawn)


def _in_order(exercise: Exercise, drawn: Mapping[str, Value]) -> dict[str, Value]:
    """The arguments as a call by position needs them: a default that stands before a given one is written out."""
    names = list(exercise.parameters)
    last = max(names.index(name) for name in drawn)
    return {
        name: drawn[name] if name in drawn else literal(parameter.default, parameter.kind)
        for name, parameter in list(exercise.parameters.items())[: last + 1]
    }


def _draw(given: Any, sizes: Mapping[str, int], rng: np.random.Generator, kind: str) -> Value:
    def dims(shape: Shape) -> tuple[int, ...]:
        return tuple(size if isinstance(size, int) else sizes[size] for size in shape)

    match given:
        case Normal():
            return rng.normal(given.mean, given.std, dims(given.normal))
        case Uniform():
            return rng.uniform(given.low, given.high, dims(given.uniform))
        case Integers():
            return rng.integers(given.low, given.high, dims(given.integers), endpoint=True)
        case Weights():
            return _weights(rng.normal(0, given.std, dims(given.weights)))
        case Constant():
            return np.full(dims(given.constant), given.value)
        case SizeOf():
            return sizes[given.size]
        case IndexInto():
            return int(rng.integers(sizes[given.index]))
    return literal(given, kind)


def literal(given: Any, kind: str) -> Value:
    """Numbers written out, as what the parameter takes: an array, a number, a text."""
    if kind != "array":
        return given  # type: ignore[no-any-return]
    return np.array(given)


def _weights(scores: NDArray[np.float64]) -> NDArray[np.float64]:
    powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights: NDArray[np.float64] = powers / powers.sum(axis=-1, keepdims=True)
    return weights


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
