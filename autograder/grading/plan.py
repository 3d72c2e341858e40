"""Which calls to make for one exercise and one submission: draws of the cases, and what checks want beside."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, MutableMapping
from dataclasses import dataclass
from functools import partial
from typing import TypeAlias

from autograder.checks.builtin import KINDS
from autograder.checks.trial import Trial
from autograder.model.exercise import Case, Exercise
from autograder.numeric.draw import Reference, Seed, draw_case, draw_sizes, generator


@dataclass(frozen=True, slots=True)
class Plan:
    """The calls of one exercise: the cases' draws in order, and by check name the calls beside them."""

    exercise: Exercise
    draws: tuple[Trial, ...]
    beside: Mapping[str, tuple[Trial, ...]]

    def passes(self) -> tuple[tuple[Trial, ...], ...]:
        """The calls in four passes: visible ones, those of them that come last of all, then the hidden ones so."""
        passes: tuple[list[Trial], ...] = ([], [], [], [])
        for trial in self._in_order():
            passes[2 * trial.hidden + (trial.turn == "last")].append(trial)
        return tuple(map(tuple, passes))

    def _in_order(self) -> Iterator[Trial]:
        beside = [trial for trials in self.beside.values() for trial in trials]
        repeats = [trial for trial in beside if trial.turn == "next"]
        for draw in self.draws:
            yield draw
            yield from (r for r in repeats if (r.case, r.draw) == (draw.case, draw.draw))
        yield from (trial for trial in beside if trial.turn != "next")


#: The trials of cases that are the same for everybody, by case name.
Fixed: TypeAlias = MutableMapping[str, tuple[Trial, ...]]


def plan_exercise(
    exercise: Exercise, reference: Reference, *seed: object, fixed: Fixed | None = None
) -> Plan:
    """Draw the inputs of an exercise. The same seed parts give the same numbers, whatever else is drawn.

    `fixed` keeps the trials of cases that draw nothing from one submission to the next.
    """
    fixed = {} if fixed is None else fixed
    own_seed = Seed(*seed, exercise.id)
    draws: list[Trial] = []
    for name, case in exercise.cases.items():
        trials = fixed.get(name) or draw_trials(exercise, name, case, reference, own_seed)
        if not case.drawn:
            fixed[name] = trials
        draws.extend(trials)
    beside = {}
    for check in exercise.checks:
        rng = partial(own_seed.generator, "check", check.name)
        trials = KINDS[check.kind].plan(check, exercise, tuple(draws), rng)
        if trials:
            beside[check.name] = trials
    return Plan(exercise, tuple(draws), beside)


def draw_trials(
    exercise: Exercise, name: str, case: Case, reference: Reference, seed: Seed
) -> tuple[Trial, ...]:
    """The draws of one case. A case with a seed of its own draws the same for everybody."""
    trials = []
    sizes = None
    for draw in range(case.draws):
        rng = _generator(name, case, draw, seed)
        if exercise.sizes and rng is not None and (sizes is None or not case.same_sizes):
            # A seed of the case's own is for its numbers alone: sizes come from elsewhere.
            of_sizes = rng if case.drawn else generator(exercise.id, name, "sizes", draw)
            sizes = draw_sizes(exercise, case, of_sizes)
        arguments = draw_case(exercise, case, rng, reference, sizes=sizes or dict(case.sizes))
        trials.append(Trial(name, draw, case.hidden, arguments))
    return tuple(trials)


def _generator(name: str, case: Case, draw: int, seed: Seed):  # type: ignore[no-untyped-def]
    if case.seed is not None:
        import numpy as np

        return np.random.default_rng(case.seed if draw == 0 else [case.seed, draw])
    if not case.drawn:
        return None
    return seed.generator(name, draw)
