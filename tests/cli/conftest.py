"""The small course as the current folder, and the command line run on it in this process."""

from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from autograder.cli.main import cli
from tests.cli.small_course import Run, write_course


@pytest.fixture
def course(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The top of the small course, which is the current folder; the user's own folders are elsewhere."""
    top = tmp_path / "course"
    write_course(top)
    monkeypatch.chdir(top)
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.delenv("COLUMNS", raising=False)
    return top


@pytest.fixture
def run(course: Path) -> Run:
    """Run the command line in this process."""

    def invoke(*arguments: str) -> Result:
        return CliRunner().invoke(cli, list(arguments), prog_name="autograder")

    return invoke
