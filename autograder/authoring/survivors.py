"""Which mutants of a reference the checks of its exercise kill, and which survive without a reason."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from autograder.authoring.bench import Bench
from autograder.authoring.findings import Finding, Table, at, error
from autograder.authoring.mutants import Mutant, build, mutants
from autograder.model.exercise import Exercise


@dataclass(frozen=True, slots=True)
class Fate:
    """A mutant, and on each bench the first check that it failed (None: it passed them all)."""

    mutant: Mutant
    killers: tuple[str | None, ...]

    @property
    def killed(self) -> bool:
        """Whether it failed on every bench: what only some draws tell, some students' marks would not."""
        return None not in self.killers


@dataclass(frozen=True, slots=True)
class Survey:
    """The fates of all mutants of one exercise's reference."""

    exercise: Exercise
    fates: tuple[Fate, ...]

    @property
    def surviving(self) -> tuple[Fate, ...]:
        """Those that pass, and that no reason is given for."""
        return tuple(f for f in self.fates if not f.killed and not self._accepted(f.mutant))

    @property
    def accepted(self) -> tuple[Fate, ...]:
        """Those that pass, and are accepted with a reason."""
        return tuple(f for f in self.fates if not f.killed and self._accepted(f.mutant))

    def _accepted(self, mutant: Mutant) -> bool:
        return any(mutant.names(accepted.mutant) for accepted in self.exercise.equivalent_mutants)


def survey(benches: Sequence[Bench]) -> Survey:
    """Try every mutant of an exercise's reference on the benches."""
    course, exercise = benches[0].course, benches[0].exercise
    others = [other.function for other in course.exercises]
    made = mutants(course.references, exercise.function, len(exercise.outputs), others)
    return Survey(exercise, tuple(_fate(mutant, benches) for mutant in made))


def _fate(mutant: Mutant, benches: Sequence[Bench]) -> Fate:
    function = build(mutant, benches[0].course.references, benches[0].exercise.function)
    return Fate(mutant, tuple(bench.first_failed(function) for bench in benches))


def survey_findings(bench: Bench, found: Survey) -> Iterator[Finding]:
    """The mutants that survive without a reason, and the reasons given for what does not survive."""
    for fate in found.surviving:
        mutant, passed = fate.mutant, fate.killers.count(None)
        often = "" if passed == len(fate.killers) else f" on {passed} of {len(fate.killers)} seeds"
        message = f"a mutant survives{often} ({mutant.change}): `{mutant.after}` for `{mutant.before}`"
        remedy = (
            f"add a check that tells it, or accept this line or {mutant.id} "
            "under `equivalent_mutants`, with the reason"
        )
        yield error("mutant", mutant.place, message, remedy)
    for index, accepted in enumerate(found.exercise.equivalent_mutants):
        meant = [fate for fate in found.fates if fate.mutant.names(accepted.mutant)]
        place = at(bench.course, found.exercise, ("equivalent_mutants", index, "mutant"))
        if not meant:
            message = f"there is no mutant {accepted.mutant!r}"
            yield error("mutant", place, message, "drop it, or copy the line or the id that lint prints")
        elif all(fate.killed for fate in meant):
            message = f"the accepted mutant {accepted.mutant!r} is killed, by {meant[0].killers[0]}"
            yield error("mutant", place, message, "drop it from the list")


def survey_table(surveys: Sequence[Survey]) -> Table:
    """How many mutants of each exercise were made, killed, accepted, and survive."""
    columns = ("exercise", "mutants", "killed", "accepted", "surviving")
    return Table("Mutants of the references", columns, tuple(map(_row, surveys)))


def _row(found: Survey) -> tuple[str, ...]:
    killed = sum(fate.killed for fate in found.fates)
    counts = (len(found.fates), killed, len(found.accepted), len(found.surviving))
    return (found.exercise.id, *map(str, counts))
