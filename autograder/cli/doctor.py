"""`autograder doctor`: which levels of isolation hold on this machine, and what keeps the others from it."""

from __future__ import annotations

import click

from autograder.cli import options


@click.command("doctor", short_help="Which levels of isolation hold on this machine.")
@options.plain
def command(plain: bool) -> None:
    """Try each level of isolation, strongest first, and say what to do about one that cannot be had."""
    from autograder.cli.screen import look, out
    from autograder.report.layout import indented, joined
    from autograder.worker.levels import survey

    screen = look(plain=plain)
    for tried in survey():
        mark = screen.mark("passed" if tried.available else "failed")
        said = "works here" if tried.available else f"{tried.obstacle}; {tried.remedy}"
        if tried.available and tried.level == "portable":
            said = "works here; it has a time limit and no walls: for files that are trusted"
        out(joined(indented(said, screen, first=f"{mark} {tried.level:<8}  ", hang=12)))
