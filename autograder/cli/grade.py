"""`autograder grade`: a folder of submissions, one result file each, with progress and a summary."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

from autograder.cli import options
from autograder.errors import ExitCode

if TYPE_CHECKING:
    from autograder.grading.batch import Done, Order
    from autograder.loading.assignment import Course
    from autograder.loading.downloads import Download
    from autograder.report.layout import Look
    from autograder.worker.interface import Level

_MOST_JOBS = 8


def default_jobs() -> int:
    """As many as there are cores to use, within reason."""
    usable = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return min(usable, _MOST_JOBS)


@click.command("grade", short_help="Grade a folder of submissions.")
@click.argument("submissions", type=click.Path(path_type=Path))
@click.option(
    "--out",
    "results",
    required=True,
    metavar="RESULTS",
    type=click.Path(path_type=Path),
    help="Where to write.",
)
@click.option(
    "--jobs",
    type=click.IntRange(1, 64),
    default=default_jobs,
    help="How many at a time; by default one a core.",
)
@click.option("--again", is_flag=True, help="Grade what is unchanged too.")
@options.isolation(None)
@options.assignment
@options.project
@options.plain
def command(
    submissions: Path,
    results: Path,
    jobs: int,
    again: bool,
    isolation: str | None,
    assignment: str | None,
    project: Path | None,
    plain: bool,
) -> int:
    """Grade SUBMISSIONS, a folder or zip file, into RESULTS/<student>.json and RESULTS/grades.csv.

    A download of Canvas, Moodle, Gradescope or nbgrader may be named as it is, zipped or not.
    What is unchanged since the last run is skipped. Exit code 0 if everything was graded, whatever the marks.
    """
    from autograder.authoring.soundness import refuse_unsound
    from autograder.cli.course import open_course
    from autograder.grading.batch import Order
    from autograder.loading.downloads import open_download

    course = open_course(project, assignment)
    refuse_unsound(course)
    with open_download(submissions, course.assignment.file, course.assignment.name) as download:
        level = _proven(isolation or course.assignment.isolation)
        order = Order(course.top, course.assignment.name, results, level, again)
        return _grade(course, download, order, jobs, plain=plain)


def _grade(course: Course, download: Download, order: Order, jobs: int, *, plain: bool) -> ExitCode:
    """Grade all that was found, showing each as it is done."""
    from autograder.cli.screen import err, look, out
    from autograder.grading.batch import grade_batch

    found = download.found
    screen = look(plain=plain)
    source = f" from {download.platform}" if download.platform else ""
    out(f"{_count(len(found))} of {course.assignment.name}{source}, isolation {order.level}\n\n")
    with _progress(len(found), screen) as (show, advance):
        lines = InOrder([one.student for one in found], screen, show)

        def on_done(done: Done) -> None:
            lines.add(done)
            advance()

        try:
            every = grade_batch(course, found, order, jobs=jobs, on_done=on_done)
        except KeyboardInterrupt:
            done_so_far = f"{lines.count} of {len(found)} are done and kept"
            err(f"autograder: {done_so_far}; the same command goes on from there")
            raise
    _conclude(course, order, every, screen)
    broken = any(done.trouble or done.row.outcome == "broken" for done in every)
    return ExitCode.BROKEN if broken else ExitCode.PASSED


def _count(number: int) -> str:
    return "1 submission" if number == 1 else f"{number} submissions"


def _proven(wanted: str) -> Level:
    """The level that will be used, once it has proved itself."""
    from autograder.cli.screen import err
    from autograder.worker.levels import open_workshop

    with open_workshop(wanted) as workshop:  # type: ignore[arg-type]
        level = workshop.level
    if level == "portable":
        err("autograder: isolation 'portable' has no walls, it is for trusted files; see `autograder doctor`")
    return level


class InOrder:
    """The lines of submissions in the students' order, whatever order they are done in."""

    def __init__(self, students: Sequence[str], look: Look, show: Callable[[str], None]) -> None:
        from autograder.report.class_summary import name_width

        self._waiting = list(reversed(students))
        self._look = look
        self._show = show
        self._width = name_width(students)
        self._done: dict[str, Done] = {}
        self.count = 0

    def add(self, done: Done) -> None:
        """Show this one once all before it are shown, and those that waited for it."""
        self.count += 1
        self._done[done.row.student] = done
        while self._waiting and self._waiting[-1] in self._done:
            self._tell(self._done.pop(self._waiting.pop()))

    def _tell(self, done: Done) -> None:
        from autograder.cli.screen import err
        from autograder.report.class_summary import row_line

        self._show(row_line(done.row, self._look, self._width))
        if done.trouble:
            err(f"autograder: broken: {done.trouble}")


@contextmanager
def _progress(count: int, look: Look) -> Iterator[tuple[Callable[[str], None], Callable[[], None]]]:
    """Something that shows a line and something that moves the bar: on a terminal a bar below the lines."""
    from autograder.cli.screen import on_terminal, out

    if not on_terminal() or look.plain:
        yield (lambda line: out(line + "\n")), (lambda: None)
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
    from rich.text import Text

    console = Console(no_color=not look.colour, highlight=False)
    columns = (BarColumn(), MofNCompleteColumn(), TextColumn("{task.fields[rate]}"), TimeRemainingColumn())
    with Progress(*columns, console=console, transient=True) as progress:
        task = progress.add_task("grading", total=count, rate="")

        def show(line: str) -> None:
            console.print(Text.from_ansi(line), soft_wrap=True)

        def advance() -> None:
            progress.advance(task)
            speed = progress.tasks[0].finished_speed or progress.tasks[0].speed
            progress.update(task, rate=f"{speed:.1f} a second" if speed else "")

        yield show, advance


def _conclude(course: Course, order: Order, every: Sequence[Done], look: Look) -> None:
    """Print the summary and where everything is, and write the class's report beside the results."""
    from autograder.cli.screen import err, out
    from autograder.grading.store import write_atomically
    from autograder.report.class_summary import render_class, render_summary
    from autograder.report.layout import Look
    from autograder.report.safe_text import visible

    rows = [done.row for done in every]
    exercises = [exercise.id for exercise in course.exercises]
    out("\n" + render_summary(rows, exercises, look) + "\n")
    title = f"{course.assignment.title} ({course.assignment.name}), isolation {order.level}"
    report = order.out / "summary.txt"
    try:
        write_atomically(report, render_class(rows, exercises, Look(width=100), title=title))
    except OSError as error:
        err(f"autograder: {report} could not be written: {error.strerror}")
    unchanged = sum(row.unchanged for row in rows)
    if unchanged:
        out(f"unchanged  {unchanged} of {len(rows)} were graded before; --again grades them anew\n")
    for label, path in (("results", "<student>.json"), ("table", "grades.csv"), ("report", report.name)):
        out(f"{label:<9}  {visible(str(order.out / path))}\n")
