"""One exercise with its inputs drawn, on which the author's own functions are tried in this process.

Planning, judging and marking are those of `grading`; only the worker is left out, for what runs here is
the author's: references, wrong functions, mutants, stubs, stock answers.
"""

from __future__ import annotations

import contextlib
import io
import traceback
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, TypeAlias

import numpy as np

from autograder.checks.builtin import Verdict, judge
from autograder.checks.trial import Tried, View
from autograder.grading.calls import Calls
from autograder.grading.expectations import Expectations, call_reference, own_copy
from autograder.grading.judging import Judged, judge_exercise, view_of
from autograder.grading.marks import Marked, exercise_status, mark_checks
from autograder.grading.plan import Plan, plan_exercise
from autograder.loading.assignment import Course
from autograder.model.check import CheckBase
from autograder.model.exercise import Exercise
from autograder.model.outcome import NotCalled, Outcome, Raised, Returned, Value
from autograder.model.result import Status
from autograder.numeric.draw import Reference
from autograder.worker.inside.values import simplify
from autograder.worker.interface import Request
from autograder.worker.replies import value_from

Function: TypeAlias = Callable[..., Any]


class EndlessError(Exception):
    """A function was stopped because it would not have ended; it is not called again."""


@dataclass(frozen=True, slots=True)
class Attempt:
    """A function tried on a bench: what came of every draw, the verdict of every check, and the marks."""

    judged: Judged

    @property
    def tried(self) -> tuple[Tried, ...]:
        """The draws of the cases, and what came of them."""
        return self.judged.tried

    @property
    def verdicts(self) -> Mapping[str, Verdict]:
        """The verdicts by the names of the checks."""
        return self.judged.verdicts

    @property
    def marked(self) -> Mapping[str, Marked]:
        """The checks as grading marks them."""
        statuses = {name: verdict.status for name, verdict in self.verdicts.items()}
        return mark_checks(self.judged.exercise.checks, statuses, tells=self.judged.tells)

    @property
    def status(self) -> Status:
        """The status of the exercise."""
        return exercise_status([mark.status for mark in self.marked.values()])

    @property
    def share(self) -> float:
        """The share of the marks that it would earn."""
        return sum(mark.earned for mark in self.marked.values()) / self.judged.exercise.total_weight

    @property
    def passed(self) -> tuple[str, ...]:
        """The names of the checks that earn their marks."""
        return tuple(name for name, mark in self.marked.items() if mark.status == "passed")

    def fault(self, check: str) -> str:
        """What stopped the judging of a check, in one line; empty if nothing did."""
        return (self.judged.faults.get(check, "").strip().splitlines() or [""])[-1]


@dataclass(frozen=True)
class Bench:
    """The plan of one exercise for one seed, with the values that its reference expects."""

    course: Course
    plan: Plan
    expected: Expectations

    @classmethod
    def draw(cls, course: Course, exercise: Exercise, seed: int) -> Bench:
        """Draw the inputs of an exercise; the same seed draws the same. Raises what planning raises."""
        plan = plan_exercise(exercise, reference_of(course), *seed_parts(course, seed))
        return cls(course, plan, Expectations(exercise, course.references, course.assignment.tolerance))

    @property
    def exercise(self) -> Exercise:
        """The exercise."""
        return self.plan.exercise

    @property
    def calls(self) -> int:
        """How many calls a submission gets for this exercise."""
        return len(self.plan.draws) + sum(map(len, self.plan.beside.values()))

    @cached_property
    def reference(self) -> Function:
        """The exercise's own reference function."""
        return self.course.references.functions[self.exercise.function]

    def attempt(self, function: Function) -> Attempt:
        """Call the function for every trial, and judge every check."""
        calls = self._calls(function)
        with _quiet():
            tolerance = self.course.assignment.tolerance
            return Attempt(judge_exercise(self.plan, calls, self.expected, tolerance))

    def first_failed(self, function: Function) -> str | None:
        """The first check that the function does not pass, value checks first; None if it passes all."""
        view = self._view(self._calls(function))
        checks = self.exercise.checks
        for check in sorted(checks, key=lambda check: check.kind != "value"):
            try:
                with _quiet():
                    passed = judge(check, view).status == "passed"
            except Exception:  # `broken` takes no marks: the function has got away with it
                passed = True
            if not passed:
                return _name(check)
        return None

    def _calls(self, function: Function) -> Calls:
        calls = Calls(_Here(function, self.course.references.file))
        with _quiet():
            calls.run([self.plan])
        return calls

    def _view(self, calls: Calls) -> View:
        with _quiet():
            return view_of(self.plan, calls, self.expected, self.course.assignment.tolerance)


def seed_parts(course: Course, seed: int) -> tuple[object, ...]:
    """What inputs are drawn from, in place of a submission's digest."""
    return course.assignment.seed, f"lint {seed}"


def reference_of(course: Course) -> Reference:
    """How drawing asks for an output of another exercise's reference."""
    by_function = {exercise.function: exercise for exercise in course.exercises}

    def call(function: str, arguments: Mapping[str, Value]) -> dict[str, Any]:
        exercise = by_function[function]
        own = {name: arguments[name] for name in exercise.parameters if name in arguments}
        outputs = call_reference(course.references, function, own)
        return dict(zip(exercise.outputs, outputs, strict=True))

    return call


class _Here:
    """Calls one function in this process, on arguments of its own, and says what came of it."""

    def __init__(self, function: Function, file: str) -> None:
        self._function = function
        self._file = file
        self._ended = True

    def calls(self, requests: Sequence[Request]) -> Iterator[Outcome]:
        """See `grading.calls.CallingMany`; there is one function, whatever its name."""
        return (self._call(arguments) for _, arguments in requests)

    def _call(self, arguments: Sequence[Value]) -> Outcome:
        if not self._ended:
            return NotCalled("time")
        own = [*own_copy({str(index): argument for index, argument in enumerate(arguments)}).values()]
        try:
            value = value_from(simplify(self._function(*own)))
        except Exception as error:
            self._ended = not isinstance(error, EndlessError)
            return Raised(type(error).__name__, str(error), _line(error, self._file))
        return Returned(value, _changed(own, arguments))


def _changed(actual: Sequence[Any], sent: Sequence[Value]) -> dict[int, Value]:
    """The arrays that differ from what was sent, to the last bit, by index."""
    return {
        index: array
        for index, (array, before) in enumerate(zip(actual, sent, strict=True))
        if isinstance(before, np.ndarray) and array.tobytes() != before.tobytes()
    }


def _line(error: Exception, file: str) -> int | None:
    lines = [frame.lineno for frame in traceback.extract_tb(error.__traceback__) if frame.filename == file]
    return lines[-1] if lines else None


@contextlib.contextmanager
def _quiet() -> Iterator[None]:
    """For a while, what is printed or warned of goes nowhere."""
    with warnings.catch_warnings(), contextlib.redirect_stdout(io.StringIO()):
        warnings.simplefilter("ignore")
        yield


def _name(check: CheckBase) -> str:
    return check.name  # type: ignore[attr-defined,no-any-return]
