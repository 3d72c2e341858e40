"""`autograder lint` tells every finding with its place and exits by what must be mended."""

from pathlib import Path

from tests.cli.small_course import Run


def test_a_finding_that_must_be_mended_gives_exit_code_3(run: Run, course: Path) -> None:
    path = course / "exercises/mini/01_double.yaml"
    path.write_text(path.read_text().replace("[[2.0, 5.0]]", "[[2.0, 5.5]]"))
    ran = run("lint", "--seeds", "2")

    assert ran.exit_code == 3
    errors = [line for line in ran.stdout.splitlines() if ": error: " in line]
    assert any(line.startswith("exercises/mini/01_double.yaml:") for line in errors)


def test_only_the_exercises_named_are_examined(run: Run) -> None:
    ran = run("lint", "total", "--seeds", "2")

    assert "1 exercise: " in ran.stdout
    assert "01_double.yaml" not in ran.stdout
    assert any(line.startswith("total ") for line in ran.stdout.splitlines())


def test_an_unknown_exercise_is_a_misuse(run: Run) -> None:
    ran = run("lint", "totl")

    assert ran.exit_code == 2
    assert "did you mean 'total'?" in ran.stderr
