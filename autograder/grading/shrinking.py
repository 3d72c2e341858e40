"""Seek a small input on which a submission still fails: a fixed ladder first, and hypothesis where that finds none.

Bounded in calls and in seconds, and the same for the same submission. The session must have seen no hidden input,
since what the function gives back here is shown.
"""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from autograder.diagnosis.sample import Idea, Sample
from autograder.diagnosis.smallest import Blank, Fault, blanks, describe, fault_of, ladder, shown_inputs, templates
from autograder.grading.calls import Calling
from autograder.grading.expectations import call_reference
from autograder.loading.solutions import References
from autograder.model.check import Tolerance
from autograder.model.exercise import Case, Exercise
from autograder.model.outcome import Died, FunctionArgument, NoFunction, NotCalled, Outcome, Raised, Returned, Value
from autograder.numeric.compare import Expected, numbers_of, outputs_of

#: Calls of the submission, and seconds, for one exercise.
CALLS, SECONDS = 150, 1.0
#: Of these, calls for the ladder and for setting entries to 0; sizes and examples of the search by hypothesis.
_LADDER_CALLS, _ZERO_CALLS, _LARGEST, _EXAMPLES = 60, 24, 3, 60
_TEMPLATES = 2


@dataclass(frozen=True, slots=True)
class _Found:
    """A small input on which the submission fails, and how."""

    arguments: Mapping[str, Value]
    outcome: Outcome
    outputs: Mapping[str, NDArray[Any]] | None
    expected: Mapping[str, Expected]

    @property
    def cost(self) -> tuple[int, float, str]:
        """What is smaller: fewer numbers, then smaller ones."""
        arrays = list(_arrays(self.arguments))
        numbers = sum(array.size for array in arrays)
        return numbers, float(sum(np.abs(array).sum() for array in arrays)), shown_inputs(self.arguments)


def _arrays(arguments: Mapping[str, Value]) -> Iterator[NDArray[Any]]:
    for value in arguments.values():
        if isinstance(value, FunctionArgument):
            yield from value.parameters.values()  # type: ignore[misc]
        elif isinstance(value, np.ndarray):
            yield value


class _Spent(Exception):
    """The calls or the seconds are used up, or the function did not come back."""


@dataclass(slots=True)
class _Bench:
    """Calls the submission on small inputs and says whether it fails in the way that is sought."""

    session: Calling
    exercise: Exercise
    references: References
    functions: Mapping[str, Exercise]
    tolerance: Tolerance
    faults: frozenset[Fault]
    ends: float
    calls: int = 0
    known: dict[str, _Found | None] = field(default_factory=dict)

    def reference(self, function: str, arguments: Mapping[str, Value]) -> Mapping[str, NDArray[Any]]:
        """Outputs of a reference function on those of the arguments that it takes."""
        exercise = self.functions[function]
        own = {name: arguments[name] for name in exercise.parameters if name in arguments}
        return dict(zip(exercise.outputs, call_reference(self.references, function, own), strict=True))

    def try_on(self, arguments: Mapping[str, Value]) -> _Found | None:
        """The failure on an input, or None if it does not fail in this way; each input is asked once."""
        key = f"{shown_inputs(arguments)} {[np.asarray(array).dtype.kind for array in _arrays(arguments)]}"
        if key not in self.known:
            self.known[key] = self._tried(arguments)
        return self.known[key]

    def _tried(self, arguments: Mapping[str, Value]) -> _Found | None:
        with np.errstate(all="ignore"):
            values = call_reference(self.references, self.exercise.function, arguments)
        expected = {n: Expected(v, self.tolerance) for n, v in zip(self.exercise.outputs, values, strict=True)}
        if not all(np.isfinite(value).all() for value in values):
            return None
        found = self._called(arguments, expected)
        return found if fault_of(found.outcome, found.outputs, expected) in self.faults else None

    def _called(self, arguments: Mapping[str, Value], expected: Mapping[str, Expected]) -> _Found:
        if self.calls >= CALLS or time.monotonic() > self.ends:
            raise _Spent
        self.calls += 1
        outcome = self.session.call(self.exercise.function, tuple(arguments.values()))
        if isinstance(outcome, Died | NoFunction | NotCalled):
            raise _Spent
        return _Found(arguments, outcome, outputs_by_name(outcome, self.exercise.outputs), expected)

    def steady(self, found: _Found) -> bool:
        """Whether the same input gives the same again."""
        again = self._called(found.arguments, found.expected)
        first, second = (describe(f.arguments, f.outcome, f.outputs, f.expected) for f in (found, again))
        return first is not None and second is not None and first == second


def outputs_by_name(outcome: Outcome, names: tuple[str, ...]) -> Mapping[str, NDArray[Any]] | None:
    """The outputs as arrays of numbers, or None if they are no such."""
    if not isinstance(outcome, Returned):
        return None
    values = outputs_of(outcome.value, names)
    if not isinstance(values, tuple):
        return None
    arrays = [numbers_of(value) for value in values]
    if any(array is None or array.dtype.kind not in "biuf" for array in arrays):
        return None
    return dict(zip(names, arrays, strict=True))  # type: ignore[arg-type]


