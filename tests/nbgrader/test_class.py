"""A class of 20 notebooks through nbgrader's commands: marks, feedback, and what the batch survives."""

import csv
import re
import shutil
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner
from nbformat import from_dict
from nbgrader.api import Gradebook
from nbgrader.utils import determine_grade

from autograder.cli.main import cli
from autograder.grading.plan import plan_exercise
from autograder.loading.assignment import load_assignment
from autograder.loading.submissions import read_submission
from autograder.model.submission import Submission
from tests.nbgrader.classroom import ASSIGNMENT, everybody, hand_in, named, read, run
from tests.nbgrader.conftest import Classroom, point_to

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("nbgrader")]

#: Marks of the exercises; cells marked by hand have 5 more.
MOST = 31.0
HOSTILE = ("ines", "jonas", "kemal", "pedro", "rosa")


def marks_in(url: str) -> dict[str, dict[str, float | None]]:
    """The automatic marks of every student, by test cell."""
    with Gradebook(url) as gradebook:
        return {
            submission.student.id: {g.name: g.auto_score for n in submission.notebooks for g in n.grades}
            for submission in gradebook.assignment_submissions(ASSIGNMENT)
        }


def test_marks_in_the_gradebook_are_those_of_grade_to_the_last_digit(classroom: Classroom) -> None:
    actual = marks_in(classroom.gradebook)

    assert len(actual) == 20
    for student, result in classroom.results.items():
        for exercise in result.exercises:
            assert actual[student][exercise.id] == exercise.marks, (student, exercise.id)


def test_late_work_costs_the_same_in_nbgrader(classroom: Classroom) -> None:
    with Gradebook(classroom.gradebook) as gradebook:
        penalties = {
            s.student.id: s.late_submission_penalty for s in gradebook.assignment_submissions(ASSIGNMENT)
        }
    late = {student: penalty for student, penalty in penalties.items() if penalty}
    expected = {student: result.late.penalty for student, result in classroom.results.items() if result.late}

    assert late == {student: penalty for student, penalty in expected.items() if penalty}
    assert late == {"farid": 5.4}  # two days begun, of 27 marks


def test_the_class_is_worth_grading(classroom: Classroom) -> None:
    """Full marks, none, and fractions that no decimal writes exactly are among the marks."""
    marks = {e.marks / e.max_marks for r in classroom.results.values() for e in r.exercises}

    assert {0.0, 1.0} < marks
    assert any(0 < share < 1 and round(share, 3) != share for share in marks)


def test_every_student_gets_a_page_with_the_marks(classroom: Classroom) -> None:
    for student, result in classroom.results.items():
        page = classroom.page(student)
        heading = re.search(r"Score: ([\d.]+) / ([\d.]+)\)", page)
        assert heading is not None, student
        assert float(heading[1]) == pytest.approx(result.marks, abs=0.006), student
        assert float(heading[2]) == MOST + 5


def test_nothing_stops_the_batch_and_nothing_is_an_error(classroom: Classroom) -> None:
    assert "ERROR" not in classroom.log
    assert "Traceback" not in classroom.log


@pytest.mark.parametrize("student", ["lucia", "mateo", "noor"])
def test_cells_that_were_deleted_copied_or_mangled_cost_nothing(classroom: Classroom, student: str) -> None:
    marks = marks_in(classroom.gradebook)[student]

    assert sum(mark or 0 for name, mark in marks.items() if name not in ("reflection", "drawing")) == MOST


def test_test_cells_of_ones_own_earn_nothing(classroom: Classroom) -> None:
    marks = marks_in(classroom.gradebook)["olga"]

    assert (marks["softmax"], marks["attention"]) == (0.0, 6.0)
    assert "marks(" in "".join(named(classroom.autograded("olga"), "softmax")["source"])


