"""`autograder report`: a result file, or a folder of them, as text."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import click

from autograder.cli import options
from autograder.errors import UsageError

if TYPE_CHECKING:
    from autograder.model.result import Result


@click.command("report", short_help="Show a result file, or the summary of a folder of them.")
@click.argument("results", metavar="RESULT.json|RESULTS", type=click.Path(path_type=Path))
@options.output_format("terminal", "json")
@click.option("--all", "everything", is_flag=True, help="Of one result, the evidence of every check.")
@options.plain
def command(results: Path, output_format: str, everything: bool, plain: bool) -> None:
    """Show one student's RESULT.json, or the class in the folder RESULTS."""
    from autograder.cli.screen import look, out, out_utf8

    if results.is_dir():
        found = read_results(results)
        if output_format == "json":
            out_utf8(_json([result.to_json() for result in found]))
        else:
            out(_class_text(found, plain))
        return
    result = _read(results)
    if output_format == "json":
        out_utf8(_json(result.to_json()))
        return
    from autograder.report.terminal import render_terminal

    out(render_terminal(result, look(plain=plain), everything=everything))


def read_results(folder: Path) -> list[Result]:
    """All results of a folder by student; a file that is none is named on stderr."""
    from autograder.cli.screen import err

    results = []
    for path in sorted(folder.glob("*.json")):
        try:
            results.append(_read(path))
        except UsageError as error:
            err(f"autograder: {error}")
    if not results:
        raise UsageError(f"{folder} holds no results", remedy="`autograder grade … --out RESULTS` makes them")
    return sorted(results, key=lambda result: result.student)


def _read(path: Path) -> Result:
    from autograder.grading.store import read_result

    if not path.exists():
        raise UsageError(f"there is no {path}", remedy="name a result file or the folder that `grade` wrote")
    result = read_result(path)
    if result is None:
        raise UsageError(f"{path} is no result, or a damaged one", remedy="`autograder grade` makes it again")
    return result


def _class_text(results: list[Result], plain: bool) -> str:
    from autograder.cli.screen import look
    from autograder.grading.store import Row
    from autograder.report.class_summary import render_class

    exercises = list(dict.fromkeys(exercise.id for result in results for exercise in result.exercises))
    return render_class([Row.of(result) for result in results], exercises, look(plain=plain))


def _json(data: object) -> str:
    return json.dumps(data, ensure_ascii=False, indent=1) + "\n"
