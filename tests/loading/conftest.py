"""A small course to spoil: two exercises, their references, a config."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

SCALE = """\
id: scale
title: Divide by the root
about: Markdown for the student.
function: scale
parameters:
  S: {shape: [n_q, n_k], about: scores}
  d_k: {kind: integer, about: the width}
returns:
  scaled: {shape: [n_q, n_k], about: scaled scores}
points: 2
sizes: {n_q: [2, 6], n_k: [2, 7]}
cases:
  drawn:
    given: {S: {normal: [n_q, n_k]}, d_k: 3}
    draws: 2
checks:
  - {value: drawn}
hints:
  - Look at the spread.
"""

SOFTMAX = """\
id: softmax
title: From scores to weights
about: Markdown for the student.
function: softmax
parameters:
  S: {shape: [n_q, n_k], about: scores}
returns:
  A: {shape: [n_q, n_k], about: weights}
uses: [scale]
points: 4
sizes: {n_q: [2, 6], n_k: [2, 7]}
cases:
  bank:
    given: {S: [[0.7071, 2.1213, 2.8284]]}
    expect: {A: [[0.07, 0.31, 0.62]]}
    printed_digits: 2
  random:
    given: {S: {normal: [n_q, n_k], std: 2}}
    draws: 3
    hidden: true
checks:
  - {value: bank}
  - {value: random, weight: 3}
  - {invariant: rows_sum_to_one, of: A}
  - {relation: unchanged_when_rows_shift, shift: S}
hints:
  - Look at one row.
"""

CONFIG = """\
name: small
title: A small course
folder: exercises/small
exercises: [scale, softmax]
points: {scale: 3}
solutions: solutions/small.py
malrules: solutions/small_malrules.py
seed: 7
due: 2026-12-01T23:59:00+01:00
"""

REFERENCES = """\
import numpy as np


def scale(S, d_k=4):
    return S / np.sqrt(d_k)


def softmax(S):
    e = np.exp(S - S.max(axis=1, keepdims=True))
    return e / e.sum(axis=1, keepdims=True)


def both(S, d_k):
    scaled = scale(S, d_k)
    return scaled, softmax(scaled)
"""

MALRULES = """\
from solutions.small import softmax


def softmax_columns(S):
    return softmax(S.T).T
"""


@pytest.fixture
def top(tmp_path: Path) -> Path:
    """A project's top with a valid course in it."""
    files = {
        "exercises/small/01_scale.yaml": SCALE,
        "exercises/small/02_softmax.yaml": SOFTMAX,
        "config/small.yaml": CONFIG,
        "solutions/small.py": REFERENCES,
        "solutions/small_malrules.py": MALRULES,
    }
    for name, text in files.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return tmp_path


@pytest.fixture
def spoil(top: Path) -> Callable[[str, str, str], Path]:
    """Replaces one piece of text, which must be there, in a file of the course."""

    def replace(file: str, old: str, new: str) -> Path:
        path = top / file
        text = path.read_text(encoding="utf-8")
        assert old in text
        path.write_text(text.replace(old, new, 1), encoding="utf-8")
        return path

    return replace
