"""What turns the expected outputs into the actual ones, for mistakes that no wrong function covers.

Every transform is recomputed on all calls; it is named only if it fits each call on which it would show, on at
least two of them. The sentences are in the words of attention and live in the wording catalogue.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations, permutations
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from autograder.diagnosis.sample import Idea, Sample, agrees
from autograder.diagnosis.sizes import all_sizes
from autograder.model.exercise import Exercise
from autograder.model.outcome import Raised
from autograder.numeric.compare import Expected

Numbers: TypeAlias = NDArray[Any]
#: Makes the transformed array, or None where the transform cannot be applied.
Transform: TypeAlias = Callable[[Numbers, Mapping[str, int]], Numbers | None]

FEWEST = 2


@dataclass(frozen=True)
class _Pair:
    """One output of one call: actual, expected, and the sizes of the call."""

    actual: Numbers
    wanted: Expected
    sizes: Mapping[str, int]
    sample: Sample

    @cached_property
    def right(self) -> bool:
        return agrees(self.actual, self.wanted)


def find_transforms(exercise: Exercise, samples: Sequence[Sample]) -> tuple[Idea, ...]:
    """Every transform that explains the outputs; at most one a kind and output, the plainest first."""
    with np.errstate(all="ignore"):
        return _find_transforms(exercise, samples)


def _find_transforms(exercise: Exercise, samples: Sequence[Sample]) -> tuple[Idea, ...]:
    usable = [sample for sample in samples if sample.outputs is not None]
    whole = [idea for find in (_order, _stock, _kept) if (idea := find(exercise, usable))]
    if whole:
        return tuple(whole)
    ideas = []
    wrong = []
    for output in exercise.outputs:
        pairs = [
            _Pair(
                sample.outputs[output], sample.expected[output], all_sizes(exercise, sample.arguments), sample
            )
            for sample in usable
            if sample.outputs is not None
        ]
        if all(pair.right for pair in pairs):
            continue
        wrong.append(output)
        ideas += list(_of_output(exercise, output, pairs))[:1]
    ideas = _merged(ideas)
    if wrong and len(wrong) < len(exercise.outputs):
        ideas.append(_partly(exercise, wrong))
    return tuple(ideas) or tuple(_by_kind_of_input(exercise, samples))


def _merged(ideas: list[Idea]) -> list[Idea]:
    """One idea where several outputs show the same thing."""
    merged: dict[tuple[str, str], Idea] = {}
    for idea in ideas:
        key = (idea.code, str(idea.params.get("figure", "")))
        if key in merged:
            outputs = [*merged[key].params["outputs"], *idea.params["outputs"]]
            merged[key] = Idea(idea.kind, idea.code, {**idea.params, "outputs": outputs}, merged[key].agrees)
        else:
            merged[key] = idea
    return list(merged.values())


def _partly(exercise: Exercise, wrong: Sequence[str]) -> Idea:
    right = [name for name in exercise.outputs if name not in wrong]
    return Idea("transform", "transform.partly", {"right": right, "wrong": list(wrong)})


def _of_output(exercise: Exercise, output: str, pairs: Sequence[_Pair]) -> Iterator[Idea]:
    for code, transform in _SHAPES.items():
        yield from _fits(code, output, pairs, transform)
    yield from _factor(output, pairs)
    yield from _offset(output, pairs)
    for code, transform in _VALUES.items():
        yield from _fits(code, output, pairs, transform)
    yield from _rounded(output, pairs)
    yield from _argument(exercise, output, pairs)
    yield from _row_factors(output, pairs)


def _fits(code: str, output: str, pairs: Sequence[_Pair], transform: Transform) -> Iterator[Idea]:
    telling = 0
    for pair in pairs:
        made = transform(pair.wanted.array, pair.sizes)
        if made is None or not agrees(pair.actual, Expected(made, pair.wanted.tolerance)):
            return
        telling += not agrees(made, pair.wanted)
    if telling >= FEWEST:
        yield Idea("transform", code, {"outputs": [output]}, (telling, telling))


def _transposed(array: Numbers, sizes: Mapping[str, int]) -> Numbers | None:
    return array.T if array.ndim == 2 else None


def _axes(order: tuple[int, ...]) -> Transform:
    return lambda array, sizes: array.transpose(order) if array.ndim == len(order) else None


def _safe(make: Callable[[Numbers], Numbers]) -> Transform:
    def transform(array: Numbers, sizes: Mapping[str, int]) -> Numbers | None:
        if array.ndim != 2 or array.size == 0:
            return None
        with np.errstate(all="ignore"):
            return make(array)

    return transform


_SHAPES: Mapping[str, Transform] = {
    "transform.transposed": _transposed,
    **{
        f"transform.axes_{a}{b}{c}": _axes((a, b, c))
        for a, b, c in permutations(range(3))
        if (a, b, c) != (0, 1, 2)
    },
    "transform.flattened": lambda array, sizes: array.ravel() if array.ndim > 1 else None,
}

_VALUES: Mapping[str, Transform] = {
    "transform.rows_normalised": _safe(lambda array: array / array.sum(axis=1, keepdims=True)),
    "transform.columns_normalised": _safe(lambda array: array / array.sum(axis=0, keepdims=True)),
    "transform.absolute": lambda array, sizes: np.abs(array),
    "transform.squared": lambda array, sizes: array**2,
    "transform.root": lambda array, sizes: np.sqrt(np.abs(array)) if (array >= 0).all() else None,
    "transform.rows_reversed": _safe(lambda array: array[::-1]),
    "transform.columns_reversed": _safe(lambda array: array[:, ::-1]),
    "transform.lower_triangle": _safe(lambda array: np.tril(array)),
    "transform.floored": lambda array, sizes: np.floor(array),
    "transform.truncated": lambda array, sizes: np.trunc(array),
    "transform.rounded_to_whole": lambda array, sizes: np.round(array),
    "transform.float16": lambda array, sizes: array.astype(np.float16).astype(float),
}


def _factor(output: str, pairs: Sequence[_Pair]) -> Iterator[Idea]:
    """One factor a call that turns expected into actual, and what the factor is in every call."""
    ratios = []
    for pair in pairs:
        ratio = _ratio(pair)
        if ratio is None:
            return
        if not math.isnan(ratio):
            ratios.append((ratio, pair.sizes))
    if len(ratios) < FEWEST or all(abs(ratio - 1) < 1e-4 for ratio, _ in ratios):
        return
    telling = sum(abs(ratio - 1) >= 1e-4 for ratio, _ in ratios)
    for name, power in _powers(ratios):
        if all(abs(ratio - sizes[name] ** power) <= 2e-3 * abs(ratio) for ratio, sizes in ratios):
            code = f"transform.factor.{_WORD[power]}"
            yield Idea("transform", code, {"outputs": [output], "figure": name}, (telling, telling))
            return
    first = ratios[0][0]
    if abs(first - 1) > 2e-3 and all(abs(ratio - first) <= 1e-3 * abs(first) for ratio, _ in ratios):
        code = "transform.negated" if abs(first + 1) < 1e-3 else "transform.factor.constant"
        yield Idea(
            "transform", code, {"outputs": [output], "figure": float(f"{first:.3g}")}, (telling, telling)
        )


def _row_factors(output: str, pairs: Sequence[_Pair]) -> Iterator[Idea]:
    """Every row a multiple of the expected one: with one factor in each call, or with a factor for each row."""
    telling, shared = 0, True
    for pair in pairs:
        actual, wanted = pair.actual, pair.wanted.array
        if actual.shape != wanted.shape or actual.ndim != 2 or not np.isfinite(actual).all():
            return
        if not (pair.right or actual.any()):  # nothing at all is a multiple of everything
            return
        size = (wanted.astype(float) ** 2).sum(axis=1, keepdims=True)
        factors = (actual * wanted).sum(axis=1, keepdims=True) / np.where(size > 0, size, 1)
        if not agrees(actual, Expected(factors * wanted, pair.wanted.tolerance)):
            return
        one = factors.ravel()[np.abs(factors).argmax()] if factors.size else 1
        shared = shared and agrees(actual, Expected(one * wanted, pair.wanted.tolerance))
        # A row of two is a multiple of many, and a row with one entry that counts of all.
        telling += not pair.right and bool((_counting(wanted) > 2).any())
    if telling >= FEWEST:
        code = "transform.factor.varying" if shared else "transform.row_factors"
        yield Idea("transform", code, {"outputs": [output]}, (telling, telling))


def _counting(array: Numbers) -> Numbers:
    """How many entries of each row are not small beside its largest."""
    largest = np.abs(array).max(axis=1, keepdims=True)
    return np.asarray((np.abs(array) > 1e-2 * largest).sum(axis=1))


_WORD: Mapping[float, str] = {0.5: "root", -0.5: "inverse_root", 1.0: "size", -1.0: "inverse_size"}


def _powers(ratios: Sequence[tuple[float, Mapping[str, int]]]) -> Iterator[tuple[str, float]]:
    """Sizes that every call has and that vary between calls, d_k before all others, with the powers to try."""
    shared = set.intersection(*(set(sizes) for _, sizes in ratios))
    order = sorted(shared, key=lambda name: (name != "d_k", name))
    for name in order:
        if len({sizes[name] for _, sizes in ratios}) > 1:
            yield from ((name, power) for power in _WORD)


def _ratio(pair: _Pair) -> float | None:
    """The factor of one call; NaN where the expected values are all 0 and so tell nothing."""
    actual, wanted = pair.actual, pair.wanted.array
    if actual.shape != wanted.shape or not np.isfinite(actual).all():
        return None
    size = float((wanted.astype(float) ** 2).sum())
    if size < 1e-12:
        return math.nan if agrees(actual, pair.wanted) else None
    ratio = float((actual * wanted).sum() / size)
    scaled = Expected(ratio * wanted, pair.wanted.tolerance)
    return ratio if abs(ratio) > 1e-12 and agrees(actual, scaled) else None


def _offset(output: str, pairs: Sequence[_Pair]) -> Iterator[Idea]:
    offsets = []
    for pair in pairs:
        if pair.actual.shape != pair.wanted.array.shape or pair.actual.size < 2:
            continue
        if not np.isfinite(pair.actual).all():
            return
        difference = pair.actual - pair.wanted.array
        middle = float(np.mean(difference))
        if not np.isfinite(middle) or not agrees(
            pair.actual, Expected(pair.wanted.array + middle, pair.wanted.tolerance)
        ):
            return
        offsets.append(middle)
    if len(offsets) < FEWEST or max(map(abs, offsets)) < 1e-4:
        return
    same = max(offsets) - min(offsets) < 1e-4
    code = "transform.offset.constant" if same else "transform.offset.varying"
    params: dict[str, Any] = {"outputs": [output]}
    if same:
        params["figure"] = float(f"{offsets[0]:.3g}")
    yield Idea("transform", code, params, (len(offsets), len(offsets)))


def _rounded(output: str, pairs: Sequence[_Pair]) -> Iterator[Idea]:
    for digits in (6, 5, 4, 3, 2, 1):
        rounding = [np.round(pair.wanted.array, digits) for pair in pairs]
        exact = all(
            pair.actual.shape == made.shape and np.allclose(pair.actual, made, rtol=1e-9, atol=1e-9)
            for pair, made in zip(pairs, rounding, strict=True)
        )
        telling = sum(not pair.right for pair in pairs)
        if exact and telling >= FEWEST:
            yield Idea(
                "transform", "transform.rounded", {"outputs": [output], "digits": digits}, (telling, telling)
            )
            return


def _argument(exercise: Exercise, output: str, pairs: Sequence[_Pair]) -> Iterator[Idea]:
    """The output is one of the arguments, as it came in."""
    for name, parameter in exercise.parameters.items():
        if parameter.kind != "array":
            continue
        alike = [
            np.shape(pair.sample.arguments.get(name)) == pair.actual.shape  # type: ignore[arg-type]
            and bool(np.array_equal(pair.actual, np.asarray(pair.sample.arguments[name]), equal_nan=True))
            for pair in pairs
        ]
        if len(alike) >= FEWEST and all(alike) and not all(pair.right for pair in pairs):
            params = {"outputs": [output], "argument": name}
            yield Idea("transform", "transform.argument", params, (len(alike), len(alike)))


def _order(exercise: Exercise, samples: Sequence[Sample]) -> Idea | None:
    """The outputs of a tuple in another order."""
    names = exercise.outputs
    if not 2 <= len(names) <= 4 or len(samples) < FEWEST:
        return None
    for order in permutations(names):
        if order == names:
            continue
        fitting = [
            all(agrees(s.outputs[got], s.expected[meant]) for got, meant in zip(names, order, strict=True))
            for s in samples
            if s.outputs is not None
        ]
        telling = sum(not sample.right for sample in samples)
        if all(fitting) and telling >= FEWEST:
            params = {"actual": list(order), "expected": list(names)}
            return Idea("transform", "transform.order", params, (telling, telling))
    return None


def _stock(exercise: Exercise, samples: Sequence[Sample]) -> Idea | None:
    """The same numbers whatever the arguments: one value everywhere, or equal answers to unequal questions."""
    first = exercise.outputs[0]
    arrays = [sample.outputs[first] for sample in samples if sample.outputs is not None]
    if all(sample.right for sample in samples) or len(arrays) < FEWEST or any(a.size == 0 for a in arrays):
        return None
    if all(
        sample.hidden for sample in samples if not sample.right
    ):  # the number may be one of a hidden input
        return None
    values = {float(array.flat[0]) for array in arrays if array.dtype.kind in "biuf"}
    flat = all(array.dtype.kind in "biuf" and (array == array.flat[0]).all() for array in arrays)
    wanted_flat = all(np.ptp(sample.expected[first].array) == 0 for sample in samples)
    if flat and len(values) == 1 and not wanted_flat and any(array.size > 1 for array in arrays):
        value = values.pop()
        if math.isfinite(value):
            return Idea(
                "transform", "transform.constant", {"figure": float(f"{value:.6g}")}, (len(arrays),) * 2
            )
    return None


def _kept(exercise: Exercise, samples: Sequence[Sample]) -> Idea | None:
    """Equal answers to unequal inputs of the same shapes: something is kept from the first of them."""
    first = exercise.outputs[0]
    for earlier, later in combinations(samples, 2):
        if (
            later.right
            or _shapes(earlier) != _shapes(later)
            or _scalars(earlier) != _scalars(later)
            or later.outputs is None
            or earlier.outputs is None
        ):
            continue
        alike = np.array_equal(earlier.outputs[first], later.outputs[first])
        meant = np.array_equal(earlier.expected[first].array, later.expected[first].array)
        if alike and not meant and earlier.right and np.ptp(earlier.outputs[first]) > 0:
            return Idea("transform", "transform.kept")
    return None


def _by_kind_of_input(exercise: Exercise, samples: Sequence[Sample]) -> Iterator[Idea]:
    """Right on all calls but those of one kind: whole numbers, one row, one size."""
    wrong = [sample for sample in samples if not sample.right]
    right = [sample for sample in samples if sample.right]
    if not wrong or not right:
        return
    for code, has in _INPUTS.items():
        # A right call of that kind speaks against it; where overflow is told by the output, large inputs are meant.
        kind = _INPUTS["only.large"] if code == "only.large.overflow" else has
        if all(has(exercise, sample) for sample in wrong) and not any(
            kind(exercise, sample) for sample in right
        ):
            whole = code == "only.whole_numbers" and all(map(_is_whole, wrong))
            yield Idea("transform", f"{code}.cut_off" if whole else code, {}, (len(wrong), len(wrong)))
            return
    shapes = {_shapes(sample) for sample in right}
    others = [sample for sample in wrong if _shapes(sample) not in shapes]
    if all(sample.hidden for sample in right) or len(shapes) > 1:  # of hidden cases no size is told
        return
    if len(others) == len(wrong) >= FEWEST and _fixed_size(exercise, right[0], others):
        arrays = {name: a for name, a in right[0].arguments.items() if isinstance(a, np.ndarray)}
        words = [f"{name} {array.shape}" for name, array in arrays.items()]
        yield Idea("transform", "only.one_size", {"shapes": words}, (len(wrong), len(wrong)))


def _fixed_size(exercise: Exercise, right: Sample, wrong: Sequence[Sample]) -> bool:
    """Whether the function knows one size alone: elsewhere it raises, or its output keeps that size.

    A size with a 1 in it says nothing: much is right by chance for a single row or a single key.
    """
    output = exercise.outputs[0]
    if right.outputs is None or any(1 in value.shape for value in _arrays(right)):
        return False
    kept = right.outputs[output].shape
    return all(
        isinstance(sample.outcome, Raised)
        or (
            sample.outputs is not None
            and sample.outputs[output].shape == kept != sample.expected[output].array.shape
        )
        for sample in wrong
    )


def _shapes(sample: Sample) -> tuple[tuple[int, ...], ...]:
    return tuple(value.shape for value in sample.arguments.values() if isinstance(value, np.ndarray))


def _scalars(sample: Sample) -> list[object]:
    """What is no array: numbers and texts by value, a function by itself."""
    others = [value for value in sample.arguments.values() if not isinstance(value, np.ndarray)]
    return [value if isinstance(value, str | int | float) else id(value) for value in others]


def _arrays(sample: Sample) -> list[Numbers]:
    return [value for value in sample.arguments.values() if isinstance(value, np.ndarray)]


def _is_whole(sample: Sample) -> bool:
    """Whether all that came back is whole, and should not be."""
    return sample.outputs is not None and all(
        array.dtype.kind in "biu" or bool((array == np.trunc(array)).all() and array.any())
        for name, array in sample.outputs.items()
        if not agrees(array, sample.expected[name])
    )


def _is_large(sample: Sample) -> bool:
    return any(np.abs(array).max(initial=0) >= 300 for array in _arrays(sample))


def _finite(sample: Sample) -> bool:
    return sample.outputs is None or all(np.isfinite(array).all() for array in sample.outputs.values())


_INPUTS: Mapping[str, Callable[[Exercise, Sample], bool]] = {
    "only.whole_numbers": lambda e, s: any(a.dtype.kind in "iu" for a in _arrays(s)),
    "only.large.overflow": lambda e, s: _is_large(s) and not _finite(s),
    "only.large": lambda e, s: _is_large(s),
    "only.one_head": lambda e, s: s.arguments.get("n_heads") == 1,
    "only.one_row": lambda e, s: any(a.ndim == 2 and len(a) == 1 for a in _arrays(s)),
    "only.constant_row": lambda e, s: any(
        a.ndim == 2 and bool((np.ptp(a, axis=1) == 0).any()) for a in _arrays(s)
    ),
    "only.square": lambda e, s: any(a.ndim == 2 and a.shape[0] == a.shape[1] for a in _arrays(s)),
}
