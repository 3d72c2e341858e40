"""`autograder start`: the file of stubs, or a notebook of them, for a student to fill in."""

from __future__ import annotations

import os
from pathlib import Path

import click

from autograder.cli import options
from autograder.errors import UsageError


@click.command("start", short_help="Write the file of stubs to fill in.")
@click.argument("folder", metavar="[DIR]", type=click.Path(path_type=Path), default=Path())
@click.option("--force", is_flag=True, help="Replace a file that is there; it is kept beside, as FILE.bak.")
@click.option("--notebook", is_flag=True, help="Write a notebook: statements, stubs, cells that check.")
@options.language("self")
@options.assignment
@options.project
def command(folder: Path, force: bool, notebook: bool, assignment: str | None, project: Path | None) -> None:
    """Write the assignment's file of stubs (or notebook of them) into DIR (by default this folder).

    A file that is there is left alone unless --force is given, and is never lost.
    """
    from autograder.authoring.stubs import stub_file
    from autograder.authoring.student_notebook import student_notebook
    from autograder.cli.course import open_course
    from autograder.cli.screen import out
    from autograder.model.submission import notebook_name
    from autograder.report.safe_text import visible

    course = open_course(project, assignment)
    path = folder / (notebook_name(course.assignment.file) if notebook else course.assignment.file)
    content = (student_notebook(course) if notebook else stub_file(course)).encode()
    kept = _write(path, content, force=force)
    shown = visible(str(path))
    if kept is not None:
        out(f"kept the old file as {visible(str(kept))}\n")
    count = len(course.exercises)
    out(f"wrote {shown}: {count} {'function' if count == 1 else 'functions'} to write\n")
    first = course.exercises[0].id
    out(f"next: write {course.exercises[0].function}, then `autograder check {shown} {first}`\n")


def _write(path: Path, content: bytes, *, force: bool) -> Path | None:
    """Write the stubs and return where a file is kept that stood there; UsageError if that may not go."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        if not os.path.lexists(path):
            _write_new(path, content)
            return None
        if not force:
            raise UsageError(
                f"{path} is there already",
                remedy="--force replaces it and keeps it as a .bak, or name another DIR",
            )
        kept = _free_name(path)
        os.rename(path, kept)
        _write_new(path, content)
        return kept
    except OSError as error:
        raise UsageError(f"{path} cannot be written: {error.strerror}", remedy="name another DIR") from None


def _write_new(path: Path, content: bytes) -> None:
    with path.open("xb") as file:
        file.write(content)


def _free_name(path: Path) -> Path:
    """attention.py.bak, or with a number if earlier ones are there."""
    name = path.with_name(f"{path.name}.bak")
    number = 1
    while os.path.lexists(name):
        number += 1
        name = path.with_name(f"{path.name}.bak{number}")
    return name
