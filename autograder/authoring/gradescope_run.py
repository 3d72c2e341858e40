"""One submission as Gradescope lays it out, graded into results.json."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from autograder.authoring.gradescope_zip import COURSE
from autograder.errors import BrokenError, IsolationUnavailable
from autograder.grading.file_reports import unreadable_result
from autograder.grading.store import write_atomically
from autograder.grading.submission import Grader
from autograder.loading.assignment import Course, load_assignment
from autograder.loading.downloads import open_student_folder
from autograder.loading.handing_in import moment
from autograder.loading.submissions import Found, Unreadable, read_submission
from autograder.model.result import Result
from autograder.model.submission import Origin
from autograder.report.exports.gradescope import HiddenChecks, gradescope_results
from autograder.worker.levels import Wanted, open_workshop

_MOST_METADATA = 64 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class Graded:
    """What became of a submission: its result, and remarks for the staff."""

    result: Result
    remarks: tuple[str, ...]


def grade_for_gradescope(
    root: Path, *, hidden_checks: HiddenChecks = "visible", isolation: Wanted = "auto", walls: bool = True
) -> Graded:
    """Grade root/submission and write root/results/results.json.

    IsolationUnavailable if nothing keeps the submission from the references and `walls` are wanted.
    """
    started = time.monotonic()
    course = load_assignment(root / "source" / COURSE)
    metadata = read_metadata(root / "submission_metadata.json")
    with open_workshop(isolation) as workshop:
        if walls and workshop.level == "portable":
            raise IsolationUnavailable(
                "no level of isolation with walls holds here, so a submission could read the references",
                remedy="see `autograder doctor` in the build log; --no-walls grades all the same",
            )
        result = _grade(root / "submission", Grader(course, workshop), origin_of(metadata))
    results = gradescope_results(result, hidden_checks=hidden_checks, seconds=time.monotonic() - started)
    try:
        (root / "results").mkdir(exist_ok=True)
        text = json.dumps(results, ensure_ascii=True, indent=1, allow_nan=False) + "\n"
        write_atomically(root / "results" / "results.json", text)
    except OSError as error:
        raise BrokenError(f"results.json cannot be written: {error.strerror}") from error
    return Graded(result, tuple(_remarks(metadata, course, result)))


def _grade(folder: Path, grader: Grader, origin: Origin) -> Result:
    student = origin.id or origin.email or origin.name or "student"
    with open_student_folder(folder, grader.course.assignment.file, student, origin) as found:
        submission = _read(found)
    if isinstance(submission, Unreadable):
        result = unreadable_result(submission, grader.course, grader.environment)
    else:
        result = grader.grade(submission)
    return replace(result, origin=origin)


def _read(found: Found) -> Any:
    if found.problem is not None:
        return Unreadable(found.student, found.path.name, found.problem)
    return read_submission(found.path, found.student, notes=found.notes, origin=found.origin)


def read_metadata(path: Path) -> Mapping[str, Any]:
    """What Gradescope tells of a submission; nothing if it cannot be read, since grading needs none of it."""
    try:
        with path.open("rb") as file:
            content = file.read(_MOST_METADATA + 1)
        data = json.loads(content) if len(content) <= _MOST_METADATA else None
    except (OSError, ValueError, RecursionError):
        return {}
    return data if isinstance(data, dict) else {}


def origin_of(metadata: Mapping[str, Any]) -> Origin:
    """Whose submission it is, by its first user, and when it came."""
    users = metadata.get("users")
    first = users[0] if isinstance(users, list) and users and isinstance(users[0], dict) else {}
    email, name = (value if isinstance(value := first.get(key), str) else "" for key in ("email", "name"))
    created = metadata.get("created_at")
    handed_in = moment(created) if isinstance(created, str) else None
    return Origin("gradescope", email=email, name=name, handed_in=handed_in)


def _remarks(metadata: Mapping[str, Any], course: Course, result: Result) -> list[str]:
    remarks = []
    assignment = metadata.get("assignment")
    total = assignment.get("total_points") if isinstance(assignment, dict) else None
    try:
        points = float(total) if isinstance(total, str | int | float) else result.max_marks
    except ValueError:
        points = result.max_marks
    if points != result.max_marks:
        remarks.append(f"Gradescope has {points:g} points for it, the marks are out of {result.max_marks:g}")
    for exercise in result.exercises:
        faults = [
            str(check.evidence.get("fault", "")) for check in exercise.checks if check.status == "broken"
        ]
        remarks += [f"broken, marks given: {exercise.id}\n{faults[0]}"] if faults else []
    return remarks
