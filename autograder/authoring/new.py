"""A new exercise: its file from a commented template, a stub of its reference, its place in the config."""

from __future__ import annotations

import keyword
import re
from pathlib import Path

from autograder.errors import UsageError
from autograder.loading.assignment import Course

_ID = re.compile(r"[a-z][a-z0-9_]{0,39}")

#: The file of a new exercise. It loads as it stands; lint asks for everything marked TODO.
TEMPLATE = """\
# yaml-language-server: $schema=../exercise.schema.json
id: {id}
title: "TODO: what the exercise is about, in a few words"
# One line for the stub: what makes the function what it is.
idea: "TODO: the idea in one line"
# Markdown for the student: what is given, what is asked, in which order things are returned. Not how.
about: |
  TODO: the exercise.
function: {id}
# In the order of the signature. Sizes in shapes are names from `sizes` below, or whole numbers.
# A parameter that is no array has a kind: {{kind: integer, about: …}}; one with a default comes last.
parameters:
  X: {{shape: [n, d], about: "TODO: what X holds, one row for each …"}}
returns:
  Y: {{shape: [n, d], about: "TODO: what comes back"}}
# Earlier exercises that this one builds on: a mistake in them costs once.
uses: []
points: 1
# Drawn sizes are all distinct, so that a mixed-up axis shows: let the ranges differ. What a root is taken of
# should be no square: {{one_of: [2, 3, 5, 6, 7]}}.
sizes:
  n: [2, 5]
  d: [3, 7]
cases:
  # A case that a reader can follow by hand. With figures of a text: expect: {{Y: [[…]]}}, printed_digits: 2.
  by-hand:
    about: "TODO: what a reader recognises the case by"
    given: {{X: [[1.0, 2.0, 3.0], [4.0, 5.0, 7.0]]}}
  rectangle:
    about: "rows and columns as many as come, twice in the same sizes"
    given: {{X: {{normal: [n, d]}}}}
    draws: 2
    same_sizes: true
  # Results written into an array of the argument's type lose what is after the point.
  whole-numbers:
    about: "whole numbers"
    given: {{X: {{integers: [n, d]}}}}
  # Neither inputs nor expected values of a hidden case are ever shown.
  random:
    about: "other numbers in other sizes"
    given: {{X: {{normal: [n, d]}}}}
    draws: 3
    hidden: true
# Claims, worth marks by weight. Kinds: value, invariant, relation, leaves_arguments_alone, same_answer.
checks:
  - {{value: by-hand}}
  - {{value: rectangle}}
  - {{value: whole-numbers, weight: 0.5}}
  - {{value: random, weight: 3}}
  - {{invariant: finite, of: Y, weight: 0.25, about: "TODO: a property that every result must have"}}
  - {{leaves_arguments_alone: true, weight: 0.5, about: "X is the same after the call"}}
  - {{same_answer: twice, weight: 0.25, about: "the same arguments give the same answer"}}
# Wrong ideas, each with a function in the file of wrong functions that does what the idea leads to:
# misconceptions:
#   - code: {id}.columns
#     malrule: {id}_columns
#     text: "What the outputs show, and the idea behind it."
#     hint: "A question that leads away from it."
# From gentle to plain, never the solution.
hints:
  - "TODO: a question to begin with"
  - "TODO: where to look"
  - "TODO: what to compare"
"""

#: The reference of a new exercise.
STUB = '''

def {id}(X):
    """Return … TODO.

    X: (n, d). Returns Y: (n, d).
    """
    raise NotImplementedError("the reference of {id} is not written yet")
'''


def scaffold(course: Course, exercise_id: str) -> tuple[Path, ...]:
    """Add an exercise to a course that loads, and return the files written: its own, solutions, config.

    UsageError, with nothing written, if the name cannot be used.
    """
    _refuse_taken(course, exercise_id)
    solutions = course.top / course.assignment.solutions
    file = course.top / course.assignment.folder / f"{_next_number(course):02}_{exercise_id}.yaml"
    config = _listed(course, exercise_id)
    stub = _ended(course.references.content) + STUB.format(id=exercise_id).encode()
    file.write_text(TEMPLATE.format(id=exercise_id), encoding="utf-8", newline="\n")
    solutions.write_bytes(stub)
    course.config.path.write_bytes(config)
    return file, solutions, course.config.path


def _refuse_taken(course: Course, exercise_id: str) -> None:
    if not _ID.fullmatch(exercise_id) or keyword.iskeyword(exercise_id):
        raise UsageError(
            f"{exercise_id!r} cannot name an exercise",
            remedy="use small letters, digits and _, beginning with a letter, 40 at most, no word of Python",
        )
    for exercise in course.exercises:
        if exercise_id in (exercise.id, exercise.function):
            file = course.documents[exercise.id].file
            raise UsageError(f"there is an exercise {exercise_id!r} in {file}", remedy="choose another name")
    if exercise_id in vars(course.references.module):
        file = course.references.file
        raise UsageError(f"{file} has something named {exercise_id!r}", remedy="choose another name")


def _next_number(course: Course) -> int:
    """One more than the largest number of a file in the folder."""
    folder = course.top / course.assignment.folder
    numbers = [int(path.name[:2]) for path in folder.glob("[0-9][0-9]_*")]
    number = max(numbers, default=0) + 1
    if number > 99:
        raise UsageError("the files are numbered up to 99 already", remedy="begin a new folder")
    return number


def _ended(content: bytes) -> bytes:
    """The content with a line end at its end."""
    return content if content.endswith(b"\n") or not content else content + b"\n"


def _listed(course: Course, exercise_id: str) -> bytes:
    """The config with the exercise last in its list; everything else stays to the byte."""
    place = course.config.places.value(("exercises", len(course.assignment.exercises) - 1))
    lines = course.config.content.decode("utf-8").splitlines(keepends=True)
    number = (place.line or 1) - 1
    line = lines[number]
    # A byte order mark is no column.
    start = (place.column or 1) - 1 + line.startswith("\ufeff")
    before, end = line[:start], line[len(line.rstrip("\r\n")) :] or "\n"
    if before.rstrip().endswith("-"):
        lines[number] = f"{line.rstrip()}{end}{before}{exercise_id}{end}"
    else:
        name = re.match(r"""'[^']*'|"[^"]*"|[\w.-]+""", line[start:])
        after = start + (name.end() if name is not None else 0)
        lines[number] = f"{line[:after]}, {exercise_id}{line[after:]}"
    return "".join(lines).encode("utf-8")
