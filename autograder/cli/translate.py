"""`autograder translate`: the catalogue of a language, written or renewed, for a translator to fill in."""

from __future__ import annotations

from pathlib import Path

import click

from autograder.cli import options
from autograder.errors import UsageError


@click.command("translate", short_help="Write or renew a language's catalogue of the exercises' texts.")
@click.argument("language", metavar="LANG")
@click.option("--feedback", is_flag=True, help="The feedback's own texts, in place of the exercises'.")
@options.assignment
@options.project
def command(language: str, feedback: bool, assignment: str | None, project: Path | None) -> None:
    """Write every text of the exercises into exercises/…/locale/LANG.po, and keep what is translated there.

    An empty translation stays English; `autograder lint` lists them.
    """
    from autograder.authoring.catalogues import renewed_course_catalogue, renewed_feedback_catalogue
    from autograder.cli.course import open_course
    from autograder.cli.screen import out
    from autograder.loading.translations import catalogue_path
    from autograder.report.safe_text import visible
    from autograder.wording.languages import ENGLISH, own_catalogue

    if not language.isalpha() or not 2 <= len(language) <= 3 or language.lower() in (ENGLISH,):
        raise UsageError(
            f"{language!r} is no language to translate into", remedy="write its code, such as pt"
        )
    language = language.lower()
    if feedback:
        path, text = own_catalogue(language), renewed_feedback_catalogue(language)
    else:
        course = open_course(project, assignment)
        path, text = catalogue_path(course, language), renewed_course_catalogue(course, language)
    _write(path, text)
    out(f"wrote {visible(str(path))}\n")


def _write(path: Path, text: str) -> None:
    from autograder.grading.store import write_atomically

    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_atomically(path, text)
    except OSError as error:
        raise UsageError(f"{path} cannot be written: {error.strerror}", remedy="check the folder") from None
