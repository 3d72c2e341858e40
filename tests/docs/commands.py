"""The commands as click has them: every visible one with its options, arguments and choices."""

import re
import shlex
from dataclasses import dataclass

import click

from autograder.cli.main import cli
from tests.docs.pages import Page


@dataclass(frozen=True)
class Known:
    """One command by its full name, such as "autograder export canvas"."""

    name: str
    command: click.Command

    @property
    def options(self) -> dict[str, click.Option]:
        """The options by their longest name, without --help."""
        options = [one for one in self.command.params if isinstance(one, click.Option) and not one.hidden]
        return {max(one.opts, key=len): one for one in options}

    @property
    def spellings(self) -> set[str]:
        """Every way to write an option of it."""
        every = (name for one in self.options.values() for name in (*one.opts, *one.secondary_opts))
        return {"--help", "-h", *every}

    @property
    def choices(self) -> set[str]:
        """The words that its options and arguments take."""
        kinds = [one.type for one in self.command.params if not getattr(one, "hidden", False)]
        return {str(word) for kind in kinds if isinstance(kind, click.Choice) for word in kind.choices}


def known_commands(command: click.Command = cli, name: str = "autograder") -> list[Known]:
    """The command and all that stand below it, hidden ones left out."""
    found = [Known(name, command)]
    if isinstance(command, click.Group):
        context = click.Context(command, info_name=name)
        for child in command.list_commands(context):
            made = command.get_command(context, child)
            assert made is not None
            if not made.hidden:
                found += known_commands(made, f"{name} {child}")
    return found


def why_not(line: str) -> str | None:
    """Why a command line is none that the program takes; None if it is. Nothing is run."""
    words = shlex.split(line.partition(" > ")[0])
    try:
        command: click.Command = cli
        context = cli.make_context("autograder", words[1:])
        while isinstance(command, click.Group):
            rest = [*context._protected_args, *context.args]
            if not rest:
                return "it names no command"
            name, found, arguments = command.resolve_command(context, rest)
            assert found is not None
            assert name is not None
            command, context = found, found.make_context(name, arguments, parent=context)
    except click.exceptions.Exit:
        return None
    except click.ClickException as error:
        return error.format_message()
    return None


def command_lines(page: Page) -> list[str]:
    """The command lines of a page's console and shell blocks, and of its indented ones."""
    fenced = [
        line.removeprefix("$ ").strip()
        for fence in page.fences
        if fence.language in ("console", "sh", "bash")
        for line in _joined(fence.text)
        if fence.language != "console" or line.startswith("$ ")
    ]
    indented = [line.strip() for line in _joined(page.prose) if line.startswith("    autograder ")]
    return [line for line in (*fenced, *indented) if line.startswith("autograder ")]


def _joined(text: str) -> list[str]:
    """The lines of a text, those that end in a backslash with the next one."""
    return re.sub(r"\\\n *", " ", text).splitlines()
