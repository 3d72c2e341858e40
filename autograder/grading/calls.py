"""Make the planned calls of a submission, visible ones first, and keep deaths from eating its time."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Protocol

import numpy as np

from autograder.checks.trial import Trial, Tried
from autograder.grading.plan import Plan
from autograder.model.exercise import Exercise
from autograder.model.outcome import Died, Listed, NoFunction, NotCalled, Outcome, Returned, Unsendable, Value
from autograder.worker.interface import Request

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

    def calls(self, requests: Sequence[Request]) -> Iterator[Outcome]:
        """Call functions by name, one after the other."""


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
        exercises = [(plan.exercise, plan.passes()) for plan in plans]
        for turn in range(4):
            self.make([(exercise, trial) for exercise, passes in exercises for trial in passes[turn]])

    def make(self, trials: Sequence[tuple[Exercise, Trial]]) -> None:
        """Make these calls, one after the other."""
        while trials:
            trials = [(exercise, trial) for exercise, trial in trials if not self._is_known(exercise, trial)]
            trials = trials[self._ask(trials) :]

    def _is_known(self, exercise: Exercise, trial: Trial) -> bool:
        """Whether the outcome is known without a call, and noted: nobody calls what is not there or never ends."""
        function = exercise.function
        if function in self._missing:
            self._note(exercise, trial, self._missing[function])
        elif self._deaths[function] >= DEATHS_OF_ONE_FUNCTION:
            self._note(exercise, trial, NotCalled("function"))
        else:
            return False
        return True

    def _ask(self, trials: Sequence[tuple[Exercise, Trial]]) -> int:
        """Make calls up to one that does not come back; return how many that were."""
        requests = [(exercise.function, tuple(trial.arguments.values())) for exercise, trial in trials]
        outcomes = self._session.calls(requests)
        for done, (exercise, trial) in enumerate(trials, 1):
            if self._take(exercise, trial, next(outcomes)):
                return done
        return len(trials)

    def _take(self, exercise: Exercise, trial: Trial, outcome: Outcome) -> bool:
        """Note the outcome of a call; whether it did not come back."""
        if isinstance(outcome, NoFunction):
            self._missing.setdefault(exercise.function, outcome)
        self._note(exercise, trial, self._missing.get(exercise.function, outcome))
        died = isinstance(outcome, Died)
        self._deaths[exercise.function] += died
        return died

    def _note(self, exercise: Exercise, trial: Trial, outcome: Outcome) -> None:
        if isinstance(outcome, Returned):
            outcome = self._kept(outcome)
        self.tried[trial] = Tried.of(trial, outcome, exercise.outputs)

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
    if isinstance(value, np.ndarray):
        return value.size * max(value.itemsize, 8)  # to be compared they are made floats
    if isinstance(value, tuple | list):
        return sum(map(bytes_of, value))
    if isinstance(value, Listed):
        return bytes_of(value.array)
    return 64 + len(value) if isinstance(value, str) else 64
