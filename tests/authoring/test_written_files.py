"""Files that are written from the exercises are in step with them, and an unsound assignment is refused."""

import shutil
from pathlib import Path

import pytest

from autograder.authoring.schema import exercise_schema
from autograder.authoring.soundness import refuse_unsound
from autograder.authoring.stubs import stub_file
from autograder.cli.schema import text_of
from autograder.errors import ExerciseError
from autograder.loading.assignment import load_assignment

TOP = Path(__file__).parents[2]


def test_the_stubs_are_those_that_the_exercises_give() -> None:
    written = (TOP / "exercises/qkv/attention.py").read_text(encoding="utf-8")

    assert written == stub_file(load_assignment(TOP, "qkv")), "write them again: make written"


def test_the_schema_is_the_one_that_the_models_give() -> None:
    written = (TOP / "exercises/exercise.schema.json").read_text(encoding="utf-8")

    assert written == text_of(exercise_schema()), "write it again: make written"


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """The real course in a folder of its own, to be spoilt."""
    for name in ("config", "exercises", "solutions"):
        shutil.copytree(TOP / name, tmp_path / name)
    return tmp_path


def test_the_real_assignment_is_sound(copy: Path) -> None:
    refuse_unsound(load_assignment(copy))


def test_an_assignment_whose_reference_fails_its_own_checks_is_refused_with_the_place(copy: Path) -> None:
    file = copy / "exercises/qkv/02_scale.yaml"
    file.write_text(file.read_text(encoding="utf-8").replace("0.71", "0.75", 1), encoding="utf-8")

    with pytest.raises(ExerciseError) as refused:
        refuse_unsound(load_assignment(copy))

    assert "exercises/qkv/02_scale.yaml:29:" in str(refused.value)
    assert "disagrees with the printed figures" in str(refused.value)


def test_a_misconception_without_its_wrong_function_is_refused(copy: Path) -> None:
    file = copy / "solutions/qkv_malrules.py"
    file.write_text(
        file.read_text(encoding="utf-8").replace("def scale_missing(", "def scale_gone("), encoding="utf-8"
    )

    with pytest.raises(ExerciseError, match="scale_missing"):
        refuse_unsound(load_assignment(copy))
