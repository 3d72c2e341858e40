"""A course of two small exercises, and the command line as a process of its own."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TypeAlias

from click.testing import Result

TOP = Path(__file__).parents[2]

CONFIG = """\
name: mini
title: A small course
folder: exercises/mini
exercises: [double, total]
solutions: solutions/mini.py
seed: 1
"""
DOUBLE = """\
id: double
title: Twice as much
about: Double it.
function: double
parameters: {S: {shape: [n, m], about: numbers}}
returns: {D: {shape: [n, m], about: twice the numbers}}
points: 3
sizes: {n: [2, 3], m: [4, 5]}
cases:
  page: {given: {S: [[1.0, 2.5]]}, expect: {D: [[2.0, 5.0]]}, printed_digits: 1}
  random: {given: {S: {normal: [n, m]}}, hidden: true}
checks:
  - {value: page}
  - {value: random, weight: 2}
hints: [think of two, "first add\\n\\n    S + S\\n\\nthen stop", multiply]
"""
TOTAL = """\
id: total
title: All together
about: Add it up.
function: total
parameters: {S: {shape: [n, m], about: numbers}}
returns: {t: {about: the sum}}
points: 1
sizes: {n: [2, 3], m: [4, 5]}
cases:
  plain: {given: {S: [[1.0, 2.5]]}}
checks:
  - {value: plain}
hints: [add]
"""
SOLUTIONS = """\
def double(S):
    return 2 * S


def total(S):
    return S.sum()
"""

#: Runs the command line in this process, in the course's folder.
Run: TypeAlias = Callable[..., Result]

RIGHT = "def double(S):\n    return S + S\n\n\ndef total(S):\n    return S.sum()\n"


def write_course(top: Path) -> None:
    """Write the small course into a folder."""
    files = {
        "config/mini.yaml": CONFIG,
        "exercises/mini/01_double.yaml": DOUBLE,
        "exercises/mini/02_total.yaml": TOTAL,
        "solutions/mini.py": SOLUTIONS,
    }
    for name, text in files.items():
        (top / name).parent.mkdir(parents=True, exist_ok=True)
        (top / name).write_text(text, encoding="utf-8")


def make_the_reference_fail(top: Path) -> None:
    """Make the reference of `double` raise on every input: the author's fault, no submission's."""
    path = top / "solutions/mini.py"
    path.write_text(path.read_text().replace("return 2 * S", "raise RuntimeError('the reference is ill')"))


def in_process(
    *arguments: str, folder: Path, env: dict[str, str] | None = None
) -> subprocess.CompletedProcess[bytes]:
    """Run the command line as a process of its own in a folder."""
    kept = {name: value for name, value in os.environ.items() if name not in ("COLUMNS", "NO_COLOR")}
    return subprocess.run(
        [sys.executable, "-m", "autograder", *arguments],
        cwd=folder,
        env=kept | {"PYTHONPATH": str(TOP), "PYTHONUTF8": "1"} | (env or {}),
        capture_output=True,
        check=False,
        timeout=60,
    )
