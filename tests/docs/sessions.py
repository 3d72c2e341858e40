"""The console sessions of the documentation, run again: what a page shows is what the commands print."""

import os
import re
import shlex
import shutil
from dataclasses import dataclass
from pathlib import Path

import pytest
from click.testing import CliRunner

from autograder.cli.main import cli
from tests.docs.pages import TOP, Fence, Page

#: Stands for lines that a page leaves out.
LEFT_OUT = "…"
_VERSIONS = re.compile(r"^autograder \S+, python \S+, numpy \S+, isolation \S+$", re.MULTILINE)
_LEVEL = re.compile(r"\bisolation (sandbox|no-open|portable)\b")
_SPEED = re.compile(r"^autograder: isolation 'portable' has no walls.*\n", re.MULTILINE)


@dataclass(frozen=True)
class Command:
    """One command of a session, and the output that the page shows of it."""

    line: str
    output: str


def commands(fence: Fence) -> list[Command]:
    """The commands of a console block; a line that begins with `$ ` is one, what follows is its output."""
    parts = re.split(r"^\$ (.*)\n", fence.text, flags=re.MULTILINE)
    return [Command(line, output) for line, output in zip(parts[1::2], parts[2::2], strict=True)]


class Session:
    """A folder in which the blocks of one page are followed as a reader would, in order."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.folder = folder
        monkeypatch.chdir(folder)
        monkeypatch.setenv("XDG_STATE_HOME", str(folder.parent / "state"))
        monkeypatch.setenv("LC_ALL", "C.UTF-8")
        for name in ("COLUMNS", "NO_COLOR", "LANGUAGE"):
            monkeypatch.delenv(name, raising=False)

    def follow(self, page: Page) -> list[tuple[Fence, Command, str]]:
        """Write the files of the page, run its commands, and return what each printed."""
        ran = []
        for fence in page.fences:
            if fence.title is not None:
                self.write(fence.title, fence.text)
            elif fence.language == "console":
                ran += [(fence, command, self.run(command.line)) for command in commands(fence)]
        return ran

    def write(self, title: str, text: str) -> None:
        """A block as a file; one that is a single function takes the place of that function in its file."""
        path = self.folder / title
        function = re.match(r"def (\w+)\(", text)
        if function is None or not path.exists():
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
            return
        old = path.read_text(encoding="utf-8")
        pattern = rf"^def {function[1]}\(.*?(?=^\S|\Z)"
        new, count = re.subn(pattern, lambda _: text + "\n\n", old, flags=re.MULTILINE | re.DOTALL)
        assert count == 1, f"{title} has no function {function[1]}"
        path.write_text(new.rstrip("\n") + "\n", encoding="utf-8")

    def run(self, line: str) -> str:
        """What a command prints, stdout and stderr as they come."""
        line, _, into = line.partition(" > ")
        program, *arguments = shlex.split(line)
        if program == "cat":
            return "".join((self.folder / name).read_text(encoding="utf-8") for name in arguments)
        if program == "cd":
            self.folder = (self.folder / arguments[0]).resolve()
            os.chdir(self.folder)
            return ""
        assert program == "autograder", f"{line!r}: pages run `autograder`, `cat` and `cd`"
        output = CliRunner().invoke(cli, arguments, prog_name="autograder", catch_exceptions=False).output
        assert "Traceback" not in output, f"`{line}` broke:\n{output}"
        if into:
            (self.folder / into).write_text(output, encoding="utf-8")
        return "" if into else output


def holds(actual: str, shown: str) -> bool:
    """Whether an output is what a page shows of it; a line `…` there stands for any lines."""
    parts = [
        re.escape(line) if line.strip() != LEFT_OUT else LEFT_OUT for line in settled(shown).splitlines()
    ]
    pattern = "".join(f"{part}\n" if part != LEFT_OUT else r"(?:.*\n)*?" for part in parts)
    return re.fullmatch(pattern, settled(actual)) is not None


def shortened(actual: str, shown: str) -> str:
    """The actual output with as many lines left out as the page leaves out: those between its first and last."""
    lines = settled(shown).splitlines()
    gaps = [index for index, line in enumerate(lines) if line.strip() == LEFT_OUT]
    every = settled(actual).splitlines()
    if len(gaps) != 1 or len(every) < len(lines):
        return actual
    head, tail = gaps[0], len(lines) - gaps[0] - 1
    kept = [*every[:head], lines[head], *every[len(every) - tail :]]
    return "".join(f"{line}\n" for line in kept)


def settled(text: str) -> str:
    """An output without what differs from machine to machine: versions and the level of isolation."""
    text = _SPEED.sub("", _VERSIONS.sub("autograder …", text))
    return _LEVEL.sub("isolation sandbox", text).rstrip("\n") + "\n"


def rewritten(page: Page, ran: list[tuple[Fence, Command, str]]) -> str:
    """The page's text with every output as it is now."""
    text = page.text
    for fence in reversed(page.fences):
        outputs = [
            f"$ {command.line}\n{_for_page(actual, command.output)}"
            for of, command, actual in ran
            if of is fence
        ]
        if outputs:
            text = text[: fence.start] + "".join(outputs) + text[fence.start + len(fence.text) :]
    return text


def _for_page(actual: str, shown: str) -> str:
    if not actual.strip() or (holds(actual, shown) and shown.strip() != LEFT_OUT):
        return shown
    shown = "" if shown.strip() == LEFT_OUT else shown  # a block that is still to be filled
    return settled(shortened(actual, shown))


def course_in(folder: Path) -> Path:
    """A copy of the course's own folders, to work in."""
    for name in ("config", "exercises", "solutions"):
        shutil.copytree(TOP / name, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
    return folder
