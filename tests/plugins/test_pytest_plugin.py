"""pytest on exercises: real runs of pytest, in a small course, read as an editor or CI reads them."""

import os
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from functools import partial
from pathlib import Path

import pytest

# What a run imports is forgotten after it unless it was there before, and numpy does not bear that.
import autograder.grading.submission
import autograder.report.terminal
import autograder.worker.portable  # noqa: F401
from tests.cli.small_course import RIGHT, TOP, make_the_reference_fail, write_course

pytest_plugins = ["pytester"]

WRONG = RIGHT.replace("return S + S", "return S + 2")
NOT_BEGUN = (
    "def double(S):\n    raise NotImplementedError('exercise 1')\n\n\ndef total(S):\n    return S.sum()\n"
)
OPTIONS = ("-p", "no:cacheprovider", "-v", "-rs", "--color=no")


class Ran:
    """What came of a run of pytest: its exit code, what it wrote, and each item's outcome by its id."""

    def __init__(self, code: int, text: str) -> None:
        self.code, self.text = int(code), text
        lines = [line.split() for line in text.splitlines() if "::" in line and "%]" in line]
        self.outcomes = {_id(words): _outcome(words) for words in lines}


def run_alone(folder: Path, *arguments: str) -> Ran:
    """Run pytest as a process of its own, which finds the plugin as it is installed."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")}
    ran = subprocess.run(
        [sys.executable, "-m", "pytest", *OPTIONS, *arguments],
        cwd=folder,
        env=environment | {"PYTHONPATH": str(TOP), "COLUMNS": "200"},
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    return Ran(ran.returncode, ran.stdout + ran.stderr)


def _id(words: list[str]) -> str:
    return next(word for word in words if "::" in word)


def _outcome(words: list[str]) -> str:
    return next(word for word in words if word in ("PASSED", "FAILED", "SKIPPED", "ERROR"))


@pytest.fixture
def top(pytester, monkeypatch):
    """The top of the small course, the current folder, with an empty pytest.ini, so that ids begin there."""
    monkeypatch.setenv("COLUMNS", "200")
    write_course(pytester.path)
    pytester.makeini("[pytest]\n")
    return pytester.path


@pytest.fixture
def run(top, pytester):
    """Run pytest here, in this process."""

    def run(*arguments):
        ran = pytester.runpytest_inprocess(*OPTIONS, *arguments)
        return Ran(ran.ret, f"{ran.stdout}\n{ran.stderr}")

    return run


@pytest.fixture
def check(top, run):
    """pytest on the course's exercises with this source as the submission."""

    def check(source, *arguments, run=run):
        (top / "attention.py").write_text(source)
        return run("exercises/mini", "--submission", "attention.py", *arguments)

    return check


def test_every_check_is_an_item_with_a_readable_id(top, check):
    ran = check(RIGHT, run=partial(run_alone, top))

    assert ran.code == 0
    assert ran.outcomes == {
        "exercises/mini/01_double.yaml::page": "PASSED",
        "exercises/mini/01_double.yaml::random": "PASSED",
        "exercises/mini/02_total.yaml::plain": "PASSED",
    }


def test_a_failure_shows_our_feedback_and_no_traceback(check):
    ran = check(WRONG)

    assert ran.code == 1
    assert ran.outcomes["exercises/mini/01_double.yaml::page"] == "FAILED"
    assert ran.outcomes["exercises/mini/02_total.yaml::plain"] == "PASSED"
    assert "double, page: " in ran.text
    assert "expected" in ran.text
    assert "next: autograder hint double" in ran.text
    assert "Traceback" not in ran.text
    assert "pytest_plugin" not in ran.text


def test_of_a_hidden_case_no_number_is_shown(check):
    text = check(WRONG, "-k", "random").text

    assert "double, random: differs" in text
    assert "expected" not in text


def test_what_is_not_begun_is_skipped_with_what_to_do(check):
    ran = check(NOT_BEGUN)

    assert ran.code == 0
    assert ran.outcomes["exercises/mini/01_double.yaml::page"] == "SKIPPED"
    assert "not begun: write double in attention.py" in ran.text


def test_a_function_that_is_missing_fails_and_its_near_name_is_told(check):
    ran = check(RIGHT.replace("def double", "def doubl"))

    assert ran.outcomes["exercises/mini/01_double.yaml::page"] == "FAILED"
    assert "there is no function double" in ran.text
    assert "the file has doubl" in ran.text


def test_a_file_that_cannot_be_loaded_fails_with_the_line(check):
    ran = check("def double(S):\n    return (S\n")

    assert set(ran.outcomes.values()) == {"FAILED"}
    assert "not valid Python" in ran.text
    assert "line 2: return (S" in ran.text


def test_a_fault_of_the_exercise_is_an_error_and_no_failure(top, check):
    make_the_reference_fail(top)
    ran = check(RIGHT)

    assert ran.outcomes["exercises/mini/01_double.yaml::page"] == "ERROR"
    assert "a fault of the exercise, not of the submission" in ran.text
    assert "the reference is ill" in ran.text
    assert ran.outcomes["exercises/mini/02_total.yaml::plain"] == "PASSED"


