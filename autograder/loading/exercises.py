"""Exercise files: YAML to exercises, with every problem of a file told at once."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from autograder.errors import ExerciseError, Problem
from autograder.loading.consistency import Parts, inconsistencies
from autograder.loading.findings import Finding, sorted_problems
from autograder.loading.validation import validate
from autograder.loading.yaml_strict import Document, read_document, shown_path
from autograder.model.exercise import Exercise


@dataclass(frozen=True)
class ExerciseFile:
    """What one file came to: its exercise if valid, its document if it is YAML, and its problems."""

    file: str
    exercise: Exercise | None
    document: Document | None
    problems: tuple[Problem, ...]

    @property
    def id(self) -> str | None:
        """The exercise's id, as far as it can be made out."""
        if self.exercise is not None:
            return self.exercise.id
        named = re.fullmatch(r"\d\d_(\w+)\.yaml", Path(self.file).name)
        data = self.document.data if self.document is not None else None
        said = data.get("id") if isinstance(data, dict) else None
        return said if isinstance(said, str) else named[1] if named else None


def load_exercise(path: Path, top: Path) -> Exercise:
    """The exercise that a file defines; ExerciseError with all its problems if it is not valid."""
    read = read_exercise(path, top)
    if read.exercise is None or read.problems:
        raise ExerciseError(read.problems)
    return read.exercise


def read_exercise(path: Path, top: Path) -> ExerciseFile:
    """Read an exercise file as far as that goes; never raises for what the file says."""
    file = shown_path(path, top)
    try:
        document = read_document(path, top)
    except ExerciseError as error:
        return ExerciseFile(file, None, None, error.problems)
    exercise, findings = validate(Exercise, document)
    parts = Parts.of(exercise) if exercise is not None else Parts.rescued(document.data)
    findings += [*inconsistencies(parts), *_file_name(path, document)]
    problems = sorted_problems([*document.problems, *(finding.problem(document) for finding in findings)])
    return ExerciseFile(file, exercise, document, problems)


def _file_name(path: Path, document: Document) -> list[Finding]:
    name = document.data.get("id") if isinstance(document.data, dict) else None
    if not isinstance(name, str) or not re.fullmatch(r"[a-z][a-z0-9_]*", name):
        return []  # that is told already
    if re.fullmatch(rf"\d\d_{name}\.yaml", path.name):
        return []
    number = path.name[:2] if path.name[:2].isdigit() else "01"
    remedy = f"rename the file to {number}_{name}.yaml, or mend the id"
    return [Finding(("id",), f"found {name!r} in a file named {path.name}", remedy)]
