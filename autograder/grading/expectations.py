"""What the outputs must be: reference values of a trial's inputs, overlaid with the figures a case prints."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

from autograder.checks.trial import Trial
from autograder.loading.kit import StoredValues
from autograder.model.check import Tolerance
from autograder.model.exercise import Case, Exercise
from autograder.model.outcome import FunctionArgument, Value
from autograder.numeric.compare import Expected
from autograder.worker.inside.functions import build


class Callables(Protocol):
    """The reference functions of an assignment."""

    def call(self, function: str, arguments: Mapping[str, Any]) -> tuple[Any, ...]:
        """Call a reference function with arguments by name; its outputs as a tuple."""


def call_reference(
    references: Callables, function: str, arguments: Mapping[str, Value]
) -> tuple[NDArray[Any], ...]:
    """Outputs of a reference function as arrays, on copies of the arguments."""
    return tuple([np.asarray(output) for output in references.call(function, own_copy(arguments))])


def values_on(
    expected_from: Callables | StoredValues, exercise: Exercise, trial: Trial, function: str
) -> tuple[NDArray[Any], ...]:
    """Outputs of a reference function on a trial: called, or in a student's kit as they are stored."""
    if isinstance(expected_from, StoredValues):
        return expected_from.outputs(exercise.id, trial, function)
    return call_reference(expected_from, function, trial.arguments)


def own_copy(arguments: Mapping[str, Value]) -> dict[str, Any]:
    """The arguments as a function of ours may have them: arrays copied, named functions built."""
    return {
        name: value.copy()
        if isinstance(value, np.ndarray)
        else build(value.family, value.parameters)
        if isinstance(value, FunctionArgument)
        else value
        for name, value in arguments.items()
    }


#: Expected outputs by trial and by the function that gives them (None: the exercise's own).
Known: TypeAlias = dict[tuple[Trial, str | None], Mapping[str, Expected]]


@dataclass(slots=True)
class Expectations:
    """Expected values of one exercise's trials, each worked out once."""

    exercise: Exercise
    expected_from: Callables | StoredValues
    tolerance: Tolerance
    known: Known = field(default_factory=dict)
    #: Values of the cases that are the same for everybody, kept from one submission to the next.
    fixed: Known = field(default_factory=dict)

    def __call__(self, trial: Trial, function: str | None) -> Mapping[str, Expected]:
        """The expected outputs of a trial, by the exercise's reference or another function of the solutions."""
        key = (trial, function)
        expected = self.known.get(key) or self.fixed.get(key)
        if expected is None:
            same_for_all = trial.check is None and not self.exercise.cases[trial.case].drawn
            values = values_on(self.expected_from, self.exercise, trial, function or self.exercise.function)
            expected = self._expected(trial, values, printed=function is None)
            (self.fixed if same_for_all else self.known)[key] = expected
        return expected

    def _expected(
        self, trial: Trial, values: Sequence[NDArray[Any]], *, printed: bool
    ) -> dict[str, Expected]:
        case = self.exercise.cases[trial.case]
        tolerance = case.tolerance or self.tolerance
        by_name = zip(self.exercise.outputs, values, strict=True)
        if not (printed and case.expect and trial.check is None):
            return {name: Expected(value, tolerance) for name, value in by_name}
        return {name: overlay(value, case, name, tolerance) for name, value in by_name}


def overlay(value: NDArray[Any], case: Case, output: str, tolerance: Tolerance) -> Expected:
    """The reference value, with the figures that the case prints of this output in their places.

    ValueError if the printed figures have another shape.
    """
    if output not in case.expect:
        return Expected(value, tolerance)
    figures = printed_figures(case.expect[output], value.shape)
    told = ~np.isnan(figures)
    digits = np.where(told, digits_of(case, output), -1)
    return Expected(np.where(told, figures, value), tolerance, digits)


def digits_of(case: Case, output: str) -> int:
    """How many digits after the point the case prints of an output."""
    digits = case.printed_digits
    if isinstance(digits, Mapping):
        return digits[output]
    assert digits is not None
    return digits


def printed_figures(figures: Any, shape: tuple[int, ...]) -> NDArray[np.float64]:
    """Printed figures as an array of this shape, NaN where nothing is printed."""
    if figures is None:
        return np.full(shape, np.nan)
    if isinstance(figures, tuple):
        if not shape or len(figures) != shape[0]:
            raise ValueError(f"{len(figures)} entries are printed where the reference has shape {shape}")
        parts = [printed_figures(item, shape[1:]) for item in figures]
        return np.stack(parts) if parts else np.full(shape, np.nan)
    if shape:
        raise ValueError(f"one number is printed where the reference has shape {shape}")
    return np.asarray(float(figures))


#: The shape of `Expectations.__call__`, for those who only read it.
ExpectedOf = Callable[[Trial, str | None], Mapping[str, Expected]]