def test_an_exercise_that_is_not_valid_is_an_error_of_collecting_with_its_place(top, check):
    path = top / "exercises/mini/02_total.yaml"
    path.write_text(path.read_text().replace("points: 1", "points: none"))
    ran = check(RIGHT)

    assert ran.code == 2
    assert "exercises/mini/02_total.yaml:7:9: points: " in ran.text
    assert "Traceback" not in ran.text


def test_what_a_submission_says_cannot_steer_the_terminal(check):
    ran = check(RIGHT.replace("return S + S", "raise ValueError('\\x1b[31m red')"))

    assert "\x1b[31m red" not in ran.text
    assert r"ValueError: \x1b[31m red" in ran.text


# What is wanted


def test_words_choose_exercises_and_checks(check):
    assert list(check(RIGHT, "-k", "double").outcomes) == [
        "exercises/mini/01_double.yaml::page",
        "exercises/mini/01_double.yaml::random",
    ]
    assert list(check(RIGHT, "-k", "plain").outcomes) == ["exercises/mini/02_total.yaml::plain"]


def test_one_item_is_run_by_its_id(top, run):
    (top / "attention.py").write_text(RIGHT)
    ran = run("exercises/mini/01_double.yaml::page", "--submission", "attention.py")

    assert ran.outcomes == {"exercises/mini/01_double.yaml::page": "PASSED"}


def test_only_what_is_asked_for_is_called(top, check):
    source = RIGHT.replace("return S.sum()", "while True: pass")
    config = top / "config/mini.yaml"
    config.write_text(config.read_text() + "limits: {call_seconds: 600}\n")

    assert check(source, "-k", "double").code == 0


def test_what_is_inherited_shows_as_in_a_whole_check_though_one_exercise_is_asked_for(top, check):
    total = top / "exercises/mini/02_total.yaml"
    total.write_text(
        total.read_text()
        .replace("points: 1", "points: 1\nuses: [double]")
        .replace("]]}}\n", "]]}}\n  drawn: {given: {S: {normal: [n, m]}}, draws: 3}\n")
        .replace("- {value: plain}", "- {value: plain}\n  - {value: drawn}")
    )
    solutions = top / "solutions/mini.py"
    solutions.write_text(solutions.read_text().replace("return S.sum()", "return double(S).sum()"))
    ran = check(WRONG.replace("return S.sum()", "return double(S).sum()"), "-k", "total")

    assert set(ran.outcomes.values()) == {"PASSED"}
    assert len(ran.outcomes) == 2


def test_two_processes_give_what_one_gives(top, check):
    one, two = check(WRONG), check(WRONG, "-n", "2", run=partial(run_alone, top))

    assert two.code == one.code == 1
    assert two.outcomes == one.outcomes


def test_marks_are_properties_in_the_junit_file(top, check):
    check(WRONG, "--junitxml", "junit.xml")
    cases = ElementTree.parse(top / "junit.xml").getroot().iter("testcase")
    marks = {
        case.get("name"): {p.get("name"): p.get("value") for p in case.iter("property")} for case in cases
    }

    assert marks["page"] == {"exercise": "double", "marks": "0.0", "max_marks": "1.0"}
    assert marks["random"] == {"exercise": "double", "marks": "0.0", "max_marks": "2.0"}
    assert marks["plain"] == {"exercise": "total", "marks": "1.0", "max_marks": "1.0"}


def test_a_notebook_is_a_submission_too(top, run):
    source = ["def double(S):\n", "    return 2 * S\n"]
    cell = '{"cell_type": "code", "execution_count": null, "metadata": {}, "outputs": [], "source": %s}'
    text = '{"cells": [%s], "metadata": {}, "nbformat": 4, "nbformat_minor": 4}'
    (top / "mine.ipynb").write_text(text % (cell % str(source).replace("'", '"')))
    ran = run("exercises/mini", "--submission", "mine.ipynb", "-k", "double")

    assert ran.code == 0
    assert len(ran.outcomes) == 2


# Other people's runs


def test_without_the_option_exercises_are_no_tests(top):
    (top / "test_own.py").write_text("def test_one():\n    assert True\n")
    ran = run_alone(top, ".")

    assert ran.code == 0
    assert ran.outcomes == {"test_own.py::test_one": "PASSED"}


def test_without_the_option_nothing_of_ours_but_the_plugin_is_imported(top):
    (top / "test_own.py").write_text(
        "import sys\n\n\ndef test_one():\n"
        "    ours = {name for name in sys.modules if name.startswith('autograder')}\n"
        "    assert ours == {'autograder', 'autograder.plugins', 'autograder.plugins.pytest_plugin'}\n"
        "    assert 'numpy' not in sys.modules\n"
    )

    assert run_alone(top, "test_own.py", "-p", "no:hypothesispytest").code == 0


def test_with_the_option_other_files_are_as_they_were(top, run):
    (top / "test_own.py").write_text("def test_one():\n    assert True\n")
    (top / "exercises/notes.yaml").write_text("a: 1\n")
    (top / "attention.py").write_text(RIGHT)
    ran = run(".", "--submission", "attention.py")

    assert ran.code == 0
    assert len(ran.outcomes) == 4
    assert ran.outcomes["test_own.py::test_one"] == "PASSED"


def test_a_submission_that_is_not_there_is_misuse(run):
    ran = run("exercises/mini", "--submission", "gone.py")

    assert ran.code == 4
    assert "there is no file" in ran.text
