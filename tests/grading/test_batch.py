"""A class: N submissions in, N rows out; nothing twice, nothing lost, the same bytes with one job or two."""

import csv
import json
import os
from contextlib import closing

import pytest

from autograder.errors import ResultsUnavailable
from autograder.grading import batch
from autograder.grading.batch import Order, Unit, grade_batch
from autograder.grading.store import results_folder
from autograder.grading.submission import Grader
from autograder.loading.assignment import load_assignment
from autograder.loading.submissions import find_submissions
from tests.cli.small_course import RIGHT, make_the_reference_fail, write_course
from tests.grading.in_process import Workshop

WRONG = RIGHT.replace("S + S", "S * 3")
UNREADABLE = "def double(S: return\n"


class Class:
    """A folder of submissions, graded in this process."""

    def __init__(self, top):
        self.top, self.out = top, top / "out"
        self.graded = []
        write_course(top / "course")

    def hand_in(self, **sources):
        (self.top / "in").mkdir(exist_ok=True)
        for student, source in sources.items():
            (self.top / "in" / f"{student}.py").write_text(source)

    def grade(self, *, again=False, jobs=1, level="portable"):
        course = load_assignment(self.top / "course", "mini")
        order = Order(self.top / "course", "mini", self.out, level, again)
        done = grade_batch(course, find_submissions(self.top / "in"), order, jobs=jobs)
        return {one.row.student: one for one in done}

    def table(self):
        with open(self.out / "grades.csv", newline="") as file:
            return {row["student"]: row for row in csv.DictReader(file)}

    def results(self):
        return {path.name: path.read_bytes() for path in self.out.glob("*.json")}


@pytest.fixture
def school(tmp_path, monkeypatch):
    made = Class(tmp_path)

    class Recording(Grader):
        def grade(self, submission, only=()):
            made.graded.append(submission.student)
            if b"BREAK US" in submission.source:
                raise RuntimeError("a fault of ours")
            return super().grade(submission, only)

    monkeypatch.setattr(batch, "Grader", Recording)
    monkeypatch.setattr(batch, "open_workshop", lambda level: Workshop())
    return made


def test_every_submission_has_a_result_and_a_row_whatever_it_is(school):
    school.hand_in(ana=RIGHT, bo=WRONG, cy="", dee="x = 1\n", ed=RIGHT + "# BREAK US\n")
    os.mkfifo(school.top / "in" / "pipe.py")
    (school.top / "in" / "link.py").symlink_to("ana.py")
    (school.top / "in" / "none").mkdir()

    done = school.grade()

    students = ["ana", "bo", "cy", "dee", "ed", "link", "none", "pipe"]
    assert list(done) == list(school.table()) == students
    assert set(school.results()) == {f"{student}.json" for student in students}
    outcomes = {student: row["outcome"] for student, row in school.table().items()}
    assert outcomes == {
        **dict.fromkeys(students[:4], "graded"),
        "ed": "broken",
        **dict.fromkeys(students[5:], "not_loadable"),
    }
    assert {student: row["marks"] for student, row in school.table().items()} == {
        **dict.fromkeys(students, "0"),
        "ana": "4",
        "bo": "1",
        "ed": "4",
    }


def test_a_fault_of_ours_costs_no_mark_is_told_and_stops_nothing(school):
    school.hand_in(ana=RIGHT + "# BREAK US\n", bo=RIGHT)
    done = school.grade()

    assert "RuntimeError: a fault of ours" in done["ana"].trouble
    assert (school.table()["ana"]["marks"], school.table()["ana"]["double"]) == ("4", "3")
    assert done["bo"].trouble == ""
    assert "a fault of ours" in json.loads(school.results()["ana.json"])["file_reports"][0]["message"]


def test_a_rerun_skips_what_is_unchanged_and_gives_the_same_table(school):
    school.hand_in(ana=RIGHT, bo=WRONG)
    school.grade()
    first, table = school.results(), (school.out / "grades.csv").read_bytes()
    school.graded.clear()

    done = school.grade()

    assert school.graded == []
    assert all(one.row.unchanged for one in done.values())
    assert (school.results(), (school.out / "grades.csv").read_bytes()) == (first, table)


def test_a_changed_file_is_graded_again_and_no_other(school):
    school.hand_in(ana=RIGHT, bo=WRONG)
    school.grade()
    school.graded.clear()
    school.hand_in(bo=RIGHT)

    school.grade()

    assert school.graded == ["bo"]
    assert school.table()["bo"]["marks"] == "4"


