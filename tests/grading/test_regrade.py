"""Regrading: a preview that writes nothing, the checks through which marks change, and a history of what was."""

import json
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner
from click.testing import Result as Ran

from autograder.cli.main import cli
from autograder.grading.regrade import (
    Batch,
    Through,
    change,
    compare_folders,
    keep,
    recall,
    remember,
    take_over,
)
from autograder.grading.store import result_text
from autograder.model.result import CheckResult, ExerciseResult, Lateness, Result
from tests.cli.small_course import RIGHT, write_course


def check(name: str, status: str, marks: float, most: float = 2.0) -> CheckResult:
    return CheckResult(name, "value", status, marks, most)


def result(*checks: CheckResult, student: str = "ana") -> Result:
    marks = sum(one.marks for one in checks)
    exercise = ExerciseResult("double", "Twice", "double", "partly", marks, 6.0, checks=checks)
    return Result("mini", student, "a.py", "00", "graded", marks, 6.0, (exercise,))


BEFORE = result(check("page", "failed", 0.0), check("random", "passed", 2.0))


# Through which check


def test_the_same_marks_are_no_change() -> None:
    other_words = replace(BEFORE, exercises_sha256="11", printed="hello")

    assert change(BEFORE, other_words) is None


def test_a_check_that_passes_now_is_named_with_what_it_brings() -> None:
    found = change(BEFORE, result(check("page", "passed", 2.0), check("random", "passed", 2.0)))

    assert (found.before, found.after, found.difference) == (2.0, 4.0, 2.0)
    assert found.through == (Through("double/page", "failed", "passed", 2.0),)


def test_checks_that_come_go_or_weigh_more_are_named() -> None:
    after = result(check("random", "passed", 3.0), check("huge", "passed", 1.0))
    before = result(check("random", "passed", 2.0), check("old", "passed", 1.0))
    found = change(before, after)

    assert found.through == (
        Through("double/random", "passed", "passed", 1.0),
        Through("double/old", "passed", "none", -1.0),
        Through("double/huge", "none", "passed", 1.0),
    )


def test_another_file_and_another_penalty_are_told() -> None:
    late = Lateness("2027-01-02T00:00:00+00:00", "2027-01-01T00:00:00+00:00", 86400, 2.0, 0.5, 1.5)
    found = change(BEFORE, replace(BEFORE, marks=1.5, late=late, sha256="22"))

    assert found.another_file
    assert found.through == (Through("late work", "0 off", "0.5 off", -0.5),)


def test_students_who_come_and_go_are_changes(tmp_path: Path) -> None:
    old, new = tmp_path / "old", tmp_path / "new"
    old.mkdir()
    new.mkdir()
    (old / "ana.json").write_text(result_text(BEFORE))
    (new / "ben.json").write_text(result_text(replace(BEFORE, student="ben")))
    (old / ".batch").write_text("{}")
    found = compare_folders(old, new)

    assert [(one.student, one.before, one.after) for one in found] == [("ana", 2.0, None), ("ben", None, 2.0)]


# What was


def test_every_result_that_another_takes_the_place_of_is_kept_under_the_next_number(tmp_path: Path) -> None:
    fresh, results = tmp_path / "fresh", tmp_path / "results"
    fresh.mkdir()
    results.mkdir()
    texts = [result_text(replace(BEFORE, printed=word)) for word in ("one", "two", "three")]
    (results / "ana.json").write_text(texts[0])
    counts = []
    for text in (texts[1], texts[1], texts[2]):
        (fresh / "ana.json").write_text(text)
        counts.append(take_over(fresh, results))

    assert counts == [1, 0, 1]
    assert (results / "ana.json").read_text() == texts[2]
    assert {path.name: path.read_text() for path in (results / "history/ana").iterdir()} == {
        "1.json": texts[0],
        "2.json": texts[1],
    }


def test_a_damaged_result_is_kept_to_the_byte(tmp_path: Path) -> None:
    (tmp_path / "ana.json").write_bytes(b"\xff\x00{")

    assert keep(tmp_path / "ana.json").read_bytes() == b"\xff\x00{"


def test_what_results_came_from_is_found_again_when_both_folders_move(tmp_path: Path) -> None:
    first, second = tmp_path / "first", tmp_path / "second"
    for folder in ("in", "out"):
        (first / folder).mkdir(parents=True)
    remember(first / "out", Batch.of(first / "out", first / "in", "mini", str(first / "times.csv")))
    first.rename(second)
    batch = recall(second / "out")

    assert batch.submissions_from(second / "out") == second / "in"
    assert batch.times_from(second / "out") == str(second / "times.csv")
    assert batch.assignment == "mini"


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"format": "autograder-batch/2"}', "\udcff"])
def test_a_damaged_note_on_a_batch_is_as_good_as_none(tmp_path: Path, text: str) -> None:
    (tmp_path / ".batch").write_text(text, errors="surrogateescape")

    assert recall(tmp_path) is None


