"""The stubs and the JSON Schemas are made from the exercises and the models."""

from __future__ import annotations

import ast
from collections.abc import Callable
from pathlib import Path

import jsonschema
import pytest

from autograder.authoring.schema import assignment_schema, exercise_schema
from autograder.authoring.stubs import stub_file
from autograder.loading.assignment import Course, load_assignment

Spoil = Callable[[str, str, str], Path]

TOP = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def qkv() -> Course:
    return load_assignment(TOP, "qkv")


def functions(text: str) -> list[ast.FunctionDef]:
    return [node for node in ast.parse(text).body if isinstance(node, ast.FunctionDef)]


def test_a_stub_has_signature_idea_shapes_and_an_error(top: Path, spoil: Spoil) -> None:
    spoil(
        "exercises/small/01_scale.yaml",
        "function: scale",
        "idea: wide keys give large scores\nfunction: scale",
    )
    spoil("exercises/small/01_scale.yaml", "about: the width}", "about: the width, default: 4}")

    text = stub_file(load_assignment(top))

    assert (
        text.partition("\n\n\n")[2].partition("\n\n\n")[0]
        == '''\
def scale(S, d_k=4):
    """Divide by the root.

    Wide keys give large scores.

    Parameters:
        S: (n_q, n_k); scores
        d_k: a whole number; the width

    Returns:
        scaled: (n_q, n_k); scaled scores
    """
    raise NotImplementedError("exercise 1, scale: not begun")'''
    )


def test_every_exercise_has_its_stub_in_order(qkv: Course) -> None:
    text = stub_file(qkv)

    stubs = functions(text)
    assert [f"{stub.name}({ast.unparse(stub.args)})" for stub in stubs] == [
        ast.unparse(ast.parse(exercise.signature, mode="eval")).replace(" ", "").replace(",", ", ")
        for exercise in qkv.exercises
    ]
    for number, (stub, exercise) in enumerate(zip(stubs, qkv.exercises, strict=True), 1):
        documented = ast.get_docstring(stub) or ""
        assert all(f"{name}: " in documented for name in [*exercise.parameters, *exercise.returns])
        assert f"exercise {number}, {exercise.id}: not begun" in ast.unparse(stub)


def test_the_same_course_gives_the_same_stubs_in_short_lines(qkv: Course) -> None:
    text = stub_file(qkv)

    assert text == stub_file(load_assignment(TOP, "qkv"))
    assert max(map(len, text.splitlines())) <= 110
    assert text.endswith("\n")
    assert not any(line != line.rstrip() for line in text.splitlines())


def test_quotes_and_backslashes_in_a_text_do_not_break_the_stub(top: Path, spoil: Spoil) -> None:
    title = """From "scores" to \\nabla and '''weights''' in \\"\\"\\"quotes\\"\\"\\" """
    spoil("exercises/small/02_softmax.yaml", "title: From scores to weights", f"title: |\n  {title}")

    softmax = functions(stub_file(load_assignment(top)))[1]

    assert (ast.get_docstring(softmax) or "").startswith('From "scores" to \\nabla and')


def test_the_projects_files_are_valid_by_their_schemas(qkv: Course) -> None:
    exercises = jsonschema.Draft202012Validator(exercise_schema())

    for name, document in qkv.documents.items():
        assert [f"{name}: {error.message}" for error in exercises.iter_errors(document.data)] == []
    jsonschema.validate(qkv.config.data, assignment_schema())


@pytest.mark.parametrize("schema", [exercise_schema(), assignment_schema()], ids=["exercise", "assignment"])
def test_a_schema_is_one_of_draft_2020_12_with_title_and_descriptions(schema: dict[str, object]) -> None:
    jsonschema.Draft202012Validator.check_schema(schema)

    assert schema["$schema"] == "https://json-schema.org/draft/2020-12/schema"
    assert schema["title"] in ("Exercise", "Assignment")
    assert schema["description"]
    assert schema["additionalProperties"] is False


def test_a_slip_is_invalid_by_the_schema_too(qkv: Course) -> None:
    validator = jsonschema.Draft202012Validator(exercise_schema())
    data = dict(qkv.documents["softmax"].data)

    assert validator.is_valid(data)
    assert not validator.is_valid({**data, "pionts": 3})
    assert not validator.is_valid({**data, "checks": [{"invarient": "finite", "of": "A"}]})
    assert not validator.is_valid({**data, "points": -1})
