"""`autograder lint`: exercises and solutions against each other."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from autograder.cli import options
from autograder.errors import ExitCode

if TYPE_CHECKING:
    from autograder.authoring.findings import Table
    from autograder.report.layout import Look


@click.command("lint", short_help="Check exercises and solutions against each other.")
@click.argument("exercises", nargs=-1, metavar="[EXERCISE]...")
@click.option(
    "--seeds", type=click.IntRange(1, 1000), default=20, show_default=True, help="How many inputs to try."
)
@click.option("--mutants", is_flag=True, help="Also change the references a little and see what notices.")
@options.assignment
@options.project
@options.plain
def command(
    exercises: tuple[str, ...],
    seeds: int,
    mutants: bool,
    assignment: str | None,
    project: Path | None,
    plain: bool,
) -> int:
    """Check that the references pass, the stubs and the wrong functions fail, and each EXERCISE is complete.

    Every finding has its place and its remedy. Exit code 3 if one must be mended; warnings alone give 0.
    """
    from autograder.authoring.lint import lint
    from autograder.cli.course import open_course
    from autograder.cli.screen import look, out

    course = open_course(project, assignment)
    report = lint(course, seeds=seeds, mutants=mutants, only=exercises)
    for finding in report.findings:
        out(f"{finding}\n")
    for table in report.tables:
        out("\n" * bool(report.findings) + table_text(table, look(plain=plain)))
    count = len(exercises) or len(course.exercises)
    warnings = len(report.findings) - len(report.errors)
    noun = "exercise" if count == 1 else "exercises"
    out(f"\n{count} {noun}: {len(report.errors)} to mend, {warnings} to consider\n")
    return ExitCode.INVALID if report.errors else ExitCode.PASSED


def table_text(table: Table, look: Look) -> str:
    """A table in columns: the first on the left, figures on the right."""
    from autograder.report.layout import joined, padded
    from autograder.report.safe_text import columns

    rows = [table.columns, *table.rows]
    widths = [max(columns(row[index]) for row in rows) for index in range(len(table.columns))]
    lines = [look.paint(table.title, "strong")]
    for row in rows:
        first = padded(row[0], widths[0])
        rest = (" " * (width - columns(cell)) + cell for cell, width in zip(row[1:], widths[1:], strict=True))
        lines.append("  ".join([first, *rest]).rstrip())
    return joined(lines)
