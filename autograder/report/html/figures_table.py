"""The figures of a class as rows of a table: section, exercise, item, figure, value."""

from __future__ import annotations

from collections.abc import Iterator

from autograder.report.html.statistics import ClassFigures, Marks
from autograder.report.layout import marks_text
from autograder.wording.say import say

Line = tuple[str, str, str, str, str]

HEAD: Line = ("section", "exercise", "item", "figure", "value")


def figure_rows(figures: ClassFigures) -> Iterator[Line]:
    """The head, then every figure of the class report, one a row; what nothing defines says so."""
    yield HEAD
    yield ("class", "", "", "submissions", str(len(figures.entries)))
    for outcome, count in figures.outcomes:
        yield ("class", "", "", outcome, str(count))
    yield from _marks(figures.marks)
    yield from _items(figures)
    yield from _checks(figures)
    yield from _persons(figures)


def _marks(marks: Marks) -> Iterator[Line]:
    for name in ("mean", "median", "deviation", "lowest", "highest"):
        yield ("marks", "", "", name, _figure(getattr(marks, name)))
    for low, high, count in marks.bins:
        yield ("marks", "", f"{marks_text(low)} to {marks_text(high)}", "submissions", str(count))


def _items(figures: ClassFigures) -> Iterator[Line]:
    for item in figures.items:
        yield ("exercise", item.id, "", "submissions", str(item.count))
        for name in ("facility", "discrimination", "passed", "not_begun", "missing", "following"):
            yield ("exercise", item.id, "", name, _figure(getattr(item, name)))
    for idea in figures.ideas:
        yield ("misconception", idea.exercise, idea.code, "students", str(len(idea.students)))
        for student in idea.students:
            yield ("misconception", idea.exercise, idea.code, "student", student)


def _checks(figures: ClassFigures) -> Iterator[Line]:
    for never in figures.never_fail:
        yield ("check", never.exercise, never.check, "never fails, of", str(never.judged))
    for number, group in enumerate(figures.together, 1):
        for exercise, check in group.checks:
            yield ("check", exercise, check, f"fails together, group {number}", str(len(group.students)))


def _persons(figures: ClassFigures) -> Iterator[Line]:
    for person in figures.for_a_person:
        yield ("person", "", person.student, "outcome", person.outcome)
        for name in ("broken", "crashed"):
            for exercise in getattr(person, name):
                yield ("person", exercise, person.student, name, "")
    for number, group in enumerate(figures.alike, 1):
        what = "same file" if group.same_file else "same result"
        for student in group.students:
            yield ("person", "", student, f"{what}, group {number}", str(len(group.wrong)))


def _figure(value: float | None) -> str:
    return say("page.undefined") if value is None else f"{value:.4f}".rstrip("0").rstrip(".")
