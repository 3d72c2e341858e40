"""`autograder check` and `list`: which file, which exercises, which format, which exit code."""

import json
from pathlib import Path

import pytest

from autograder.cli.course import file_and_exercises
from autograder.loading.assignment import load_assignment
from tests.cli.small_course import RIGHT, TOP, Run, in_process, make_the_reference_fail

HALF = "def double(S):\n    return S + 2\n\n\ndef total(S):\n    return S.sum()\n"


def test_a_right_file_gives_exit_code_0_and_shows_the_figures(run: Run, course: Path) -> None:
    (course / "attention.py").write_text(RIGHT)
    ran = run("check")

    assert (ran.exit_code, ran.stderr) == (0, "")
    assert "attention.py · mini" in ran.stdout
    assert "4 of 4 marks" in ran.stdout
    assert "✓ page  D = [[2.0, 5.0]]" in ran.stdout


def test_a_wrong_file_gives_exit_code_1(run: Run, course: Path) -> None:
    (course / "attention.py").write_text(HALF)
    ran = run("check")

    assert ran.exit_code == 1
    assert "✗ 0 of 2 checks" in ran.stdout
    assert "autograder hint double" in ran.stdout


def test_only_the_exercises_named_count(run: Run, course: Path) -> None:
    (course / "attention.py").write_text(HALF)
    ran = run("check", "total")

    assert ran.exit_code == 0
    assert "double" not in ran.stdout
    assert " 2 total  1/1" in ran.stdout


ARGUMENTS = {
    (): ("attention.py", []),
    ("total",): ("attention.py", ["total"]),
    ("2",): ("attention.py", ["total"]),
    ("mine.py",): ("mine.py", []),
    ("mine.py", "total", "double"): ("mine.py", ["total", "double"]),
    ("gone.py",): ("gone.py", []),
    ("some/where/gone",): ("some/where/gone", []),
    ("work", "total"): ("work/attention.py", ["total"]),
    ("plainname",): ("plainname", []),
}


@pytest.mark.parametrize("arguments", ARGUMENTS)
def test_the_first_argument_is_the_file_unless_it_names_an_exercise(
    arguments: tuple[str, ...], course: Path
) -> None:
    (course / "work").mkdir()
    (course / "plainname").write_text("")
    path, exercises = file_and_exercises(arguments, load_assignment(course))

    assert (path.as_posix(), exercises) == ARGUMENTS[arguments]


def test_json_is_the_result_in_utf_8_whatever_the_terminal(course: Path) -> None:
    (course / "attention.py").write_text(
        "def double(S):\n    raise ValueError('naïve \\ud800')\n", encoding="utf-8"
    )
    ran = in_process(
        "check", "--format", "json", folder=course, env={"PYTHONUTF8": "0", "PYTHONIOENCODING": "ascii"}
    )

    assert ran.returncode == 1
    assert ran.stdout.endswith(b"\n}\n")
    result = json.loads(ran.stdout.decode("utf-8"))
    assert result["format"] == "autograder-result/1"
    assert "naïve" in result["exercises"][0]["checks"][0]["message"]


def test_an_ascii_terminal_gets_ascii_marks_and_nothing_that_it_cannot_show(course: Path) -> None:
    (course / "attention.py").write_text("def double(S):\n    raise ValueError('é – …')\n", encoding="utf-8")
    ran = in_process("check", folder=course, env={"PYTHONUTF8": "0", "PYTHONIOENCODING": "ascii"})

    text = ran.stdout.decode("ascii")
    assert "x page" in text
    assert r"ValueError: \xe9 - ..." in text


def test_nothing_is_coloured_where_stdout_is_no_terminal(course: Path) -> None:
    (course / "attention.py").write_text(HALF)

    assert b"\x1b" not in in_process("check", folder=course).stdout


def test_the_same_file_gives_the_same_bytes(course: Path) -> None:
    (course / "attention.py").write_text(HALF)

    assert (
        in_process("check", folder=course).stdout == in_process("check", "attention.py", folder=course).stdout
    )


def test_a_fault_of_the_exercise_is_loud_costs_nothing_and_gives_exit_code_4(run: Run, course: Path) -> None:
    make_the_reference_fail(course)
    (course / "attention.py").write_text(RIGHT)
    ran = run("check")

    assert ran.exit_code == 4
    assert "4 of 4 marks" in ran.stdout
    assert "broken, marks given: double/page, double/random" in ran.stderr
    assert "RuntimeError: the reference is ill" in ran.stderr


def test_the_worker_is_launched_before_anything_heavy_is_imported(course: Path) -> None:
    program = """
import sys
from autograder.cli.main import cli
from autograder.worker import portable

def launch():
    heavy = {"numpy", "pydantic", "yaml", "rich"} & set(sys.modules)
    print("imported before:", sorted(heavy))
    raise SystemExit(0)

portable.launch = launch
cli.main(["check"], prog_name="autograder")
"""
    import subprocess
    import sys

    ran = subprocess.run(
        [sys.executable, "-c", program], cwd=TOP, capture_output=True, text=True, check=False, timeout=60
    )

    assert ran.stdout == "imported before: []\n"


def test_list_shows_every_exercise_with_its_status_and_marks(run: Run, course: Path) -> None:
    (course / "attention.py").write_text(HALF)
    ran = run("list")

    assert ran.exit_code == 0
    assert ran.stdout.splitlines() == [
        " 1 double  Twice as much      0 of 3     ✗ failed",
        " 2 total   All together       1 of 1     ✓ passed",
        "",
        "1 of 4 marks",
    ]


def test_list_without_a_file_shows_the_exercises_and_how_to_begin(run: Run) -> None:
    ran = run("list")

    assert ran.exit_code == 0
    assert ran.stdout.splitlines() == [
        " 1 double  Twice as much      3",
        " 2 total   All together       1",
        "",
        "there is no attention.py in this folder; `autograder start` writes it",
    ]
