"""`autograder export`: results for learning platforms, and what a platform needs to grade by itself."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import fields
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from autograder.cli import options
from autograder.errors import ExitCode, UsageError

if TYPE_CHECKING:
    from autograder.report.exports.roster import Matching

_HIDDEN = ("visible", "after_due_date", "after_published", "hidden")
_RESULTS = click.argument("results", type=click.Path(path_type=Path))


def _roster(what: str) -> Callable[[options.Command], options.Command]:
    path = click.Path(path_type=Path)
    return click.option("--roster", required=True, metavar="FILE", type=path, help=f"{what}.")


def _out(what: str) -> Callable[[options.Command], options.Command]:
    path = click.Path(path_type=Path)
    return click.option("--out", required=True, metavar="PATH", type=path, help=f"{what}.")


_HIDDEN_CHECKS = click.option(
    "--hidden-checks",
    type=click.Choice(_HIDDEN),
    default="visible",
    show_default=True,
    help="When hidden checks show as tests of their own; visible folds them, so that the total shows.",
)


@click.group("export", short_help="Write results for a learning platform.")
def command() -> None:
    """Write results for a learning platform, or what it needs to grade by itself; nothing is sent."""


@command.command("canvas", short_help="Fill a column of a gradebook that Canvas exported.")
@_RESULTS
@_roster("The gradebook as Canvas exported it")
@click.option("--assignment-column", "column", required=True, metavar="TITLE", help="Its title or id there.")
@_out("Where to write the filled gradebook")
@click.option("--scale", is_flag=True, help="Turn marks into the points that Canvas has.")
def canvas(results: Path, roster: Path, column: str, out: Path, scale: bool) -> int:
    """Fill the column TITLE of a Canvas gradebook with the marks in RESULTS; all else stays as it is.

    Students are found by id, then login, then e-mail address. Who is not is listed on stderr and beside the
    output; exit code 1 then.
    """
    from autograder.cli.report import read_results
    from autograder.report.exports.canvas import fill_gradebook

    filled = fill_gradebook(_read(roster), read_results(results), column, name=str(roster), scale=scale)
    _write({out: filled.content})
    return _conclude(out.with_name(f"{out.name}.report.txt"), filled.matching, filled.notes)


@command.command("moodle", short_help="Write the grading worksheet, a CSV and an XML file for Moodle.")
@_RESULTS
@_roster("The grading worksheet or the list of participants from Moodle")
@_out("The folder to write into")
@click.option("--item", default="", metavar="ID", help="ID number of the grade item; the XML file needs it.")
@click.option(
    "--column",
    "renamed",
    multiple=True,
    metavar="KEY=NAME",
    help="What a column is called where Moodle speaks another language, such as grade=Nota.",
)
def moodle(results: Path, roster: Path, out: Path, item: str, renamed: Sequence[str]) -> int:
    """Write into a folder what Moodle imports: worksheet.csv with feedback, grades.csv, grades.xml.

    Students are found by id, then login, then e-mail address. Who is not is listed on stderr and in
    report.txt; exit code 1 then.
    """
    from autograder.cli.report import read_results
    from autograder.report.exports.moodle import Columns, export_moodle

    columns = Columns(**_renamed(renamed, [one.name for one in fields(Columns)]))
    exported = export_moodle(
        _read(roster), read_results(results), item=item, columns=columns, name=str(roster)
    )
    files: dict[Path, bytes] = {out / "grades.csv": exported.grades_csv.encode("utf-8", "backslashreplace")}
    if exported.worksheet is not None:
        files[out / "worksheet.csv"] = exported.worksheet
    notes = list(exported.notes)
    if exported.grades_xml is not None:
        files[out / "grades.xml"] = exported.grades_xml.encode()
    else:
        notes.append("no grades.xml is written: it needs --item and students with ID numbers")
    _write(files)
    return _conclude(out / "report.txt", exported.matching, notes)


def _renamed(given: Sequence[str], known: Sequence[str]) -> dict[str, str]:
    renamed = {}
    for one in given:
        key, equals, name = one.partition("=")
        if key not in known or not equals or not name:
            raise UsageError(f"--column {one!r} renames nothing", remedy=f"known: {', '.join(known)}")
        renamed[key] = name
    return renamed


@command.command("lti-ags", short_help="Write LTI scores as JSON lines.")
@_RESULTS
@_roster("The platform's membership list (JSON), or a CSV file with user_id")
@_out("Where to write the scores")
@click.option("--timestamp", metavar="TIME", help="When the marks were given; by default now.")
def lti_ags(results: Path, roster: Path, out: Path, timestamp: str | None) -> int:
    """Write a Score of LTI's Assignment and Grade Services for every result, one a line."""
    from autograder.cli.report import read_results
    from autograder.report.exports.lti_ags import match_members, score_lines

    matching, users = match_members(_read(roster), read_results(results), str(roster))
    moment = timestamp or datetime.now(UTC).isoformat(timespec="milliseconds")
    lines = score_lines([(result, users[person.key]) for result, person in matching.pairs], moment)
    _write({out: lines.encode()})
    return _conclude(out.with_name(f"{out.name}.report.txt"), matching, ())


