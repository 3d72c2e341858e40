"""JSON Schemas of exercise files and configs, made from the models, for editors."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel

from autograder.model.exercise import Assignment, Exercise

DIALECT = "https://json-schema.org/draft/2020-12/schema"


def exercise_schema() -> dict[str, Any]:
    """The JSON Schema of an exercise file."""
    return _schema(Exercise, "Exercise", "One function to write: exercises/<set>/NN_<id>.yaml.")


def assignment_schema() -> dict[str, Any]:
    """The JSON Schema of a config."""
    return _schema(Assignment, "Assignment", "An ordered list of exercises: config/<name>.yaml.")


def _schema(model: type[BaseModel], title: str, description: str) -> dict[str, Any]:
    made = model.model_json_schema(mode="validation")
    made.update(title=title, description=description)
    return {"$schema": DIALECT, **_without_discriminators(made)}


def _without_discriminators(node: Any) -> Any:
    """Drop OpenAPI's `discriminator`, which JSON Schema does not know."""
    if isinstance(node, dict):
        kept = {key: value for key, value in node.items() if not (key == "discriminator" and "oneOf" in node)}
        return {key: _without_discriminators(value) for key, value in kept.items()}
    if isinstance(node, list):
        return [_without_discriminators(item) for item in node]
    return node
