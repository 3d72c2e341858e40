"""`autograder schema`: the JSON Schema of an exercise file or a config, for editors."""

from __future__ import annotations

import json
from typing import Any

import click


@click.command("schema", short_help="The JSON Schema of an exercise file, for editors.")
@click.argument("kind", type=click.Choice(["exercise", "assignment"]), default="exercise")
def command(kind: str) -> None:
    """Print the JSON Schema of an exercise file (the default), or of an assignment's config."""
    from autograder.authoring.schema import assignment_schema, exercise_schema
    from autograder.cli.screen import out_utf8

    out_utf8(text_of(exercise_schema() if kind == "exercise" else assignment_schema()))


def text_of(schema: dict[str, Any]) -> str:
    """A schema as the text of its file."""
    return json.dumps(schema, ensure_ascii=False, indent=2) + "\n"
