"""`autograder list`: the exercises, and how far the file in this folder has come."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from autograder.cli import options

if TYPE_CHECKING:
    from autograder.loading.assignment import Course
    from autograder.model.result import Result
    from autograder.report.layout import Look


@click.command("list", short_help="The exercises, and the progress.")
@click.argument("file", required=False, type=click.Path(path_type=Path))
@options.isolation("portable")
@options.language("self")
@options.assignment
@options.project
@options.plain
def command(
    file: Path | None, isolation: str, assignment: str | None, project: Path | None, plain: bool
) -> int:
    """List the exercises, each with status and marks of FILE (by default the assignment's file)."""
    from autograder.cli.check import early_workshop

    with early_workshop(isolation) as workshop:
        from autograder.cli.course import open_course, read_file
        from autograder.cli.screen import look, out
        from autograder.grading.submission import Grader

        course = open_course(project, assignment)
        path = file or Path(course.assignment.file)
        there = file is not None or path.exists()
        result = Grader(course, workshop).grade(read_file(path)) if there else None
    out(progress_table(course, result, look(plain=plain)))
    if result is None:
        out(f"\nthere is no {path} in this folder; `autograder start` writes it\n")
        return 0
    from autograder.cli.check import exit_code
    from autograder.errors import ExitCode

    return ExitCode.BROKEN if exit_code(result) is ExitCode.BROKEN else ExitCode.PASSED


def progress_table(course: Course, result: Result | None, look: Look) -> str:
    """A line an exercise: number, id, title, and with a result its status and marks; then the sum."""
    from autograder.report.layout import joined, marks_text, padded
    from autograder.report.safe_text import columns
    from autograder.wording.say import say

    ids = max(columns(exercise.id) for exercise in course.exercises)
    titles = max(columns(exercise.title) for exercise in course.exercises)
    lines = []
    for number, exercise in enumerate(course.exercises, 1):
        line = f"{number:2} {padded(exercise.id, ids)}  {padded(exercise.title, titles)}"
        if result is None:
            lines.append(f"{line}  {marks_text(exercise.points):>5}")
            continue
        got = result.exercises[number - 1]
        words = {"passed": f"{marks_text(got.marks):>5}", "count": f"{marks_text(got.max_marks):<4}"}
        lines.append(
            f"{line}  {say('class.share', words)}  {look.mark(got.status)} {say(f'status.{got.status}')}"
        )
    if result is not None:
        words = {"marks": marks_text(result.marks), "max_marks": marks_text(result.max_marks)}
        lines += ["", say("report.marks", words)]
    return joined(lines)
