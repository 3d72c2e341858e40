"""Seek a small input on which a submission still fails: in a fixed list, by hypothesis where that has none.

Bounded in calls and in seconds, and the same for the same submission. The session must have seen no hidden
input, since what the function gives back here is shown.
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
from autograder.diagnosis.smallest import (
    FILLS,
    INPUT_CHARS,
    Blank,
    Fault,
    all_blanks,
    describe,
    fault_of,
    shown_inputs,
    smaller,
    starts,
    templates,
)
from autograder.errors import BrokenError
from autograder.grading.calls import Calling
from autograder.grading.expectations import call_reference
from autograder.loading.solutions import References
from autograder.model.check import Tolerance
from autograder.model.exercise import Case, Exercise
from autograder.model.given import Constant, FromReference, Weights
from autograder.model.outcome import (
    Died,
    FunctionArgument,
    NoFunction,
    NotCalled,
    Outcome,
    Raised,
    Returned,
    Value,
)
from autograder.numeric.compare import Expected, numbers_of, outputs_of, same

#: Calls of the submission for one exercise. Seconds of calls and of our own computing, as the clock of this
#: thread counts them: a busy machine does not decide what is found.
CALLS, SECONDS = 150, 1.0
#: Of these, calls for setting entries to 0, and kept for asking once more; sizes and examples of the search
#: by hypothesis; cases whose recipes are used.
_ZERO_CALLS, _LAST_CALLS, _LARGEST, _EXAMPLES, _TEMPLATES = 24, 3, 3, 50, 2


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
            yield from value.parameters.values()
        elif isinstance(value, np.ndarray):
            yield value


#: Faults that no input tells more of.
_TOLD_ELSEWHERE = ("nothing", "kind", "NotImplementedError")


class _Spent(BaseException):
    """The calls or the seconds are used up, or the function did not come back.

    No Exception, since hypothesis takes those of the function that it runs for failures to be made smaller.
    """


@dataclass(slots=True)
class _Bench:
    """Calls the submission on small inputs and says whether it fails in the way that is sought."""

    session: Calling
    exercise: Exercise
    references: References
    functions: Mapping[str, Exercise]
    tolerance: Tolerance
    faults: frozenset[Fault]
    calls: int = 0
    waited: float = 0.0
    began: float = field(default_factory=time.thread_time)
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
        try:
            with np.errstate(all="ignore"):
                values = call_reference(self.references, self.exercise.function, arguments)
        except BrokenError:  # no valid input, such as a head past the last one
            return None
        expected = {
            n: Expected(v, self.tolerance) for n, v in zip(self.exercise.outputs, values, strict=True)
        }
        if not all(np.isfinite(value).all() for value in values):
            return None
        found = self._called(arguments, expected)
        return found if fault_of(found.outcome, found.outputs, expected) in self.faults else None

    def _called(
        self, arguments: Mapping[str, Value], expected: Mapping[str, Expected], *, last: bool = False
    ) -> _Found:
        self.check_time()
        if self.calls >= CALLS - _LAST_CALLS * (not last):
            raise _Spent
        self.calls += 1
        asked = time.monotonic()
        outcome = self.session.call(self.exercise.function, tuple(arguments.values()))
        self.waited += time.monotonic() - asked
        if isinstance(outcome, Died | NoFunction | NotCalled):
            raise _Spent
        return _Found(arguments, outcome, outputs_by_name(outcome, self.exercise.outputs), expected)

    def check_time(self) -> None:
        """Give up once the seconds are used."""
        if self.waited + time.thread_time() - self.began > SECONDS:
            raise _Spent

    def repeats(self, sample: Sample) -> bool:
        """Whether a call that was marked gives here what it gave there, whatever was called before."""
        again = self._called(sample.arguments, sample.expected, last=True).outcome
        if isinstance(again, Returned) and isinstance(sample.outcome, Returned):
            return same(again.value, sample.outcome.value, self.tolerance)
        if isinstance(again, Raised) and isinstance(sample.outcome, Raised):
            return again.type_name == sample.outcome.type_name
        return False

    def steady(self, found: _Found) -> bool:
        """Whether the same input gives the same again."""
        again = self._called(found.arguments, found.expected, last=True)
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
    *,
    thorough: bool = True,
    afresh: Callable[[], None] = lambda: None,
) -> Idea | None:
    """A small input on which the function fails as it does on a drawn case, in words; None if none is found.

    Without `thorough` a fixed list of inputs is all that is tried: some 30 calls, and no hypothesis. `afresh` has
    the session forget what it was called with before: the input must fail by itself.
    """
    failed = [s for s in samples if exercise.cases[s.case].drawn and _is_sought(s)]
    if not failed:
        return None
    visible = templates(exercise, [s.case for s in failed])[:_TEMPLATES]
    others = templates(exercise, list(exercise.cases))[:1]
    faults = frozenset(fault_of(s.outcome, s.outputs, s.expected) for s in failed)
    functions = {other.function: other for other in exercises}
    bench = _Bench(session, exercise, references, functions, tolerance, faults)
    try:
        # What fails only after other calls is no smallest input. Asked first, a failed call then fails otherwise.
        marked = next((sample for sample in failed if not sample.hidden), None)
        if marked is not None and not bench.repeats(marked):
            return None
        found = _search_fixed(bench, visible or others)
        if found is None and visible and thorough:
            found = _by_hypothesis(bench, visible[0])
        if found is None or not bench.steady(found):
            return None
        if marked is None:
            afresh()
            if not bench.steady(found):
                return None
    except _Spent:
        return None
    return describe(found.arguments, found.outcome, found.outputs, found.expected)


def _is_sought(sample: Sample) -> bool:
    """Whether a sample failed in a way that a small input may show: a wrong value, or an exception."""
    if sample.right or not isinstance(sample.outcome, Returned | Raised):
        return False
    return fault_of(sample.outcome, sample.outputs, sample.expected) not in _TOLD_ELSEWHERE


def _search_fixed(bench: _Bench, cases: Sequence[Case]) -> _Found | None:
    """The first failing input of a fixed list, made smaller step by step."""
    for case in cases:
        for start in starts(bench.exercise, case):
            found = _on_fills(bench, start)
            if found is not None:
                return _with_zeros(bench, _smaller(bench, start, found))
    return None


def _on_fills(bench: _Bench, blank: Blank) -> _Found | None:
    tried = (bench.try_on(blank.of_kind(kind, bench.reference)) for kind in range(FILLS))
    return next((found for found in tried if found is not None), None)


def _smaller(bench: _Bench, blank: Blank, found: _Found) -> _Found:
    """The failure with one size after the other made as small as it still fails."""
    for less in smaller(blank):
        less_found = _on_fills(bench, less)
        if less_found is not None:
            return _smaller(bench, less, less_found)
    return found


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
    """Whether an argument's entries may be any numbers: no weights, and nothing else follows from them."""
    recipes = [given for case in bench.exercise.cases.values() for given in case.given.values()]
    own = [case.given[name] for case in bench.exercise.cases.values() if name in case.given]
    bound = any(isinstance(given, Weights | Constant) for given in own)
    return not bound and not any(isinstance(given, FromReference) for given in recipes)


