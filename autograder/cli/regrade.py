"""`autograder regrade`: whose marks would change, by how much and through which check; with --apply they do."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import click

from autograder.cli import options
from autograder.cli.grade import default_jobs
from autograder.errors import ExitCode, UsageError

if TYPE_CHECKING:
    from autograder.grading.batch import Done, Order
    from autograder.grading.regrade import Batch, Change
    from autograder.loading.assignment import Course
    from autograder.report.layout import Look

#: Of so many checks that change one student's marks each is named.
_NAMED = 6


@click.command(
    "regrade", short_help="See whose marks change after an exercise, a tolerance or a reference did."
)
@click.argument("results", metavar="RESULTS", type=click.Path(path_type=Path))
@click.option(
    "--submissions",
    metavar="FOLDER",
    type=click.Path(path_type=Path),
    help="The submissions; by default those that RESULTS were made from.",
)
@click.option(
    "--apply",
    "applied",
    is_flag=True,
    help="Write the new results; the old ones are kept in RESULTS/history.",
)
@click.option("--times", metavar="FILE|mtime", help="When each handed in; by default as `grade` was told.")
@click.option(
    "--jobs",
    type=click.IntRange(1, 64),
    default=default_jobs,
    help="How many at a time; by default one a core.",
)
@options.isolation(None)
@options.language("class")
@options.assignment
@options.project
@options.plain
def command(
    results: Path,
    submissions: Path | None,
    applied: bool,
    times: str | None,
    jobs: int,
    isolation: str | None,
    assignment: str | None,
    project: Path | None,
    plain: bool,
) -> int:
    """Grade the submissions of RESULTS again, and show whose marks change, by how much and through which check.

    Nothing is written without --apply. Exit code 0 whatever changes, 4 if a fault of ours kept something
    from being graded.
    """
    from autograder.authoring.soundness import refuse_unsound
    from autograder.cli.course import open_course
    from autograder.cli.screen import look, out
    from autograder.grading.regrade import compare_folders, recall

    if not results.is_dir():
        raise UsageError(f"there is no folder {results}", remedy="name the folder that `grade` wrote")
    batch = recall(results)
    source = _source(results, submissions, batch)
    course = open_course(project, assignment or (batch.assignment if batch is not None else None))
    refuse_unsound(course)
    told = times if times is not None or batch is None else batch.times_from(results)
    with TemporaryDirectory(prefix="autograder-regrade-") as name:
        fresh = Path(name)
        done = _grade(course, source, told, (results, fresh), isolation, jobs)
        changes = compare_folders(results, fresh)
        out(changes_text(changes, len(done), look(plain=plain)))
        if applied:
            _apply(course, fresh, results, (source, told), done)
        elif changes:
            out("\nnothing is written; --apply writes it and keeps what was in history/\n")
    broken = [one for one in done if one.trouble or one.row.outcome == "broken"]
    return ExitCode.BROKEN if _tell(broken) else ExitCode.PASSED


def _source(results: Path, submissions: Path | None, batch: Batch | None) -> Path:
    if submissions is not None:
        return submissions
    if batch is None:
        raise UsageError(
            f"{results} does not say which submissions it was made from",
            remedy="name them with --submissions",
        )
    source = batch.submissions_from(results)
    if not source.exists():
        raise UsageError(f"the submissions are no longer at {source}", remedy="name them with --submissions")
    return source


def _grade(
    course: Course,
    source: Path,
    times: str | None,
    folders: tuple[Path, Path],
    isolation: str | None,
    jobs: int,
) -> tuple[Done, ...]:
    """Grade into the second folder what the results in the first do not hold for any more."""
    from autograder.cli.grade import timed
    from autograder.grading.batch import Order, grade_batch
    from autograder.grading.lateness import Deadlines
    from autograder.grading.regrade import copy_results
    from autograder.loading.downloads import open_download
    from autograder.wording.languages import spoken
    from autograder.worker.levels import open_workshop

    results, fresh = folders
    copy_results(results, fresh)
    with open_workshop(isolation or course.assignment.isolation) as workshop:  # type: ignore[arg-type]
        level = workshop.level
    order = Order(course.top, course.assignment.name, fresh, level, False, Deadlines.of(course), spoken())
    with open_download(source, course.assignment.file, course.assignment.name) as download:
        found = timed(download.found, times, course)
        done = grade_batch(course, found, order, jobs=jobs)
    _remove_others(order, done)
    return done


def _remove_others(order: Order, done: Sequence[Done]) -> None:
    """Take results of nobody's submission out of the fresh ones: they are told as gone, and stay where they were."""
    from autograder.grading.store import file_name

    names = {file_name(one.row.student) for one in done}
    for path in order.out.glob("[!.]*.json"):
        if path.name not in names:
            path.unlink()


def _apply(
    course: Course, fresh: Path, results: Path, told: tuple[Path, str | None], done: Sequence[Done]
) -> None:
    from autograder.cli.screen import out
    from autograder.grading.batch import write_tables
    from autograder.grading.regrade import Batch, remember, take_over
    from autograder.grading.store import results_folder

    source, times = told
    exercises = [exercise.id for exercise in course.exercises]
    with results_folder(results):
        count = take_over(fresh, results)
        write_tables(results, [one.row for one in done], exercises)
        remember(results, Batch.of(results, source, course.assignment.name, times))
    out(f"\nwrote {count} of {len(done)} results and grades.csv; what was is in history/\n")
    out("next: `autograder report` makes the class's report anew\n")


def _tell(broken: Sequence[Done]) -> bool:
    from autograder.cli.screen import err

    for one in broken:
        err(f"autograder: broken: {one.trouble or one.row.student}")
    return bool(broken)


def changes_text(changes: Sequence[Change], count: int, look: Look) -> str:
    """The table of a preview: a line a student, and under it the checks through which the marks change."""
    from autograder.report.layout import joined

    return joined(_lines(changes, count, look))


def _lines(changes: Sequence[Change], count: int, look: Look) -> Iterator[str]:
    from autograder.report.layout import padded
    from autograder.report.safe_text import columns, visible

    names = [visible(change.student, 32) for change in changes]
    width = max(map(columns, names), default=0)
    for name, change in zip(names, changes, strict=True):
        difference = look.paint(_signed(change.difference), "good" if change.difference > 0 else "bad")
        marks = f"{_marks(change.before):>6} -> {_marks(change.after):>6}  {difference}"
        yield f"{padded(name, width)}  {marks}{_remark(change)}"
        for through in change.through[:_NAMED]:
            reason = f"{visible(through.where)}: {through.before} -> {through.after}"
            yield f"    {_signed(through.marks):>7}  {reason}"
        if len(change.through) > _NAMED:
            yield f"             and {len(change.through) - _NAMED} more checks"
    if changes:
        yield ""
    yield f"{len(changes)} of {count} would have other marks" if changes else f"of {count}, no marks change"


def _remark(change: Change) -> str:
    if change.before is None:
        return "  (no result before)"
    if change.after is None:
        return "  (no submission any more; the result stays)"
    return "  (another file)" if change.another_file else ""


def _marks(marks: float | None) -> str:
    from autograder.report.layout import marks_text

    return "none" if marks is None else marks_text(marks)


def _signed(marks: float) -> str:
    from autograder.report.layout import marks_text

    return f"+{marks_text(marks)}" if marks > 0 else f"-{marks_text(-marks)}"
