"""What lint has to say: findings with place and remedy, and tables of what was tried."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from autograder.loading.assignment import Course
from autograder.loading.yaml_strict import Way
from autograder.model.exercise import Exercise
from autograder.model.place import Place

Severity: TypeAlias = Literal["error", "warning"]


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing to mend: where, how grave, what, what to do, and the name of the rule that found it."""

    place: Place
    severity: Severity
    message: str
    remedy: str
    rule: str

    def __str__(self) -> str:
        return f"{self.place}: {self.severity}: {self.message}; {self.remedy}"


@dataclass(frozen=True, slots=True)
class Table:
    """Figures to read beside the findings: a title, names of columns, and rows of texts."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class LintReport:
    """All findings of one run, by file, line and column, and the tables."""

    findings: tuple[Finding, ...]
    tables: tuple[Table, ...] = ()

    @property
    def errors(self) -> tuple[Finding, ...]:
        """The findings that must be mended; warnings may stay."""
        return tuple(finding for finding in self.findings if finding.severity == "error")


def error(rule: str, place: Place, message: str, remedy: str) -> Finding:
    """A finding that must be mended."""
    return Finding(place, "error", message, remedy, rule)


def warning(rule: str, place: Place, message: str, remedy: str) -> Finding:
    """A finding that may have its reasons."""
    return Finding(place, "warning", message, remedy, rule)


def at(course: Course, exercise: Exercise, path: Way, *, key: bool = False) -> Place:
    """The place of a value in an exercise's file, or of its key."""
    places = course.documents[exercise.id].places
    return places.key(path) if key else places.value(path)


def in_order(findings: list[Finding]) -> tuple[Finding, ...]:
    """The findings by file, line and column, each once."""

    def order(finding: Finding) -> tuple[str, int, int, str]:
        place = finding.place
        return place.file, place.line or 0, place.column or 0, finding.message

    return tuple(sorted(dict.fromkeys(findings), key=order))
