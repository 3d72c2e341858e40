"""What the pages must name: the models that YAML is read into, and the fields of a result."""

import dataclasses
import json
import typing
from collections.abc import Iterator, Mapping
from typing import Any

from pydantic import BaseModel

from autograder.model import check, exercise, given, late, limits, result, submission
from tests.docs.pages import TOP

#: The section of a page that documents a model, its keys being the first column of a table.
WRITING = "docs/writing-exercises.md"
KINDS = "docs/check-kinds.md"
SECTIONS: Mapping[type[BaseModel], tuple[str, str]] = {
    exercise.Assignment: (WRITING, "The assignment"),
    limits.Limits: (WRITING, "Limits"),
    exercise.Feedback: (WRITING, "Feedback"),
    late.Late: (WRITING, "Late work"),
    exercise.Exercise: (WRITING, "An exercise"),
    exercise.Parameter: (WRITING, "A parameter"),
    exercise.Output: (WRITING, "An output"),
    exercise.Case: (WRITING, "A case"),
    check.Tolerance: (WRITING, "A tolerance"),
    exercise.Misconception: (WRITING, "A misconception"),
    exercise.AcceptedMutant: (WRITING, "An accepted mutant"),
    check.CheckBase: (KINDS, "Fields of every check"),
    check.ValueCheck: (KINDS, "value"),
    check.InvariantCheck: (KINDS, "invariant"),
    check.RelationCheck: (KINDS, "relation"),
    check.ArgumentsCheck: (KINDS, "leaves_arguments_alone"),
    check.SameAnswerCheck: (KINDS, "same_answer"),
    given.Normal: (KINDS, "normal"),
    given.Uniform: (KINDS, "uniform"),
    given.Integers: (KINDS, "integers"),
    given.Weights: (KINDS, "weights"),
    given.Constant: (KINDS, "constant"),
    given.SizeOf: (KINDS, "size"),
    given.IndexInto: (KINDS, "index"),
    given.FromReference: (KINDS, "reference"),
    given.FunctionOf: (KINDS, "function"),
}
#: Forms of a size: their one key each is in the table of sizes.
FORMS_OF_SIZES = (exercise.OneOf, exercise.Product)

#: The section of the result's page for each part of it, and for each object of its schema.
RESULT = "docs/result-format.md"
RESULT_PARTS: Mapping[str, str] = {
    "": "The result",
    "submission": "The submission",
    "origin": "The origin",
    "late": "Late work",
    "exercise": "An exercise",
    "check": "A check",
    "diagnosis": "A diagnosis",
    "file_report": "A file report",
    "excerpt": "An excerpt",
    "environment": "The environment",
}
_DATA: Mapping[str, type] = {
    "exercise": result.ExerciseResult,
    "check": result.CheckResult,
    "diagnosis": result.Diagnosis,
    "file_report": result.FileReport,
    "excerpt": result.Excerpt,
    "origin": submission.Origin,
    "late": result.Lateness,
}


def yaml_models() -> set[type[BaseModel]]:
    """Every model that a config or an exercise file may hold, found from the two that files are read into."""
    found: set[type[BaseModel]] = set()
    queue: list[type[BaseModel]] = [exercise.Assignment, exercise.Exercise]
    while queue:
        model = queue.pop()
        if model not in found:
            found.add(model)
            for name, hint in typing.get_type_hints(model, include_extras=True).items():
                if name in model.model_fields:
                    queue.extend(_models_in(hint))
    return found


def _models_in(hint: Any) -> Iterator[type[BaseModel]]:
    if isinstance(hint, type) and issubclass(hint, BaseModel):
        yield hint
    for part in typing.get_args(hint):
        yield from _models_in(part)


def keys_of(model: type[BaseModel]) -> list[str]:
    """The keys of a model that are its own section's: a check's without those that all checks have."""
    shared = set(check.CheckBase.model_fields) if issubclass(model, check.CheckBase) else set()
    shared = shared if model is not check.CheckBase else set()
    return [name for name in model.model_fields if name not in shared]


def result_schema() -> dict[str, Any]:
    """The JSON Schema of a result."""
    text = (TOP / "autograder/report/result.schema.json").read_text(encoding="utf-8")
    return typing.cast(dict[str, Any], json.loads(text))


def fields_in_schema(part: str) -> list[str]:
    """The fields of a part of a result by its schema."""
    schema = result_schema()
    return list((schema["$defs"][part] if part else schema)["properties"])


def fields_in_code(part: str) -> list[str] | None:
    """The fields of a part by its dataclass; None where what is written differs from what is held."""
    return [field.name for field in dataclasses.fields(_DATA[part])] if part in _DATA else None
