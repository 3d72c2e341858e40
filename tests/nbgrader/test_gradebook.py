"""Results in nbgrader's gradebook: on SQLite, and on PostgreSQL where its package is there."""

import importlib.util
import shutil
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from nbformat.v4 import new_code_cell, new_markdown_cell
from nbgrader import api
from nbgrader.api import Gradebook
from nbgrader.nbgraderformat import MetadataValidator
from sqlalchemy import text

from autograder.cli.main import cli
from autograder.errors import ExitCode, GradebookError
from autograder.gradebook.book import Book, as_comment
from autograder.gradebook.cells import ABOUT, cells_of
from autograder.loading.assignment import Course, load_assignment
from autograder.model.result import ExerciseResult, Lateness, Result
from autograder.model.submission import Origin
from tests.cli.small_course import write_course
from tests.nbgrader import server

WITHOUT_SERVER = server.folder_of_programs() is None or importlib.util.find_spec("psycopg") is None


@pytest.fixture
def course(tmp_path: Path) -> Course:
    write_course(tmp_path / "course")
    return load_assignment(tmp_path / "course")


@pytest.fixture(scope="module")
def sqlite(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A gradebook that holds nothing, to be copied: nbgrader takes a second and more to make one."""
    path = tmp_path_factory.mktemp("gradebook") / "empty.db"
    Book.open(f"sqlite:///{path}").close()
    return path


@pytest.fixture(scope="module")
def postgres() -> Iterator[str]:
    """A server with a gradebook in it."""
    with server.running() as url:
        Book.open(url).close()
        yield url


@pytest.fixture(
    params=[
        "sqlite",
        pytest.param("postgres", marks=pytest.mark.skipif(WITHOUT_SERVER, reason="no PostgreSQL here")),
    ]
)
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The URL of an empty gradebook."""
    if request.param == "sqlite":
        shutil.copy(request.getfixturevalue("sqlite"), tmp_path / "gradebook.db")
        return f"sqlite:///{tmp_path}/gradebook.db"
    used: str = request.getfixturevalue("postgres")
    with Gradebook(driven(used), course_id="") as gradebook:
        tables = ", ".join(api.Base.metadata.tables)
        gradebook.db.execute(text(f"TRUNCATE {tables} CASCADE"))
        gradebook.db.commit()
    return used


def driven(url: str) -> str:
    """The URL as nbgrader needs it, with the driver that we install."""
    return url.replace("postgresql://", "postgresql+psycopg://")


def result(double: float = 2.0, total: float = 1.0, student: str = "ana", **more: Any) -> Result:
    exercises = (
        ExerciseResult("double", "Twice", "double", "partly", double, 3.0),
        ExerciseResult("total", "Sum", "total", "passed", total, 1.0),
    )
    values = {"assignment": "mini", "file": "attention.py", "sha256": "0", "outcome": "graded"}
    return Result(student=student, marks=double + total, max_marks=4.0, exercises=exercises, **values, **more)


def record(url: str, course: Course, *results: Result, feedback: dict[str, str] | None = None) -> None:
    with Book.open(url) as book:
        book.prepare(course.assignment, course.exercises)
        for one in results:
            book.record(one, feedback)


def grade(gradebook: Gradebook, cell: str, student: str = "ana") -> Any:
    return gradebook.find_grade(cell, "mini", "mini", student)


def test_marks_are_in_the_gradebook_as_they_are(url: str, course: Course) -> None:
    record(url, course, result(double=2.000001), result(0.0, 0.0, student="Müller, Zoë"))

    with Gradebook(driven(url)) as gradebook:
        assert grade(gradebook, "double").auto_score == 2.000001
        assert grade(gradebook, "double").max_score == 3.0
        assert gradebook.find_submission("mini", "ana").score == 3.000001
        assert gradebook.find_submission("mini", "ana").max_score == 4.0
        assert not gradebook.find_submission("mini", "ana").needs_manual_grade
        assert gradebook.find_submission("mini", "Müller, Zoë").score == 0.0


def test_grading_again_changes_the_marks_and_adds_nothing(url: str, course: Course) -> None:
    record(url, course, result(1.0))
    record(url, course, result(3.0))

    with Gradebook(driven(url)) as gradebook:
        assert grade(gradebook, "double").auto_score == 3.0
        assert len(gradebook.students) == 1
        assert len(gradebook.assignment_submissions("mini")) == 1
        assert [len(n.grades) for n in gradebook.find_submission("mini", "ana").notebooks] == [2]


def test_what_was_given_by_hand_stays_and_asks_for_a_second_look(url: str, course: Course) -> None:
    record(url, course, result(1.0))
    with Gradebook(driven(url)) as gradebook:
        by_hand = grade(gradebook, "double")
        by_hand.manual_score, by_hand.extra_credit = 2.5, 0.5
        gradebook.find_comment("double-solution", "mini", "mini", "ana").manual_comment = "well tried"
        gradebook.db.commit()

    record(url, course, result(3.0), feedback={"double": "all right"})

    with Gradebook(driven(url)) as gradebook:
        found = grade(gradebook, "double")
        assert (found.auto_score, found.manual_score, found.extra_credit) == (3.0, 2.5, 0.5)
        assert found.score == 3.0
        assert found.needs_manual_grade
        assert gradebook.find_comment("double-solution", "mini", "mini", "ana").comment == "well tried"


def test_feedback_is_the_comment_on_the_function(url: str, course: Course) -> None:
    record(url, course, result(), feedback={"double": "<b>row 0</b> differs\n  by 1\n"})

    with Gradebook(driven(url)) as gradebook:
        comment = gradebook.find_comment("double-solution", "mini", "mini", "ana")
        assert comment.auto_comment == "    <b>row 0</b> differs\n      by 1"
        assert gradebook.find_comment("total-solution", "mini", "mini", "ana").auto_comment is None


def test_a_comment_is_code_for_markdown_however_it_is_fenced() -> None:
    from nbconvert.filters import markdown2html

    shown = markdown2html(as_comment("```\n<script>alert(1)</script>\n\n<img src=x>"))

    assert "<script" not in shown
    assert "<img" not in shown
    assert "&lt;script&gt;" in shown


def test_times_are_kept_in_utc_and_late_is_late(url: str, course: Course, tmp_path: Path) -> None:
    config = tmp_path / "course/config/mini.yaml"
    config.write_text(config.read_text() + 'due: "2027-03-26T23:00:00+01:00"\n')
    late = result(origin=Origin(handed_in="2027-03-26T18:00:30-05:00"))

    record(url, load_assignment(tmp_path / "course"), late, result(student="bo"))

    with Gradebook(driven(url)) as gradebook:
        submission = gradebook.find_submission("mini", "ana")
        assert gradebook.find_assignment("mini").duedate == datetime(2027, 3, 26, 22, tzinfo=UTC).replace(
            tzinfo=None
        )
        assert submission.total_seconds_late == 3630
        assert gradebook.find_submission("mini", "bo").timestamp is None


def test_what_is_taken_off_for_being_late_is_nbgraders_penalty(url: str, course: Course) -> None:
    late = Lateness("2027-03-27T01:00:00+00:00", "2027-03-26T23:59:59+00:00", 3601, 3.0, 0.3, 2.7)
    record(url, course, result(late=late), result(student="bo"))

    with Gradebook(driven(url)) as gradebook:
        submission = gradebook.find_submission("mini", "ana")
        assert (submission.score, submission.late_submission_penalty) == (3.0, 0.3)
        assert gradebook.find_submission("mini", "bo").late_submission_penalty == 0.0


def test_a_due_date_that_was_set_in_nbgrader_stays(url: str, course: Course, tmp_path: Path) -> None:
    with Gradebook(driven(url)) as gradebook:
        gradebook.add_assignment("mini", duedate="2030-01-01 00:00:00 UTC")
    config = tmp_path / "course/config/mini.yaml"
    config.write_text(config.read_text() + 'due: "2027-03-26T23:00:00+01:00"\n')

    record(url, load_assignment(tmp_path / "course"), result())

    with Gradebook(driven(url)) as gradebook:
        assert gradebook.find_assignment("mini").duedate.year == 2030


def test_an_exercise_that_came_later_is_added_to_earlier_submissions(url: str, course: Course) -> None:
    with Book.open(url) as book:
        book.prepare(course.assignment, course.exercises[:1])
        book.record(result())
    record(url, course, result(total=0.5), feedback={"total": "new"})

    with Gradebook(driven(url)) as gradebook:
        assert grade(gradebook, "total").auto_score == 0.5
        assert gradebook.find_submission("mini", "ana").score == 2.5


def test_changed_points_reach_the_gradebook(url: str, course: Course) -> None:
    record(url, course, result())
    doubled = [e.model_copy(update={"points": 2 * e.points}) for e in course.exercises]
    with Book.open(url) as book:
        book.prepare(course.assignment, doubled)

    with Gradebook(driven(url)) as gradebook:
        assert gradebook.find_assignment("mini").max_score == 8.0


def test_a_name_longer_than_nbgraders_is_refused_and_the_next_is_recorded(url: str, course: Course) -> None:
    with Book.open(url) as book:
        book.prepare(course.assignment, course.exercises)
        with pytest.raises(GradebookError, match="at most 128 characters"):
            book.record(result(student="x" * 129))
        book.record(result())

    with Gradebook(driven(url)) as gradebook:
        assert [student.id for student in gradebook.students] == ["ana"]


def test_an_assignment_belongs_to_the_course_that_is_there(url: str, course: Course) -> None:
    with Gradebook(driven(url), course_id="physics") as gradebook:
        gradebook.db.query(api.Course).filter_by(id="default_course").delete()
        gradebook.db.commit()
    record(url, course, result())

    with Gradebook(driven(url), course_id="physics") as gradebook:
        assert gradebook.find_assignment("mini").course_id == "physics"


def test_what_is_known_of_a_student_stays(url: str, course: Course) -> None:
    with Gradebook(driven(url)) as gradebook:
        gradebook.add_student("ana", email="ana@example.org")
    record(
        url,
        course,
        result(origin=Origin(email="other@example.org")),
        result(student="bo", origin=Origin(email="bo@example.org")),
    )

    with Gradebook(driven(url)) as gradebook:
        assert gradebook.find_student("ana").email == "ana@example.org"
        assert gradebook.find_student("bo").email == "bo@example.org"


# Opening


@pytest.mark.parametrize(
    "url",
    [
        "sqlite:////nowhere/at/all.db",
        "nodatabase://x",
        "sqlite:///x:y@z:notaport/db",
        "postgresql://me:secret-word@127.0.0.1:1/none",
    ],
)
def test_a_gradebook_that_cannot_be_opened_is_a_misuse_told_without_the_password(
    url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)

    with pytest.raises(GradebookError) as caught:
        Book.open(url)

    assert caught.value.exit_code is ExitCode.MISUSED
    assert "secret-word" not in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_path_stands_for_a_file_of_sqlite(course: Course, tmp_path: Path, sqlite: Path) -> None:
    shutil.copy(sqlite, tmp_path / "my.db")
    record(str(tmp_path / "my.db"), course, result())

    with Gradebook(f"sqlite:///{tmp_path}/my.db") as gradebook:
        assert gradebook.find_submission("mini", "ana").score == 3.0


def test_our_cells_are_cells_as_nbgrader_wants_them(course: Course) -> None:
    for cell in cells_of(course.exercises):
        make = new_code_cell if cell.kind == "code" else new_markdown_cell
        MetadataValidator().validate_cell(make("x", metadata={"nbgrader": dict(cell.metadata)}))


def test_no_two_cells_have_one_name(course: Course) -> None:
    names = [cell.name for cell in cells_of(course.exercises)]

    assert len(names) == len(set(names)) == 1 + 3 * len(course.exercises)
    assert ABOUT in names


# The command


def test_grade_writes_files_into_the_gradebook_and_unchanged_results_too(
    course: Course, tmp_path: Path, sqlite: Path
) -> None:
    shutil.copy(sqlite, course.top / "book.db")
    folder = tmp_path / "in"
    folder.mkdir()
    (folder / "ana.py").write_text("def double(S):\n    return 2 * S\n")
    (folder / "bo.py").write_text("def total(S):\n    return float(S.sum())\n")
    (folder / "cy.py").write_text("def (")
    command = ["-C", str(course.top), "grade", str(folder), "--out", str(tmp_path / "out")]
    first = CliRunner().invoke(cli, command)
    again = CliRunner().invoke(cli, [*command, "--gradebook", str(course.top / "book.db")])

    assert (first.exit_code, again.exit_code) == (0, 0), again.output
    with Gradebook(f"sqlite:///{course.top}/book.db") as gradebook:
        scores = {s.student.id: s.score for s in gradebook.assignment_submissions("mini")}
        comment = gradebook.find_comment("double-solution", "mini", "mini", "cy").comment
    assert scores == {"ana": 3.0, "bo": 1.0, "cy": 0.0}
    assert "not valid Python" in comment


def test_a_gradebook_that_cannot_be_used_stops_grade_before_anything_is_graded(
    course: Course, tmp_path: Path
) -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / "in/ana.py").write_text("")
    command = ["-C", str(course.top), "grade", str(tmp_path / "in"), "--out", str(tmp_path / "out")]
    done = CliRunner().invoke(cli, [*command, "--gradebook", "sqlite:////no/where.db"])

    assert done.exit_code == ExitCode.MISUSED
    assert "/no/where.db" in done.stderr
    assert not list((tmp_path / "out").glob("*.json"))


def test_marks_given_for_a_fault_of_ours_stand_in_the_gradebook(url: str, course: Course) -> None:
    record(url, course, replace(result(3.0), outcome="broken"))

    with Gradebook(driven(url)) as gradebook:
        assert gradebook.find_submission("mini", "ana").score == 4.0
