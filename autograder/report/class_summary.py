"""A class as text: one line a submission, then how many came to what, mean and median, shares that passed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from statistics import mean, median
from typing import Protocol

from autograder.report.layout import Look, joined, marks_text, padded
from autograder.report.safe_text import columns, visible
from autograder.wording.say import say

_NAME = 32
_BAR = 20
_OUTCOMES = ("graded", "not_loadable", "timed_out", "crashed", "broken")
_STYLES = {"graded": "good", "broken": "loud"}


class ClassRow(Protocol):
    """What a class report needs of one submission; `exercises` are (id, status, marks, max_marks)."""

    @property
    def student(self) -> str: ...
    @property
    def marks(self) -> float: ...
    @property
    def max_marks(self) -> float: ...
    @property
    def outcome(self) -> str: ...
    @property
    def exercises(self) -> Sequence[tuple[str, str, float, float]]: ...
    @property
    def problem(self) -> str: ...


def render_class(rows: Sequence[ClassRow], exercises: Sequence[str], look: Look, *, title: str = "") -> str:
    """The report of a class: the rows in the order of the students' names, then the summary."""
    ordered = sorted(rows, key=lambda row: row.student)
    width = name_width(row.student for row in ordered)
    lines = [look.paint(visible(title), "strong"), ""] if title else []
    lines += [row_line(row, look, width) for row in ordered]
    return joined(lines) + "\n" + render_summary(rows, exercises, look)


def name_width(students: Iterable[str]) -> int:
    """How many columns the students' names need."""
    return max((columns(visible(student, _NAME)) for student in students), default=0)


def row_line(row: ClassRow, look: Look, width: int) -> str:
    """One submission: student, marks, outcome, and what was wrong with the file, if anything."""
    marks = say("class.share", {"passed": f"{marks_text(row.marks):>6}", "count": marks_text(row.max_marks)})
    outcome = look.paint(say(f"outcome.{row.outcome}"), _STYLES.get(row.outcome, "bad"))
    problem = f": {visible(row.problem)}" if row.problem else ""
    return f"{padded(visible(row.student, _NAME), width)}  {marks}  {outcome}{problem}"


def render_summary(rows: Sequence[ClassRow], exercises: Sequence[str], look: Look) -> str:
    """How many of which outcome, mean and median of the marks, and of each exercise the share that passed."""
    return joined(_summary(rows, exercises, look))


def _summary(rows: Sequence[ClassRow], exercises: Sequence[str], look: Look) -> Iterator[str]:
    counts = Counter(row.outcome for row in rows)
    parts = [f"{counts[outcome]} {say(f'outcome.{outcome}')}" for outcome in _OUTCOMES if counts[outcome]]
    words = {"count": len(rows), "outcomes": ", ".join(parts)}
    yield say("class.count.one" if len(rows) == 1 else "class.count", words)
    judged = [row for row in rows if row.outcome != "broken"]
    if judged:
        marks = [row.marks for row in judged]
        most = marks_text(max(row.max_marks for row in judged))
        words = {"mean": marks_text(mean(marks)), "median": marks_text(median(marks)), "max_marks": most}
        yield say("class.marks" if len(judged) == len(rows) else "class.marks.judged", words)
    yield ""
    yield say("class.passed")
    yield from _shares(rows, exercises, look)


def _shares(rows: Sequence[ClassRow], exercises: Sequence[str], look: Look) -> Iterator[str]:
    passed: Counter[str] = Counter()
    for row in rows:
        passed.update(name for name, status, _, _ in row.exercises if status == "passed")
    width = max((columns(name) for name in exercises), default=0)
    digits = len(str(len(rows)))
    for number, name in enumerate(exercises, 1):
        share = passed[name] / len(rows) if rows else 0.0
        percent = f"{int(share * 100 + 1e-9):3} %"
        count = say("class.share", {"passed": f"{passed[name]:{digits}}", "count": len(rows)})
        yield f"{number:2} {padded(name, width)}  {look.bar(share, _BAR)}  {percent}  {count}"
