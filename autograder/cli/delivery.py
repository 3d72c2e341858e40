"""Where a report goes: to stdout, or whole into a file."""

from __future__ import annotations

from pathlib import Path


def deliver(text: str, path: Path | None) -> None:
    """Write a text to a file, or to stdout in UTF-8 if there is none. UsageError if it cannot be written."""
    from autograder.cli.screen import out_utf8

    if path is None:
        out_utf8(text)
    else:
        write_file(path, text)


def write_file(path: Path, text: str) -> None:
    """Write a file whole or not at all. UsageError if it cannot be written."""
    from autograder.errors import UsageError
    from autograder.grading.store import write_atomically

    try:
        write_atomically(path, text)
    except OSError as error:
        raise UsageError(
            f"{path} cannot be written: {error.strerror}", remedy="name another file with --out"
        ) from None
