"""`autograder hint`: the next hint for an exercise, from gentle to plain; which were shown is remembered."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from autograder.cli import options

if TYPE_CHECKING:
    from autograder.loading.assignment import Course


@click.command("hint", short_help="The next hint for an exercise.")
@click.argument("exercise")
@click.option("--all", "everything", is_flag=True, help="All hints of the exercise.")
@click.option("--reset", is_flag=True, help="Forget which hints were shown, and begin with the first again.")
@click.option(
    "--file",
    "path",
    metavar="FILE",
    type=click.Path(path_type=Path),
    help="The file that is being worked on; by default the assignment's file in this folder.",
)
@options.language("self")
@options.assignment
@options.project
def command(
    exercise: str,
    everything: bool,
    reset: bool,
    path: Path | None,
    assignment: str | None,
    project: Path | None,
) -> None:
    """Show the next hint for EXERCISE; after the last one, the last one again.

    Where the file shows a known mistake, the ladder of hints begins with the one that fits it.
    """
    from autograder.cli.course import open_course
    from autograder.cli.screen import err, look, out
    from autograder.report.layout import joined

    course = open_course(project, assignment)
    chosen = course.exercise(exercise)
    fitting = fitting_hints(course, chosen.id, path)
    hints = (*fitting, *(hint for hint in chosen.hints if hint not in fitting))
    shown = ShownHints(":".join((str(course.top), course.assignment.name, chosen.id, *fitting)))
    before = 0 if reset else min(shown.count(), len(hints))
    last = len(hints) if everything else min(before + 1, len(hints))
    first = 1 if everything else last
    width = look(plain=False).width
    for number in range(first, last + 1):
        out(joined(hint_lines(chosen.id, hints, number, width)))
    if not shown.remember(max(last, before)) and last < len(hints):
        err("autograder: which hints were shown cannot be remembered here; --all shows them all")


def fitting_hints(course: Course, exercise: str, path: Path | None) -> tuple[str, ...]:
    """The hints of the mistakes that the file shows in this exercise; none without a file or a diagnosis."""
    from autograder.cli.check import early_workshop
    from autograder.cli.course import read_file
    from autograder.grading.submission import Grader

    file = path or Path(course.assignment.file)
    if path is None and not file.is_file():
        return ()
    with early_workshop("portable") as workshop:
        result = Grader(course, workshop).grade(read_file(file), [exercise])
    hints = (one.evidence.get("hint") for examined in result.exercises for one in examined.diagnosis)
    return tuple(dict.fromkeys(str(hint) for hint in hints if hint))


def hint_lines(exercise: str, hints: Sequence[str], number: int, width: int) -> list[str]:
    """One hint under its number; lines that are indented in the YAML stay as they are."""
    from autograder.report.layout import wrapped
    from autograder.wording.say import say

    lines = [say("report.hint", {"exercise": exercise, "number": number, "count": len(hints)})]
    for line in hints[number - 1].strip().split("\n"):
        lines += (
            [f"    {line}"]
            if line.startswith(" ")
            else [f"  {part}".rstrip() for part in wrapped(line, width - 2)]
        )
    return lines


class ShownHints:
    """How many hints of one exercise of one course were shown, kept in the user's own state folder."""

    def __init__(self, key: str, folder: Path | None = None) -> None:
        self._key = key
        self._folder = folder

    def count(self) -> int:
        """The number remembered; 0 if there is none that can be read."""
        number = self._all().get(self._key, 0)
        return number if isinstance(number, int) and number > 0 else 0

    def remember(self, number: int) -> bool:
        """Keep the number; whether that could be done."""
        try:
            folder = self._place()
            folder.mkdir(parents=True, exist_ok=True)
            every = {**self._all(), self._key: number}
            fresh = folder / f".hints-{os.getpid()}.tmp"
            fresh.write_text(json.dumps(every, indent=1, sort_keys=True) + "\n", encoding="utf-8")
            os.replace(fresh, folder / "hints.json")
        except (OSError, RuntimeError, ValueError):
            return False
        return True

    def _all(self) -> dict[str, object]:
        try:
            every = json.loads((self._place() / "hints.json").read_text(encoding="utf-8"))
        except (OSError, RuntimeError, ValueError):
            return {}
        return every if isinstance(every, dict) else {}

    def _place(self) -> Path:
        if self._folder is None:
            from platformdirs import user_state_path

            self._folder = user_state_path("autograder", appauthor=False)
        return self._folder
