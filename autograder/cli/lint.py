"""`autograder lint`: exercises and solutions against each other."""

from __future__ import annotations

from pathlib import Path

import click

from autograder.cli import options
from autograder.errors import ExitCode


@click.command("lint", short_help="Check exercises and solutions against each other.")
@options.assignment
@options.project
def command(assignment: str | None, project: Path | None) -> int:
    """Check that the reference passes, the stub fails and all exercises are complete; say what is wrong."""
    from autograder.authoring.lint import lint
    from autograder.cli.course import open_course
    from autograder.cli.screen import out

    course = open_course(project, assignment)
    findings = lint(course)
    for finding in findings:
        out(f"{finding}\n")
    if findings:
        return ExitCode.INVALID
    out(f"{course.assignment.name}: {len(course.exercises)} exercises, nothing to mend\n")
    return ExitCode.PASSED
