"""What `check --format github` writes: annotations to stdout, summary and grader's result to files."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path

from autograder.model.result import Result

_SUMMARY, _OUTPUT, _WORKSPACE = "GITHUB_STEP_SUMMARY", "GITHUB_OUTPUT", "GITHUB_WORKSPACE"


def write_github(result: Result, path: Path, text: str) -> None:
    """Write a result of the file at `path`; of `text`, its report, no line can be a command."""
    from autograder.cli.screen import out_utf8
    from autograder.report.exports import github

    file = _in_repository(path)
    # Commands stop until a token comes that no text can hold: it is made from the text.
    token = hashlib.sha256(text.encode("utf-8", "backslashreplace")).hexdigest()
    lines = [f"::stop-commands::{token}", text.rstrip("\n"), f"::{token}::"]
    out_utf8("\n".join([*lines, *github.annotation_lines(result, file), ""]))
    summary = _named(_SUMMARY)
    if summary is not None:
        written = summary.stat().st_size if summary.exists() else 0
        _append(summary, github.summary(result, github.MOST_SUMMARY_BYTES - written))
    output = _named(_OUTPUT)
    if output is not None:
        _append(output, github.output_line(result, file))


def _in_repository(path: Path) -> str:
    """The path as GitHub names it: from the top of the repository."""
    top = Path(os.environ.get(_WORKSPACE) or Path()).resolve()
    place = path.resolve()
    return place.relative_to(top).as_posix() if place.is_relative_to(top) else path.as_posix()


def _named(variable: str) -> Path | None:
    return Path(os.environ[variable]) if os.environ.get(variable) else None


def _append(path: Path, text: str) -> None:
    from autograder.cli.screen import err

    try:
        with path.open("a", encoding="utf-8", errors="backslashreplace", newline="") as file:
            file.write(text)
    except OSError as error:
        err(f"autograder: {path.name} cannot be written: {error.strerror}")
