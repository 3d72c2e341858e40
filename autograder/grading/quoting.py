"""The part of a submission's code that an exercise is about: its function, and what named lines stand in."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from autograder.grading.names import Definition
from autograder.model.result import Excerpt, ExerciseResult, Status
from autograder.model.submission import Submission

#: Exercises whose code is quoted: those that were begun and are not right.
_QUOTED: tuple[Status, ...] = ("partly", "failed", "raised", "timed_out", "crashed")
_MOST_EXCERPTS, _MOST_LINES, _MOST_CHARS = 3, 60, 200
#: Lines around a line that stands in no function.
_AROUND = 2


def with_code(result: ExerciseResult, submission: Submission, found: Sequence[Definition]) -> ExerciseResult:
    """The result with the code of its function, and of the functions that the lines it names stand in."""
    if result.status not in _QUOTED:
        return result
    named = _named_lines(result)
    own = [d for d in found if d.name == result.function and d.inside is None]
    spans = [_span(own[-1])] if own else []
    for line in named:
        if not any(first <= line <= last for first, last in spans):
            spans.append(_span_of(line, submission, found))
    excerpts = [_excerpt(span, named, submission) for span in spans[:_MOST_EXCERPTS]]
    return replace(result, code=tuple(excerpts))


def _named_lines(result: ExerciseResult) -> tuple[int, ...]:
    """The lines that its diagnosis and its evidence name, each once."""
    lines = [diagnosis.line for diagnosis in result.diagnosis]
    lines += [check.evidence.get("line") for check in result.checks]
    return tuple(dict.fromkeys(line for line in lines if type(line) is int))


def _span(definition: Definition) -> tuple[int, int]:
    return definition.line, max(definition.line, definition.end)


def _span_of(line: int, submission: Submission, found: Sequence[Definition]) -> tuple[int, int]:
    """First and last line of the outermost function that a line stands in, or the lines around it."""
    for definition in found:
        first, last = _span(definition)
        if first <= line <= last:
            return first, last
    cell, _ = submission.place(line)
    near = [n for n in range(line - _AROUND, line + _AROUND + 1) if 1 <= n <= len(submission.lines)]
    same = [n for n in near if submission.place(n)[0] == cell] or [line]
    return same[0], same[-1]


def _excerpt(span: tuple[int, int], named: Sequence[int], submission: Submission) -> Excerpt:
    """The lines of a span; of a long one those around the first line that is named in it."""
    first, last = span
    if last - first >= _MOST_LINES:
        wanted = next((line for line in named if first <= line <= last), first)
        first = max(first, min(wanted - _MOST_LINES // 2, last - _MOST_LINES + 1))
        last = first + _MOST_LINES - 1
    lines = submission.lines[first - 1 : last]
    return Excerpt(first, tuple(line.rstrip()[:_MOST_CHARS] for line in lines))
