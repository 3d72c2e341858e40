"""One result as a page: by exercise marks, checks, evidence, pictures, diagnosis, code, what is next."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from autograder.model.result import CheckResult, Diagnosis, Excerpt, ExerciseResult, Result, Status
from autograder.report.html.heat_maps import Picture, picture_of
from autograder.report.html.pages import page

_MOST_PICTURES = 5
#: So many groups of failed checks stand open; the others can be unfolded.
_MOST_OPEN = 6
#: An exercise with one of these statuses has nothing to show but its line.
_ONE_LINE: tuple[Status, ...] = ("not_attempted", "missing", "skipped")


@dataclass(frozen=True, slots=True)
class CodeLine:
    """One line of the submission: number, text, what it is called on the page, whether it is marked."""

    number: int
    text: str
    anchor: str
    marked: bool


@dataclass(frozen=True, slots=True)
class Listing:
    """Lines of the submission that follow each other; of a notebook the cell that they stand in."""

    cell: int | None
    lines: tuple[CodeLine, ...]


@dataclass(frozen=True, slots=True)
class Section:
    """One exercise on the page: `number` is its place in the assignment, `place` that on the page."""

    number: int
    place: int
    exercise: ExerciseResult
    failed: tuple[tuple[CheckResult, ...], ...]
    more_failed: tuple[tuple[CheckResult, ...], ...]
    waiting: tuple[tuple[CheckResult, ...], ...]
    telling: tuple[CheckResult, ...]
    silent: tuple[CheckResult, ...]
    pictures: tuple[Picture, ...]
    listings: tuple[Listing, ...]

    @property
    def anchor(self) -> str:
        """What the section is called on the page: by its place, since an id may be any text."""
        return f"exercise-{self.place}"

    @property
    def is_one_line(self) -> bool:
        """Whether there is nothing to show beside its message."""
        return self.exercise.status in _ONE_LINE and not self.exercise.diagnosis

    def anchor_of(self, told: Diagnosis) -> str:
        """What the line that a diagnosis names is called on the page; nothing if it is not there."""
        if told.line is None:
            return ""
        anchor = anchor_of(self.place, told.cell, told.line)
        return anchor if any(line.anchor == anchor for one in self.listings for line in one.lines) else ""

    @property
    def passed(self) -> int:
        """How many of its checks passed."""
        return sum(check.status == "passed" for check in self.exercise.checks)


def render_student(result: Result, *, order: Sequence[str] = (), back: str = "") -> str:
    """The page of a result. `order` holds all ids of the assignment, `back` leads to the class's report."""
    ids = list(order) or [exercise.id for exercise in result.exercises]
    sections = [
        _section(exercise, ids.index(exercise.id) + 1 if exercise.id in ids else place, place)
        for place, exercise in enumerate(result.exercises, 1)
    ]
    passed = sum(exercise.status == "passed" for exercise in result.exercises)
    return page("student.html.jinja", result=result, sections=sections, passed=passed, back=back)


def _section(exercise: ExerciseResult, number: int, place: int) -> Section:
    failed = _alike(check for check in exercise.checks if check.status not in ("passed", "skipped"))
    passed = [check for check in exercise.checks if check.status == "passed"]
    silent = tuple(check for check in passed if check.message in ("", exercise.message))
    return Section(
        number=number,
        place=place,
        exercise=exercise,
        failed=failed[:_MOST_OPEN],
        more_failed=failed[_MOST_OPEN:],
        waiting=_alike(check for check in exercise.checks if check.status == "skipped"),
        telling=tuple(check for check in passed if check not in silent),
        silent=silent,
        pictures=_pictures(exercise.checks),
        listings=tuple(_listing(excerpt, exercise, place) for excerpt in exercise.code),
    )


def _alike(checks: Iterable[CheckResult]) -> tuple[tuple[CheckResult, ...], ...]:
    """The checks that say the same together, in the order of their first."""
    groups: dict[tuple[str, str], list[CheckResult]] = {}
    for check in checks:
        groups.setdefault((check.status, check.message or check.id), []).append(check)
    return tuple(tuple(group) for group in groups.values())


def _pictures(checks: Sequence[CheckResult]) -> tuple[Picture, ...]:
    """The pictures of the checks, the telling ones first: comparable, more than one row, named, small."""
    shown = [check for check in checks if not check.hidden and check.status not in ("passed", "skipped")]
    pictures = [picture for check in shown if (picture := picture_of(check.evidence)) is not None]
    pictures.sort(key=lambda one: (not one.comparable, one.rows < 2, not one.is_named, one.entries))
    return tuple(pictures[:_MOST_PICTURES])


def anchor_of(place: int, cell: int | None, line: int) -> str:
    """What a line of code is called on the page."""
    return f"exercise-{place}-line-{line}" if cell is None else f"exercise-{place}-cell-{cell}-line-{line}"


def _listing(excerpt: Excerpt, exercise: ExerciseResult, place: int) -> Listing:
    named = {(diagnosis.cell, diagnosis.line) for diagnosis in exercise.diagnosis}
    named |= {(check.evidence.get("cell"), check.evidence.get("line")) for check in exercise.checks}
    lines = tuple(
        CodeLine(line, text, anchor_of(place, excerpt.cell, line), (excerpt.cell, line) in named)
        for line, text in enumerate(excerpt.lines, excerpt.line)
    )
    return Listing(excerpt.cell, lines)