def test_an_autograded_notebook_has_each_test_cell_once(classroom: Classroom) -> None:
    exercises = [exercise.id for exercise in classroom.results["ana"].exercises]
    for student in classroom.results:
        cells = classroom.autograded(student)["cells"]
        graded = [c["metadata"]["nbgrader"] for c in cells if c["metadata"].get("nbgrader", {}).get("grade")]
        assert sorted(g["grade_id"] for g in graded) == sorted([*exercises, "reflection"]), student


@pytest.mark.parametrize(
    ("student", "said"), [("samir", "breaks off at line"), ("tove", "is empty (0 bytes)")]
)
def test_a_damaged_notebook_has_a_page_that_says_why(classroom: Classroom, student: str, said: str) -> None:
    page = classroom.page(student)

    assert "cannot be read as one" in page
    assert said in page


def test_feedback_and_partial_credit_stand_below_one_test_cell(classroom: Classroom) -> None:
    cell = named(classroom.autograded("hiro"), "attention")
    kinds = [output["output_type"] for output in cell["outputs"]]

    assert kinds == ["display_data", "execute_result"]
    assert "text/html" in cell["outputs"][0]["data"]
    assert determine_grade(from_dict(cell)) == (
        next(e.marks for e in classroom.results["hiro"].exercises if e.id == "attention"),
        6.0,
    )


def test_the_reason_stands_in_the_feedback(classroom: Classroom) -> None:
    diagnosis = next(e for e in classroom.results["dimitri"].exercises if e.id == "softmax").diagnosis[0]

    assert diagnosis.message.split(";")[0] in classroom.page("dimitri")


def test_cells_marked_by_hand_are_left_to_the_grader(classroom: Classroom) -> None:
    with Gradebook(classroom.gradebook) as gradebook:
        answered = gradebook.find_grade("reflection", ASSIGNMENT, ASSIGNMENT, "ana")
        empty = gradebook.find_grade("reflection", ASSIGNMENT, ASSIGNMENT, "bruno")
        assert (answered.auto_score, answered.needs_manual_grade) == (None, True)
        assert (empty.auto_score, empty.needs_manual_grade) == (0.0, False)
    assert named(classroom.autograded("ana"), "reflection")["source"] == ["Weights are shares."]


def test_the_export_has_the_same_scores(classroom: Classroom) -> None:
    with (classroom.course / "grades.csv").open(encoding="utf-8", newline="") as file:
        scores = {row["student_id"]: float(row["score"]) for row in csv.DictReader(file)}

    expected = {student: result.marks for student, result in classroom.results.items()}
    assert scores == pytest.approx(expected, abs=1e-9)


# What may be seen


class Tags(HTMLParser):
    """The tags inside of our feedback, and whether one of them would run something."""

    def __init__(self) -> None:
        super().__init__()
        self.depth = 0
        self.seen: set[str] = set()
        self.active: list[str] = []

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        if tag == "div" and (self.depth or ("class", "autograder") in attributes):
            self.depth += 1
        if self.depth:
            self.seen.add(tag)
            self.active += [
                name for name, _ in attributes if name.startswith("on") or name in ("src", "href")
            ]

    def handle_endtag(self, tag: str) -> None:
        self.depth -= tag == "div" and self.depth > 0


@pytest.mark.parametrize("student", HOSTILE)
def test_what_a_submission_says_is_text_on_the_page(classroom: Classroom, student: str) -> None:
    tags = Tags()
    tags.feed(classroom.page(student))

    assert "section" in tags.seen
    assert not tags.seen & {"script", "img", "iframe", "svg", "b", "a", "link", "style", "form", "object"}
    assert not tags.active


def test_the_hostile_text_was_there_to_be_escaped(classroom: Classroom) -> None:
    assert "&lt;b&gt;given&lt;/b&gt;" in classroom.page("rosa")
    assert "&lt;script" in classroom.page("kemal")


