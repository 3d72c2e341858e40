"""Results made up for the tests of pages."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from autograder.model.result import (
    CheckResult,
    Diagnosis,
    ExerciseResult,
    Result,
    Status,
    SubmissionOutcome,
)


def a_check(id: str, status: Status = "passed", message: str = "", **more: Any) -> CheckResult:
    """A check worth one mark, earned if it passed."""
    return CheckResult(id, "value", status, 1.0 if status == "passed" else 0.0, 1.0, message=message, **more)


def an_exercise(
    id: str, status: Status = "passed", *checks: CheckResult, marks: float | None = None, **more: Any
) -> ExerciseResult:
    """An exercise worth four marks: all of them if it passed, else none, unless they are given."""
    earned = marks if marks is not None else 4.0 if status == "passed" else 0.0
    return ExerciseResult(id, more.pop("title", id.title()), id, status, earned, 4.0, checks=checks, **more)


def a_result(
    student: str = "ana",
    *exercises: ExerciseResult,
    outcome: SubmissionOutcome = "graded",
    sha256: str = "",
    **more: Any,
) -> Result:
    """A result with the marks of its exercises."""
    return Result(
        assignment="qkv",
        student=student,
        file="attention.py",
        sha256=sha256 or f"sha of {student}",
        outcome=outcome,
        marks=sum(exercise.marks for exercise in exercises),
        max_marks=sum(exercise.max_marks for exercise in exercises),
        exercises=exercises,
        environment={"autograder": "1", "python": "3.11"},
        **more,
    )


def an_idea(
    code: str = "softmax.columns", message: str = "Each column is normalised.", **more: Any
) -> Diagnosis:
    """A diagnosis."""
    return Diagnosis(code, message, **more)


def arrays(
    actual: Any, expected: Any, near: Any = None, tokens: Sequence[str] = (), **more: Any
) -> Mapping[str, Any]:
    """The evidence of a failed value check, with its arrays."""
    held = {"actual": actual, "expected": expected, "tokens": list(tokens)}
    held |= {} if near is None else {"near": near}
    return {"code": "value.differs", "case": "five-tokens", "output": "A", "arrays": held, **more}


#: What a submission may put wherever it has a word: markup, scripts, escapes, directions, half a character.
HOSTILE = (
    "<script>document.title='ran'</script><img src=x onerror=\"document.title='ran'\">"
    "</style><svg onload=document.title='ran'>'\"--></title></pre>{{7*7}}{% raw %}"
    "\x1b[31m\u202e\ud800\x00\u2028&amp;"
)
