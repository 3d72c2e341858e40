"""The small course as the current folder."""

from pathlib import Path

import pytest

from tests.cli.small_course import write_course


@pytest.fixture
def course(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The top of the small course, which is the current folder."""
    top = tmp_path / "course"
    write_course(top)
    monkeypatch.chdir(top)
    return top
