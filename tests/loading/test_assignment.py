# ruff: noqa: E501 (the messages stand whole)
"""An assignment is its config with exercises and references, checked against each other."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from autograder.errors import ExerciseError, ExitCode, UsageError
from autograder.loading.assignment import find_top, load_assignment, missing_malrules

CONFIG = "config/small.yaml"
SCALE = "exercises/small/01_scale.yaml"
SOFTMAX = "exercises/small/02_softmax.yaml"

Spoil = Callable[[str, str, str], Path]


def complaints(top: Path) -> list[str]:
    with pytest.raises(ExerciseError) as caught:
        load_assignment(top)
    assert caught.value.exit_code == ExitCode.INVALID
    return str(caught.value).splitlines()


def test_a_course_has_its_exercises_in_the_configs_order_with_its_points(top: Path, spoil: Spoil) -> None:
    spoil(SOFTMAX, "uses: [scale]\n", "")
    spoil(CONFIG, "[scale, softmax]", "[softmax, scale]")

    course = load_assignment(top)

    assert [(exercise.id, exercise.points) for exercise in course.exercises] == [("softmax", 4), ("scale", 3)]
    assert course.assignment.seed == 7
    assert set(course.documents) == {"scale", "softmax"}


#: What it is: the file, the text, what takes its place, and all that is said.
SLIPS: dict[str, tuple[str, str, str, list[str]]] = {
    "an unknown key": (CONFIG, "seed: 7", "sede: 7", [
        f"{CONFIG}:8:1: unknown key 'sede'; did you mean 'seed'? Known: name, title, about, folder, exercises, points, solutions, malrules, file, seed, tolerance, limits, due, late, isolation, feedback, language",
    ]),
    "an unknown limit": (CONFIG, "seed: 7", "limits: {call_second: 1}", [
        f"{CONFIG}:8:10: limits: unknown key 'call_second'; did you mean 'call_seconds'? Known: call_seconds, load_seconds, submission_seconds, memory_mb, output_chars, deaths",
    ]),
    "negative points": (CONFIG, "{scale: 3}", "{scale: -3}", [
        f"{CONFIG}:5:17: points.scale: found -3, expected more than 0; write a larger number",
    ]),
    "points of an unknown exercise": (CONFIG, "{scale: 3}", "{sclae: 3}", [
        f"{CONFIG}:5:10: points: unknown exercise 'sclae'; did you mean 'scale'? Known: scale, softmax",
    ]),
    "no exercises": (CONFIG, "[scale, softmax]", "[]", [
        f"{CONFIG}:4:12: exercises: found an empty list, expected at least 1 entry; add what is missing",
    ]),
    "an unknown exercise": (CONFIG, "[scale, softmax]", "[scale, softmax, mixx]", [
        f"{CONFIG}:4:29: exercises[2]: unknown exercise 'mixx'; known: scale, softmax",
    ]),
    "an exercise listed twice": (CONFIG, "[scale, softmax]", "[scale, softmax, scale]", [
        f"{CONFIG}:4:29: exercises[2]: the exercise 'scale' is listed twice; remove one of them",
    ]),
    "an exercise left out": (CONFIG, "[scale, softmax]", "[softmax]", [
        f"{CONFIG}:4:1: exercises: {SCALE} is not in the list; add 'scale' to the list, or move the file away",
        f"{CONFIG}:5:10: points: unknown exercise 'scale'; known: softmax",
        f"{SOFTMAX}:9:8: uses[0]: unknown exercise 'scale'; known: none",
    ]),
    "a folder that is not there": (CONFIG, "exercises/small", "exercises/smal", [
        f"{CONFIG}:3:9: folder: there is no folder exercises/smal; create it, or mend the path; did you mean 'small'?",
    ]),
    "solutions that are not there": (CONFIG, "solutions/small.py", "solutions/smal.py", [
        f"{CONFIG}:6:12: solutions: there is no file solutions/smal.py; create it, or mend the path; did you mean 'small.py'?",
    ]),
    "malrules that are not there": (CONFIG, "solutions/small_malrules.py", "wrong/small.py", [
        f"{CONFIG}:7:11: malrules: there is no file wrong/small.py; create it, or mend the path; wrong/ is not there either",
    ]),
    "a path that leads out": (CONFIG, "solutions/small.py", "../small.py", [
        f"{CONFIG}:6:12: solutions: '../small.py' leads out of the project; write the path from the project's top",
    ]),
    "a due date without a zone": (CONFIG, "23:59:00+01:00", "23:59:00", [
        f"{CONFIG}:9:6: due: the time 2026-12-01T23:59:00 has no time zone; write 2026-12-01T23:59:00+00:00, or another offset",
    ]),
    "a due date that is none": (CONFIG, "2026-12-01T23:59:00+01:00", "next Monday", [
        f"{CONFIG}:9:6: due: found 'next Monday', expected a date and time; write it like 2026-03-01T23:59:00+01:00",
    ]),
    "a name that is not the file's": (CONFIG, "name: small", "name: large", [
        f"{CONFIG}:1:7: name: found 'large' in a file named small.yaml; rename the file to large.yaml, or mend the name",
    ]),
    "an unknown level of isolation": (CONFIG, "seed: 7", "isolation: sandbx", [
        f"{CONFIG}:8:12: isolation: found 'sandbx', expected one of auto, sandbox, no-open, portable; did you mean 'sandbox'?",
    ]),
    "a list where a mapping belongs": (CONFIG, "{scale: 3}", "[3, 4]", [
        f"{CONFIG}:5:9: points: found a list, expected a mapping; write `key: value`, one a line, or {{key: value}}",
    ]),
    "uses of an unknown exercise": (SOFTMAX, "[scale]", "[scael]", [
        f"{SOFTMAX}:9:8: uses[0]: unknown exercise 'scael'; did you mean 'scale'? Known: scale",
    ]),
    "uses of itself": (SOFTMAX, "[scale]", "[softmax]", [
        f"{SOFTMAX}:9:8: uses[0]: 'softmax' uses itself; remove it; `uses` names earlier exercises",
    ]),
    "uses of a later one": (CONFIG, "[scale, softmax]", "[softmax, scale]", [
        f"{SOFTMAX}:9:8: uses[0]: the exercise 'scale' comes later; put 'scale' before 'softmax' in the config, or remove it here",
    ]),
    "uses in a circle": (SCALE, "points: 2", "points: 2\nuses: [softmax]", [
        f"{SCALE}:11:8: uses[0]: the exercises use each other in a circle: scale → softmax → scale; remove one of these uses",
        f"{SOFTMAX}:9:8: uses[0]: the exercises use each other in a circle: softmax → scale → softmax; remove one of these uses",
    ]),
    "a function that has no reference": (SCALE, "function: scale", "function: scaling", [
        f"{SCALE}:4:11: function: solutions/small.py has no function 'scaling'; did you mean 'scale'? Otherwise define it there",
    ]),
    "a reference of a check that is not there": (SCALE, "value: drawn", "value: drawn, reference: slow", [
        f"{SCALE}:17:31: checks[0].reference: solutions/small.py has no function 'slow'; define it there, or mend the name",
    ]),
    "an input from a reference that is not there": (SOFTMAX, "{normal: [n_q, n_k], std: 2}", "{reference: scal, output: scaled}", [
        f"{SOFTMAX}:18:28: cases.random.given.S.reference: solutions/small.py has no function 'scal'; did you mean 'scale'? Otherwise define it there",
        f"{SOFTMAX}:19:12: cases.random.draws: 3 draws of a case that draws nothing; drop `draws`, or give a recipe such as {{normal: [n_q, n_k]}}",
        f"{SOFTMAX}:20:5: cases.random.hidden: a hidden case that draws nothing: its numbers could be copied; draw an input, or show the case",
    ]),
    "an output that a reference has not": (SCALE, "d_k: 3}", "d_k: {reference: softmax, output: a}}", [
        f"{SCALE}:14:72: cases.drawn.given.d_k.output: softmax has no output 'a'; did you mean 'A'? Known: A",
    ]),
    "an input of a reference that is not given": (SOFTMAX, "{S: [[0.7071, 2.1213, 2.8284]]}", "{S: {reference: scale, output: scaled}}", [
        f"{SOFTMAX}:14:28: cases.bank.given.S.reference: scale needs 'S', which this case does not give; give 'S' in this case",
        f"{SOFTMAX}:14:28: cases.bank.given.S.reference: scale needs 'd_k', which this case does not give; give 'd_k' in this case",
    ]),
    "references with a mistake in the syntax": ("solutions/small.py", "def both(S, d_k):", "def both(S, d_k)", [
        "solutions/small.py:13:17: no valid Python: expected ':'; mend the syntax here",
    ]),
    "references that do not load": ("solutions/small.py", "def both", "nothing = undefined\n\n\ndef both", [
        "solutions/small.py:13:1: loading stopped with NameError: name 'undefined' is not defined; mend this line; the file must load by itself",
    ]),
    "references that end the process": ("solutions/small.py", "def both", "raise SystemExit(3)\n\n\ndef both", [
        "solutions/small.py:13:1: loading stopped with SystemExit: 3; mend this line; the file must load by itself",
    ]),
}  # fmt: skip


@pytest.mark.parametrize(("file", "old", "new", "expected"), SLIPS.values(), ids=SLIPS)
def test_a_slip_is_told_with_place_and_remedy(
    top: Path, spoil: Spoil, file: str, old: str, new: str, expected: list[str]
) -> None:
    spoil(file, old, new)

    assert complaints(top) == expected


def test_problems_of_all_files_are_told_at_once(top: Path, spoil: Spoil) -> None:
    spoil(SCALE, "points: 2", "points: 0")
    spoil(SOFTMAX, "value: bank", "value: bnak")
    spoil(CONFIG, "{scale: 3}", "{mix: 3}")
    spoil("solutions/small.py", "import numpy", "import numpi")

    files = [line.partition(":")[0] for line in complaints(top)]

    assert files == [CONFIG, SCALE, SOFTMAX, "solutions/small.py"]


def test_an_exercise_file_that_is_no_yaml_is_told_once(top: Path, spoil: Spoil) -> None:
    spoil(SCALE, "id: scale", "id: [scale")

    [line] = complaints(top)

    assert line.startswith(f"{SCALE}:2:6: a comma or a closing bracket is missing")


def test_two_files_of_one_exercise_are_told(top: Path) -> None:
    shutil.copy(top / SCALE, top / "exercises/small/03_scale.yaml")

    assert complaints(top) == [
        f"{CONFIG}:4:1: exercises: two files define the exercise 'scale': exercises/small/03_scale.yaml is the second; rename or remove one of them"
    ]


def test_without_a_name_one_config_is_taken_and_several_are_listed(top: Path) -> None:
    shutil.copy(top / CONFIG, top / "config/winter.yaml")

    assert load_assignment(top, "small").assignment.name == "small"
    with pytest.raises(UsageError, match="there are 2 assignments: small, winter; name one of them"):
        load_assignment(top)
    with pytest.raises(
        UsageError, match=r"no assignment 'smal'; did you mean 'small'\? Known: small, winter"
    ):
        load_assignment(top, "smal")


def test_without_any_config_the_remedy_is_to_write_one(top: Path) -> None:
    (top / CONFIG).unlink()

    with pytest.raises(UsageError, match=r"config/ holds no assignment; write config/<name>\.yaml"):
        load_assignment(top)


def test_the_top_is_found_from_within_and_nowhere_else(top: Path) -> None:
    assert find_top(top / "exercises" / "small") == top.resolve()
    shutil.rmtree(top / "config")
    with pytest.raises(UsageError, match=r"holds config/ and exercises/"):
        find_top(top / "exercises" / "small")


def test_the_digest_changes_with_any_file_and_with_nothing_else(top: Path, spoil: Spoil) -> None:
    digests = [load_assignment(top).sha256]
    (top / "exercises/small/notes.txt").write_text("no part of it")
    assert load_assignment(top).sha256 == digests[0]

    for file, old, new in [
        (CONFIG, "seed: 7", "seed: 8"),
        (SCALE, "Look at", "See"),
        ("solutions/small.py", "import numpy", "import  numpy"),
        ("solutions/small_malrules.py", "from solutions", "from  solutions"),
    ]:
        spoil(file, old, new)
        digests.append(load_assignment(top).sha256)

    assert len(set(digests)) == 5


def test_an_exercise_is_found_by_id_or_number(top: Path) -> None:
    course = load_assignment(top)

    assert course.exercise("2") is course.exercise("softmax")
    with pytest.raises(UsageError, match="no exercise 'soft_max'; did you mean 'softmax'"):
        course.exercise("soft_max")


def test_a_misconception_without_its_wrong_function_is_told(top: Path, spoil: Spoil) -> None:
    line = "misconceptions:\n  - {code: softmax.columns, malrule: softmax_column, text: t}\nhints:"
    spoil(SOFTMAX, "hints:", line)
    course = load_assignment(top)
    malrules = course.malrules()
    assert malrules is not None

    assert [str(problem) for problem in missing_malrules(course, malrules)] == [
        f"{SOFTMAX}:27:38: misconceptions[0].malrule: solutions/small_malrules.py has no function 'softmax_column'; did you mean 'softmax_columns'? Known: softmax_columns"
    ]
    (wrong,) = malrules.call("softmax_columns", {"S": np.zeros((2, 4))})
    assert np.allclose(wrong.sum(axis=0), 1)


def test_the_projects_own_assignment_loads() -> None:
    top = Path(__file__).resolve().parents[2]

    course = load_assignment(top, "qkv")
    malrules = course.malrules()

    assert len(course.exercises) == 14
    assert malrules is not None
    assert missing_malrules(course, malrules) == ()
