"""Mutants: one change each, sure to end; survivors are named, and accepted with a reason alone."""

from __future__ import annotations

from typing import Any

import pytest

from autograder.authoring.bench import Bench, EndlessError
from autograder.authoring.mutants import Mutant, build, mutants
from autograder.authoring.survivors import survey

CENTRE = "exercises/tiny/01_centre.yaml"
SOLUTIONS = "solutions/tiny.py"


def mutants_of(tiny: Any, function: str, body: str) -> dict[str, Mutant]:
    """The mutants of a function with that body, by the changed line; it takes the place of `centre`."""
    text = f"import numpy as np\n\n\ndef centre(X):\n    {body}\n\n\ndef shrink(X, d_k):\n    return X, X\n"
    (tiny.top / SOLUTIONS).write_text(text)
    found = mutants(tiny.course().references, function, 1, ["centre", "shrink"])
    return {mutant.after: mutant for mutant in found}


@pytest.mark.parametrize(
    ("body", "changed"),
    [
        (
            "return X @ X.T",
            ["return X @ X", "return X.T @ X", "return X * X.T", "return -(X @ X.T)", "return X"],
        ),
        ("return X @ X.T", ["return 0 * (X @ X.T)", "return 0 * (X @ X.T) + 1"]),
        ("return np.transpose(X)", ["return X"]),
        ("return X.transpose(1, 0)", ["return X", "return X.transpose(0, 1)", "return X.transpose(1, 1)"]),
        (
            "return np.sum(X, axis=1, keepdims=True)",
            [
                "return np.sum(X, axis=0, keepdims=True)",
                "return np.sum(X, keepdims=True)",
                "return np.sum(X, axis=1)",
                "return np.mean(X, axis=1, keepdims=True)",
                "return np.sum(X, axis=1, keepdims=False)",
            ],
        ),
        ("return np.sqrt(X) + 1", ["return X + 1", "return np.sqrt(X) - 1", "return np.sqrt(X)", "return 1"]),
        ("return np.sqrt(X) + 1", ["return np.sqrt(X) + 2", "return np.sqrt(X) + 0"]),
        ("return X / 0.5", ["return X / 1.5", "return X / 5.0", "return 0.5 / X"]),
        ("return X[1:3]", ["return X[:3]", "return X[1:]", "return X[2:3]", "return X[1:2]", "return X"]),
        ("return X if len(X) < 3 else -X", ["return X if len(X) <= 3 else -X", "return X", "return -X"]),
        ("return np.where(X == 0 or X == 1, X, 0)", ["return np.where(X == 0 and X == 1, X, 0)"]),
        ("X += 1; return X", ["pass", "X -= 1"]),
    ],
)
def test_the_usual_slips_are_among_the_mutants(tiny: Any, body: str, changed: list[str]) -> None:
    found = mutants_of(tiny, "centre", body)

    assert set(changed) <= found.keys(), sorted(found)


def test_the_outputs_of_a_tuple_are_swapped_and_changed_one_by_one(tiny: Any) -> None:
    course = tiny.course()

    lines = {mutant.after for mutant in mutants(course.references, "shrink", 2, ["centre", "shrink"])}

    assert {
        "return (_squares(Y), Y)",
        "return (-Y, _squares(Y))",
        "return (Y, 0 * _squares(Y))",
        "return (X, _squares(Y))",
        "Y = centre(d_k) / np.sqrt(d_k)",
        "Y = X / np.sqrt(d_k)",
        "Y = centre(X) / d_k",
    } <= lines


def test_a_helper_that_is_no_exercise_is_changed_too_and_another_exercise_is_not(tiny: Any) -> None:
    course = tiny.course()

    found = list(mutants(course.references, "shrink", 2, ["centre", "shrink"]))

    assert {mutant.id.partition("/")[0] for mutant in found} == {"shrink", "_squares"}
    helper = next(mutant for mutant in found if mutant.after == "return np.sum(Y * 2, axis=1)")
    assert (helper.place.line, helper.place.column) == tiny.where(SOLUTIONS, "Y**2")


def test_no_two_mutants_of_a_function_are_the_same(tiny: Any) -> None:
    found = mutants_of(tiny, "centre", "return X @ X.T")
    again = list(mutants(tiny.course().references, "centre", 1, ["centre", "shrink"]))

    assert len(found) == len(again)
    assert len({mutant.id for mutant in again}) == len(again)


def test_a_mutant_that_would_loop_for_ever_is_stopped(tiny: Any) -> None:
    body = "i = 0\n    while i < 3:\n        i += 1\n    return X * i"
    mutant = mutants_of(tiny, "centre", body)["pass"]

    with pytest.raises(EndlessError):
        build(mutant, tiny.course().references, "centre")(1)


