"""The sizes of one call by name: n_q, n_k, d_k, as its arguments have them."""

from __future__ import annotations

from collections.abc import Mapping
from math import prod

import numpy as np

from autograder.diagnosis.source_line import Shape
from autograder.model.exercise import Exercise, Product
from autograder.model.outcome import Value


def sizes_of(exercise: Exercise, arguments: Mapping[str, Value]) -> dict[str, int]:
    """The exercise's sizes by name, as these arguments have them; a size of two values is left out."""
    return agreed_sizes(
        exercise, {name: np.shape(v) for name, v in arguments.items() if isinstance(v, np.ndarray)}
    )


def all_sizes(exercise: Exercise, arguments: Mapping[str, Value]) -> dict[str, int]:
    """The exercise's sizes in this call: of its arrays, given as numbers, and as factors of products."""
    sizes = sizes_of(exercise, arguments)
    for name, value in arguments.items():
        if name in exercise.sizes and isinstance(value, int):
            sizes[name] = value
    for name, size in exercise.sizes.items():
        if isinstance(size, Product) and name in sizes:
            unknown = [factor for factor in size.product if factor not in sizes]
            known = prod(sizes[factor] for factor in size.product if factor in sizes)
            if len(unknown) == 1 and known and sizes[name] % known == 0:
                sizes[unknown[0]] = sizes[name] // known
    return sizes


def agreed_sizes(exercise: Exercise, shapes: Mapping[str, Shape]) -> dict[str, int]:
    """The sizes on which these shapes, by argument, agree."""
    found: dict[str, set[int]] = {}
    for name, parameter in exercise.parameters.items():
        actual = shapes.get(name)
        if parameter.shape is not None and actual is not None and len(actual) == len(parameter.shape):
            for size, number in zip(parameter.shape, actual, strict=True):
                if isinstance(size, str):
                    found.setdefault(size, set()).add(number)
    return {size: numbers.pop() for size, numbers in found.items() if len(numbers) == 1}
