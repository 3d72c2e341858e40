"""A student's path: the wheel in an environment that holds what it declares and nothing else, and a kit."""

import os
import shutil
import subprocess
import sys
import venv
import zipfile
from importlib.metadata import distribution
from pathlib import Path

import pytest
from packaging.requirements import Requirement

from tests.kit.small import INHERITS, RIGHT, released, small_course

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform == "win32", reason="links to installed packages"),
]

TOP = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory) -> Path:
    """The wheel, built from a copy of the project as pip builds it."""
    copy, out = tmp_path_factory.mktemp("project"), tmp_path_factory.mktemp("wheel")
    shutil.copytree(TOP / "autograder", copy / "autograder", ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("pyproject.toml", "README.md"):
        if (TOP / name).exists():
            shutil.copy(TOP / name, copy)
    pip("wheel", "--quiet", "--no-deps", "--wheel-dir", str(out), str(copy))
    return next(out.glob("autograder-*.whl"))


@pytest.fixture(scope="module")
def environment(wheel, tmp_path_factory) -> Path:
    """The python of an environment with the wheel and what it declares, linked from where the tests run."""
    folder = tmp_path_factory.mktemp("environment")
    venv.create(folder, with_pip=False, symlinks=True)
    python = folder / "bin/python"
    site = next(folder.glob("lib/python*/site-packages"))
    for path in {path for name in needed(wheel) for path in top_paths(name)}:
        (site / path.name).symlink_to(path)
    pip("--python", str(python), "install", "--quiet", "--no-deps", "--no-index", str(wheel))
    return python


def pip(*arguments: str) -> None:
    """Run pip; what it says is shown if it fails."""
    command = [sys.executable, "-m", "pip", "--disable-pip-version-check", *arguments]
    ran = subprocess.run(command, capture_output=True, text=True, check=False, timeout=300)
    assert ran.returncode == 0, ran.stdout + ran.stderr


def needed(wheel: Path) -> set[str]:
    """The names of all packages that the wheel needs, extras left aside, and those that these need."""
    with zipfile.ZipFile(wheel) as archive:
        metadata = next(name for name in archive.namelist() if name.endswith(".dist-info/METADATA"))
        lines = archive.read(metadata).decode().splitlines()
    queue = [line.removeprefix("Requires-Dist: ") for line in lines if line.startswith("Requires-Dist: ")]
    found: set[str] = set()
    while queue:
        requirement = Requirement(queue.pop())
        wanted = requirement.marker is None or requirement.marker.evaluate({"extra": ""})
        if wanted and requirement.name not in found:
            found.add(requirement.name)
            queue += distribution(requirement.name).requires or []
    return found


def top_paths(name: str) -> set[Path]:
    """What a package has put into the folder of packages: its own folders and files."""
    installed = distribution(name)
    site = Path(str(installed.locate_file("")))
    tops = {file.parts[0] for file in installed.files or () if ".." not in file.parts}
    return {site / top for top in tops if top != "__pycache__"}


def run(python: Path, *arguments: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """Run a program of the environment in a folder, with nothing of the tests' own environment."""
    kept = {"PATH": str(python.parent), "HOME": str(folder.parent), "PYTHONUTF8": "1"}
    return subprocess.run(
        [str(python.parent / arguments[0]), *arguments[1:]],
        cwd=folder,
        env=kept | {name: os.environ[name] for name in ("LANG", "LD_LIBRARY_PATH") if name in os.environ},
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )


@pytest.fixture
def kit(tmp_path) -> Path:
    """A kit of the small course, which is gone."""
    folder = released(small_course(tmp_path / "course"), tmp_path / "student/kit").top
    shutil.rmtree(tmp_path / "course")
    return folder


def test_the_wheel_holds_the_package_and_nothing_of_a_course(wheel):
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()

    assert {name.split("/")[0].partition("-")[0] for name in names} == {"autograder"}
    assert "autograder/py.typed" in names
    assert "autograder/worker/inside/start.py" in names


def test_nothing_is_there_but_what_is_declared(environment, kit):
    for name in ("nbgrader", "pytest", "IPython", "nbformat"):
        ran = run(environment, "python", "-c", f"import {name}", folder=kit)
        assert "ModuleNotFoundError" in ran.stderr, name


def test_check_passes_a_right_file(environment, kit):
    (kit / "attention.py").write_text(RIGHT)
    ran = run(environment, "autograder", "check", folder=kit)

    assert (ran.returncode, ran.stderr) == (0, "")
    assert "7 of 7 marks" in ran.stdout


def test_check_explains_a_wrong_file(environment, kit):
    (kit / "attention.py").write_text(INHERITS)
    ran = run(environment, "autograder", "check", folder=kit)

    assert (ran.returncode, ran.stderr) == (1, "")
    assert "seen at grading" in " ".join(ran.stdout.split())
    assert "fault of the" not in ran.stdout


@pytest.mark.parametrize("command", [("list",), ("hint", "double"), ("start", "again"), ("doctor",)])
def test_the_other_commands_of_students_work(environment, kit, command):
    ran = run(environment, "autograder", *command, folder=kit)

    assert (ran.returncode, ran.stderr) == (0, "")
    assert ran.stdout


def test_watch_finds_what_it_needs(environment, kit):
    watch = "import watchfiles, autograder.cli.watch; print(watchfiles.VERSION)"

    assert run(environment, "python", "-c", watch, folder=kit).returncode == 0
