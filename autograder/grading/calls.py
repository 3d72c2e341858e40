"""Make the planned calls of a submission, visible ones first, and keep deaths from eating its time."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Protocol

from autograder.checks.trial import Trial, Tried
from autograder.grading.plan import Plan
from autograder.model.outcome import Died, NoFunction, NotCalled, Outcome, Value

#: After so many calls that did not come back, a function is not called any more.
DEATHS_OF_ONE_FUNCTION = 2


class Calling(Protocol):
    """Something that calls a submission's functions: a session of a worker."""

    def call(self, function: str, arguments: Sequence[Value], *, trace: bool = False) -> Outcome:
        """Call a function by name."""


class Calls:
    """The outcomes of one submission's trials, as they are made."""

    def __init__(self, session: Calling) -> None:
        self._session = session
        self._deaths: Counter[str] = Counter()
        self._missing: dict[str, NoFunction] = {}
        self.tried: dict[Trial, Tried] = {}

    def run(self, plans: Sequence[Plan]) -> None:
        """Make all calls. What is printed or raised before the first hidden input can hold none of it."""
        for hidden in (False, True):
            for last in (False, True):
                for plan in plans:
                    self.make(plan, plan.trials(hidden=hidden, last=last))

    def make(self, plan: Plan, trials: Iterable[Trial]) -> None:
        """Make these calls of one exercise."""
        function, outputs = plan.exercise.function, plan.exercise.outputs
        for trial in trials:
            outcome = self._call(function, tuple(trial.arguments.values()))
            self.tried[trial] = Tried.of(trial, outcome, outputs)

    def _call(self, function: str, arguments: tuple[Value, ...]) -> Outcome:
        if function in self._missing:
            return self._missing[function]
        if self._deaths[function] >= DEATHS_OF_ONE_FUNCTION:
            return NotCalled("function")
        outcome = self._session.call(function, arguments)
        if isinstance(outcome, Died):
            self._deaths[function] += 1
        if isinstance(outcome, NoFunction):
            self._missing[function] = outcome
        return outcome
