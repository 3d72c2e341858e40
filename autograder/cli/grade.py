"""`autograder grade`: a folder of submissions, one result file each, with progress and a summary."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

import click

from autograder.cli import options
from autograder.errors import ExitCode, UsageError

if TYPE_CHECKING:
    from autograder.cli.gradebook import Recorder
    from autograder.grading.batch import Done, Order
    from autograder.grading.lateness import Deadlines
    from autograder.grading.store import Row
    from autograder.loading.assignment import Course
    from autograder.loading.downloads import Download
    from autograder.loading.submissions import Found
    from autograder.report.layout import Look
    from autograder.worker.interface import Level

    #: Grades a batch: course, what was found, order, and whom to tell.
    Grade: TypeAlias = Callable[..., tuple[Done, ...]]

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
@click.option(
    "--scheduler",
    metavar="ADDRESS",
    help="Grade on the Dask cluster of this scheduler (tcp://HOST:8786) in place of --jobs.",
)
@click.option(
    "--times",
    metavar="FILE|mtime",
    help="When each handed in: a table student,handed_in, or mtime for the files' own times.",
)
@click.option("--again", is_flag=True, help="Grade what is unchanged too.")
@click.option(
    "--gradebook", metavar="URL", help="nbgrader's gradebook to write to as well: sqlite:///…, postgresql://…"
)
@options.isolation(None)
@options.language("class")
@options.assignment
@options.project
@options.plain
def command(
    submissions: Path,
    results: Path,
    jobs: int,
    scheduler: str | None,
    times: str | None,
    again: bool,
    gradebook: str | None,
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
    from autograder.cli.gradebook import open_recorder
    from autograder.grading.batch import Order
    from autograder.grading.lateness import Deadlines
    from autograder.grading.regrade import Batch, remember
    from autograder.loading.downloads import open_download
    from autograder.wording.languages import spoken

    course = open_course(project, assignment)
    refuse_unsound(course)
    deadlines = Deadlines.of(course)
    with open_download(submissions, course.assignment.file, course.assignment.name) as download:
        wanted = isolation or course.assignment.isolation
        with _means(course, wanted, jobs, scheduler) as (level, grade):
            order = Order(course.top, course.assignment.name, results, level, again, deadlines, spoken())
            download = replace(download, found=timed(download.found, times, course))
            with open_recorder(gradebook, course, results) as recorder:
                code = _grade(course, download, order, grade, recorder, plain=plain)
    remember(results, Batch.of(results, submissions, course.assignment.name, times))
    return code


def timed(found: Sequence[Found], times: str | None, course: Course) -> tuple[Found, ...]:
    """The submissions with the times that were asked for: of a table, of the files, or what they have."""
    from datetime import UTC

    from autograder.loading.handing_times import read_times, with_file_times, with_times

    if times is None:
        return tuple(found)
    if times == "mtime":
        return with_file_times(found)
    due = course.assignment.due
    zone = due.tzinfo if due is not None and due.tzinfo is not None else UTC
    return with_times(found, read_times(Path(times)), zone)


@contextmanager
def _means(course: Course, wanted: str, jobs: int, scheduler: str | None) -> Iterator[tuple[Level, Grade]]:
    """What grades a batch, here or on a cluster, and the level of isolation that it has."""
    from autograder.grading.batch import grade_batch

    if scheduler is None:
        yield _proven(wanted), partial(grade_batch, jobs=jobs)
        return
    try:
        from autograder.grading.cluster import open_cluster
    except ModuleNotFoundError as error:
        remedy = "install it: pip install 'autograder[cluster]'"
        raise UsageError(f"--scheduler needs the package {error.name}", remedy=remedy) from error
    with open_cluster(scheduler, course, wanted) as cluster:  # type: ignore[arg-type]
        yield _warned(cluster.level), partial(grade_batch, each=cluster.each)


def _grade(
    course: Course, download: Download, order: Order, grade: Grade, recorder: Recorder, *, plain: bool
) -> ExitCode:
    """Grade all that was found, showing each as it is done."""
    from autograder.cli.screen import err, look, out

    found = download.found
    screen = look(plain=plain)
    source = f" from {download.platform}" if download.platform else ""
    out(f"{_count(len(found))} of {course.assignment.name}{source}, isolation {order.level}\n\n")
    with _progress(len(found), screen) as (show, advance):
        lines = InOrder([one.student for one in found], screen, show)

        def on_done(done: Done) -> None:
            lines.add(done)
            recorder(done)
            advance()

        try:
            every = grade(course, found, order, on_done=on_done)
        except KeyboardInterrupt:
            done_so_far = f"{lines.count} of {len(found)} are done and kept"
            err(f"autograder: {done_so_far}; the same command goes on from there")
            raise
    _conclude(course, order, every, screen)
    if order.deadlines is not None:
        _tell_lateness(order.deadlines, found, every)
    broken = recorder.failed or any(done.trouble or done.row.outcome == "broken" for done in every)
    return ExitCode.BROKEN if broken else ExitCode.PASSED


def _tell_lateness(deadlines: Deadlines, found: Sequence[Found], every: Sequence[Done]) -> None:
    """Of whom no time is known, and whom an extension names in vain, on stderr."""
    from autograder.cli.screen import err

    late = [done.row.late for done in every if done.row.late is not None]
    unknown = sum(one.handed_in is None for one in late)
    if unknown:
        err(f"autograder: of {_count(unknown)} nothing tells when; nothing is taken off there (see --times)")
    for name in deadlines.strangers(found):
        err(f"autograder: an extension is for {name!r}, of whom there is no submission")


def _count(number: int) -> str:
    return "1 submission" if number == 1 else f"{number} submissions"


def _proven(wanted: str) -> Level:
    """The level that will be used, once it has proved itself."""
    from autograder.worker.levels import open_workshop

    with open_workshop(wanted) as workshop:  # type: ignore[arg-type]
        return _warned(workshop.level)


def _warned(level: Level) -> Level:
    """The level, after a word if it has no walls."""
    from autograder.cli.screen import err

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

        self._show(row_line(done.row, self._look, self._width) + _late_words(done.row))
        if done.trouble:
            err(f"autograder: broken: {done.trouble}")


def _late_words(row: Row) -> str:
    from autograder.report.layout import marks_text
    from autograder.wording.say import say

    if row.late is None or not row.late.penalty:
        return ""
    return f"; {say('late.short', {'penalty': marks_text(row.late.penalty)})}"


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
    """Print the summary and where everything is, and write the class's reports beside the results."""
    from autograder.cli.screen import err, out
    from autograder.grading.store import LATE, write_atomically
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
    _write_page(course, order, rows)
    unchanged = sum(row.unchanged for row in rows)
    if unchanged:
        out(f"unchanged  {unchanged} of {len(rows)} were graded before; --again grades them anew\n")
    said = [
        ("results", "<student>.json"),
        ("table", "grades.csv"),
        ("report", report.name),
        ("page", "report.html"),
    ]
    if any(row.late is not None for row in rows):
        said.insert(2, ("late work", LATE))
    for label, path in said:
        out(f"{label:<9}  {visible(str(order.out / path))}\n")


def _write_page(course: Course, order: Order, rows: Sequence[Row]) -> None:
    """The class's page, from the results as they were written."""
    from autograder.cli.report import PAGE, write_class_page
    from autograder.cli.screen import err
    from autograder.errors import UsageError
    from autograder.grading.store import file_name, read_result
    from autograder.report.html.statistics import entries_of

    written = (read_result(order.out / file_name(row.student)) for row in rows)
    entries = entries_of(result for result in written if result is not None)
    title = f"{course.assignment.title} ({course.assignment.name})"
    try:
        write_class_page(order.out / PAGE, entries, title=title)
    except UsageError as error:
        err(f"autograder: {error}")
