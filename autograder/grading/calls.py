"""Make the planned calls of a submission, visible ones first, and keep deaths from eating its time."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import repeat
from typing import Protocol

import numpy as np

from autograder.checks.trial import Trial, Tried
from autograder.grading.plan import Plan
from autograder.model.outcome import Died, Listed, NoFunction, NotCalled, Outcome, Returned, Unsendable, Value

#: After so many calls that did not come back, a function is not called any more.
DEATHS_OF_ONE_FUNCTION = 2
#: Bytes of all answers of a submission that are kept until it is judged; those of exercises are small.
KEPT_BYTES = 64 << 20


class Calling(Protocol):
    """Something that calls a submission's functions: a session of a worker."""

    def call(self, function: str, arguments: Sequence[Value], *, trace: bool = False) -> Outcome:
        """Call a function by name."""


class CallingMany(Protocol):
    """Something that can be asked for many calls at once."""

    def calls(self, function: str, many: Sequence[Sequence[Value]]) -> Iterator[Outcome]:
        """Call a function by name with one list of arguments after the other."""


class Calls:
    """The outcomes of one submission's trials, as they are made."""

    def __init__(self, session: CallingMany) -> None:
        self._session = session
        self._deaths: Counter[str] = Counter()
        self._missing: dict[str, NoFunction] = {}
        self._room = KEPT_BYTES
        self.tried: dict[Trial, Tried] = {}

    def run(self, plans: Sequence[Plan]) -> None:
        """Make all calls. What is printed or raised before the first hidden input can hold none of it."""
        for hidden in (False, True):
            for last in (False, True):
                for plan in plans:
                    self.make(plan, plan.trials(hidden=hidden, last=last))

    def make(self, plan: Plan, trials: Sequence[Trial]) -> None:
        """Make these calls of one exercise."""
        function, outputs = plan.exercise.function, plan.exercise.outputs
        outcomes = self._outcomes(function, [tuple(trial.arguments.values()) for trial in trials])
        for trial, outcome in zip(trials, outcomes, strict=True):
            self.tried[trial] = Tried.of(trial, outcome, outputs)

    def _outcomes(self, function: str, many: Sequence[tuple[Value, ...]]) -> Iterator[Outcome]:
        if function in self._missing:
            yield from repeat(self._missing[function], len(many))
            return
        outcomes = self._session.calls(function, many)
        for _ in many:
            if self._deaths[function] >= DEATHS_OF_ONE_FUNCTION:
                yield NotCalled("function")
                continue
            outcome = next(outcomes)
            if isinstance(outcome, Died):
                self._deaths[function] += 1
            if isinstance(outcome, NoFunction):
                self._missing.setdefault(function, outcome)
            outcome = self._missing.get(function, outcome)
            yield self._kept(outcome) if isinstance(outcome, Returned) else outcome

    def _kept(self, outcome: Returned) -> Returned:
        """The outcome; without its numbers once the submission has filled the room there is for them."""
        size = bytes_of(outcome.value) + sum(map(bytes_of, outcome.changed.values()))
        if size <= self._room:
            self._room -= size
            return outcome
        value = Unsendable(f"a result of {size:,} bytes")
        return replace(outcome, value=value, changed=dict.fromkeys(outcome.changed), trace=())


def bytes_of(value: Value) -> int:
    """About how much memory a returned value takes."""
    if isinstance(value, tuple | list):
        return sum(map(bytes_of, value))
    if isinstance(value, Listed):
        value = value.array
    return (
        value.nbytes if isinstance(value, np.ndarray) else 64 + len(value) if isinstance(value, str) else 64
    )
