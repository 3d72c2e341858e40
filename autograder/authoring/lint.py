"""Lint: exercises and solutions held against each other, and everything that is amiss told at once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from autograder.authoring.bench import Bench
from autograder.authoring.catalogues import translation_findings
from autograder.authoring.findings import Finding, LintReport, Table, in_order
from autograder.authoring.malrule_rules import load, malrule_findings, unnamed_malrules
from autograder.authoring.reference_rules import (
    drawing_findings,
    is_written,
    not_written,
    reference_findings,
    signature_findings,
)
from autograder.authoring.stock_answers import odd_findings, stock_findings, stub_findings, stub_functions
from autograder.authoring.survivors import Survey, survey, survey_findings, survey_table
from autograder.authoring.tolerances import tolerance_findings
from autograder.authoring.written import folder_findings, written_findings
from autograder.grading.explain import Explainer
from autograder.loading.assignment import Course
from autograder.loading.solutions import References
from autograder.model.check import ValueCheck
from autograder.model.exercise import Exercise

#: On so many seeds stock answers, wrong functions and mutants are tried.
TRIED_SEEDS = 2


def lint(
    course: Course,
    *,
    seeds: int = 20,
    mutants: bool = False,
    only: Sequence[str] = (),
) -> LintReport:
    """All findings on a course, or on some of its exercises; UsageError for one that is not there."""
    chosen = [course.exercise(name) for name in only] or list(course.exercises)
    malrules, findings = load(course)
    stubs, unloadable = stub_functions(course)
    whole = [*findings, *unloadable, *folder_findings(course), *translation_findings(course)]
    if malrules is not None:
        whole += unnamed_malrules(course, malrules)
    explainer = Explainer(course) if malrules is not None else None
    examination = _Examination(course, seeds, mutants, malrules, explainer, stubs)
    examined = [examination.of(exercise) for exercise in chosen]
    own = [finding for one in examined for finding in one.findings]
    tables = [_overview(examined)]
    if mutants:
        tables.append(survey_table([one.survey for one in examined if one.survey is not None]))
    return LintReport(in_order([*whole, *own]), tuple(tables))


@dataclass(frozen=True, slots=True)
class _Examined:
    """What came of one exercise. `calls` is how many a submission gets, `best` what a stock answer earns."""

    exercise: Exercise
    findings: tuple[Finding, ...]
    calls: int = 0
    best: float | None = None
    survey: Survey | None = None


@dataclass(frozen=True, slots=True)
class _Examination:
    """How exercises are examined, one after the other."""

    course: Course
    seeds: int
    mutants: bool
    malrules: References | None
    explainer: Explainer | None
    stubs: Mapping[str, Any]

    def of(self, exercise: Exercise) -> _Examined:
        """Examine one exercise: what it says, then what its functions do."""
        findings = [*written_findings(self.course, exercise), *signature_findings(self.course, exercise)]
        benches = []
        for seed in range(max(self.seeds, 1)):
            try:
                benches.append(Bench.draw(self.course, exercise, seed))
            except Exception:
                findings += drawing_findings(self.course, exercise, seed)
                return _Examined(exercise, tuple(findings))
        if not is_written(benches[0]):
            return _Examined(exercise, (*findings, not_written(benches[0])))
        wrong = [*reference_findings(benches)]
        findings += [*wrong, *stub_findings(benches[0], self.stubs)]
        if wrong:  # the rest would only repeat it
            return _Examined(exercise, tuple(findings), benches[0].calls)
        return self._deeper(exercise, findings, benches)

    def _deeper(self, exercise: Exercise, findings: list[Finding], benches: list[Bench]) -> _Examined:
        """What is worth trying where the reference is right."""
        few = benches[:TRIED_SEEDS]
        findings += [*tolerance_findings(benches), *odd_findings(benches[0])]
        best, earned = stock_findings(few)
        findings += earned
        if self.malrules is not None and self.explainer is not None:
            findings += malrule_findings(few, self.malrules, self.explainer)
        found = survey(few) if self.mutants else None
        if found is not None:
            findings += survey_findings(few[0], found)
        return _Examined(exercise, tuple(findings), benches[0].calls, best, found)


def _overview(examined: Sequence[_Examined]) -> Table:
    columns = ("exercise", "cases", "calls", "checks", "hidden", "stock answer", "misconceptions", "hints")
    return Table("Exercises", columns, tuple(map(_row, examined)))


def _row(one: _Examined) -> tuple[str, ...]:
    exercise = one.exercise
    hidden = sum(
        c.weight for c in exercise.checks if isinstance(c, ValueCheck) and exercise.cases[c.value].hidden
    )
    return (
        exercise.id,
        str(len(exercise.cases)),
        str(one.calls),
        str(len(exercise.checks)),
        f"{hidden / exercise.total_weight:.0%}",
        "–" if one.best is None else f"{one.best:.0%}",
        str(len(exercise.misconceptions)),
        str(len(exercise.hints)),
    )