def hidden_numbers(classroom: Classroom, submission: Submission) -> set[str]:
    """Numbers of the hidden inputs that softmax is called with, as anything would print them."""
    course = load_assignment(classroom.project)
    exercise = course.exercise("softmax")

    def reference(function: str, arguments: Any) -> Any:
        return dict(zip(exercise.outputs, course.references.call(function, arguments), strict=True))

    plan = plan_exercise(exercise, reference, course.assignment.seed, submission.code_sha256)
    hidden = [trial for trial in plan.draws if trial.hidden]
    arrays = [v for trial in hidden for v in trial.arguments.values() if isinstance(v, np.ndarray)]
    numbers = {float(number) for array in arrays for number in array.ravel()}
    return {f"{number:.5g}"[:6] for number in numbers if f"{number:.5g}".lstrip("-")[0:1] != "0"}


def test_no_hidden_input_is_on_a_page_though_all_were_printed_and_raised(classroom: Classroom) -> None:
    path = classroom.course / "submitted/rosa" / ASSIGNMENT / f"{ASSIGNMENT}.ipynb"
    submission = read_submission(path)
    assert isinstance(submission, Submission)
    numbers = {number for number in hidden_numbers(classroom, submission) if len(number.strip("-")) >= 6}
    page = classroom.page("rosa")

    assert len(numbers) > 20
    assert not [number for number in numbers if number in page]


def test_the_released_notebook_holds_no_line_of_the_solutions(classroom: Classroom) -> None:
    released = str(classroom.released())
    references = (classroom.project / "solutions/qkv.py").read_text(encoding="utf-8")

    assert "SOLUTION" not in released
    lines = {line.strip() for line in re.findall(r"^    (?:return .*|\w+ = .*)$", references, re.MULTILINE)}
    assert not [line for line in lines if line in released]


# Without the preprocessor


def test_in_nbgraders_own_kernel_the_marks_are_the_same(
    prepared: tuple[Path, Path], tmp_path: Path, classroom: Classroom
) -> None:
    project, generated = prepared
    course = tmp_path / "course"
    shutil.copytree(generated, course)
    point_to(course, project)
    config = course / "nbgrader_config.py"
    ours, theirs = "autograder.plugins.nbgrader.preprocessors.GradeInWorker", "nbgrader.preprocessors.Execute"
    config.write_text(config.read_text().replace(ours, theirs))
    notebooks = everybody(read(course / "release" / ASSIGNMENT / f"{ASSIGNMENT}.ipynb"))
    hand_in(course, {student: notebooks[student] for student in ("elif", "hiro", "olga")})

    run("nbgrader", "autograde", ASSIGNMENT, folder=course)

    actual = marks_in(f"sqlite:///{course}/gradebook.db")
    for student in ("elif", "hiro", "olga"):
        for exercise in classroom.results[student].exercises:
            assert actual[student][exercise.id] == exercise.marks, (student, exercise.id)


# Files beside notebooks


def test_files_are_graded_into_the_same_gradebook(classroom: Classroom, tmp_path: Path) -> None:
    shutil.copy(classroom.course / "gradebook.db", tmp_path)
    (tmp_path / "in").mkdir()
    shutil.copy(Path(__file__).parents[1] / "submissions/scale_missing.py", tmp_path / "in/urs.py")
    url = f"sqlite:///{tmp_path}/gradebook.db"
    command = ["grade", str(tmp_path / "in"), "--out", str(tmp_path / "out"), "--gradebook", url]
    done = CliRunner().invoke(cli, ["-C", str(classroom.project), *command])

    assert done.exit_code == 0, done.output
    marks = marks_in(url)
    assert len(marks) == 21
    assert (marks["urs"]["scores"], marks["urs"]["scale"]) == (4.0, 0.0)
    with Gradebook(url) as gradebook:
        assert len(gradebook.find_assignment(ASSIGNMENT).notebooks) == 1
        comment = gradebook.find_comment("scale-solution", ASSIGNMENT, ASSIGNMENT, "urs").comment
    assert "2 scale" in comment
