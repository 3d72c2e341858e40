"""The options that several commands share: the course's top, the assignment, language, format, plainness, isolation."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, Literal, TypeAlias, TypeVar

import click

Command = TypeVar("Command", bound=Callable[..., Any])

#: Who reads what a command makes: whoever runs it, or the students of a class.
Readers: TypeAlias = Literal["self", "class"]

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


def language(readers: Readers) -> Callable[[Command], Command]:
    """--lang LANG, which is spoken as soon as it is given; without it `speak_for` decides, once a course is known."""

    def callback(context: click.Context, parameter: click.Parameter, value: str | None) -> None:
        from autograder.cli.tongue import wish

        wish(context, value, readers)

    return click.option(
        "--lang",
        metavar="LANG",
        callback=callback,
        expose_value=False,
        help="The language of texts and feedback, en or pt; by default "
        + ("that of this terminal." if readers == "self" else "the course's."),
    )


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
