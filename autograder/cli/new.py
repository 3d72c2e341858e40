"""`autograder new`: a new exercise, from a commented template, with its stub in the solutions."""

from __future__ import annotations

from pathlib import Path

import click

from autograder.cli import options


@click.command("new", short_help="Begin a new exercise.")
@click.argument("exercise")
@options.assignment
@options.project
def command(exercise: str, assignment: str | None, project: Path | None) -> None:
    """Write the file of a new EXERCISE from a template, a stub of its reference, and its place in the config.

    What is to be filled in is marked TODO; `autograder lint` names what is left.
    """
    from autograder.authoring.new import scaffold
    from autograder.cli.course import open_course
    from autograder.cli.screen import out
    from autograder.report.safe_text import visible

    course = open_course(project, assignment)
    for path in scaffold(course, exercise):
        out(f"wrote {visible(str(path.relative_to(course.top)))}\n")
    out(f"next: fill in what is marked TODO, then `autograder lint {exercise}`\n")
