"""Rules on the wrong functions: each has a misconception, fails its exercise, and is unlike the others."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import TypeAlias

from autograder.authoring.bench import Attempt, Bench
from autograder.authoring.findings import Finding, at, error, warning
from autograder.authoring.reference_rules import differing_signature, function_place
from autograder.checks.trial import Tried
from autograder.errors import ExerciseError, Problem
from autograder.loading.assignment import Course, missing_malrules
from autograder.loading.solutions import References
from autograder.model.check import Tolerance
from autograder.model.exercise import Exercise, Misconception
from autograder.model.outcome import Raised, Returned
from autograder.numeric.compare import same

#: Says by which codes the outcomes of a wrong function would be explained, the most fitting first.
Diagnose: TypeAlias = Callable[[Bench, Attempt], Sequence[str]]
#: On so many calls a wrong function must differ from the reference to be recognised by them.
CALLS = 2


@dataclass(frozen=True, slots=True)
class _Wrong:
    """A misconception whose wrong function has been tried on every bench."""

    index: int
    misconception: Misconception
    attempts: tuple[Attempt, ...]

    @property
    def name(self) -> str:
        return self.misconception.malrule


def load(course: Course) -> tuple[References | None, tuple[Finding, ...]]:
    """The wrong functions of a course, if there are any, and what keeps them from being found or loaded."""
    try:
        malrules = course.malrules()
    except ExerciseError as fault:
        return None, tuple(map(_of_problem, fault.problems))
    if malrules is None:
        return None, tuple(_without_file(course))
    return malrules, tuple(map(_of_problem, missing_malrules(course, malrules)))


def _of_problem(problem: Problem) -> Finding:
    return error("malrule", problem.place, problem.message, problem.remedy)


def _without_file(course: Course) -> Iterator[Finding]:
    for exercise in course.exercises:
        if exercise.misconceptions:
            message = "misconceptions, but the config names no file of wrong functions"
            remedy = "add `malrules: …` to the config, or drop the misconceptions"
            yield error("malrule", at(course, exercise, ("misconceptions",), key=True), message, remedy)


def unnamed_malrules(course: Course, malrules: References) -> Iterator[Finding]:
    """A finding for every wrong function that no misconception names."""
    named = {m.malrule for exercise in course.exercises for m in exercise.misconceptions}
    for name in malrules.functions:
        if name not in named:
            message = f"no misconception names the wrong function {name!r}"
            remedy = "add one to its exercise, with code, text and hint, or remove the function"
            yield error("malrule", function_place(malrules, name), message, remedy)


def malrule_findings(
    benches: Sequence[Bench], malrules: References, diagnose: Diagnose | None = None
) -> Iterator[Finding]:
    """The wrong functions of one exercise fail it on every bench, each in its own way."""
    course, exercise = benches[0].course, benches[0].exercise
    tried = []
    for index, misconception in enumerate(exercise.misconceptions):
        if misconception.malrule not in malrules.functions:
            continue
        function = malrules.functions[misconception.malrule]
        place = function_place(malrules, misconception.malrule)
        yield from differing_signature(exercise, function, place, "wrong function")
        attempts = tuple(bench.attempt(function) for bench in benches)
        tried.append(_Wrong(index, misconception, attempts))
    for wrong in tried:
        yield from _passes(course, exercise, wrong)
        yield from _hardly_differs(benches, wrong)
        if diagnose is not None:
            yield from _diagnosed(benches, wrong, tried, diagnose)
    for first, second in combinations(tried, 2):
        if _alike(first, second, course.assignment.tolerance):
            yield _not_told_apart(course, exercise, first, second)


def _passes(course: Course, exercise: Exercise, wrong: _Wrong) -> Iterator[Finding]:
    passed = sum(attempt.status == "passed" for attempt in wrong.attempts)
    if passed:
        count = len(wrong.attempts)
        place = at(course, exercise, ("misconceptions", wrong.index, "malrule"))
        message = f"{wrong.name!r} passes every check of {exercise.id} on {passed} of {count} seeds"
        yield error("malrule", place, message, "add a case that shows the mistake, with a check")


def _hardly_differs(benches: Sequence[Bench], wrong: _Wrong) -> Iterator[Finding]:
    """A diagnosis rests on the calls on which the wrong function and the reference differ: one is too few."""
    course, exercise = benches[0].course, benches[0].exercise
    tolerance = course.assignment.tolerance
    for bench, attempt in zip(benches, wrong.attempts, strict=True):
        right = bench.attempt(bench.reference)
        pairs = zip(attempt.tried, right.tried, strict=True)
        differing = sum(not _agree(one, other, tolerance) for one, other in pairs)
        if differing < CALLS:
            place = at(course, exercise, ("misconceptions", wrong.index, "malrule"))
            message = f"{wrong.name!r} differs from the reference on {differing} of {len(right.tried)} calls"
            yield warning("malrule", place, message, f"add a case: a diagnosis needs {CALLS} such calls")
            return


def _diagnosed(
    benches: Sequence[Bench], wrong: _Wrong, others: Sequence[_Wrong], diagnose: Diagnose
) -> Iterator[Finding]:
    """A wrong function is diagnosed as itself, and as nothing that a case tells from it."""
    course, exercise = benches[0].course, benches[0].exercise
    tolerance = course.assignment.tolerance
    alike = {other.misconception.code for other in others if _alike(wrong, other, tolerance)}
    place = at(course, exercise, ("misconceptions", wrong.index, "code"))
    code = wrong.misconception.code
    for bench, attempt in zip(benches, wrong.attempts, strict=True):
        found = tuple(diagnose(bench, attempt))
        if code not in found:
            named = ", ".join(found) or "nothing"
            message = f"{wrong.name!r} is diagnosed as {named}, not as {code}"
            yield error("diagnosis", place, message, "add cases that show it, or mend the wrong function")
            return
        if strange := [other for other in found if other not in alike]:
            message = f"{wrong.name!r} is diagnosed as {', '.join(strange)} too"
            yield error("diagnosis", place, message, "add a case that tells them apart")
            return


def _not_told_apart(course: Course, exercise: Exercise, first: _Wrong, second: _Wrong) -> Finding:
    place = at(course, exercise, ("misconceptions", second.index, "malrule"))
    message = f"no case tells {second.name!r} from {first.name!r}"
    return warning("malrule", place, message, "add a case on which they differ, or keep one of them")


def _alike(first: _Wrong, second: _Wrong, tolerance: Tolerance) -> bool:
    return all(
        _agree(one, other, tolerance)
        for left, right in zip(first.attempts, second.attempts, strict=True)
        for one, other in zip(left.tried, right.tried, strict=True)
    )


def _agree(one: Tried, other: Tried, tolerance: Tolerance) -> bool:
    """Whether two calls cannot be told apart: equal values, or exceptions of one type."""
    match one.outcome, other.outcome:
        case Returned() as left, Returned() as right:
            return left.changed.keys() == right.changed.keys() and same(left.value, right.value, tolerance)
        case Raised() as left, Raised() as right:
            return left.type_name == right.type_name
    return False
