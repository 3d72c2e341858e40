"""One exercise of one submission with its calls made: every check judged, faults of ours kept apart."""

from __future__ import annotations

import traceback
from collections.abc import Mapping
from dataclasses import dataclass

from autograder.checks.builtin import Verdict, judge, tells
from autograder.checks.trial import Tried, View
from autograder.grading.calls import Calls
from autograder.grading.expectations import Expectations
from autograder.grading.plan import Plan
from autograder.model.check import Tolerance, ValueCheck
from autograder.model.exercise import Exercise


@dataclass(frozen=True, slots=True)
class Judged:
    """The verdicts by check name; `faults` are tracebacks of checks that broke, by check name."""

    plan: Plan
    view: View
    verdicts: Mapping[str, Verdict]
    faults: Mapping[str, str]

    @property
    def exercise(self) -> Exercise:
        """The exercise."""
        return self.plan.exercise

    @property
    def tried(self) -> tuple[Tried, ...]:
        """The draws of the cases, tried."""
        return self.view.tried

    def tells(self, name: str) -> bool:
        """Whether a value check tells a right function from a stock answer; so does one that has not passed."""
        check = next(check for check in self.exercise.checks if check.name == name)
        passed = self.verdicts[name].status == "passed"
        return not (passed and isinstance(check, ValueCheck)) or tells(check, self.view)


def judge_exercise(plan: Plan, calls: Calls, expected: Expectations, tolerance: Tolerance) -> Judged:
    """Judge every check of an exercise on the outcomes of its calls."""
    view = view_of(plan, calls, expected, tolerance)
    verdicts, faults = {}, {}
    for check in plan.exercise.checks:
        name = check.name
        try:
            verdicts[name] = judge(check, view)
        except Exception:  # a fault of ours or the author's: `broken`, never the student's loss
            verdicts[name] = Verdict("broken")
            faults[name] = traceback.format_exc()
    return Judged(plan, view, verdicts, faults)


def view_of(plan: Plan, calls: Calls, expected: Expectations, tolerance: Tolerance) -> View:
    """What the checks of an exercise look at."""
    tried = tuple(calls.tried[trial] for trial in plan.draws)
    beside = {name: tuple(calls.tried[trial] for trial in trials) for name, trials in plan.beside.items()}
    return View.of(plan.exercise, tried, beside, expected, tolerance)
