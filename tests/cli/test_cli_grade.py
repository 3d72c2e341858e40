"""`autograder grade` and `report`: N submissions in, N lines out, a summary, files where they should be."""

import csv
import json
import os
import pty
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.small_course import RIGHT, TOP, Run, in_process, make_the_reference_fail


@pytest.fixture
def submissions(course: Path) -> Path:
    """A class of four: right, half right, not Python, ending its process."""
    folder = course / "in"
    folder.mkdir()
    (folder / "ana.py").write_text(RIGHT)
    (folder / "ben.py").write_text(RIGHT.replace("S + S", "S"))
    (folder / "cleo.py").write_text("def double(S:\n")
    (folder / "dan.py").write_text("import os\nos._exit(3)\n")
    return folder


@pytest.fixture
def graded(run: Run, submissions: Path) -> str:
    """What grading that class prints."""
    ran = run("grade", "in", "--out", "out", "--isolation", "portable", "--jobs", "1")
    assert ran.exit_code == 0
    return ran.stdout


def test_there_is_one_line_a_submission_and_a_summary(graded: str) -> None:
    lines = graded.splitlines()

    assert lines[0] == "4 submissions of mini, isolation portable"
    assert lines[2:4] == ["ana        4 of 4  graded", "ben        1 of 4  graded"]
    assert lines[4].startswith("cleo       0 of 4  not loadable: line 1: the file is not valid Python")
    assert lines[5].startswith("dan        0 of 4  crashed: ")
    assert "4 submissions: 2 graded, 1 not loadable, 1 crashed" in lines
    assert "mean 1.25, median 0.5 of 4 marks" in lines
    assert " 1 double  █████░░░░░░░░░░░░░░░   25 %  1 of 4" in lines
    assert " 2 total   ██████████░░░░░░░░░░   50 %  2 of 4" in lines


def test_what_is_said_to_be_there_is_there(graded: str, course: Path) -> None:
    assert "report     out/summary.txt\n" in graded
    assert "table      out/grades.csv\n" in graded
    summary = (course / "out/summary.txt").read_text(encoding="utf-8")
    assert "A small course (mini), isolation portable" in summary
    assert "ana        4 of 4  graded" in summary
    with (course / "out/grades.csv").open() as file:
        assert [row["student"] for row in csv.DictReader(file)] == ["ana", "ben", "cleo", "dan"]


def test_a_second_run_says_that_nothing_changed_and_changes_no_byte(
    graded: str, run: Run, course: Path
) -> None:
    before = {path.name: path.read_bytes() for path in (course / "out").iterdir()}
    ran = run("grade", "in", "--out", "out", "--isolation", "portable", "--jobs", "1")

    assert "unchanged  4 of 4 were graded before; --again grades them anew" in ran.stdout
    assert {path.name: path.read_bytes() for path in (course / "out").iterdir()} == before


def test_two_jobs_print_the_same_lines_in_the_same_order(
    graded: str, submissions: Path, course: Path
) -> None:
    ran = in_process(
        "grade", "in", "--out", "out", "--isolation", "portable", "--jobs", "2", "--again", folder=course
    )

    assert ran.stdout.decode() == graded
    assert ran.returncode == 0


def test_a_level_without_walls_is_pointed_out_on_stderr(run: Run, submissions: Path) -> None:
    ran = run("grade", "in", "--out", "out", "--isolation", "portable", "--jobs", "1")

    assert "isolation 'portable' has no walls" in ran.stderr


def test_an_assignment_whose_reference_fails_its_own_checks_is_refused(
    run: Run, submissions: Path, course: Path
) -> None:
    make_the_reference_fail(course)
    ran = run("grade", "in", "--out", "out", "--isolation", "portable", "--jobs", "1")

    assert ran.exit_code == 3
    assert "the reference is ill" in ran.stderr
    assert not (course / "out").exists()


