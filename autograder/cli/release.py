"""`autograder release`: the student's kit of a course, in a folder of its own."""

from __future__ import annotations

from pathlib import Path

import click

from autograder.cli import options


@click.command("release", short_help="Write the students' kit, without solutions and hidden cases.")
@click.argument("folder", metavar="DIR", type=click.Path(path_type=Path))
@click.option("--force", is_flag=True, help="Renew a kit in DIR; students' files there become FILE.bak.")
@click.option(
    "--seed",
    type=click.IntRange(min=0),
    default=0,
    show_default=True,
    help="What the kit's drawn cases are drawn from; not the assignment's seed.",
)
@options.language("class")
@options.assignment
@options.project
def command(folder: Path, force: bool, seed: int, assignment: str | None, project: Path | None) -> None:
    """Write into DIR what students get: stubs, exercises, stored values of the visible cases, a README.

    No reference, wrong function, misconception or hidden case is in it. `check`, `hint`, `list` and `start`
    work there.
    """
    from autograder.authoring.release import make_kit, write_kit
    from autograder.authoring.soundness import refuse_unsound
    from autograder.cli.course import open_course
    from autograder.cli.screen import out
    from autograder.report.safe_text import visible

    course = open_course(project, assignment)
    refuse_unsound(course)
    kit = make_kit(course, seed=seed)
    for path in write_kit(course, folder, kit, force=force):
        out(f"kept a file that differs as {visible(str(path))}\n")
    shown = visible(str(folder))
    out(f"wrote {shown}: {len(course.exercises)} exercises, {len(kit.files)} files\n")
    out(f"next: `cd {shown}`, then `autograder check`; README.md is for the students\n")