def test_a_mutant_that_counts_the_wrong_way_is_stopped_and_killed(tiny: Any) -> None:
    tiny.replace(
        SOLUTIONS,
        "    mean = np.mean(X, axis=1, keepdims=True)\n",
        "    mean = np.mean(X, axis=1, keepdims=True)\n    i = 0\n    while i < 1:\n        i += 1\n",
    )
    course = tiny.course()

    fates = survey([Bench.draw(course, course.exercise("centre"), 0)]).fates

    endless = next(fate for fate in fates if fate.mutant.after == "i -= 1")
    assert endless.killed


def test_what_is_raised_at_wrong_use_is_not_changed(tiny: Any) -> None:
    body = "if len(X) > 9:\n        raise ValueError(f'{len(X)} rows, {len(X) - 9} too many')\n    return X"

    assert not any("raise" in line for line in mutants_of(tiny, "centre", body))


def test_a_mutant_that_passes_every_check_is_an_error_at_its_line(tiny: Any) -> None:
    for line in ("  - {value: random, weight: 3}\n", "  - {value: square}\n"):
        tiny.replace(CENTRE, line, "")
    tiny.replace(CENTRE, "given: {X: [[1.0, 2.0, 4.0], [0.0, 0.5, 1.0]]}", "given: {X: [[1.0, 2.0, 4.0]]}")
    tiny.replace(CENTRE, ", null]}", "]}")
    tiny.replace(CENTRE, "{invariant: rows_sum_to_zero,", "{invariant: rows_sum_to_zero, on: by-hand,")

    report = tiny.lint(mutants=True, only=["centre"])

    found = [finding for finding in report.errors if finding.rule == "mutant"]
    line = "for `mean = np.mean(X, axis=1, keepdims=True)`"
    assert {
        f"a mutant survives (axis dropped): `mean = np.mean(X, keepdims=True)` {line}",
        f"a mutant survives (keepdims dropped): `mean = np.mean(X, axis=1)` {line}",
    } <= {finding.message for finding in found}
    assert {(finding.place.file, finding.place.line) for finding in found} == {(SOLUTIONS, 8)}
    assert "accept this line or centre/axis-dropped/1 under `equivalent_mutants`" in found[0].remedy


def hold_an_idle_call(tiny: Any) -> None:
    """Let the reference hold something whose changes no check can see."""
    tiny.replace(SOLUTIONS, "    return X - mean\n", "    return X - mean * abs(1)\n")


def test_a_mutant_that_changes_nothing_is_accepted_by_its_line_or_its_id_with_a_reason(tiny: Any) -> None:
    hold_an_idle_call(tiny)
    survivors = [finding for finding in tiny.lint(mutants=True).findings if finding.rule == "mutant"]
    assert len(survivors) == 3, "\n".join(map(str, survivors))

    listed = (
        'equivalent_mutants:\n  - {mutant: "return X - mean * 1", reason: same}\n'
        '  - {mutant: "return X - mean / abs(1)", reason: same}\n'
        "  - {mutant: centre/term-dropped/3, reason: same}\n"
    )
    tiny.replace(CENTRE, "hints:", listed + "hints:")
    report = tiny.lint(mutants=True)

    assert [finding for finding in report.findings if finding.rule == "mutant"] == []
    exercise, made, killed, accepted, surviving = report.tables[1].rows[0]
    assert (exercise, accepted, surviving) == ("centre", "3", "0")
    assert int(killed) == int(made) - 3


@pytest.mark.parametrize(
    ("named", "message"),
    [
        ("return mean - X", "the accepted mutant 'return mean - X' is killed, by by-hand"),
        ("return nothing", "there is no mutant 'return nothing'"),
    ],
)
def test_an_accepted_mutant_that_is_killed_or_does_not_exist_is_an_error(
    tiny: Any, named: str, message: str
) -> None:
    listed = f'equivalent_mutants:\n  - {{mutant: "{named}", reason: none}}\n'
    tiny.replace(CENTRE, "hints:", listed + "hints:")

    finding = tiny.only_finding(mutants=True)

    assert (finding.severity, finding.message) == ("error", message)
    assert finding.remedy.startswith("drop it")
    assert (finding.place.line, finding.place.column) == tiny.where(CENTRE, f'"{named}"')


def test_without_being_asked_lint_makes_no_mutants(tiny: Any) -> None:
    hold_an_idle_call(tiny)

    report = tiny.lint()

    assert report.findings == ()
    assert [table.title for table in report.tables] == ["Exercises"]
