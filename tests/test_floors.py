"""The floors of the house: who may import whom, and what importing costs."""

import subprocess
import sys
from pathlib import Path

import pytest

TOP = Path(__file__).resolve().parents[1]


def modules_after(statement):
    """The names of ours, and whether numpy, that a fresh interpreter has loaded after a statement."""
    code = (
        f"import sys; {statement}\n"
        "wanted = 'autograder', 'numpy', 'pydantic', 'yaml'\n"
        "print(*sorted(name for name in sys.modules if name.partition('.')[0] in wanted))"
    )
    run = subprocess.run(
        [sys.executable, "-c", code], cwd=TOP, capture_output=True, text=True, timeout=60, check=True
    )
    return run.stdout.split()


def test_importing_the_package_imports_nothing_of_it():
    assert modules_after("import autograder") == ["autograder"]


@pytest.mark.parametrize("package", ["model", "errors", "wording", "wording.say"])
def test_the_lowest_floors_need_no_numpy_but_for_the_model_of_outcomes(package):
    assert not any(name.startswith("numpy") for name in modules_after(f"import autograder.{package}"))


def test_what_enters_the_sandbox_imports_nothing_of_the_rest():
    loaded = [
        name
        for name in modules_after("import autograder.worker.inside.child")
        if name.startswith("autograder")
    ]

    assert {name for name in loaded if not name.startswith("autograder.worker.inside")} == {
        "autograder",
        "autograder.worker",
    }


def test_the_checks_know_nothing_of_yaml_and_of_the_worker():
    loaded = modules_after("import autograder.checks.builtin")

    assert not [
        name for name in loaded if name.startswith(("yaml", "autograder.worker", "autograder.loading"))
    ]


def test_every_import_goes_down_a_floor():
    tool = Path(sys.executable).with_name("lint-imports")
    if not tool.exists():
        pytest.skip("import-linter is not installed")
    run = subprocess.run(
        [tool, "--no-cache"], cwd=TOP, capture_output=True, text=True, timeout=120, check=False
    )

    assert run.returncode == 0, run.stdout


@pytest.mark.parametrize("path", sorted((TOP / "autograder").rglob("*.py")), ids=lambda path: path.stem)
def test_every_module_says_in_its_first_line_what_it_holds(path):
    first = path.read_text(encoding="utf-8").partition("\n")[0]

    assert first.startswith('"""')
    assert len(first) > 15
    assert path.stem not in ("utils", "helpers", "common", "misc")
