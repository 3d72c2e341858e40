"""A small course that lint finds nothing in, and the means to spoil it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from autograder.authoring.findings import Finding, LintReport
from autograder.authoring.lint import lint
from autograder.loading.assignment import Course, load_assignment

CENTRE = """\
# yaml-language-server: $schema=../exercise.schema.json
id: centre
title: Take the mean off every row
idea: every row ends up with mean 0
about: Take the mean of every row off that row.
function: centre
parameters:
  X: {shape: [n, d], about: numbers}
returns:
  Y: {shape: [n, d], about: centred numbers}
points: 2
sizes: {n: [2, 4], d: [5, 7]}
cases:
  by-hand:
    about: two short rows
    given: {X: [[1.0, 2.0, 4.0], [0.0, 0.5, 1.0]]}
    expect: {Y: [[-1.33, -0.33, 1.67], null]}
    printed_digits: 2
  square:
    about: as many rows as columns
    given: {X: {normal: [4, 4]}}
  random:
    about: other numbers
    given: {X: {normal: [n, d]}}
    draws: 3
    hidden: true
checks:
  - {value: by-hand}
  - {value: square}
  - {value: random, weight: 3}
  - {invariant: rows_sum_to_zero, of: Y, weight: 0.5, about: every row sums to 0}
  - {leaves_arguments_alone: true, weight: 0.25, about: X is the same after the call}
misconceptions:
  - {code: centre.columns, malrule: centre_columns, text: Columns are centred., hint: Which way?}
  - {code: centre.whole, malrule: centre_whole, text: One mean for all., hint: How many means?}
hints: [Add up a row., Which axis?, Print the shape of the mean.]
"""

SHRINK = """\
# yaml-language-server: $schema=../exercise.schema.json
id: shrink
title: Divide the centred rows
idea: the spread loses the width
about: Centre the rows, divide by the root of d_k, and sum the squares.
function: shrink
parameters:
  X: {shape: [n, d], about: numbers}
  d_k: {kind: integer, about: a width}
returns:
  Y: {shape: [n, d], about: small numbers}
  T: {shape: [n], about: sums of squares}
uses: [centre]
points: 3
sizes:
  n: [2, 4]
  d: [5, 7]
  d_k: {one_of: [2, 3]}
cases:
  rectangle:
    about: some numbers
    given: {X: {normal: [n, d], std: 2}, d_k: {size: d_k}}
    draws: 2
  random:
    about: other numbers
    given: {X: {normal: [n, d], std: 2}, d_k: {size: d_k}}
    draws: 2
    hidden: true
checks:
  - {value: rectangle}
  - {value: random, weight: 2}
  - {relation: unchanged_when_rows_shift, shift: X, of: Y, weight: 0.5, about: a constant changes nothing}
misconceptions:
  - {code: shrink.by_width, malrule: shrink_by_width, text: No root is taken., hint: The root?}
hints: [Centre first., Take the root., Square and sum.]
"""

SOLUTIONS = '''\
"""The references."""

import numpy as np


def centre(X):
    """Return every row without its mean."""
    mean = np.mean(X, axis=1, keepdims=True)
    return X - mean


def shrink(X, d_k):
    """Return small rows and the sums of their squares."""
    Y = centre(X) / np.sqrt(d_k)
    return Y, _squares(Y)


def _squares(Y):
    return np.sum(Y**2, axis=1)
'''

MALRULES = '''\
"""The wrong functions."""

import numpy as np

from solutions.tiny import centre


def centre_columns(X):
    return X - np.mean(X, axis=0)


def centre_whole(X):
    return X - np.mean(X)


def shrink_by_width(X, d_k):
    Y = centre(X) / d_k
    return Y, np.sum(Y**2, axis=1)
'''

CONFIG = """\
name: tiny
title: A tiny course
folder: exercises/tiny
exercises:
  - centre  # the first
  - shrink
solutions: solutions/tiny.py
malrules: solutions/tiny_malrules.py
seed: 1
"""

FILES = {
    "config/tiny.yaml": CONFIG,
    "exercises/exercise.schema.json": "{}",
    "exercises/tiny/01_centre.yaml": CENTRE,
    "exercises/tiny/02_shrink.yaml": SHRINK,
    "solutions/tiny.py": SOLUTIONS,
    "solutions/tiny_malrules.py": MALRULES,
}


@dataclass(frozen=True)
class Tiny:
    """The small course in a folder of its own."""

    top: Path

    def replace(self, file: str, old: str, new: str) -> tuple[int, int]:
        """Put one text in another's place, once, and return the line and column where it begins."""
        path = self.top / file
        text = path.read_text(encoding="utf-8")
        assert text.count(old) == 1, f"{old!r} occurs {text.count(old)} times"
        path.write_text(text.replace(old, new), encoding="utf-8")
        return position(text, text.index(old))

    def where(self, file: str, text: str) -> tuple[int, int]:
        """Line and column of a text that occurs once."""
        content = (self.top / file).read_text(encoding="utf-8")
        assert content.count(text) == 1, f"{text!r} occurs {content.count(text)} times"
        return position(content, content.index(text))

    def course(self) -> Course:
        """The course as it stands."""
        return load_assignment(self.top)

    def lint(self, **options: Any) -> LintReport:
        """Lint it on a few seeds."""
        return lint(self.course(), seeds=options.pop("seeds", 3), **options)

    def only_finding(self, **options: Any) -> Finding:
        """The one finding that there is."""
        findings = self.lint(**options).findings
        assert len(findings) == 1, "\n".join(map(str, findings)) or "no finding"
        return findings[0]


def position(text: str, index: int) -> tuple[int, int]:
    """Line and column of an index, from 1."""
    before = text[:index]
    return before.count("\n") + 1, index - (before.rfind("\n") + 1) + 1


@pytest.fixture
def tiny(tmp_path: Path) -> Tiny:
    """The small course, freshly written."""
    for file, content in FILES.items():
        path = tmp_path / file
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content, encoding="utf-8")
    return Tiny(tmp_path)
