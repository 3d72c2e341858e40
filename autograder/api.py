"""The public names: load a course, read submissions, grade one or many, read results back.

    from pathlib import Path
    from autograder.api import Grader, load_assignment, open_workshop, read_submission

    course = load_assignment(Path("."), "qkv")
    with open_workshop("auto") as workshop:
        result = Grader(course, workshop).grade(read_submission(Path("attention.py")))

Everything else may change from one version to the next.
"""

from __future__ import annotations

from autograder.errors import AutograderError, ExerciseError, ExitCode, IsolationUnavailable, UsageError
from autograder.grading.batch import Order, grade_batch
from autograder.grading.store import read_result, result_text
from autograder.grading.submission import Grader
from autograder.loading.assignment import Course, find_top, load_assignment
from autograder.loading.submissions import Unreadable, find_submissions, read_submission
from autograder.model.result import CheckResult, Diagnosis, ExerciseResult, Result
from autograder.model.submission import Submission
from autograder.worker.levels import open_workshop

__all__ = [
    "AutograderError",
    "CheckResult",
    "Course",
    "Diagnosis",
    "ExerciseError",
    "ExerciseResult",
    "ExitCode",
    "Grader",
    "IsolationUnavailable",
    "Order",
    "Result",
    "Submission",
    "Unreadable",
    "UsageError",
    "find_submissions",
    "find_top",
    "grade_batch",
    "load_assignment",
    "open_workshop",
    "read_result",
    "read_submission",
    "result_text",
]