@pytest.mark.parametrize("damage", ["", "{", '{"format": "autograder-result/1"}', "[" * 50_000])
def test_a_damaged_result_is_made_again(school, damage):
    school.hand_in(ana=RIGHT, bo=WRONG)
    school.grade()
    first = school.results()
    school.graded.clear()
    (school.out / "ana.json").write_text(damage)

    school.grade()

    assert school.graded == ["ana"]
    assert school.results() == first


def test_a_result_copied_to_another_student_of_the_same_file_is_not_taken_for_theirs(school):
    school.hand_in(ana=RIGHT, bo=RIGHT)
    school.grade()
    (school.out / "bo.json").write_bytes((school.out / "ana.json").read_bytes())

    assert list(school.grade()) == ["ana", "bo"]
    assert json.loads(school.results()["bo.json"])["submission"]["student"] == "bo"


def test_a_changed_course_grades_everything_again(school):
    school.hand_in(ana=RIGHT)
    school.grade()
    school.graded.clear()
    config = school.top / "course" / "config" / "mini.yaml"
    config.write_text(config.read_text().replace("seed: 1", "seed: 2"))

    school.grade()

    assert school.graded == ["ana"]


def test_what_was_broken_is_tried_again(school):
    school.hand_in(ana=RIGHT)
    solutions = school.top / "course" / "solutions" / "mini.py"
    right = solutions.read_text()
    make_the_reference_fail(school.top / "course")
    school.grade()
    assert school.table()["ana"] == {
        "student": "ana",
        "marks": "4",
        "max_marks": "4",
        "outcome": "broken",
        "double": "3",
        "total": "1",
    }
    school.graded.clear()

    school.grade()
    assert school.graded == ["ana"]

    solutions.write_text(right)
    assert school.grade()["ana"].row.outcome == "graded"


def test_asking_for_all_again_grades_all_again(school):
    school.hand_in(ana=RIGHT, bo=WRONG)
    school.grade()
    school.graded.clear()

    school.grade(again=True)

    assert school.graded == ["ana", "bo"]


def test_an_interruption_leaves_a_table_of_what_was_done_and_the_next_run_goes_on(school, monkeypatch):
    school.hand_in(ana=RIGHT, bo=RIGHT, cy=RIGHT)
    whole = Unit.__call__

    def interrupted(self, found):
        if found.student == "bo":
            raise KeyboardInterrupt
        return whole(self, found)

    monkeypatch.setattr(Unit, "__call__", interrupted)
    with pytest.raises(KeyboardInterrupt):
        school.grade()
    assert list(school.table()) == ["ana"]

    monkeypatch.setattr(Unit, "__call__", whole)
    school.graded.clear()
    school.grade()
    assert school.graded == ["bo", "cy"]


def test_a_result_that_cannot_be_written_keeps_its_row_and_is_told(school, monkeypatch):
    school.hand_in(ana=RIGHT)
    write = batch.write_atomically

    def full(path, text):
        if path.suffix == ".json":
            raise OSError(28, "No space left on device")
        write(path, text)

    monkeypatch.setattr(batch, "write_atomically", full)
    done = school.grade()

    assert "No space left" in done["ana"].trouble
    assert school.table()["ana"]["marks"] == "4"


def test_a_folder_in_which_another_grader_is_at_work_is_refused(school):
    school.hand_in(ana=RIGHT)

    with results_folder(school.out), pytest.raises(ResultsUnavailable):
        school.grade()
    assert school.results() == {}


def test_another_submissions_presence_changes_no_bytes_of_a_result(school):
    school.hand_in(ana=WRONG)
    school.grade()
    alone = school.results()["ana.json"]
    school.hand_in(aaa=RIGHT, zoe=UNREADABLE.replace("(S:", "(S):"))

    school.grade(again=True)

    assert school.results()["ana.json"] == alone


def test_one_job_or_two_give_the_same_bytes(tmp_path):
    """With real workers, of the level that needs nothing of the system."""
    from autograder.worker.levels import open_workshop

    with closing(open_workshop("portable")) as workshop:
        assert workshop.level == "portable"
    school = Class(tmp_path)
    school.hand_in(ana=RIGHT, bo=WRONG, cy=UNREADABLE, dee="def double(S):\n    raise ValueError(S)\n")
    found = {}
    for jobs in (1, 2):
        school.out = tmp_path / f"out{jobs}"
        school.grade(jobs=jobs)
        found[jobs] = school.results() | {"grades.csv": (school.out / "grades.csv").read_bytes()}

    assert found[1] == found[2]
    assert len(found[1]) == 5
    assert {s: row["marks"] for s, row in school.table().items()} == {
        "ana": "4",
        "bo": "1",
        "cy": "0",
        "dee": "0",
    }
