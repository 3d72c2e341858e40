"""One exercise of one submission with its calls made: every check judged, faults of ours kept apart."""

from __future__ import annotations

import traceback
from collections.abc import Mapping
from dataclasses import dataclass

from autograder.checks.builtin import Verdict, judge
from autograder.checks.trial import Tried, View
from autograder.grading.calls import Calls
from autograder.grading.expectations import Expectations
from autograder.grading.plan import Plan
from autograder.model.check import Tolerance
from autograder.model.exercise import Exercise


@dataclass(frozen=True, slots=True)
class Judged:
    """The verdicts by check name; `faults` are tracebacks of checks that broke, by check name."""

    plan: Plan
    tried: tuple[Tried, ...]
    views: Mapping[str, View]
    verdicts: Mapping[str, Verdict]
    faults: Mapping[str, str]

    @property
    def exercise(self) -> Exercise:
        """The exercise."""
        return self.plan.exercise


def judge_exercise(plan: Plan, calls: Calls, expected: Expectations, tolerance: Tolerance) -> Judged:
    """Judge every check of an exercise on the outcomes of its calls."""
    tried = tuple(calls.tried[trial] for trial in plan.draws)
    views, verdicts, faults = {}, {}, {}
    for check in plan.exercise.checks:
        beside = tuple(calls.tried[trial] for trial in plan.beside.get(check.name, ()))
        view = View(plan.exercise, tried, beside, expected, tolerance)
        views[check.name] = view
        try:
            verdicts[check.name] = judge(check, view)
        except Exception:  # a fault of ours or the author's: `broken`, never the student's loss
            verdicts[check.name] = Verdict("broken")
            faults[check.name] = traceback.format_exc()
    return Judged(plan, tried, views, verdicts, faults)
