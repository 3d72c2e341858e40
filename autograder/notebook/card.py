"""What a check shows in a notebook: marks, a table of the evidence, why, and pictures; or the same as text.

Every text of the submission's is made visible and escaped before it stands in the HTML.
"""

from __future__ import annotations

import html
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from autograder.model.result import CheckResult, Diagnosis, ExerciseResult, FileReport, Result, Status
from autograder.notebook.figures import Figure
from autograder.notebook.heat import described, figure_html
from autograder.report.layout import MARKS, Look, marks_text
from autograder.report.safe_text import source_line, visible, visible_lines
from autograder.report.terminal import render_terminal
from autograder.wording.say import say, where

_MESSAGE_CHARS, _PRINTED_LINES, _PRINTED_CHARS = 600, 12, 200
#: Readable on a light and on a dark page.
_COLOURS = {"good": "#2e8b57", "bad": "#d1495b", "faint": "#888", "loud": "#d1495b"}
_CELL = "padding:2px 10px 2px 0;text-align:left;vertical-align:top;"


@dataclass(frozen=True)
class Checked:
    """The result of a check in a kernel. Shown as the last value of a cell, it is a report."""

    result: Result
    figures: tuple[Figure, ...] = field(repr=False, default=())
    note: str = ""
    order: tuple[str, ...] = ()

    @property
    def marks(self) -> float:
        """The marks of the exercises that were checked."""
        return self.result.marks

    @property
    def max_marks(self) -> float:
        """The most that they could have."""
        return self.result.max_marks

    @property
    def passed(self) -> bool:
        """Whether all of them passed."""
        return all(exercise.status == "passed" for exercise in self.result.exercises)

    def __repr__(self) -> str:
        text = render_terminal(self.result, Look(), order=self.order).rstrip("\n")
        lines = [f"     {described(f)}" for f in self.figures if f.near is None or not f.near.all()]
        return "\n".join([text, *lines, *([self.note] if self.note else [])])

    def _repr_html_(self) -> str:
        return "".join(_card(self))

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, str]:
        return {"text/plain": repr(self), "text/html": self._repr_html_()}


def _card(checked: Checked) -> Iterator[str]:
    yield '<div class="autograder" style="line-height:1.45;max-width:70em">'
    for report in checked.result.file_reports:
        yield from _file_report(report)
    for exercise in checked.result.exercises:
        yield from _exercise(exercise, [f for f in checked.figures if f.exercise == exercise.id])
    if checked.note:
        yield f'<p style="margin:.6em 0 0;opacity:.75">{_safe(checked.note, _MESSAGE_CHARS)}</p>'
    yield "</div>"


def _file_report(report: FileReport) -> Iterator[str]:
    yield f'<p style="margin:.2em 0">{_mark("skipped")} {_safe(report.message, _MESSAGE_CHARS)}</p>'
    if report.line is not None and report.source is not None:
        yield _source(report.line, report.cell, report.source)


def _exercise(exercise: ExerciseResult, figures: Sequence[Figure]) -> Iterator[str]:
    marks = {"marks": marks_text(exercise.marks), "max_marks": marks_text(exercise.max_marks)}
    yield (
        f'<section aria-label="{_safe(exercise.title)}" style="margin:.3em 0 1em">'
        f'<p style="margin:.2em 0">{_mark(exercise.status)} <strong>{_safe(exercise.id)}</strong> '
        f"{_safe(exercise.title)} · <strong>{say('report.marks', marks)}</strong>"
    )
    if exercise.message:
        yield f" · {_safe(exercise.message, _MESSAGE_CHARS)}"
    yield "</p>"
    if exercise.status not in ("not_attempted", "missing", "skipped"):
        yield _checks(exercise.checks)
    for diagnosis in exercise.diagnosis:
        yield from _diagnosis(diagnosis)
    for note in exercise.notes:
        yield _labelled(say("report.note"), _safe(note, _MESSAGE_CHARS))
    yield from map(figure_html, figures)
    if exercise.printed.strip() and exercise.status != "passed":
        lines = visible_lines(exercise.printed, lines=_PRINTED_LINES, chars=_PRINTED_CHARS)
        text = html.escape("\n".join(lines))
        yield _labelled(say("report.printed"), f'<pre style="margin:0;display:inline-block">{text}</pre>')
    if exercise.status != "passed" and exercise.next:
        yield _labelled(say("report.next"), f"<code>{_safe(exercise.next)}</code>")
    yield "</section>"


def _checks(checks: Sequence[CheckResult]) -> str:
    """The evidence as a table, what did not pass first; passes with nothing to show share a line."""
    telling = sorted(
        (c for c in checks if c.status != "passed" or c.message), key=lambda c: c.status == "passed"
    )
    silent = [check for check in checks if check.status == "passed" and not check.message]
    rows = "".join(_row(check) for check in telling)
    if silent:
        names = " &nbsp; ".join(f"{_mark('passed')} {_name(check)}" for check in silent)
        rows += f'<tr><td colspan="3" style="{_CELL}">{names}</td></tr>'
    head = "".join(
        f'<th scope="col" style="{_CELL}font-weight:normal;opacity:.7">{say(code)}</th>'
        for code in ("card.check", "card.evidence", "card.marks")
    )
    return f'<table style="border-collapse:collapse;margin:.2em 0"><tr>{head}</tr>{rows}</table>'


def _row(check: CheckResult) -> str:
    share = f"{marks_text(check.marks)}/{marks_text(check.max_marks)}"
    cells = (f"{_mark(check.status)} {_name(check)}", _safe(check.message, _MESSAGE_CHARS), share)
    return "<tr>" + "".join(f'<td style="{_CELL}">{cell}</td>' for cell in cells) + "</tr>"


def _diagnosis(diagnosis: Diagnosis) -> Iterator[str]:
    message = _safe(diagnosis.message, 2 * _MESSAGE_CHARS)
    if diagnosis.agrees is not None:
        agreeing, cases = diagnosis.agrees
        message += f" ({say('report.agrees', {'agreeing': agreeing, 'cases': cases})})"
    yield f'<p style="margin:.3em 0">{message}</p>'
    if diagnosis.line is not None:
        yield _source(diagnosis.line, diagnosis.cell, diagnosis.source or "")


def _source(line: int, cell: int | None, source: str) -> str:
    return _labelled(where(line, cell), f"<code>{html.escape(source_line(source))}</code>")


def _labelled(label: str, content: str) -> str:
    return f'<p style="margin:.2em 0"><span style="opacity:.7">{_safe(label)}</span> &nbsp;{content}</p>'


def _mark(status: Status) -> str:
    sign, _, style = MARKS[status]
    words = say(f"status.{status}")
    colour = _COLOURS.get(style, "inherit")
    return f'<span role="img" aria-label="{words}" title="{words}" style="color:{colour}">{sign}</span>'


def _name(check: CheckResult) -> str:
    return _safe(check.id.replace("-", " "))


def _safe(text: str, limit: int = 200) -> str:
    """A text as HTML shows it, letter for letter."""
    return html.escape(visible(text, limit))
