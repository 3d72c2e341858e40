"""What goes wrong is told on stderr, with what to do, and gives the documented exit code."""

import signal
import subprocess
import sys
from pathlib import Path

import click
import pytest

from autograder.cli import main
from autograder.errors import BrokenError, ExerciseError, Problem, UsageError
from autograder.model.place import Place
from tests.cli.small_course import TOP, Run, in_process

MISUSES = {
    "a command that does not exist": (["chekc"], "there is no command 'chekc'; did you mean 'check'?"),
    "a command like no other": (["zzz"], "known: start, check, hint, list, grade"),
    "an option that does not exist": (["check", "--frobnicate"], "No such option"),
    "a file that is not there": (["check", "nothing.py"], "there is no file nothing.py; `autograder start`"),
    "no file in this folder": (["check"], "there is no file attention.py; `autograder start`"),
    "an exercise misspelt, without a file": (
        ["check", "duoble"],
        "did you mean 'double'? Known: double, total",
    ),
    "an exercise misspelt, with a file": (
        ["check", "mine.py", "totl"],
        "no exercise 'totl'; did you mean 'total'?",
    ),
    "a hint for no exercise": (["hint", "tripel"], "there is no exercise 'tripel'"),
    "an assignment that does not exist": (["hint", "double", "--assignment", "mni"], "did you mean 'mini'?"),
    "submissions that are not there": (["grade", "nowhere", "--out", "r"], "there is no nowhere"),
    "no place for the results": (["grade", "config"], "--out"),
    "a report of nothing": (["report", "gone.json"], "there is no gone.json"),
    "a report of another file": (["report", "config/mini.yaml"], "is no result, or a damaged one"),
    "a report of an empty folder": (["report", "solutions"], "solutions holds no results"),
    "a schema of nothing": (["schema", "student"], "'exercise', 'assignment'"),
}


@pytest.mark.parametrize("situation", MISUSES)
def test_misuse_is_told_on_stderr_and_gives_exit_code_2(situation: str, run: Run, course: Path) -> None:
    (course / "mine.py").write_text("")
    arguments, said = MISUSES[situation]
    ran = run(*arguments)

    assert (ran.exit_code, ran.stdout) == (2, "")
    assert said in " ".join(ran.stderr.split())


def test_outside_a_course_the_message_names_what_is_missing(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    monkeypatch.chdir(elsewhere)
    ran = run("hint", "double")

    assert ran.exit_code == 2
    assert "holds config/ and exercises/" in ran.stderr


def test_the_course_may_be_named_before_or_after_the_command(
    run: Run, course: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)

    before = run("-C", str(course), "hint", "total")
    after = run("hint", "total", "-C", str(course))

    assert (before.exit_code, before.stdout) == (0, "total, hint 1 of 1\n  add\n")
    assert after.stdout == before.stdout


def test_a_near_file_name_is_pointed_out(run: Run, course: Path) -> None:
    (course / "attention(1).py").write_text("")

    assert "did you mean 'attention(1).py'?" in run("check").stderr


def test_all_problems_of_an_invalid_exercise_are_told_with_their_places_and_give_exit_code_3(
    run: Run, course: Path
) -> None:
    path = course / "exercises/mini/01_double.yaml"
    path.write_text(path.read_text().replace("title:", "titel:").replace("points: 3", "points: -3"))
    ran = run("check")

    assert (ran.exit_code, ran.stdout) == (3, "")
    places = [line.split(": ")[0] for line in ran.stderr.splitlines()]
    assert "exercises/mini/01_double.yaml:2:1" in places
    assert "exercises/mini/01_double.yaml:7:9" in places


ERRORS = {
    "misused": (
        UsageError("no such thing", remedy="name another"),
        2,
        "autograder: no such thing; name another\n",
    ),
    "invalid": (
        ExerciseError((Problem(Place("a.yaml", 3, 1), "odd", "mend it"),)),
        3,
        "a.yaml:3:1: odd; mend it\n",
    ),
    "broken": (BrokenError("our fault"), 4, "autograder: our fault\n"),
    "interrupted": (KeyboardInterrupt(), 130, "autograder: interrupted\n"),
    "aborted": (click.Abort(), 130, "autograder: interrupted\n"),
    "reader gone": (BrokenPipeError(), 141, ""),
}


@pytest.mark.parametrize("situation", ERRORS)
def test_each_kind_of_error_has_its_exit_code_and_its_words(
    situation: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    error, code, said = ERRORS[situation]
    monkeypatch.setattr(main, "_drop_stdout", lambda: None)

    def fail() -> None:
        raise error

    assert main.guarded(fail) == code
    assert capsys.readouterr().err == said


def test_what_nobody_expected_is_an_internal_error_with_its_traceback(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main.guarded(lambda: 1 / 0) == 4

    said = capsys.readouterr().err
    assert said.startswith("autograder: internal error")
    assert "ZeroDivisionError" in said


def test_what_stderr_shows_holds_nothing_that_a_terminal_obeys(capsys: pytest.CaptureFixture[str]) -> None:
    def fail() -> None:
        raise UsageError("there is no file \x1b[2J\u202egnp.py")

    main.guarded(fail)

    assert capsys.readouterr().err == "autograder: there is no file \\x1b[2J\\u202egnp.py\n"


def test_a_reader_that_goes_away_makes_no_noise(course: Path) -> None:
    command = [sys.executable, "-m", "autograder", "schema"]
    with subprocess.Popen(
        command, cwd=TOP, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env={"PATH": "/usr/bin:/bin"}
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        said = process.stderr.read()
        process.wait(60)

    assert said == b""
    assert process.returncode in (141, -signal.SIGPIPE)


def test_help_lists_every_command(run: Run) -> None:
    ran = run("--help")

    assert ran.exit_code == 0
    assert all(f"\n  {name} " in ran.stdout for name in main.COMMANDS)


@pytest.mark.parametrize("name", main.COMMANDS)
def test_every_command_has_help_that_explains_each_option(name: str) -> None:
    command = main.cli.get_command(click.Context(main.cli), name)

    assert command is not None
    assert command.help
    options = [parameter for parameter in command.params if isinstance(parameter, click.Option)]
    assert [option.name for option in options if not option.help] == []


def test_the_version_is_told(run: Run) -> None:
    assert run("--version").stdout.startswith("autograder")


def test_python_dash_m_is_the_same_command(course: Path) -> None:
    ran = in_process("hint", "total", folder=course)

    assert (ran.returncode, ran.stdout) == (0, b"total, hint 1 of 1\n  add\n")
