"""`autograder start` never loses a student's work; `autograder hint` goes on where it stopped."""

from pathlib import Path

import pytest

from autograder.cli.hint import ShownHints
from tests.cli.small_course import Run


def test_start_writes_the_stubs_and_says_what_is_next(run: Run, course: Path) -> None:
    ran = run("start", "mine")

    assert ran.exit_code == 0
    assert "def double(S)" in (course / "mine/attention.py").read_text()
    assert ran.stdout == (
        "wrote mine/attention.py: 2 functions to write\n"
        "next: write double, then `autograder check mine/attention.py double`\n"
    )


def test_the_stubs_as_shipped_are_not_begun(run: Run, course: Path) -> None:
    run("start")
    ran = run("check")

    assert ran.exit_code == 1
    assert ran.stdout.count("– not begun") == 2
    assert "next             write double in attention.py" in ran.stdout


def test_start_leaves_a_file_alone_that_is_there(run: Run, course: Path) -> None:
    (course / "attention.py").write_text("my work")
    ran = run("start")

    assert (ran.exit_code, ran.stdout) == (2, "")
    assert "attention.py is there already; --force" in ran.stderr
    assert (course / "attention.py").read_text() == "my work"


def test_start_with_force_keeps_every_file_that_it_replaces(run: Run, course: Path) -> None:
    for work in ("first", "second"):
        (course / "attention.py").write_text(work)
        assert run("start", "--force").exit_code == 0

    assert (course / "attention.py.bak").read_text() == "first"
    assert (course / "attention.py.bak2").read_text() == "second"
    assert "def double(S)" in (course / "attention.py").read_text()


def test_start_in_a_place_that_cannot_be_written_is_a_misuse(run: Run, course: Path) -> None:
    ran = run("start", "config/mini.yaml")

    assert ran.exit_code == 2
    assert "cannot be written" in ran.stderr


def test_hints_come_one_by_one_and_stay_at_the_last(run: Run) -> None:
    shown = [run("hint", "double").stdout.splitlines() for _ in range(4)]

    assert shown[0] == ["double, hint 1 of 3", "  think of two"]
    assert shown[1] == ["double, hint 2 of 3", "  first add", "", "        S + S", "", "  then stop"]
    assert shown[2] == shown[3] == ["double, hint 3 of 3", "  multiply"]


def test_hints_of_one_exercise_do_not_use_up_those_of_another(run: Run) -> None:
    run("hint", "double")

    assert "hint 1 of 1" in run("hint", "total").stdout


def test_reset_begins_with_the_first_hint_again(run: Run) -> None:
    run("hint", "double")
    run("hint", "double")

    assert "hint 1 of 3" in run("hint", "double", "--reset").stdout
    assert "hint 2 of 3" in run("hint", "double").stdout


def test_all_hints_can_be_had_at_once(run: Run) -> None:
    ran = run("hint", "double", "--all")

    assert [line for line in ran.stdout.splitlines() if line.startswith("double")] == [
        "double, hint 1 of 3",
        "double, hint 2 of 3",
        "double, hint 3 of 3",
    ]


def test_where_nothing_can_be_remembered_the_first_hint_comes_and_a_way_to_the_others(
    run: Run, tmp_path: Path
) -> None:
    (tmp_path / "state").write_text("a file in the folder's place")

    ran = run("hint", "double")
    assert (ran.exit_code, ran.stdout) == (0, "double, hint 1 of 3\n  think of two\n")
    assert "--all shows them all" in ran.stderr


@pytest.mark.parametrize("damage", ["", "{", "[1]", '{"key": "x"}', '{"key": -3}', "\x00", '{"key": null}'])
def test_a_damaged_memory_counts_as_none(damage: str, tmp_path: Path) -> None:
    (tmp_path / "hints.json").write_text(damage)
    shown = ShownHints("key", tmp_path)

    assert shown.count() == 0
    assert shown.remember(2)
    assert shown.count() == 2


REAL_COURSE = str(Path(__file__).parents[2])


def test_the_ladder_begins_with_the_hint_that_fits_the_mistake_in_the_file(run: Run, course: Path) -> None:
    columns = Path(REAL_COURSE, "tests/submissions/softmax_columns.py").read_bytes()
    (course / "columns.py").write_bytes(columns)

    with_file = run("hint", "softmax", "-C", REAL_COURSE, "--file", "columns.py")
    without = run("hint", "softmax", "-C", REAL_COURSE)

    assert with_file.stdout.startswith("softmax, hint 1 of 5\n  Which sums are 1 here")
    assert without.stdout.startswith("softmax, hint 1 of 4\n  Each row becomes a distribution")
