"""The check kinds, in one table, and the one place where a check becomes a verdict."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from autograder.checks.invariants import INVARIANTS, Invariant, Subject
from autograder.checks.relations import RELATIONS
from autograder.checks.trial import Kind, Mismatch, Trial, Tried, Turn, View, base_case
from autograder.model.check import (
    ArgumentsCheck,
    CheckBase,
    InvariantCheck,
    RelationCheck,
    SameAnswerCheck,
    ValueCheck,
)
from autograder.model.exercise import Exercise
from autograder.model.outcome import Died, NoFunction, NotCalled, Outcome, Raised, Returned
from autograder.model.result import Status
from autograder.numeric.compare import Difference, Expected, as_floats, compare, numbers_of, same


class _Value:
    """On a case, the outputs equal the expected ones."""

    needs_all = True

    def plan(
        self, check: ValueCheck, exercise: Exercise, trials: tuple[Trial, ...], rng: Any
    ) -> tuple[Trial, ...]:
        return ()

    def subjects(self, check: ValueCheck, view: View) -> tuple[Tried, ...]:
        return view.of_case(check.value)

    def holds_at_once(self, check: ValueCheck, view: View) -> bool:
        return view.all_near and check.reference is None and check.tolerance is None

    def judge(self, check: ValueCheck, view: View) -> Iterator[Mismatch]:
        for tried in self.subjects(check, view):
            if isinstance(tried.outputs, Difference):
                yield Mismatch(tried.outputs.code, tried.outputs.params, tried.trial)
                continue
            expected = view.expected(tried.trial, check.reference)
            for name in check.of or view.exercise.outputs:
                assert tried.outputs is not None
                wanted = expected[name]
                if check.tolerance is not None:
                    wanted = replace(wanted, tolerance=check.tolerance)
                difference = compare(tried.outputs[name], wanted)
                if difference is not None:
                    yield Mismatch(difference.code, difference.params, tried.trial, name)


class _Invariant:
    """Every output, on every case, has a property."""

    needs_all = False

    def plan(
        self, check: InvariantCheck, exercise: Exercise, trials: tuple[Trial, ...], rng: Any
    ) -> tuple[Trial, ...]:
        return ()

    def subjects(self, check: InvariantCheck, view: View) -> tuple[Tried, ...]:
        if check.on is None:
            return view.tried
        return tuple(t for t in view.tried if t.trial.case in check.on)

    def holds_at_once(self, check: InvariantCheck, view: View) -> bool:
        return view.all_near and INVARIANTS[check.invariant].of_all_near

    def judge(self, check: InvariantCheck, view: View) -> Iterator[Mismatch]:
        invariant = INVARIANTS[check.invariant]
        with np.errstate(all="ignore"):
            found = [self._mismatch(check, view, tried, invariant) for tried in self.subjects(check, view)]
        return (mismatch for mismatch in found if mismatch is not None)

    def _mismatch(
        self, check: InvariantCheck, view: View, tried: Tried, invariant: Invariant
    ) -> Mismatch | None:
        if not tried.returned:
            return None
        array = _output(view, tried, check.of)
        if isinstance(array, Difference):
            return Mismatch(array.code, array.params, tried.trial, check.of)
        found = invariant.find(Subject(array, tried.trial.arguments, check, view.tolerance))
        if found is None:
            return None
        params = {**found.params, "values": check.values, "limit": check.limit}
        return Mismatch(found.code, params, tried.trial, check.of)


def _output(view: View, tried: Tried, name: str) -> np.ndarray[Any, Any] | Difference:
    """The output of a draw as an array of the expected shape; a property of anything else says nothing."""
    if not view.all_near:
        return _usable(tried, name, view.expected(tried.trial, None)[name])
    assert isinstance(tried.outputs, Mapping)
    return as_floats(np.asarray(numbers_of(tried.outputs[name])))


def _usable(tried: Tried, name: str, expected: Expected) -> np.ndarray[Any, Any] | Difference:
    if isinstance(tried.outputs, Difference):
        return tried.outputs
    assert tried.outputs is not None
    array = numbers_of(tried.outputs[name])
    if array is None or array.shape != expected.array.shape:
        return compare(tried.outputs[name], expected) or _no_numbers("no array", expected)
    if array.dtype.kind == "c":
        with np.errstate(all="ignore"):
            near = compare(array, replace(expected, array=array.real, digits=None)) is None
        return array.real if near else _no_numbers("complex numbers", expected)
    return as_floats(array)


def _no_numbers(actual: str, expected: Expected) -> Difference:
    return Difference("value.kind", {"actual": actual, "shape": list(expected.array.shape)})


class _Relation:
    """The outputs change as they must when an argument does."""

    needs_all = True

    def plan(
        self, check: RelationCheck, exercise: Exercise, trials: tuple[Trial, ...], rng: Any
    ) -> tuple[Trial, ...]:
        base = self._base(check, exercise, trials)
        arguments, memo = RELATIONS[check.relation].vary(base.arguments, check, rng())
        return (Trial(base.case, base.draw, base.hidden, arguments, check.name, memo),)

    def _base(self, check: RelationCheck, exercise: Exercise, trials: tuple[Trial, ...]) -> Trial:
        case = base_case(check, exercise, check.on)
        return next(trial for trial in trials if trial.case == case)

    def _first(self, check: RelationCheck, view: View) -> Tried:
        return view.of_case(base_case(check, view.exercise, check.on))[0]

    def subjects(self, check: RelationCheck, view: View) -> tuple[Tried, ...]:
        return (self._first(check, view), *view.beside[check.name])

    def holds_at_once(self, check: RelationCheck, view: View) -> bool:
        return False

    def judge(self, check: RelationCheck, view: View) -> Iterator[Mismatch]:
        first, varied = self.subjects(check, view)
        relation = RELATIONS[check.relation]
        for tried in (first, varied):
            if isinstance(tried.outputs, Difference):
                yield Mismatch(tried.outputs.code, tried.outputs.params, tried.trial)
                return
        assert isinstance(first.outputs, Mapping)
        assert isinstance(varied.outputs, Mapping)
        for name in check.of or view.exercise.outputs:
            before = _output(view, first, name)
            after = numbers_of(varied.outputs[name])
            if isinstance(before, Difference) or after is None:
                yield Mismatch("relation.unusable", {"relation": check.relation}, first.trial, name)
                continue
            wanted = relation.follow(before, varied.trial.memo)
            if not (np.isfinite(before).all() and same(after, wanted, view.tolerance)):
                yield Mismatch(f"relation.{check.relation}", _changed(check), first.trial, name)


def _changed(check: RelationCheck) -> dict[str, Any]:
    names = [name for name in (check.shift, check.replace, check.double) if name] + list(check.permute or ())
    return {"argument": " and ".join(names)}


class _Arguments:
    """No call changes its arguments."""

    needs_all = False

    def plan(
        self, check: ArgumentsCheck, exercise: Exercise, trials: tuple[Trial, ...], rng: Any
    ) -> tuple[Trial, ...]:
        return ()

    def subjects(self, check: ArgumentsCheck, view: View) -> tuple[Tried, ...]:
        return view.tried

    def holds_at_once(self, check: ArgumentsCheck, view: View) -> bool:
        return False

    def judge(self, check: ArgumentsCheck, view: View) -> Iterator[Mismatch]:
        for tried in view.tried:
            if isinstance(tried.outcome, Returned) and tried.outcome.changed:
                names = list(tried.trial.arguments)
                changed = sorted(names[index] for index in tried.outcome.changed if index < len(names))
                yield Mismatch("arguments.changed", {"arguments": changed}, tried.trial)


class _SameAnswer:
    """The same arguments give the same answer."""

    needs_all = True

    def plan(
        self, check: SameAnswerCheck, exercise: Exercise, trials: tuple[Trial, ...], rng: Any
    ) -> tuple[Trial, ...]:
        case = check.on or next(iter(exercise.cases))
        base = next(trial for trial in trials if trial.case == case)
        turn: Turn = "next" if check.same_answer == "twice" else "last"
        return (Trial(base.case, base.draw, base.hidden, base.arguments, check.name, turn=turn),)

    def subjects(self, check: SameAnswerCheck, view: View) -> tuple[Tried, ...]:
        first = view.of_case(check.on or next(iter(view.exercise.cases)))[0]
        return (first, *view.beside[check.name])

    def holds_at_once(self, check: SameAnswerCheck, view: View) -> bool:
        return False

    def judge(self, check: SameAnswerCheck, view: View) -> Iterator[Mismatch]:
        first, again = self.subjects(check, view)
        assert isinstance(first.outcome, Returned)
        assert isinstance(again.outcome, Returned)
        if not same(first.outcome.value, again.outcome.value, view.tolerance):
            yield Mismatch(f"same_answer.{check.same_answer}", {}, first.trial)


KINDS: Mapping[str, Kind] = {
    "value": _Value(),
    "invariant": _Invariant(),
    "relation": _Relation(),
    "leaves_arguments_alone": _Arguments(),
    "same_answer": _SameAnswer(),
}


class Verdict(NamedTuple):
    """Whether a claim held, and if not, what does not hold, or the call that did not return."""

    status: Status
    mismatches: tuple[Mismatch, ...] = ()
    stopped: Tried | None = None
    looked_at: int = 0


def judge(check: CheckBase, view: View) -> Verdict:
    """The verdict of one check: pure, from outcomes and expected values."""
    kind = KINDS[check.kind]  # type: ignore[attr-defined]
    subjects = kind.subjects(check, view)
    if not subjects:
        raise ValueError(f"the check {check.name!r} looks at no call")  # type: ignore[attr-defined]
    stopped = [] if view.all_returned else [tried for tried in subjects if not tried.returned]
    if stopped and (kind.needs_all or len(stopped) == len(subjects)):
        shown = min(stopped, key=lambda tried: tried.trial.hidden)
        return Verdict(status_of(shown.outcome, view.exercise.function), (), shown, len(subjects))
    if not kind.holds_at_once(check, view):
        mismatches = tuple(kind.judge(check, view))
        if mismatches:
            return Verdict("failed", mismatches, None, len(subjects))
    return Verdict("passed", (), None, len(subjects))


def tells(check: ValueCheck, view: View) -> bool:
    """Whether a value check that has passed tells a right function from a stock answer.

    It does not where all that it expects is one number everywhere, or an argument as it came.
    """
    return any(_tells(check, view, tried) for tried in KINDS["value"].subjects(check, view))


def _tells(check: ValueCheck, view: View, tried: Tried) -> bool:
    expected = view.expected(tried.trial, check.reference)
    for name in check.of or view.exercise.outputs:
        array = expected[name].array
        if array.size > 1 and (_one_number(array) or _is_an_argument(array, tried.trial)):
            return False
    return True


def _is_an_argument(array: np.ndarray[Any, Any], trial: Trial) -> bool:
    return any(
        isinstance(given, np.ndarray) and _same_numbers(array, given) for given in trial.arguments.values()
    )


def _one_number(array: np.ndarray[Any, Any]) -> bool:
    # The first two entries settle nearly every case, for a hundredth of the time.
    return bool(array.item(0) == array.item(1) and np.ptp(array) == 0)


def _same_numbers(array: np.ndarray[Any, Any], given: np.ndarray[Any, Any]) -> bool:
    if array.size != given.size or array.item(0) != given.item(0):
        return False
    return bool((array.ravel() == given.ravel()).all())


def unwritten_helper(outcome: Outcome, function: str) -> str | None:
    """The function without a body that the exercise's function called, if that is what stopped it."""
    if not isinstance(outcome, Raised) or outcome.type_name != "NotImplementedError":
        return None
    deeper = len(outcome.frames) > 1 and outcome.function != function
    return outcome.function if deeper else None


def status_of(outcome: Outcome, function: str) -> Status:
    """The status of a call of the exercise's function that did not return.

    NotImplementedError is "not attempted" only where the function itself raises it, not one that it calls.
    """
    match outcome:
        case Raised(type_name="NotImplementedError") if unwritten_helper(outcome, function) is None:
            return "not_attempted"
        case Raised():
            return "raised"
        case Died(how="timed_out"):
            return "timed_out"
        case Died():
            return "crashed"
        case NoFunction():
            return "missing"
        case NotCalled():
            return "skipped"
    raise AssertionError(f"{outcome} is a return")
