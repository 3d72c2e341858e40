"""Whether an assignment may be graded at all: its own reference must pass its own checks."""

from __future__ import annotations

from collections.abc import Iterator

from autograder.authoring.bench import Bench
from autograder.authoring.findings import Finding
from autograder.authoring.reference_rules import (
    drawing_findings,
    is_written,
    not_written,
    reference_findings,
    signature_findings,
)
from autograder.errors import ExerciseError, Problem
from autograder.loading.assignment import Course, missing_malrules
from autograder.loading.findings import sorted_problems
from autograder.model.exercise import Exercise


def refuse_unsound(course: Course) -> None:
    """Raise ExerciseError, with every place, if the reference of an exercise fails its own checks.

    One seed is tried: `autograder lint` tries many, and more than the reference.
    """
    findings = [finding for exercise in course.exercises for finding in _unsound(course, exercise)]
    problems = [Problem(finding.place, finding.message, finding.remedy) for finding in findings]
    malrules = course.malrules()
    if malrules is not None:
        problems += missing_malrules(course, malrules)
    if problems:
        raise ExerciseError(sorted_problems(problems))


def _unsound(course: Course, exercise: Exercise) -> Iterator[Finding]:
    yield from (finding for finding in signature_findings(course, exercise) if finding.severity == "error")
    try:
        bench = Bench.draw(course, exercise, 0)
    except Exception:  # whatever it is, the finding names the case and what was raised
        yield from drawing_findings(course, exercise, 0)
        return
    if not is_written(bench):
        yield not_written(bench)
        return
    yield from (finding for finding in reference_findings([bench]) if finding.severity == "error")
