"""`autograder report`: a result file as text or a page; a folder of them as text, page, table."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import quote

import click

from autograder.cli import options
from autograder.errors import UsageError

if TYPE_CHECKING:
    from autograder.grading.store import Row
    from autograder.model.result import Result
    from autograder.report.html.statistics import Entry

PAGE = "report.html"
_STUDENTS = "reports"


@click.command("report", short_help="Show a result file, or what a class came to, as text or as a page.")
@click.argument("results", metavar="RESULT.json|RESULTS", type=click.Path(path_type=Path))
@options.output_format("terminal", "json", "html")
@click.option(
    "--out",
    metavar="FILE",
    type=click.Path(path_type=Path),
    help="Where to write; of a class's page by default RESULTS/report.html, else stdout.",
)
@click.option(
    "--students", is_flag=True, help="Of a folder, a page for every student too, in reports/ beside it."
)
@click.option(
    "--csv", "as_csv", is_flag=True, help="Of a folder, the figures of the class's page as a table."
)
@click.option("--all", "everything", is_flag=True, help="Of one result, the evidence of every check.")
@options.language("self")
@options.plain
def command(
    results: Path,
    output_format: str,
    out: Path | None,
    students: bool,
    as_csv: bool,
    everything: bool,
    plain: bool,
) -> None:
    """Show one student's RESULT.json, or the class in the folder RESULTS.

    Of a class the page is written as well, to RESULTS/report.html or to --out; nothing in it needs a network.
    """
    if not results.is_dir():
        if students or as_csv:
            raise UsageError("--students and --csv are for a folder of results", remedy="name the folder")
        _one(_read(results), output_format, out, everything=everything, plain=plain)
    elif as_csv:
        _csv(results, out)
    elif output_format == "json":
        from autograder.cli.delivery import deliver

        deliver(_json([result.to_json() for result in read_results(results)]), out)
    else:
        _class(results, out or results / PAGE, output_format, students=students, plain=plain)


def _one(result: Result, output_format: str, out: Path | None, *, everything: bool, plain: bool) -> None:
    from autograder.cli.delivery import deliver

    if out is not None and out.suffix in (".html", ".htm") and output_format == "terminal":
        output_format = "html"
    if output_format == "json":
        deliver(_json(result.to_json()), out)
    elif output_format == "html":
        from autograder.report.html.student import render_student

        deliver(render_student(result), out)
    else:
        from autograder.cli.screen import look
        from autograder.cli.screen import out as show
        from autograder.report.layout import Look
        from autograder.report.terminal import render_terminal

        if out is not None:
            deliver(render_terminal(result, Look(width=100, plain=plain), everything=everything), out)
        else:
            show(render_terminal(result, look(plain=plain), everything=everything))


def _class(folder: Path, page: Path, output_format: str, *, students: bool, plain: bool) -> None:
    """The class as text on stdout, unless only the page is wanted; the page, and where it is."""
    from autograder.cli.screen import look, out
    from autograder.grading.store import Row
    from autograder.report.class_summary import render_class
    from autograder.report.html.statistics import entries_of
    from autograder.report.safe_text import visible

    rows: list[Row] = []

    def each() -> Iterator[Result]:
        for result in each_result(folder):
            rows.append(Row.of(result))
            if students:
                _write_student(page, result)
            yield result

    entries = entries_of(each())
    if output_format == "terminal":
        exercises = list(dict.fromkeys(id for row in rows for id, *_ in row.exercises))
        out(render_class(rows, exercises, look(plain=plain)) + "\n")
    write_class_page(page, entries, students=students)
    out(f"{'report':<9}  {visible(str(page))}\n")
    if students:
        out(f"{'students':<9}  {visible(str(page.parent / _STUDENTS / '<student>.html'))}\n")


def write_class_page(
    page: Path, entries: Iterable[Entry], *, title: str = "", students: bool = False
) -> None:
    """Write the page of a class; with `students` its names lead to the pages beside it."""
    from autograder.cli.delivery import write_file
    from autograder.report.html.class_page import render_class_page
    from autograder.report.html.statistics import class_figures

    def link(student: str) -> str | None:
        return f"{_STUDENTS}/{quote(_student_page(student))}" if students else None

    write_file(page, render_class_page(class_figures(entries), title=title, link=link))


def _write_student(page: Path, result: Result) -> None:
    from autograder.cli.delivery import write_file
    from autograder.report.html.student import render_student

    folder = page.parent / _STUDENTS
    try:
        folder.mkdir(exist_ok=True)
    except OSError as error:
        raise UsageError(
            f"{folder} cannot be made: {error.strerror}", remedy="name another with --out"
        ) from None
    back = f"../{quote(page.name)}"
    write_file(folder / _student_page(result.student), render_student(result, back=back))


def _student_page(student: str) -> str:
    from autograder.grading.store import file_name

    return file_name(student).removesuffix(".json") + ".html"


def _csv(folder: Path, out: Path | None) -> None:
    import csv
    import io

    from autograder.cli.delivery import deliver
    from autograder.report.html.figures_table import figure_rows
    from autograder.report.html.statistics import class_figures, entries_of
    from autograder.report.safe_text import spelt_out
    from autograder.wording.cells import guarded

    table = io.StringIO()
    writer = csv.writer(table, lineterminator="\n")
    for row in figure_rows(class_figures(entries_of(each_result(folder)))):
        writer.writerow([guarded(spelt_out(cell)) for cell in row])
    deliver(table.getvalue(), out)


def each_result(folder: Path) -> Iterator[Result]:
    """The results of a folder by the names of their files, one at a time; what is none is named on stderr.

    UsageError if there are none.
    """
    from autograder.cli.screen import err

    found = False
    for path in sorted(folder.glob("[!.]*.json")):
        try:
            yield _read(path)
        except UsageError as error:
            err(f"autograder: {error}")
        else:
            found = True
    if not found:
        raise UsageError(f"{folder} holds no results", remedy="`autograder grade … --out RESULTS` makes them")


def read_results(folder: Path) -> list[Result]:
    """All results of a folder by student; a file that is none is named on stderr."""
    return sorted(each_result(folder), key=lambda result: result.student)


def _read(path: Path) -> Result:
    from autograder.cli.tongue import for_reader
    from autograder.grading.store import read_result

    if not path.exists():
        raise UsageError(f"there is no {path}", remedy="name a result file or the folder that `grade` wrote")
    result = read_result(path)
    if result is None:
        raise UsageError(f"{path} is no result, or a damaged one", remedy="`autograder grade` makes it again")
    return for_reader(result)


def _json(data: object) -> str:
    return json.dumps(data, ensure_ascii=False, indent=1) + "\n"
