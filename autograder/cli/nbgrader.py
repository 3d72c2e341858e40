"""`autograder nbgrader create`: an assignment as a course of nbgrader's."""

from __future__ import annotations

from pathlib import Path

import click

from autograder.cli import options


@click.group("nbgrader", short_help="An assignment for nbgrader: notebook and configuration.")
def command() -> None:
    """Work with nbgrader. Its own commands do the rest; docs/nbgrader.md has them in order."""


@command.command("create", short_help="Write the instructor's notebook and nbgrader_config.py.")
@click.argument("folder", metavar="COURSE", type=click.Path(path_type=Path))
@click.option("--force", is_flag=True, help="Replace what is there; it is kept beside, as FILE.bak.")
@options.assignment
@options.project
def create(folder: Path, force: bool, assignment: str | None, project: Path | None) -> None:
    """Write into nbgrader's folder COURSE source/NAME/NAME.ipynb and the lines of nbgrader_config.py.

    The notebook has the references as solutions and a locked test cell for each exercise, with its points.
    """
    from autograder.authoring.nbgrader_course import write_course
    from autograder.authoring.soundness import refuse_unsound
    from autograder.cli.course import open_course
    from autograder.cli.screen import out
    from autograder.report.safe_text import visible

    course = open_course(project, assignment)
    refuse_unsound(course)
    for written in write_course(course, folder, force=force):
        if written.kept is not None:
            out(f"kept the old file as {visible(str(written.kept))}\n")
        word = "unchanged" if written.unchanged else "wrote"
        out(f"{word} {visible(str(written.path))}\n")
    name = course.assignment.name
    out(f"next: in {visible(str(folder))}, `nbgrader generate_assignment {name}`\n")
