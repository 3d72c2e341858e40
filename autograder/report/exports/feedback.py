"""A result as plain text for a platform's comments: marks, what each exercise lacks, what is next.

A hidden check is never quoted: of all hidden checks of an exercise one line says whether they hold.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from autograder.model.result import CheckResult, ExerciseResult, Result
from autograder.report.layout import marks_text
from autograder.report.safe_text import source_line, visible
from autograder.wording.say import say, where

_CHECKS = 6
_CHARS = 400
_NOT_WRONG = ("passed", "broken")
#: Exercises with one of these statuses are told in one line.
_ONE_LINE = ("passed", "not_attempted", "missing", "skipped")


def result_feedback(result: Result, most: int = 6000) -> str:
    """All of a result in at most so many characters."""
    lines = [headline(result), *file_feedback(result)]
    for exercise in result.exercises:
        lines.append(f"{visible(exercise.id)} {_marks(exercise)}: {verdict(exercise)}")
        if exercise.status not in _ONE_LINE:
            lines += [f"  {line}" for line in exercise_feedback(exercise)]
    return bounded(lines, most)


def bounded(lines: Sequence[str], most: int) -> str:
    """The lines as one text; the last ones are left out, and that is said, if there is no room."""
    text = "\n".join(lines)
    if len(text) <= most:
        return text
    told = say("export.cut")
    return text[: most - len(told) - 1].rpartition("\n")[0] + "\n" + told


def headline(result: Result) -> str:
    """The marks, and if the submission could not be graded as usual, why."""
    marks = say(
        "report.marks", {"marks": marks_text(result.marks), "max_marks": marks_text(result.max_marks)}
    )
    if result.outcome == "broken":
        return f"{marks}; {say('export.broken')}"
    return marks if result.outcome == "graded" else f"{say(f'outcome.{result.outcome}')}: {marks}"


def file_feedback(result: Result) -> Iterator[str]:
    """What is to be said of the file as a whole."""
    for report in result.file_reports:
        if report.code == "file.broken":  # the fault is ours, and no student's business
            continue
        place = f" ({where(report.line, report.cell)})" if report.line is not None else ""
        message = visible(report.message, _CHARS)
        yield message if place.strip(" ()") in message and place else message + place
        if report.source:
            yield f"    {source_line(report.source)}"


def verdict(exercise: ExerciseResult) -> str:
    """The exercise's own message, or its status and how many of the checks that may be seen passed."""
    if exercise.message:
        return visible(exercise.message, _CHARS)
    shown = [check for check in exercise.checks if not check.hidden]
    if exercise.status == "passed" or not shown:
        return say(f"status.{exercise.status}")
    passed = sum(check.status == "passed" for check in shown)
    words = {"passed": passed, "count": len(shown)}
    return f"{say(f'status.{exercise.status}')}, {say('report.checks.some', words)}"


def exercise_feedback(exercise: ExerciseResult, *, hidden: bool = True) -> Iterator[str]:
    """What does not hold, one line on the hidden checks (unless not `hidden`), why, and what is next."""
    failing = [c for c in exercise.checks if not c.hidden and c.status not in _NOT_WRONG]
    for check in failing[:_CHECKS]:
        yield _check(check)
    if len(failing) > _CHECKS:
        yield say("export.more_checks", {"count": len(failing) - _CHECKS})
    if hidden and any(check.hidden for check in exercise.checks):
        yield hidden_feedback(exercise)
    for diagnosis in exercise.diagnosis:
        if diagnosis.code == "diagnosis.broken":
            continue
        yield visible(diagnosis.message, _CHARS)
        if diagnosis.line is not None:
            source = f": {source_line(diagnosis.source)}" if diagnosis.source else ""
            yield f"{where(diagnosis.line, diagnosis.cell)}{source}"
    yield from (visible(note, _CHARS) for note in exercise.notes)
    if exercise.next and exercise.status != "passed":
        yield f"{say('report.next')}: {visible(exercise.next)}"


def hidden_feedback(exercise: ExerciseResult) -> str:
    """Whether the hidden checks hold, without a number and without a name."""
    hidden = [check for check in exercise.checks if check.hidden]
    holds = all(check.status in _NOT_WRONG for check in hidden)
    return say("export.hidden.passed" if holds else "export.hidden.failed")


def _check(check: CheckResult) -> str:
    name = visible(check.id.replace("-", " "), 60)
    return f"{name}: {visible(check.message, _CHARS) if check.message else say(f'status.{check.status}')}"


def _marks(exercise: ExerciseResult) -> str:
    return f"{marks_text(exercise.marks)}/{marks_text(exercise.max_marks)}"
