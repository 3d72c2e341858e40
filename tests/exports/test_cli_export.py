"""`grade` on a platform's download and `export` of what came out, as commands, from end to end."""

import csv
import json
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from autograder.cli.main import cli
from autograder.grading.store import read_result
from autograder.model.submission import Origin
from tests.cli.small_course import RIGHT, write_course
from tests.exports.packing import a_zip

HALF = RIGHT.replace("S + S", "S")
GRADEBOOK = (
    "Student,ID,SIS User ID,SIS Login ID,Section,Small (55)\n"
    "    Points Possible,,,,,4\n"
    '"Doe, Jane",12345,007,jdoe,A,\n'
    '"Poe, Ann",777,008,apoe,A,\n'
    '"Roe, Cai",888,009,croe,A,\n'
)

Run = Callable[..., Result]


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Run the command line in the folder of the small course."""
    write_course(tmp_path)
    monkeypatch.chdir(tmp_path)

    def invoke(*arguments: str) -> Result:
        return CliRunner().invoke(cli, list(arguments), prog_name="autograder")

    return invoke


def grade(run: Run, archive: str) -> Result:
    """Grade a download into `out`."""
    return run("grade", archive, "--out", "out", "--isolation", "portable", "--jobs", "1")


@pytest.fixture
def graded(run: Run) -> Result:
    """A Canvas download of three, one of them a broken zip file, graded."""
    files = {
        "doejane_LATE_12345_67890_attention-1.py": RIGHT,
        "doejane_12345_60000_attention.py": HALF,
        "poeann_777_67891_attention.py": HALF,
        "roecai_888_67892_work.zip": "no zip",
    }
    return grade(run, str(a_zip(Path("submissions.zip"), files)))


def test_a_download_is_graded_student_by_student(graded: Result) -> None:
    lines = graded.stdout.splitlines()

    assert graded.exit_code == 0
    assert lines[0] == "3 submissions of mini from canvas, isolation portable"
    assert [line.split() for line in lines[2:4]] == [
        ["doejane_12345", "4", "of", "4", "graded"],
        ["poeann_777", "1", "of", "4", "graded"],
    ]
    assert "the zip file work.zip is damaged or no zip file" in lines[4]
    with open("out/grades.csv", encoding="utf-8") as file:
        assert [row["student"] for row in csv.DictReader(file)] == [
            "doejane_12345",
            "poeann_777",
            "roecai_888",
        ]


def test_the_result_says_where_it_came_from_and_is_read_back(graded: Result) -> None:
    data = json.loads(Path("out/doejane_12345.json").read_text())

    assert data["submission"]["origin"] == {
        "platform": "canvas",
        "id": "12345",
        "name": "doejane",
        "late": True,
    }
    result = read_result(Path("out/roecai_888.json"))
    assert result is not None
    assert result.origin == Origin("canvas", "888", name="roecai", late=False)


def test_a_later_time_of_the_same_file_is_taken_over_without_grading_it_again(run: Run) -> None:
    tree = {
        "submitted/ana/mini/attention.py": RIGHT,
        "submitted/ana/mini/timestamp.txt": "2027-01-01 10:00:00 UTC",
    }
    grade(run, str(a_zip(Path("first.zip"), tree)))
    tree["submitted/ana/mini/timestamp.txt"] = "2027-01-02 10:00:00 UTC"
    again = grade(run, str(a_zip(Path("second.zip"), tree)))

    assert "unchanged  1 of 1 were graded before" in again.stdout
    origin = json.loads(Path("out/ana.json").read_text())["submission"]["origin"]
    assert origin == {"platform": "nbgrader", "login": "ana", "handed_in": "2027-01-02T10:00:00+00:00"}


def test_canvas_gets_its_column_and_a_report(graded: Result, run: Run) -> None:
    Path("book.csv").write_text(GRADEBOOK)
    ran = run(
        "export", "canvas", "out", "--roster", "book.csv", "--assignment-column", "Small", "--out", "new.csv"
    )

    assert ran.exit_code == 0
    assert "3 matched, 0 not, 0 without a result" in ran.stdout
    rows = list(csv.reader(Path("new.csv").read_text().splitlines()))
    assert [row[5] for row in rows] == ["Small (55)", "4", "4", "1", "0"]
    assert Path("new.csv.report.txt").read_text() == ""


def test_whoever_is_not_found_is_on_stderr_and_in_the_report(graded: Result, run: Run) -> None:
    Path("book.csv").write_text(GRADEBOOK.replace("12345", "99999"))
    ran = run(
        "export", "canvas", "out", "--roster", "book.csv", "--assignment-column", "55", "--out", "new.csv"
    )

    assert ran.exit_code == 1
    assert "autograder: doejane_12345: fits no row\n" in ran.stderr
    assert Path("new.csv.report.txt").read_text() == "doejane_12345: fits no row\nDoe, Jane: no result\n"


def test_moodle_gets_three_files(graded: Result, run: Run) -> None:
    Path("list.csv").write_text(
        "Identifier,Full name,ID number,Grade,Feedback comments\nParticipant 1,Jane,doejane,,\n"
    )
    ran = run("export", "moodle", "out", "--roster", "list.csv", "--out", "m", "--item", "mini")

    assert ran.exit_code == 1
    assert {path.name for path in Path("m").iterdir()} == {"worksheet.csv", "grades.csv", "report.txt"}
    assert "doejane_12345: fits no row" in Path("m/report.txt").read_text()


def test_lti_scores_are_written_a_line_each(graded: Result, run: Run) -> None:
    Path("members.csv").write_text("user_id,name\n12345,Jane\n")
    run(
        "export",
        "lti-ags",
        "out",
        "--roster",
        "members.csv",
        "--out",
        "s.jsonl",
        "--timestamp",
        "2027-01-01T00:00:00Z",
    )

    assert Path("s.jsonl").read_text() == ""
    assert "doejane_12345: fits no row" in Path("s.jsonl.report.txt").read_text()


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (
            ("canvas", "out", "--roster", "no.csv", "--assignment-column", "A", "--out", "x"),
            "no.csv cannot be read",
        ),
        (
            ("moodle", "out", "--roster", "submissions.zip", "--out", "x", "--column", "note=Nota"),
            "renames nothing",
        ),
        (("moodle", "out", "--roster", "submissions.zip", "--out", "x"), "is not in UTF-8"),
        (("gradescope", "x", "--wheels", "out"), "out holds no wheels"),
    ],
)
def test_a_wrong_use_is_one_line_and_exit_code_2(
    graded: Result, run: Run, arguments: tuple[str, ...], said: str
) -> None:
    ran = run("export", *arguments)

    assert ran.exit_code == 2
    assert said in ran.stderr
    assert len(ran.stderr.strip().splitlines()) == 1


def test_a_gradescope_run_without_folders_is_an_error_of_ours_or_the_setups(run: Run, tmp_path: Path) -> None:
    ran = run("export", "gradescope-results", "--root", str(tmp_path / "none"))

    assert ran.exit_code != 0
    assert not (tmp_path / "none").exists()