def _by_hypothesis(bench: _Bench, case: Case) -> _Found | None:
    """The smallest failing input that hypothesis finds among somewhat larger ones, within what is left."""
    before = time.thread_time()
    import hypothesis  # late: it takes a tenth of a second, and most searches end before
    from hypothesis import strategies

    bench.began += time.thread_time() - before

    kept: list[_Found] = []

    def fails(arguments: Mapping[str, Value]) -> bool:
        if len(shown_inputs(arguments)) > INPUT_CHARS:
            return False
        found = bench.try_on(arguments)
        if found is not None:
            kept.append(found)
        return found is not None

    choices = all_blanks(bench.exercise, case, _LARGEST)
    inputs = strategies.sampled_from(choices).flatmap(lambda blank: _inputs(strategies, blank, bench))
    _find(hypothesis, inputs, fails)
    return min(kept, key=lambda found: found.cost, default=None)


def _inputs(strategies: Any, blank: Blank, bench: _Bench) -> Any:
    shapes = blank.shapes
    numbers = strategies.lists(strategies.integers(-2, 2), min_size=blank.entries, max_size=blank.entries)

    def filled(entries: list[int]) -> dict[str, Value]:
        bench.check_time()
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
        except hypothesis.errors.HypothesisException:  # nothing found
            return
        except _Spent:  # what was found before the calls were used up is small enough
            return