# The command


@pytest.fixture
def course(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The small course with two submissions that were graded."""
    top = tmp_path / "course"
    write_course(top)
    monkeypatch.chdir(top)
    (top / "in").mkdir()
    (top / "in/ana.py").write_text(RIGHT)
    (top / "in/ben.py").write_text(RIGHT.replace("S + S", "S * 2.04"))
    assert run("grade", "in", "--out", "out").exit_code == 0
    return top


def run(*arguments: str) -> Ran:
    isolated = () if arguments[0] == "report" else ("--isolation", "portable", "--jobs", "1")
    return CliRunner().invoke(cli, [*arguments, *isolated], prog_name="autograder")


def contents(folder: Path) -> dict[str, bytes]:
    return {p.relative_to(folder).as_posix(): p.read_bytes() for p in folder.rglob("*") if p.is_file()}


def loosen(course: Path) -> None:
    """Change the tolerance, so that 2.04 times is near enough to twice."""
    path = course / "config/mini.yaml"
    path.write_text(path.read_text() + "tolerance: {atol: 1.0e-3, rtol: 0.05}\n")


def test_a_preview_names_whose_marks_change_by_how_much_and_through_which_check(course: Path) -> None:
    loosen(course)
    before = contents(course / "out")
    ran = run("regrade", "out")

    assert ran.exit_code == 0, ran.stderr
    lines = ran.stdout.splitlines()
    assert lines[:3] == [
        "ben       1 ->      4  +3",
        "         +1  double/page: failed -> passed",
        "         +2  double/random: failed -> passed",
    ]
    assert "1 of 2 would have other marks" in lines
    assert "ana" not in ran.stdout
    assert contents(course / "out") == before


def test_applying_writes_and_keeps_what_was(course: Path) -> None:
    loosen(course)
    before = contents(course / "out")
    ran = run("regrade", "out", "--apply")
    after = contents(course / "out")

    assert "wrote 2 of 2 results" in ran.stdout
    assert json.loads(after["ben.json"])["marks"] == 4.0
    assert after["history/ben/1.json"] == before["ben.json"]
    assert b"ben,4,4,graded" in after["grades.csv"]
    assert "of 2, no marks change" in run("regrade", "out").stdout
    assert run("report", "out", "--format", "json").stderr == ""


def test_the_submissions_may_be_elsewhere_by_now(course: Path) -> None:
    (course / "in").rename(course / "moved")
    lost = run("regrade", "out")
    found = run("regrade", "out", "--submissions", "moved")

    assert lost.exit_code == 2
    assert "name them with --submissions" in lost.stderr
    assert "of 2, no marks change" in found.stdout


def test_results_that_do_not_say_where_they_came_from_need_to_be_told(course: Path) -> None:
    (course / "out/.batch").unlink()

    assert run("regrade", "out").exit_code == 2
    assert run("regrade", "out", "--submissions", "in").exit_code == 0


def test_a_moved_due_date_shows_as_late_work(course: Path) -> None:
    config = course / "config/mini.yaml"
    late = "late: {{per: day, fraction: 0.25}}\ndue: 2027-03-{day}T12:00:00+00:00\n"
    (course / "times.csv").write_text("student,handed_in\nana,2027-03-11T10:00:00+00:00\n")
    plain = config.read_text()
    config.write_text(plain + late.format(day=10))
    graded = run("grade", "in", "--out", "out", "--times", "times.csv")
    config.write_text(plain + late.format(day=12))
    ran = run("regrade", "out")

    assert "3 of 4  graded; 1 taken off for lateness" in graded.stdout
    assert "of 1 submission nothing tells when" in graded.stderr
    assert "         +1  late work: 1 off -> 0 off" in ran.stdout.splitlines()
    assert (course / "out/late.csv").read_text().splitlines()[1] == (
        "ana,2027-03-11T10:00:00+00:00,2027-03-10T12:00:00+00:00,79200,4,1,3"
    )


def test_a_late_result_shows_raw_marks_penalty_and_what_is_left(course: Path) -> None:
    config = course / "config/mini.yaml"
    config.write_text(
        config.read_text()
        + "late: {per: day, fraction: 0.25}\ndue: {at: 2027-03-27T12:00, zone: Europe/Lisbon}\n"
    )
    (course / "times.csv").write_text("student,handed_in\nana,2027-03-28T11:30:00\n")
    run("grade", "in", "--out", "out", "--times", "times.csv")
    said = " ".join(run("report", "out/ana.json").stdout.split())

    assert "3 of 4 marks" in said
    assert (
        "handed in 2027-03-28 11:30:00+01:00, 22 h 30 min after 2027-03-27 12:00:00+00:00: "
        "4 marks less 1 for lateness make 3" in said
    )
    page = run("report", "out/ana.json", "--format", "html").stdout
    assert "4 marks less 1 for lateness make 3" in page
    assert "when this was handed in is not known" in " ".join(run("report", "out/ben.json").stdout.split())
