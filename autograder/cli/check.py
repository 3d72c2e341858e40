"""`autograder check`: a student's own file, exercise by exercise."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import click

from autograder.cli import options
from autograder.errors import ExitCode

if TYPE_CHECKING:
    from autograder.grading.submission import Grader
    from autograder.model.result import Result
    from autograder.worker.interface import Workshop


@click.command("check", short_help="Check a file or a notebook, exercise by exercise.")
@click.argument("arguments", nargs=-1, metavar="[FILE] [EXERCISE]...")
@options.output_format("terminal", "json", "html", "github")
@click.option(
    "--out",
    metavar="FILE",
    type=click.Path(path_type=Path),
    help="Of json and html, the file to write in place of stdout.",
)
@click.option("--all", "everything", is_flag=True, help="Show all evidence and all that was printed.")
@click.option("--watch", "watching", is_flag=True, help="Check again at every save, until Ctrl-C.")
@options.isolation("portable")
@options.language("self")
@options.assignment
@options.project
@options.plain
def command(
    arguments: tuple[str, ...],
    output_format: str,
    out: Path | None,
    everything: bool,
    watching: bool,
    isolation: str,
    assignment: str | None,
    project: Path | None,
    plain: bool,
) -> int:
    """Check FILE (by default the assignment's file or notebook in this folder), or some exercises of it.

    Exit code 0 if everything passed, 1 if something did not; with --watch it is 0.
    """
    output_format = _format_of(output_format, out)
    with early_workshop(isolation) as workshop:
        from autograder.cli.course import file_and_exercises, open_course, read_file
        from autograder.grading.submission import Grader

        course = open_course(project, assignment)
        path, exercises = file_and_exercises(arguments, course)
        submission = read_file(path)
        grader = Grader(course, workshop)
        if watching:
            _watch(grader, path, exercises, output_format, everything=everything, plain=plain)
            return ExitCode.PASSED
        result = grader.grade(submission, exercises)
    order = [exercise.id for exercise in course.exercises]
    if output_format == "json":
        _write_json(result, out)
    elif output_format == "html":
        from autograder.cli.delivery import deliver
        from autograder.report.html.student import render_student

        deliver(render_student(result, order=order), out)
    elif output_format == "github":
        from autograder.cli.github_actions import write_github
        from autograder.report.layout import Look
        from autograder.report.terminal import render_terminal

        write_github(result, path, render_terminal(result, Look(width=100), everything=everything))
    else:
        from autograder.cli.screen import look
        from autograder.cli.screen import out as show
        from autograder.report.terminal import render_terminal

        show(render_terminal(result, look(plain=plain), order=order, everything=everything))
    return exit_code(result)


def _format_of(output_format: str, out: Path | None) -> str:
    """The format that is meant: a file that is called a page is one. UsageError if none goes into a file."""
    if out is None or output_format in ("json", "html"):
        return output_format
    if output_format == "terminal" and out.suffix in (".html", ".htm", ".json"):
        return "json" if out.suffix == ".json" else "html"
    from autograder.errors import UsageError

    raise UsageError(
        f"--format {output_format} goes to stdout, not into {out}", remedy="name --format json or html"
    )


def _watch(
    grader: Grader, path: Path, exercises: list[str], output_format: str, *, everything: bool, plain: bool
) -> None:
    from autograder.cli.watch import Watched, watch
    from autograder.errors import UsageError

    if output_format != "terminal":
        raise UsageError("--watch shows its reports in a terminal only", remedy="leave --format away")
    watch(grader, Watched(path, tuple(exercises), everything=everything, plain=plain))


def early_workshop(level: str) -> Workshop:
    """A workshop of a level; a portable one has its interpreter starting while the rest is imported."""
    if level == "portable":
        from autograder.worker.portable import PortableWorkshop, launch

        return PortableWorkshop(launch())
    from autograder.worker.levels import open_workshop

    return open_workshop(level)  # type: ignore[arg-type]


def exit_code(result: Result) -> ExitCode:
    """0 if all passed, 4 (and said on stderr) if a fault of ours kept something from being judged, else 1."""
    if result.outcome == "broken":
        _tell_faults(result)
        return ExitCode.BROKEN
    passed = result.outcome == "graded" and all(exercise.status == "passed" for exercise in result.exercises)
    return ExitCode.PASSED if passed else ExitCode.NOT_PASSED


def _write_json(result: Result, out: Path | None) -> None:
    from autograder.cli.delivery import deliver

    deliver(json.dumps(result.to_json(), ensure_ascii=False, indent=1) + "\n", out)


def _tell_faults(result: Result) -> None:
    from autograder.cli.screen import err

    faults: dict[str, list[str]] = {}
    for exercise in result.exercises:
        for check in exercise.checks:
            if check.status == "broken":
                fault = str(check.evidence.get("fault", check.message)).rstrip()
                faults.setdefault(fault, []).append(f"{exercise.id}/{check.id}")
    for fault, places in faults.items():
        err(f"autograder: broken, marks given: {', '.join(places)}\n{fault}")