@command.command("gradescope", short_help="Write the autograder's zip file for Gradescope.")
@click.argument("folder", metavar="DIR", type=click.Path(path_type=Path))
@_HIDDEN_CHECKS
@click.option(
    "--wheels",
    metavar="DIR",
    type=click.Path(path_type=Path, file_okay=False),
    help="Wheels of all that is needed: Gradescope then installs from them alone.",
)
@options.assignment
@options.project
def gradescope(
    folder: Path, hidden_checks: Any, wheels: Path | None, assignment: str | None, project: Path | None
) -> None:
    """Write into DIR the zip file to upload as the autograder of a programming assignment."""
    from autograder.authoring.gradescope_zip import gradescope_zip, read_wheels
    from autograder.authoring.soundness import refuse_unsound
    from autograder.cli.course import open_course
    from autograder.cli.screen import out

    course = open_course(project, assignment)
    refuse_unsound(course)
    given = read_wheels(wheels) if wheels is not None else None
    path = folder / f"gradescope-{course.assignment.name}.zip"
    _write({path: gradescope_zip(course, hidden_checks=hidden_checks, wheels=given)})
    total = sum(exercise.points for exercise in course.exercises)
    out(f"next: upload it as the autograder of an assignment of {total:g} points\n")


@command.command("gradescope-results", hidden=True)
@click.option(
    "--root",
    type=click.Path(path_type=Path),
    default=Path("/autograder"),
    help="Where Gradescope's folders are.",
)
@_HIDDEN_CHECKS
@options.isolation("auto")
@click.option("--no-walls", is_flag=True, help="Grade even if a submission could read the references.")
def gradescope_results(root: Path, hidden_checks: Any, isolation: Any, no_walls: bool) -> int:
    """Grade the submission that Gradescope laid out into results.json; run by run_autograder."""
    from autograder.authoring.gradescope_run import grade_for_gradescope
    from autograder.cli.screen import err, out

    graded = grade_for_gradescope(root, hidden_checks=hidden_checks, isolation=isolation, walls=not no_walls)
    result = graded.result
    out(f"{result.outcome}: {result.marks:g} of {result.max_marks:g} marks, {dict(result.environment)}\n")
    for remark in graded.remarks:
        err(f"autograder: {remark}")
    return ExitCode.PASSED


@command.command("github", short_help="Write the workflow for GitHub Classroom.")
@click.argument("folder", metavar="DIR", type=click.Path(path_type=Path))
@options.assignment
@options.project
def github(folder: Path, assignment: str | None, project: Path | None) -> None:
    """Write into DIR, best a kit that `release` made, a workflow that checks every push, and the package."""
    from autograder.authoring.github_files import github_files
    from autograder.cli.course import open_course
    from autograder.cli.screen import err

    course = open_course(project, assignment)
    _write({folder / name: content for name, content in github_files(course).items()})
    if not (folder / "config" / f"{course.assignment.name}.yaml").is_file():
        err(f"autograder: {folder} holds no exercises yet; `autograder release` writes a kit into a folder")


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise UsageError(
            f"{path} cannot be read: {error.strerror}", remedy="name the platform's export"
        ) from None


def _write(files: dict[Path, bytes]) -> None:
    """Write files and say so."""
    from autograder.cli.screen import out
    from autograder.report.safe_text import visible

    for path, content in files.items():
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
        except OSError as error:
            raise UsageError(
                f"{path} cannot be written: {error.strerror}", remedy="name another place"
            ) from None
        out(f"wrote {visible(str(path))}\n")


def _conclude(report: Path, matching: Matching, notes: Iterable[str]) -> int:
    """Say what was matched; list on stderr and in a file what a person has to look at."""
    from autograder.cli.screen import err, out
    from autograder.report.safe_text import visible

    lines = [*notes, *matching.lines()]
    _write({report: "".join(f"{line}\n" for line in lines).encode("utf-8", "backslashreplace")})
    for line in [*notes, *(f"{visible(one.result.student)}: {one.why}" for one in matching.unclear)]:
        err(f"autograder: {line}")
    if matching.without:
        err(f"autograder: {len(matching.without)} of the platform's rows have no result; {report} names them")
    matched, unclear, without = map(len, (matching.pairs, matching.unclear, matching.without))
    out(f"{matched} matched, {unclear} not, {without} without a result\n")
    return ExitCode.NOT_PASSED if matching.unclear else ExitCode.PASSED
