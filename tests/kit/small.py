"""A course of three small exercises with everything that a kit must leave behind, and its kit."""

from pathlib import Path

from autograder.authoring.release import make_kit, write_kit
from autograder.loading.assignment import Course, load_assignment

CONFIG = """\
name: mini
title: A small course
about: Three functions.
folder: exercises/mini
exercises: [double, total, spread]
points: {double: 5}
solutions: solutions/mini.py
malrules: solutions/mini_malrules.py
seed: 777123
due: "2030-01-02T03:04:05+00:00"
"""
DOUBLE = """\
# A remark of the author's.
id: double
title: Twice as much
about: |
  Double it.

  All of it.
function: double
parameters: {S: {shape: [n, m], about: numbers}}
returns: {D: {shape: [n, m], about: twice the numbers}}
points: 3
sizes: {n: [2, 3], m: [4, 5]}
cases:
  sealed: {about: "the sealed one", given: {S: {normal: [n, m], mean: 41.5}}, hidden: true}
  page: {given: {S: [[1.0, 2.5]]}, expect: {D: [[2.0, 5.0]]}, printed_digits: 1, about: "1e-9"}
  drawn: {given: {S: {normal: [n, m]}}, draws: 2}
  veiled: {given: {S: {uniform: [n, m], low: 17, high: 19}}, hidden: true}
checks:
  - {value: page}
  - {value: drawn, weight: 2}
  - {value: sealed}
  - {value: veiled, weight: 2, about: "what nobody sees"}
  - {invariant: finite, of: D, on: [page, veiled]}
  - {invariant: finite, of: D, on: veiled, id: finite-in-secret}
  - {relation: doubles_when_doubled, double: S}
  - {relation: doubles_when_doubled, double: S, on: veiled, id: doubles-in-secret}
  - {leaves_arguments_alone: true}
  - {same_answer: twice}
  - {same_answer: twice, on: page, id: again}
misconceptions:
  - {code: double.squares, malrule: double_squares, text: "Each number is squared.", hint: "Is 3 doubled 9?"}
hints: [think of two, "no", "1e-9", multiply]
equivalent_mutants:
  - {mutant: double/nothing/1, reason: "it is the same"}
"""
TOTAL = """\
id: total
title: All together
about: Add it up.
function: total
parameters: {S: {shape: [n, m], about: numbers}, scale: {kind: integer, default: 1, about: a factor}}
returns: {t: {about: the sum}}
uses: [double]
points: 1
sizes: {n: [2, 3], m: [4, 5]}
cases:
  plain: {given: {S: [[1.0, 2.5]]}}
  tripled: {given: {S: {normal: [n, m], mean: 23.25}, scale: 3}, hidden: true}
checks:
  - {value: plain}
  - {value: plain, id: other-way, reference: total_by_rows}
  - {value: tripled}
hints: [add]
"""
SPREAD = """\
id: spread
title: How wide
about: The largest less the smallest of what f gives.
function: spread
parameters: {f: {kind: function, about: a function}, S: {shape: [n, m], about: numbers}}
returns: {w: {about: the spread}}
points: 1
sizes: {n: [2, 3], m: [4, 5]}
cases:
  sines: {given: {S: {normal: [n, m]}, f: {function: sines, of: S}}}
checks:
  - {value: sines}
hints: [largest and smallest]
"""
SOLUTIONS = """\
import numpy as np


def double(S):
    twofold_of_everything = 2 * S
    return twofold_of_everything


def total(S, scale=1):
    return double(S).sum() * scale


def total_by_rows(S, scale=1):
    return (2 * S).sum(axis=1).sum() * scale


def spread(f, S):
    return f(S) - np.float64(1.5)
"""
MALRULES = """\
def double_squares(S):
    return S**2
"""
RIGHT = """\
def double(S):
    return S + S


def total(S, scale=1):
    return double(S).sum() * scale


def spread(f, S):
    return f(S) - 1.5
"""
#: The number that is wrong in `double` is what `total` inherits.
INHERITS = RIGHT.replace("S + S", "S + 2")

FILES = {
    "config/mini.yaml": CONFIG,
    "exercises/mini/01_double.yaml": DOUBLE,
    "exercises/mini/02_total.yaml": TOTAL,
    "exercises/mini/03_spread.yaml": SPREAD,
    "solutions/mini.py": SOLUTIONS,
    "solutions/mini_malrules.py": MALRULES,
}


def small_course(top: Path, **changed: str) -> Course:
    """Write the small course into a folder and load it; `changed` are other texts of exercises by id."""
    for name, text in FILES.items():
        (top / name).parent.mkdir(parents=True, exist_ok=True)
        (top / name).write_text(changed.get(Path(name).stem.lstrip("0123_"), text), encoding="utf-8")
    return load_assignment(top)


def released(course: Course, folder: Path) -> Course:
    """Release a course into a folder, and load it there as a student does."""
    write_kit(course, folder, make_kit(course))
    return load_assignment(folder)
