"""A result as Gradescope's results.json: one test an exercise, so laid out that a student may see the total.

Gradescope hides the total as soon as one test is hidden. So hidden checks are folded into the test of their
exercise, as a line without numbers, unless it is asked for that they come later or never.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Literal, TypeAlias

from autograder.model.result import ExerciseResult, Result
from autograder.report.exports.feedback import (
    bounded,
    exercise_feedback,
    file_feedback,
    headline,
    hidden_feedback,
    verdict,
)
from autograder.report.safe_text import visible
from autograder.wording.say import say

#: When a student sees the hidden checks as tests of their own; `visible` folds them, and the total shows.
HiddenChecks: TypeAlias = Literal["visible", "after_due_date", "after_published", "hidden"]
_MOST = 20_000
_DIGITS = 6


def gradescope_results(
    result: Result, *, hidden_checks: HiddenChecks = "visible", seconds: float | None = None
) -> dict[str, Any]:
    """The content of results.json. All text is of the format `text`, which is shown as it is."""
    tests: list[dict[str, Any]] = []
    for number, exercise in enumerate(result.exercises, 1):
        tests += _tests(number, exercise, hidden_checks)
    results: dict[str, Any] = {
        "score": round(result.marks, _DIGITS),
        "output": bounded([headline(result), *file_feedback(result)], _MOST),
        "output_format": "text",
        "test_output_format": "text",
        "test_name_format": "text",
        "visibility": "visible",
        "stdout_visibility": "hidden",
        "tests": tests,
        "extra_data": {
            "format": "autograder-result/1",
            "assignment": result.assignment,
            "outcome": result.outcome,
            "sha256": result.sha256,
            "exercises_sha256": result.exercises_sha256,
            "environment": dict(result.environment),
        },
    }
    return results if seconds is None else {**results, "execution_time": round(seconds, 3)}


def _tests(number: int, exercise: ExerciseResult, hidden_checks: HiddenChecks) -> Iterator[dict[str, Any]]:
    hidden = [check for check in exercise.checks if check.hidden]
    folded = hidden_checks == "visible" or not hidden
    apart = (0.0, 0.0) if folded else (sum(c.marks for c in hidden), sum(c.max_marks for c in hidden))
    name = f"{visible(exercise.id)}: {visible(exercise.title, 120)}"
    lines = [verdict(exercise), *exercise_feedback(exercise, hidden=folded)]
    marks = (exercise.marks - apart[0], exercise.max_marks - apart[1])
    yield _test(str(number), name, marks, lines, exercise.status, "visible")
    if not folded:
        name = say("export.hidden_name", {"exercise": visible(exercise.id)})
        lines = [hidden_feedback(exercise), *(visible(c.message) for c in hidden if c.message)]
        yield _test(f"{number}.1", name, apart, lines, exercise.status, hidden_checks)


def _test(
    number: str,
    name: str,
    marks: tuple[float, float],
    lines: list[str],
    status: str,
    visibility: HiddenChecks,
) -> dict[str, Any]:
    score, most = (round(max(value, 0.0), _DIGITS) for value in marks)
    return {
        "number": number,
        "name": name,
        "name_format": "text",
        "score": score,
        "max_score": most,
        "status": "passed" if score >= most else "failed",
        "output": bounded(lines, _MOST),
        "output_format": "text",
        "tags": [status],
        "visibility": visibility,
    }
