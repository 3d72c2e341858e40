"""The command `autograder`: its commands, imported when they are needed, and what becomes of an error."""

from __future__ import annotations

import contextlib
import difflib
import importlib
import os
import signal
import sys
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from autograder.cli import options
from autograder.errors import AutograderError, ExerciseError, ExitCode

#: The commands in the order of the help, each with its module, which holds it as `command`.
COMMANDS = {
    "start": "autograder.cli.start",
    "check": "autograder.cli.check",
    "hint": "autograder.cli.hint",
    "list": "autograder.cli.progress",
    "grade": "autograder.cli.grade",
    "regrade": "autograder.cli.regrade",
    "report": "autograder.cli.report",
    "release": "autograder.cli.release",
    "export": "autograder.cli.export",
    "nbgrader": "autograder.cli.nbgrader",
    "lint": "autograder.cli.lint",
    "new": "autograder.cli.new",
    "translate": "autograder.cli.translate",
    "schema": "autograder.cli.schema",
    "doctor": "autograder.cli.doctor",
}
_INTERRUPTED = 130
_PIPE_CLOSED = 141


class ReaderGoneError(Exception):
    """Whoever read our stdout has closed it."""


class Commands(click.Group):
    """A group that imports a command's module when it is asked for, and turns errors into exit codes."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The names, in the order of the table."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command of that name."""
        if cmd_name not in COMMANDS:
            return None
        command: click.Command = importlib.import_module(COMMANDS[cmd_name]).command
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Say what is nearest to a name that is not known."""
        if args and not args[0].startswith("-") and args[0] not in COMMANDS:
            near = difflib.get_close_matches(args[0], COMMANDS, n=1)
            said = f"did you mean {near[0]!r}?" if near else f"known: {', '.join(COMMANDS)}"
            raise click.UsageError(f"there is no command {args[0]!r}; {said}", ctx)
        return super().resolve_command(ctx, args)

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command that was asked for."""
        try:
            return super().invoke(ctx)
        except BrokenPipeError:
            raise ReaderGoneError from None  # click would make the exit code of a failed check of it

    def main(self, *args: Any, standalone_mode: bool = True, **extra: Any) -> Any:
        """Run the command line; ends the process with its exit code unless told otherwise."""
        run: Callable[..., Any] = super().main
        code = guarded(lambda: run(*args, standalone_mode=False, **extra))
        if standalone_mode:
            sys.exit(code)
        return code


def guarded(run: Callable[[], Any]) -> int:
    """The exit code of a run; every error is told on stderr."""
    try:
        code = int(run() or 0)
        sys.stdout.flush()
    except AutograderError as error:
        _tell(str(error) if isinstance(error, ExerciseError) else f"autograder: {error}")
        return int(error.exit_code)
    except click.ClickException as error:
        error.show()
        return int(ExitCode.MISUSED)
    except (click.Abort, KeyboardInterrupt):
        _tell("autograder: interrupted")
        return _INTERRUPTED
    except (ReaderGoneError, BrokenPipeError):
        _drop_stdout()
        return _PIPE_CLOSED
    except Exception:
        _tell(f"autograder: internal error; nothing in the submission is at fault\n{traceback.format_exc()}")
        return int(ExitCode.BROKEN)
    return code


def _tell(text: str) -> None:
    from autograder.cli.screen import err

    err(text.rstrip())


def _drop_stdout() -> None:
    """Let nothing complain at exit about a reader that has gone."""
    with contextlib.suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _version(context: click.Context, parameter: click.Parameter, value: bool) -> None:
    if value:
        from importlib.metadata import PackageNotFoundError, version

        try:
            click.echo(f"autograder {version('autograder')}")
        except PackageNotFoundError:
            click.echo("autograder, not installed")
        context.exit()


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.option(
    "--version", is_flag=True, expose_value=False, is_eager=True, callback=_version, help="Show the version."
)
@options.project
@options.plain
def cli(project: Path | None, plain: bool) -> None:
    """Check and grade numeric coursework: each function judged from outside its process, with reasons.

    \b
    Students     start, check, hint, list
    Instructors  grade, regrade, report, release, export, nbgrader, doctor
    Authors      lint, translate, schema
    """


def main() -> None:
    """The entry point of the command and of `python -m autograder`. SIGTERM ends it as tidily as Ctrl-C does."""
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    cli.main(prog_name="autograder")
