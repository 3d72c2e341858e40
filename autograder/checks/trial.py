"""One call that a check asks for, and what came of it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import groupby
from typing import Any, Literal, NamedTuple, Protocol, TypeAlias

from autograder.model.check import CheckBase, Tolerance
from autograder.model.exercise import Exercise
from autograder.model.outcome import Outcome, Returned, Value
from autograder.numeric.compare import Difference, Expected, all_near, outputs_of

Turn: TypeAlias = Literal["in_order", "next", "last"]


@dataclass(frozen=True, slots=True, eq=False)
class Trial:
    """One call to make. `check` is None for a draw of a case, else the check that wants it beside.

    `memo` keeps what a relation needs to know of its own change (an order, the row constants).
    `turn` is when the call is made: with the exercise's others, right after the draw it repeats, or after
    all other calls.
    """

    case: str
    draw: int
    hidden: bool
    arguments: Mapping[str, Value]
    check: str | None = None
    memo: Mapping[str, Any] = field(default_factory=dict)
    turn: Turn = "in_order"


class Tried(NamedTuple):
    """A trial, its outcome, and the outputs by name (or why they cannot be told apart)."""

    trial: Trial
    outcome: Outcome
    outputs: Mapping[str, Value] | Difference | None

    @classmethod
    def of(cls, trial: Trial, outcome: Outcome, names: tuple[str, ...]) -> Tried:
        """Take the returned value apart by the names of the outputs."""
        if not isinstance(outcome, Returned):
            return cls(trial, outcome, None)
        outputs = outputs_of(outcome.value, names)
        if isinstance(outputs, Difference):
            return cls(trial, outcome, outputs)
        return cls(trial, outcome, dict(zip(names, outputs, strict=True)))

    @property
    def returned(self) -> bool:
        """Whether the call came back with a value."""
        return isinstance(self.outcome, Returned)


@dataclass(frozen=True, slots=True)
class Mismatch:
    """One way in which a claim does not hold: a code of the wording catalogue and what its text needs."""

    code: str
    params: Mapping[str, Any]
    trial: Trial
    output: str | None = None


#: Gives the expected outputs of a trial, by the exercise's reference or another function of the solutions.
ExpectedOf = Callable[[Trial, str | None], Mapping[str, Expected]]


@dataclass(frozen=True, slots=True)
class View:
    """All that a check may look at.

    `beside` holds what checks wanted tried besides the draws, by the check's name. What can be seen of all
    draws at once is here once for all checks: whether every call returned, and whether every output of
    every draw is near what it must be (False: some are not, or it has to be looked at one by one).
    """

    exercise: Exercise
    tried: tuple[Tried, ...]
    beside: Mapping[str, tuple[Tried, ...]]
    expected: ExpectedOf
    tolerance: Tolerance
    #: The draws by case.
    cases: Mapping[str, tuple[Tried, ...]]
    all_returned: bool
    all_near: bool

    @classmethod
    def of(
        cls,
        exercise: Exercise,
        tried: tuple[Tried, ...],
        beside: Mapping[str, tuple[Tried, ...]],
        expected: ExpectedOf,
        tolerance: Tolerance,
    ) -> View:
        """The view on an exercise's draws, in which those of a case stand together, and on what stands beside."""
        cases = {name: tuple(group) for name, group in groupby(tried, key=lambda one: one.trial.case)}
        returned = all(one.returned for one in tried)
        near = returned and _all_near(exercise, tried, expected, tolerance)
        returned = returned and all(one.returned for several in beside.values() for one in several)
        return cls(exercise, tried, beside, expected, tolerance, cases, returned, near)

    def of_case(self, case: str) -> tuple[Tried, ...]:
        """The draws of one case."""
        return self.cases.get(case, ())


def _all_near(
    exercise: Exercise, tried: tuple[Tried, ...], expected: ExpectedOf, tolerance: Tolerance
) -> bool:
    actual: list[Value] = []
    wanted: list[Expected] = []
    try:
        for one in tried:
            if one.outputs is None or isinstance(one.outputs, Difference):
                return False
            values = expected(one.trial, None)
            actual += one.outputs.values()
            wanted += [values[name] for name in exercise.outputs]
    except Exception:  # whichever check needs that value will say what is wrong with the reference
        return False
    return all_near(actual, wanted, tolerance)


class Kind(Protocol):
    """A check kind: which calls it wants beside the cases, which trials it looks at, what it finds wrong."""

    #: True if every trial it looks at must have returned; False if those that did are enough.
    needs_all: bool

    def plan(self, check: Any, exercise: Exercise, trials: tuple[Trial, ...], rng: Any) -> tuple[Trial, ...]:
        """The calls to make beside the cases' draws; `rng()` makes the generator for their changes."""

    def subjects(self, check: Any, view: View) -> tuple[Tried, ...]:
        """The trials that the claim is about."""

    def holds_at_once(self, check: Any, view: View) -> bool:
        """Whether what can be seen of all draws at once shows that the claim holds."""

    def judge(self, check: Any, view: View) -> Iterator[Mismatch]:
        """Every way in which the claim does not hold; none if it does."""


def base_case(check: CheckBase, exercise: Exercise, on: str | None) -> str:
    """The case that a relation starts from: the one named, else the first visible drawn one, else the first."""
    if on is not None:
        return on
    drawn = [name for name, case in exercise.cases.items() if case.drawn and not case.hidden]
    return drawn[0] if drawn else next(iter(exercise.cases))