def find_smallest(
    session: Calling,
    exercise: Exercise,
    samples: Sequence[Sample],
    references: References,
    exercises: Sequence[Exercise],
    tolerance: Tolerance,
) -> Idea | None:
    """A small input on which the function fails as it does on a drawn case, in words; None if none is found."""
    failed = [s for s in samples if exercise.cases[s.case].drawn and _is_sought(s)]
    if not failed:
        return None
    visible = {s.case for s in failed if not s.hidden}
    faults = frozenset(fault_of(s.outcome, s.outputs, s.expected) for s in failed)
    functions = {other.function: other for other in exercises}
    ends = time.monotonic() + SECONDS
    bench = _Bench(session, exercise, references, functions, tolerance, faults, ends)
    try:
        found = _search(bench, templates(exercise, sorted(visible))[:_TEMPLATES])
        if found is None or not bench.steady(found):
            return None
    except _Spent:
        return None
    return describe(found.arguments, found.outcome, found.outputs, found.expected)


def _is_sought(sample: Sample) -> bool:
    """Whether a sample failed in a way that a small input may show: a wrong value, or an exception of its own."""
    if sample.right or not isinstance(sample.outcome, Returned | Raised):
        return False
    return not (isinstance(sample.outcome, Raised) and sample.outcome.type_name == "NotImplementedError")


def _search(bench: _Bench, cases: Sequence[Case]) -> _Found | None:
    for case in cases:
        for arguments in ladder(bench.exercise, case, bench.reference):
            if bench.calls >= _LADDER_CALLS:
                break
            found = bench.try_on(arguments)
            if found is not None:
                return _with_zeros(bench, found)
    return _by_hypothesis(bench, cases[0]) if cases else None


def _with_zeros(bench: _Bench, found: _Found) -> _Found:
    """The same input with as many entries 0 as still fail, one after the other."""
    most = bench.calls + _ZERO_CALLS
    for name, value in found.arguments.items():
        if not isinstance(value, np.ndarray) or not _is_free(bench, name):
            continue
        for place in np.ndindex(value.shape):
            here = found.arguments[name]
            assert isinstance(here, np.ndarray)
            if here[place] == 0 or bench.calls >= most:
                continue
            changed = here.copy()
            changed[place] = 0
            found = bench.try_on({**found.arguments, name: changed}) or found
    return found


def _is_free(bench: _Bench, name: str) -> bool:
    """Whether an argument's entries may be any numbers: not weights, and nothing that follows from others."""
    recipes = {type(case.given[name]).__name__ for case in bench.exercise.cases.values() if name in case.given}
    others = any("FromReference" == type(g).__name__ for case in bench.exercise.cases.values() for g in case.given.values())
    return not others and not recipes & {"Weights", "Constant", "FromReference"}


def _by_hypothesis(bench: _Bench, case: Case) -> _Found | None:
    """The smallest failing input that hypothesis finds among somewhat larger ones, within what is left."""
    import hypothesis  # late: it takes a tenth of a second, and most searches end on the ladder
    from hypothesis import strategies

    kept: list[_Found] = []

    def fails(arguments: Mapping[str, Value]) -> bool:
        try:
            found = bench.try_on(arguments)
        except _Spent:
            return False
        if found is not None:
            kept.append(found)
        return found is not None

    choices = [b for b in blanks(bench.exercise, case, largest=_LARGEST)]
    inputs = strategies.sampled_from(choices).flatmap(lambda blank: _inputs(strategies, blank, bench))
    _find(hypothesis, inputs, fails)
    readable = [f for f in kept if describe(f.arguments, f.outcome, f.outputs, f.expected) is not None]
    return min(readable, key=lambda found: found.cost, default=None)


def _inputs(strategies: Any, blank: Blank, bench: _Bench) -> Any:
    shapes = blank.shapes
    numbers = strategies.lists(strategies.integers(-2, 2), min_size=blank.entries, max_size=blank.entries)

    def filled(entries: list[int]) -> dict[str, Value]:
        fills, start = {}, 0
        for name, shape in shapes.items():
            size = int(np.prod(shape))
            fills[name] = np.array(entries[start : start + size], dtype=np.int64).reshape(shape)
            start += size
        return blank.filled(fills, bench.reference)

    return numbers.map(filled)


def _find(hypothesis: Any, inputs: Any, fails: Callable[[Any], bool]) -> None:
    settings = hypothesis.settings(
        max_examples=_EXAMPLES,
        derandomize=True,
        database=None,
        deadline=None,
        phases=(hypothesis.Phase.generate, hypothesis.Phase.shrink),
        suppress_health_check=list(hypothesis.HealthCheck),
        verbosity=hypothesis.Verbosity.quiet,
    )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            hypothesis.find(inputs, fails, settings=settings)
        except (hypothesis.errors.HypothesisException, _Spent):  # nothing found, or the calls were used up meanwhile
            return