def test_a_fault_of_the_exercise_gives_exit_code_4_and_stays_out_of_the_mean(
    run: Run, submissions: Path, course: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A reference that fails on a submission's inputs, though not on those that are tried before."""
    monkeypatch.setattr("autograder.authoring.soundness.refuse_unsound", lambda course: None)
    make_the_reference_fail(course)
    ran = run("grade", "in", "--out", "out", "--isolation", "portable", "--jobs", "1")

    assert ran.exit_code == 4
    assert "ana        4 of 4  broken" in ran.stdout
    assert "4 submissions: 1 not loadable, 1 crashed, 2 broken" in ran.stdout
    assert "mean 0, median 0 of 4 marks, without what is broken" in ran.stdout


def test_a_terminal_gets_a_bar_and_the_same_lines(submissions: Path, course: Path) -> None:
    ours, theirs = pty.openpty()
    command = [sys.executable, "-m", "autograder", "grade", "in", "--out", "out", "--isolation", "portable"]
    env = {
        "PATH": os.environ["PATH"],
        "PYTHONPATH": str(TOP),
        "TERM": "xterm",
        "PYTHONUTF8": "1",
        "COLUMNS": "90",
    }
    with subprocess.Popen(
        command, cwd=course, stdout=theirs, stderr=subprocess.DEVNULL, stdin=subprocess.DEVNULL, env=env
    ) as process:
        os.close(theirs)
        shown = _read_all(ours)
        assert process.wait(60) == 0

    assert "4/4" in shown
    assert "a second" in shown
    assert "ana        4 of 4  \x1b[32mgraded\x1b[0m" in shown
    assert "mean 1.25, median 0.5 of 4 marks" in shown


def _read_all(descriptor: int) -> str:
    parts = []
    while True:
        try:
            part = os.read(descriptor, 65536)
        except OSError:
            break
        if not part:
            break
        parts.append(part)
    os.close(descriptor)
    return b"".join(parts).decode()


@pytest.mark.parametrize("sent", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupted_run_keeps_what_is_done_and_says_how_to_go_on(
    submissions: Path, course: Path, tmp_path_factory: pytest.TempPathFactory, sent: signal.Signals
) -> None:
    temporary = tmp_path_factory.mktemp("temporary")
    (submissions / "eve.py").write_text("while True: pass\n")
    program = (
        "import signal; signal.signal(signal.SIGINT, signal.default_int_handler)\n"
        "from autograder.cli.main import main; main()"
    )
    command = [
        sys.executable,
        "-c",
        program,
        "grade",
        "in",
        "--out",
        "out",
        "--isolation",
        "portable",
        "--jobs",
        "1",
    ]
    env = {"PATH": os.environ["PATH"], "PYTHONPATH": str(TOP), "PYTHONUTF8": "1", "TMPDIR": str(temporary)}
    with subprocess.Popen(
        command, cwd=course, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=env
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        while "dan " not in process.stdout.readline():
            assert process.poll() is None
        process.send_signal(sent)
        said = process.stderr.read()
        assert process.wait(60) == 130

    assert "autograder: 4 of 5 are done and kept; the same command goes on from there\n" in said
    with (course / "out/grades.csv").open() as file:
        assert [row["student"] for row in csv.DictReader(file)] == ["ana", "ben", "cleo", "dan"]
    assert not list(temporary.iterdir())


def test_a_report_of_the_folder_repeats_lines_and_summary(graded: str, run: Run) -> None:
    ran = run("report", "out")

    assert ran.exit_code == 0
    assert "ben        1 of 4  graded\n" in ran.stdout
    assert "mean 1.25, median 0.5 of 4 marks\n" in ran.stdout


def test_a_report_of_one_result_is_what_check_shows(graded: str, run: Run, course: Path) -> None:
    (course / "ben.py").write_bytes((course / "in/ben.py").read_bytes())
    ran = run("report", "out/ben.json")

    assert ran.exit_code == 0
    assert ran.stdout == run("check", "ben.py").stdout


def test_a_report_as_json_is_the_results(graded: str, run: Run) -> None:
    every = json.loads(run("report", "out", "--format", "json").stdout)
    one = json.loads(run("report", "out/ana.json", "--format", "json").stdout)

    assert [result["submission"]["student"] for result in every] == ["ana", "ben", "cleo", "dan"]
    assert every[0] == one


def test_a_damaged_result_is_named_and_the_others_are_reported(graded: str, run: Run, course: Path) -> None:
    (course / "out/ana.json").write_text("{")
    ran = run("report", "out")

    assert "out/ana.json is no result, or a damaged one" in ran.stderr
    assert "ben        1 of 4  graded\n" in ran.stdout
    assert "3 submissions: " in ran.stdout


def test_the_schema_is_json_that_names_its_dialect(run: Run) -> None:
    assert "json-schema.org" in json.loads(run("schema").stdout)["$schema"]
    assert json.loads(run("schema", "assignment").stdout)["title"] == "Assignment"
