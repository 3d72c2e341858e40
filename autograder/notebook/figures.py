"""Which outputs of an exercise are pictured: actual beside expected, of cases that may be shown."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from autograder.checks.trial import Tried
from autograder.grading.expectations import Expectations
from autograder.grading.judging import Judged
from autograder.model.check import ValueCheck
from autograder.numeric.compare import Expected, numbers_of

#: So many cases are pictured of an exercise that is not right, and of one that is.
_WRONG, _RIGHT = 2, 1


@dataclass(frozen=True, slots=True)
class Figure:
    """One output of one case. `near` says where actual is near enough; None if the shapes differ.

    `tokens` name the case's rows, in whichever direction they fit.
    """

    exercise: str
    case: str
    output: str
    actual: NDArray[np.float64]
    expected: NDArray[np.float64]
    near: NDArray[np.bool_] | None
    tokens: tuple[str, ...] = ()


def figures_of(judged: Judged, expected: Expectations) -> tuple[Figure, ...]:
    """The figures of an exercise: of its first failed cases, smallest first, or of one that passed."""
    failed = {name for name, verdict in judged.verdicts.items() if verdict.status == "failed"}
    wrong: list[ValueCheck] = []
    right: list[ValueCheck] = []
    for check in judged.exercise.checks:
        if isinstance(check, ValueCheck):
            (wrong if check.name in failed else right).append(check)
    cases = _cases(judged, wrong, expected)
    if cases:
        # Those that can be laid beside each other first: a difference says more than two shapes.
        cases.sort(
            key=lambda figures: (any(f.near is None for f in figures), sum(f.actual.size for f in figures))
        )
        chosen = cases[:_WRONG]
    else:
        chosen = _cases(judged, right, expected)[:_RIGHT]
    return tuple(figure for figures in chosen for figure in figures)


def _cases(judged: Judged, checks: Sequence[ValueCheck], expected: Expectations) -> list[tuple[Figure, ...]]:
    cases = []
    for check in checks:
        first = judged.view.of_case(check.value)[0]
        if not first.trial.hidden and isinstance(first.outputs, Mapping):
            outputs = check.of or judged.exercise.outputs
            wanted = expected(first.trial, check.reference)
            if figures := tuple(_figures(judged, first, outputs, wanted)):
                cases.append(figures)
    return cases


def _figures(
    judged: Judged, tried: Tried, outputs: Sequence[str], expected: Mapping[str, Expected]
) -> Iterator[Figure]:
    case = judged.exercise.cases[tried.trial.case]
    assert isinstance(tried.outputs, Mapping)
    for output in outputs:
        actual, wanted = numbers_of(tried.outputs[output]), expected[output]
        if actual is None or actual.dtype.kind == "c" or not (actual.ndim or wanted.array.ndim):
            continue
        same = actual.shape == wanted.array.shape
        numbers = np.asarray(actual, dtype=np.float64)
        near = _near(numbers, wanted) if same else None
        array = np.asarray(wanted.array, dtype=np.float64)
        yield Figure(
            judged.exercise.id, tried.trial.case, output, numbers, array, near, tuple(case.tokens or ())
        )


def _near(actual: NDArray[np.float64], wanted: Expected) -> NDArray[Any]:
    with np.errstate(invalid="ignore"):
        off = np.abs(actual - wanted.array) <= wanted.margin(actual)
    same: NDArray[Any] = off | (actual == wanted.array)
    return same
