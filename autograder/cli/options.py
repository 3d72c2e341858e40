"""The options that several commands share: the course's top, the assignment, format, plainness, isolation."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

Command = TypeVar("Command", bound=Callable[..., Any])

LEVELS = ("auto", "sandbox", "no-open", "portable")


def _kept(name: str) -> Callable[[click.Context, click.Parameter, Any], Any]:
    """Take an option from before the command's name, if it is not given after it."""

    def callback(context: click.Context, parameter: click.Parameter, value: Any) -> Any:
        above = context.find_root().params.get(name) if context.parent is not None else None
        return value or above

    return callback


def project(command: Command) -> Command:
    """-C DIR, as `project`."""
    return click.option(
        "-C",
        "--project",
        metavar="DIR",
        type=click.Path(path_type=Path),
        callback=_kept("project"),
        help="The course's folder, with config/ and exercises/; by default the nearest at or above this one.",
    )(command)


def plain(command: Command) -> Command:
    """--plain, as `plain`."""
    return click.option(
        "--plain", is_flag=True, callback=_kept("plain"), help="No colours, and marks in ASCII only."
    )(command)


def assignment(command: Command) -> Command:
    """--assignment NAME, as `assignment`."""
    return click.option(
        "--assignment", metavar="NAME", help="The assignment, config/NAME.yaml; by default the only one."
    )(command)


def output_format(*formats: str) -> Callable[[Command], Command]:
    """--format, as `output_format`; the first is the default."""
    return click.option(
        "--format",
        "output_format",
        type=click.Choice(formats),
        default=formats[0],
        show_default=True,
        help="What to write to stdout.",
    )


def isolation(default: str | None) -> Callable[[Command], Command]:
    """--isolation LEVEL, as `isolation`."""
    said = f"by default {default}" if default else "by default the assignment's"
    return click.option(
        "--isolation",
        type=click.Choice(LEVELS),
        default=default,
        help=f"How the submission's process is kept apart; {said}.",
    )
