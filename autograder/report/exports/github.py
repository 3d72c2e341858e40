"""A result as GitHub Actions takes it: annotations at the student's lines, a summary, the grader's result."""

from __future__ import annotations

import base64
import html
import json
from collections.abc import Iterator, Sequence
from typing import Any

from autograder.model.result import ExerciseResult, Result
from autograder.report.exports.feedback import exercise_feedback, file_feedback, headline, verdict
from autograder.report.layout import marks_text
from autograder.report.safe_text import visible
from autograder.wording.say import say

#: GitHub shows so many errors and so many warnings of one step.
MOST_ANNOTATIONS = 10
#: GitHub drops a summary that is longer than a mebibyte.
MOST_SUMMARY_BYTES = 1024 * 1024
_ROOM = 200
_MESSAGE = 1000
_UNBEGUN = ("not_attempted", "missing", "skipped")


def annotation_lines(result: Result, file: str) -> tuple[str, ...]:
    """The workflow commands for what did not pass: errors, what is not begun as warnings, how many more."""
    notes = [_of_file(result, file)] if result.outcome not in ("graded", "broken") else []
    failing = [e for e in result.exercises if e.status not in ("passed", "broken")] if not notes else []
    errors = notes + [_of_exercise("error", e, file) for e in failing if e.status not in _UNBEGUN]
    warnings = [_of_exercise("warning", e, file) for e in failing if e.status in _UNBEGUN]
    left = len(errors[MOST_ANNOTATIONS:]) + len(warnings[MOST_ANNOTATIONS:])
    shown = [*errors[:MOST_ANNOTATIONS], *warnings[:MOST_ANNOTATIONS]]
    if left:
        shown.append(
            _command("notice", file, None, "autograder", say("export.more_exercises", {"count": left}))
        )
    return tuple(shown)


def _of_file(result: Result, file: str) -> str:
    lines = [report.line for report in result.file_reports if report.line and report.cell is None]
    message = "\n".join([headline(result), *file_feedback(result)])
    return _command("error", file, lines[0] if lines else None, say(f"outcome.{result.outcome}"), message)


def _of_exercise(level: str, exercise: ExerciseResult, file: str) -> str:
    message = "\n".join([verdict(exercise), *exercise_feedback(exercise)])
    marks = f"{marks_text(exercise.marks)}/{marks_text(exercise.max_marks)}"
    return _command(level, file, _line(exercise), f"{visible(exercise.id)} {marks}", message)


def _line(exercise: ExerciseResult) -> int | None:
    """The line of a .py file that explains an exercise: a diagnosis', or where a visible check stopped."""
    for diagnosis in exercise.diagnosis:
        if diagnosis.line is not None and diagnosis.cell is None:
            return diagnosis.line
    for check in exercise.checks:
        line = check.evidence.get("line")
        if not check.hidden and isinstance(line, int) and check.evidence.get("cell") is None:
            return line
    return None


def _command(level: str, file: str, line: int | None, title: str, message: str) -> str:
    """One workflow command: one line, with nothing in it that ends a property or begins another command."""
    properties = {"file": file, **({"line": str(line), "endLine": str(line)} if line else {}), "title": title}
    joined = ",".join(f"{name}={_property(value)}" for name, value in properties.items())
    return f"::{level} {joined}::{_data(message[:_MESSAGE])}"


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")


def summary(result: Result, most: int = MOST_SUMMARY_BYTES) -> str:
    """The summary of a step as Markdown of at most so many bytes; what a student wrote is escaped HTML."""
    parts = [f"## {_cell(result.file)}: {_cell(headline(result))}\n\n", *_table(result.exercises)]
    parts += [_block(line) for line in [list(file_feedback(result))] if line]
    parts += [_details(e) for e in result.exercises if e.status not in ("passed", *_UNBEGUN)]
    kept, size = [], 0
    for part in parts:
        size += len(part.encode("utf-8", "replace"))
        if size > most - _ROOM:
            kept.append(f"\n{say('export.cut')}\n")
            break
        kept.append(part)
    return "".join(kept)


def _table(exercises: Sequence[ExerciseResult]) -> Iterator[str]:
    yield f"| {say('export.exercise')} | {say('export.marks')} | {say('export.status')} |\n|---|---:|---|\n"
    for exercise in exercises:
        marks = f"{marks_text(exercise.marks)}/{marks_text(exercise.max_marks)}"
        status = say(f"status.{exercise.status}")
        yield f"| {_cell(exercise.id)}: {_cell(exercise.title)} | {marks} | {status} |\n"
    yield "\n"


def _details(exercise: ExerciseResult) -> str:
    lines = [verdict(exercise), *exercise_feedback(exercise)]
    title = html.escape(visible(exercise.id))
    return f"<details><summary>{title}</summary>\n\n{_block(lines)}</details>\n\n"


def _block(lines: Sequence[str]) -> str:
    """Text as it is: no Markdown and no tag in it counts."""
    return f"<pre>{html.escape(chr(10).join(lines))}</pre>\n\n"


def _cell(text: str) -> str:
    """Text within Markdown: every character that means something there as a number."""
    return "".join(c if c.isalnum() or c in " .," else f"&#{ord(c)};" for c in visible(text))


def grader_result(result: Result, file: str) -> dict[str, Any]:
    """What the reporter of GitHub Classroom reads: one test an exercise; the points sum to the marks."""
    passed = result.outcome in ("graded", "broken") and result.marks >= result.max_marks
    return {
        "version": 1,
        "status": "pass" if passed else "fail" if result.outcome in ("graded", "broken") else "error",
        "max_score": result.max_marks,
        "message": None if passed else headline(result),
        "tests": [_graded(exercise, file) for exercise in result.exercises],
    }


def _graded(exercise: ExerciseResult, file: str) -> dict[str, Any]:
    passed = exercise.status in ("passed", "broken")
    message = None if passed else "\n".join([verdict(exercise), *exercise_feedback(exercise)])[:_MESSAGE]
    return {
        "name": visible(exercise.id),
        "status": "pass" if passed else "fail",
        "message": message,
        "test_code": f"autograder check {file} {exercise.id}",
        "filename": file,
        "line_no": _line(exercise) or 0,
        "score": exercise.marks,
        "max_score": exercise.max_marks,
    }


def output_line(result: Result, file: str) -> str:
    """The line for the file of a step's outputs: `result`, which nothing in it can end."""
    text = json.dumps(grader_result(result, file), ensure_ascii=True, sort_keys=True)
    return f"result={base64.b64encode(text.encode()).decode()}\n"
