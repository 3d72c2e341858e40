"""`autograder check --watch`: a file checked again whenever it is saved, in place, until Ctrl-C."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from autograder.errors import AutograderError, UsageError

if TYPE_CHECKING:
    from autograder.grading.submission import Grader
    from autograder.model.result import ExerciseResult, Result
    from autograder.model.submission import Submission
    from autograder.report.layout import Look

#: Milliseconds: what comes within the first after a change belongs to it; the longest a burst may take; how
#: often the file is looked at without word of a change, since not every file system gives it.
_STEP, _BURST, _LOOK_AGAIN = 20, 200, 1000
#: How long an empty or vanished file may be half of a save, and how often it is looked at meanwhile: seconds.
_HALF_SAVED, _GLANCE = 0.3, 0.02
#: Interpreters kept waiting: one for the calls, and for what follow-through and diagnosis ask after them.
_WARM = 3
_BAR = 24
#: So many exercises are shown in full when one save has changed more of them.
_MOST_SHOWN = 3
_CLEARED = "\x1b[2J\x1b[H"


@dataclass(frozen=True, slots=True)
class Watched:
    """What to watch and how to show it."""

    path: Path
    exercises: tuple[str, ...]
    everything: bool = False
    plain: bool = False


def watch(grader: Grader, watched: Watched) -> None:
    """Check the file now and after every change of it; returns at Ctrl-C."""
    from autograder.worker.portable import PortableWorkshop

    screen = _Screen(grader, watched)
    try:
        for _ in _moments(watched.path):
            if screen.refresh() and isinstance(grader.workshop, PortableWorkshop):
                grader.workshop.prepare(_WARM)
    except KeyboardInterrupt:
        screen.leave()


def _moments(path: Path) -> Iterator[None]:
    """Now; then whenever something happens to the file, and every second, until it is interrupted.

    The folder is watched, not the file: editors that save by renaming put another file in its place.
    """
    from watchfiles import watch as changes

    yield
    folders = {path.absolute().parent, path.resolve().parent}
    for folder in folders:
        if not folder.is_dir():
            raise UsageError(f"there is no folder {folder}", remedy="name a file in a folder that is there")
    names = {path.name, path.resolve().name}
    for _ in changes(
        *folders,
        watch_filter=lambda change, changed: Path(changed).name in names,
        debounce=_BURST,
        step=_STEP,
        rust_timeout=_LOOK_AGAIN,
        yield_on_timeout=True,
        recursive=False,
        raise_interrupt=True,
    ):
        yield


class _Screen:
    """What is shown, and the content and result that it was made of."""

    def __init__(self, grader: Grader, watched: Watched) -> None:
        self._grader = grader
        self._watched = watched
        self._seen: bytes | str | None = None
        #: The last result of a file that could be loaded: progress is not lost by a slip of the pen.
        self._last: Result | None = None

    def refresh(self) -> bool:
        """Check and show the file if it is another than at the last look; whether that was so."""
        submission = _read(self._watched.path)
        seen = submission if isinstance(submission, str) else submission.content
        if seen == self._seen:
            return False
        if isinstance(submission, str):
            self._show(f"{submission}\n")
        else:
            self._show(self._checked(submission))
        self._seen = seen
        return True

    def leave(self) -> None:
        """Begin a line of its own for what comes after: the terminal has written ^C."""
        from autograder.cli.screen import out

        if self._clears():
            out("\n")

    def _checked(self, submission: Submission) -> str:
        from autograder.report.terminal import render_terminal

        try:
            result = self._grader.grade(submission, self._watched.exercises)
        except AutograderError:  # a waiting process may have been ended meanwhile; a fresh one is asked
            result = self._grader.grade(submission, self._watched.exercises)
        order = [exercise.id for exercise in self._grader.course.exercises]
        shown = replace(result, exercises=tuple(self._chosen(result)))
        if result.outcome in ("graded", "broken"):
            self._last = result
        text = render_terminal(shown, self._look(), order=order, everything=self._watched.everything)
        return f"{progress(self._last or result, self._look())}\n{text}"

    def _chosen(self, result: Result) -> Sequence[ExerciseResult]:
        """All exercises asked for by name or with --all; else those to work on."""
        if self._watched.exercises or self._watched.everything or result.outcome not in ("graded", "broken"):
            return result.exercises
        return in_hand(result, self._last)

    def _show(self, text: str) -> None:
        """In one go, so that nothing flickers; one below the other where nothing can be cleared."""
        from autograder.cli.screen import out
        from autograder.report.safe_text import visible

        foot = self._look().paint(f"watching {visible(str(self._watched.path))}, Ctrl-C ends it", "faint")
        out(f"{_CLEARED}{text}{foot}\n" if self._clears() else f"{text}{foot}\n\n")
        sys.stdout.flush()

    def _look(self) -> Look:
        """What the terminal can show now: it may have another width than before."""
        from autograder.cli.screen import look

        return look(plain=self._watched.plain)

    def _clears(self) -> bool:
        from autograder.cli.screen import on_terminal

        return on_terminal() and not self._watched.plain


def progress(result: Result, look: Look) -> str:
    """A bar of the exercises passed, and every exercise with its mark."""
    from autograder.report.layout import joined, row_of_items
    from autograder.report.safe_text import visible

    done = sum(exercise.status == "passed" for exercise in result.exercises)
    count = len(result.exercises)
    bar = look.bar(done / count if count else 0.0, _BAR)
    items = [(look.mark(exercise.status), visible(exercise.id)) for exercise in result.exercises]
    return joined([f" {bar}  {done} of {count} passed", *row_of_items(items, look, indent=1)])


def in_hand(result: Result, before: Result | None) -> Sequence[ExerciseResult]:
    """The exercises to show: those that the last save changed and that have not passed, else the next one.

    None of them once everything has passed.
    """
    known = {exercise.id: _standing(exercise) for exercise in before.exercises} if before is not None else {}
    open_ones = [exercise for exercise in result.exercises if exercise.status != "passed"]
    changed = [e for e in open_ones if known and known.get(e.id) != _standing(e)]
    return changed[:_MOST_SHOWN] or open_ones[:1]


def _standing(exercise: ExerciseResult) -> tuple[str, tuple[str, ...]]:
    return exercise.status, tuple(check.id for check in exercise.checks if check.status == "passed")


def _read(path: Path) -> Submission | str:
    """The file as it is once it is saved; what is wrong with it, in one line, if it cannot be read.

    Empty or not there may be the middle of a save, so that is believed only after a while.
    """
    from autograder.loading.submissions import Unreadable, read_submission

    end = time.monotonic() + _HALF_SAVED
    while _is_half_saved(path) and time.monotonic() < end:
        time.sleep(_GLANCE)
    if not path.exists():
        return f"there is no file {path} at present"
    submission = read_submission(path.resolve())
    if isinstance(submission, Unreadable):
        return f"{path} cannot be read: {submission.message}"
    return submission


def _is_half_saved(path: Path) -> bool:
    try:
        return os.stat(path).st_size == 0
    except OSError:
        return True
