"""Rules on the wrong functions: each has a misconception, fails its exercise, and is unlike the others."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

from autograder.authoring.bench import Attempt, Bench
from autograder.authoring.findings import Finding, at, error, warning
from autograder.authoring.reference_rules import differing_signature, function_place
from autograder.checks.trial import Tried
from autograder.diagnosis.malrules import FEWEST
from autograder.errors import ExerciseError, Problem
from autograder.grading.explain import Explainer
from autograder.loading.assignment import Course, missing_malrules
from autograder.loading.solutions import References
from autograder.model.check import Tolerance
from autograder.model.exercise import Exercise, Misconception
from autograder.model.outcome import Raised, Returned
from autograder.numeric.compare import same


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
    benches: Sequence[Bench], malrules: References, explainer: Explainer
) -> Iterator[Finding]:
    """The wrong functions of one exercise fail it on every bench, each in its own way, and are recognised."""
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
        if len(tried) == len(exercise.misconceptions):  # a diagnosis compares with all of them
            yield from _diagnosed(benches, wrong, tried, explainer)
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


def _diagnosed(
    benches: Sequence[Bench], wrong: _Wrong, others: Sequence[_Wrong], explainer: Explainer
) -> Iterator[Finding]:
    """A wrong function is diagnosed as itself, and as nothing that a case tells from it."""
    course, exercise = benches[0].course, benches[0].exercise
    tolerance = course.assignment.tolerance
    alike = {other.misconception.code for other in others if _alike(wrong, other, tolerance)}
    place = at(course, exercise, ("misconceptions", wrong.index, "code"))
    code = wrong.misconception.code
    for bench, attempt in zip(benches, wrong.attempts, strict=True):
        ideas = explainer.ideas(attempt.judged, bench.expected)
        found = [idea.code for idea in ideas if idea.kind == "malrule"]
        strange = [other for other in found if other not in alike]
        if code not in found:
            yield _unrecognised(bench, wrong, attempt, found)
            return
        if strange:
            message = f"{wrong.name!r} is diagnosed as {', '.join(strange)} too"
            yield error("diagnosis", place, message, "add a case that tells them apart")
            return


def _unrecognised(bench: Bench, wrong: _Wrong, attempt: Attempt, found: Sequence[str]) -> Finding:
    """The finding on a wrong function that is not diagnosed as itself; where it only raises, a warning."""
    place = at(bench.course, bench.exercise, ("misconceptions", wrong.index, "code"))
    right, tolerance = bench.attempt(bench.reference), bench.course.assignment.tolerance
    pairs = zip(attempt.tried, right.tried, strict=True)
    differing = [one for one, other in pairs if not _agree(one, other, tolerance)]
    raised = sum(not one.returned for one in differing)
    if raised == len(differing) > 0:
        message = f"{wrong.name!r} raises on every call on which it differs, so its text is never shown"
        return warning(
            "diagnosis", place, message, "add cases whose shapes fit it, or leave it to the exception"
        )
    message = (
        f"{wrong.name!r} is diagnosed as {', '.join(found) or 'nothing'}: "
        f"it differs from the reference on {len(differing)} of {len(right.tried)} calls"
    )
    remedy = f"add cases: a diagnosis needs {FEWEST} such calls, and one that gives other values"
    return error("diagnosis", place, message + (f", and raises on {raised}" if raised else ""), remedy)


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
