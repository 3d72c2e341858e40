"""Inside a kit: the same verdicts as in the course on the same inputs, and commands that do without it."""

import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner

from autograder.authoring.release import make_kit, write_kit
from autograder.cli.main import cli
from autograder.errors import UsageError
from autograder.grading.submission import Grader
from autograder.loading.assignment import load_assignment
from tests.grading.in_process import Workshop, submission
from tests.kit.small import INHERITS, RIGHT, TOTAL, released, small_course

TOP = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def qkv():
    """The course that the project ships."""
    return load_assignment(TOP, "qkv")


@pytest.fixture(scope="module")
def kit(qkv, tmp_path_factory):
    """Its kit, where there is no course near."""
    folder = tmp_path_factory.mktemp("student") / "kit"
    write_kit(qkv, folder, make_kit(qkv))
    return load_assignment(folder)


def verdicts(course, source, wanted):
    """The statuses of the checks that `wanted` picks, by exercise and check."""
    result = Grader(course, Workshop()).grade(submission(source))
    checks = {exercise.id: exercise.checks for exercise in course.exercises}
    return {
        (exercise.id, check.id): check.status
        for exercise in result.exercises
        for check, said in zip(exercise.checks, checks[exercise.id], strict=True)
        if wanted(exercise, said)
    }


SUBMISSIONS = (
    "ok_plain_matmul",
    "softmax_divides_twice",
    "two_norm_and_spread",
    "layernorm_sample_std",
    "backward_swaps_dq_dk",
    "numgrad_divides_by_h",
    "split_n_heads_as_width",
)


@pytest.mark.parametrize("name", SUBMISSIONS)
def test_a_kit_judges_values_on_written_cases_as_the_course_does(qkv, kit, name):
    source = (TOP / f"tests/submissions/{name}.py").read_text()
    cases = {exercise.id: exercise.cases for exercise in kit.exercises}

    def on_a_written_case(exercise, check):
        case = cases[exercise.id].get(check.value) if check.kind == "value" else None
        return case is not None and not case.drawn and not exercise.follow_through

    in_course, in_kit = (verdicts(course, source, on_a_written_case) for course in (qkv, kit))
    shared = in_course.keys() & in_kit.keys()

    assert len(shared) > 20
    assert {key: in_kit[key] for key in shared} == {key: in_course[key] for key in shared}


def test_the_references_themselves_pass_everything_in_a_kit(qkv, kit):
    result = Grader(kit, Workshop()).grade(submission(qkv.references.content))

    assert [exercise.id for exercise in result.exercises if exercise.status != "passed"] == []
    assert result.marks == result.max_marks == 50


def test_nothing_is_judged_broken_in_a_kit_whatever_is_wrong(kit):
    source = (TOP / "tests/submissions/two_norm_and_spread.py").read_text()
    result = Grader(kit, Workshop()).grade(submission(source))
    codes = [diagnosis.code for exercise in result.exercises for diagnosis in exercise.diagnosis]

    assert result.outcome == "graded"
    assert "diagnosis.broken" not in codes


def test_what_may_be_inherited_is_said_to_be_seen_at_grading(tmp_path):
    twice = TOTAL.replace("scale: 3}, hidden: true}", "scale: 3}, hidden: true, draws: 2}")
    course = small_course(tmp_path / "course", total=twice)
    kit = released(course, tmp_path / "kit")
    in_course, in_kit = (
        Grader(c, Workshop()).grade(submission(INHERITS)).exercises[1] for c in (course, kit)
    )

    assert in_course.follow_through
    assert not in_kit.follow_through
    assert in_kit.message == "rests on double, not right yet; whether this is inherited is seen at grading"


def test_what_passes_says_nothing_of_the_grading(tmp_path):
    kit = released(small_course(tmp_path / "course"), tmp_path / "kit")
    wrong = RIGHT.replace("S + S", "S + 2").replace("double(S).sum()", "2 * S.sum()")
    total = Grader(kit, Workshop()).grade(submission(wrong)).exercises[1]

    assert (total.status, total.message) == ("passed", "")


def test_drawn_cases_are_the_stored_draws_whatever_the_file_says(tmp_path):
    kit = released(small_course(tmp_path / "course"), tmp_path / "kit")
    wrong = [RIGHT.replace("S + S", "S + 2"), RIGHT.replace("S + S", "S + 2  # another file")]
    told = [
        Grader(kit, Workshop()).grade(submission(source)).exercises[0].checks[1].message for source in wrong
    ]

    assert told[0] == told[1] != ""


# Commands


@pytest.fixture
def run(tmp_path, monkeypatch):
    """Run a command in the small course's kit, with the course gone."""
    folder = released(small_course(tmp_path / "course"), tmp_path / "kit").top
    shutil.rmtree(tmp_path / "course")
    monkeypatch.chdir(folder)
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    return lambda *arguments: CliRunner().invoke(cli, list(arguments), prog_name="autograder")


def test_check_works_in_a_kit(run):
    Path("attention.py").write_text(RIGHT)
    ran = run("check")

    assert (ran.exit_code, ran.stderr) == (0, "")
    assert "7 of 7 marks" in ran.stdout


def test_check_gives_exit_code_1_in_a_kit_and_names_the_hint(run):
    Path("attention.py").write_text(INHERITS)
    ran = run("check", "double", "total")

    assert ran.exit_code == 1
    assert "seen at grading" in " ".join(ran.stdout.split())
    assert "autograder hint double" in ran.stdout


def test_list_hint_and_start_work_in_a_kit(run):
    listed, hinted, started = run("list"), run("hint", "double"), run("start", "again")

    assert (listed.exit_code, hinted.exit_code, started.exit_code) == (0, 0, 0)
    assert "0 of 7 marks" in listed.stdout
    assert "think of two" in hinted.stdout
    assert Path("again/attention.py").read_bytes() == Path("attention.py").read_bytes()


@pytest.mark.parametrize(
    "command", [("lint",), ("grade", ".", "--out", "r"), ("release", "other"), ("lint", "--mutants")]
)
def test_what_needs_the_references_says_so_in_a_kit(run, command):
    ran = run(*command)

    assert ran.exit_code == 2
    assert "is a student's kit, which holds no reference functions" in ran.stderr
    assert not Path("other").exists()


def test_a_kit_has_no_references_to_give(tmp_path):
    kit = released(small_course(tmp_path / "course"), tmp_path / "kit")

    assert kit.malrules() is None
    with pytest.raises(UsageError, match="this needs the course's own folder"):
        _ = kit.references
