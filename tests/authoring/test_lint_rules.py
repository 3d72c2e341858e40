"""Each rule of lint fires on a small course spoiled in one way: at its place, with its remedy, alone."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from autograder.authoring import stock_answers
from autograder.authoring.lint import lint
from autograder.checks.invariants import INVARIANTS, Invariant
from autograder.errors import UsageError
from autograder.loading.assignment import load_assignment
from tests.authoring import conftest

CENTRE = "exercises/tiny/01_centre.yaml"
SHRINK = "exercises/tiny/02_shrink.yaml"
SOLUTIONS = "solutions/tiny.py"
MALRULES = "solutions/tiny_malrules.py"

#: The second half of two drawn cases, and the checks on both.
TWO_CASES = conftest.SHRINK[
    conftest.SHRINK.index("    draws: 2\n  random:") : conftest.SHRINK.index("  - {relation:")
]
#: What is spoiled (file, old text, new text); where the finding points (file, a text there); its severity,
#: its message and its remedy, each in part.
SPOILED = {
    "a first line without a schema": (
        (CENTRE, "# yaml-language-server: $schema=../exercise.schema.json", "# An exercise."),
        (CENTRE, "# An exercise."),
        "error",
        "the first line names no schema for editors",
        "begin the file with `# yaml-language-server: $schema=../exercise.schema.json`",
    ),
    "a schema that is not there": (
        (CENTRE, "$schema=../exercise.schema.json", "$schema=../other.json"),
        (CENTRE, "# yaml-language-server"),
        "warning",
        "there is no schema ../other.json",
        "write it there with `autograder schema > …`",
    ),
    "a text that is still to be written": (
        (CENTRE, "about: two short rows", 'about: "TODO: the case"'),
        (CENTRE, "TODO"),
        "error",
        "this is still to be written",
        "take the TODO out",
    ),
    "an empty text": (
        (CENTRE, "about: numbers}", 'about: " "}'),
        (CENTRE, '" "'),
        "error",
        "the text is empty",
        "say what a student needs to know",
    ),
    "no idea": (
        (CENTRE, "idea: every row ends up with mean 0\n", ""),
        (CENTRE, "title:"),
        "warning",
        "there is no `idea` for the stub",
        "add `idea: …`",
    ),
    "a case without a text": (
        (CENTRE, "    about: as many rows as columns\n", ""),
        (CENTRE, "square:\n"),
        "warning",
        "the case 'square' has no `about`",
        "say what a reader recognises it by",
    ),
    "an invariant without a text": (
        (CENTRE, ", about: every row sums to 0", ""),
        (CENTRE, "{invariant: rows_sum_to_zero"),
        "warning",
        "the check 'rows-sum-to-zero' has no `about`",
        "add the claim in one line",
    ),
    "two hints": (
        (CENTRE, "hints: [Add up a row., Which axis?, Print the shape of the mean.]", "hints: [A, B]"),
        (CENTRE, "hints:"),
        "warning",
        "2 hints, where a ladder has 3 or more",
        "add hints between the gentle and the plain one",
    ),
    "an exercise on another with one drawn call": (
        (SHRINK, TWO_CASES, "checks:\n  - {value: rectangle}\n"),
        (SHRINK, "uses:"),
        "warning",
        "fewer than two drawn calls are compared by value",
        "give a value check a drawn case",
    ),
    "a misconception without a hint": (
        (CENTRE, ", hint: Which way?", ""),
        (CENTRE, "{code: centre.columns"),
        "warning",
        "the misconception 'centre.columns' has no hint",
        "add `hint: …`",
    ),
    "a code of another exercise": (
        (CENTRE, "code: centre.whole", "code: other.whole"),
        (CENTRE, "other.whole"),
        "warning",
        "the code 'other.whole' does not begin with the exercise's id",
        "name it centre.whole",
    ),
    "no invariant and no relation": (
        (
            CENTRE,
            "  - {invariant: rows_sum_to_zero, of: Y, weight: 0.5, about: every row sums to 0}\n",
            "",
        ),
        (CENTRE, "checks:"),
        "error",
        "no check is an invariant or a relation",
        "what must hold whatever the numbers",
    ),
    "a case of no check": (
        (CENTRE, "  - {value: by-hand}\n", ""),
        (CENTRE, "by-hand:"),
        "warning",
        "no check names the case 'by-hand'",
        "add `- {value: by-hand}`",
    ),
    "a width that may be a square": (
        (SHRINK, "{one_of: [2, 3]}", "[2, 4]"),
        (SHRINK, "[2, 4]\ncases"),
        "warning",
        "d_k may be 4: the root of a square hides a wrong root",
        "{one_of: [2, 3, 5, 6, 7]}",
    ),
    "a loose tolerance of a case": (
        (SHRINK, "about: other numbers", "about: other\n    tolerance: {atol: 0.05, rtol: 0.0}"),
        (SHRINK, "{atol: 0.05"),
        "error",
        "the tolerance of 'random' is",
        "give a smaller `tolerance: {atol: …, rtol: …}`",
    ),
    "a loose tolerance of a check": (
        (SHRINK, "{value: rectangle}", "{value: rectangle, tolerance: {atol: 0.0, rtol: 0.002}}"),
        (SHRINK, "{atol: 0.0,"),
        "error",
        "the tolerance of 'rectangle' is 0.2 % of ",
        "give a smaller `tolerance: {atol: …, rtol: …}`",
    ),
    "figures that the reference disagrees with": (
        (CENTRE, "[-1.33, -0.33, 1.67]", "[-1.33, -0.34, 1.67]"),
        (CENTRE, "[[-1.33"),
        "error",
        "the reference disagrees with the printed figures of Y: 1 of 6 entries differ",
        "mend the figures, `printed_digits`, or the reference",
    ),
    "values that are not finite": (
        (CENTRE, "given: {X: {normal: [4, 4]}}", "given: {X: {constant: [4, 4], value: 1.0e+308}}"),
        (CENTRE, "square:\n"),
        "error",
        "on 'square' the reference gives Y with values that are not finite",
        "mend the reference, or choose other inputs",
    ),
    "a reference with other parameters": (
        (SOLUTIONS, "def centre(X):", "def centre(X, axis=1):"),
        (SOLUTIONS, "def centre"),
        "error",
        "the reference is centre(X, axis=1), the exercise asks for centre(X)",
        "give both the same parameters",
    ),
    "a reference that raises": (
        (SOLUTIONS, "    return X - mean", "    return X - mean if X.shape != (4, 4) else 1 / 0"),
        (CENTRE, "{value: square}"),
        "error",
        "the reference fails the check 'square' on 3 of 3 seeds: case 'square': ZeroDivisionError",
        "mend the reference, the case or the check",
    ),
    "a reference that is a stub": (
        (SOLUTIONS, "    return Y, _squares(Y)", "    raise NotImplementedError"),
        (SOLUTIONS, "def shrink"),
        "error",
        "the reference is not written yet",
        "write it in place of the error",
    ),
    "sizes that leave no choice": (
        (SHRINK, "about: other numbers", "about: other numbers\n    sizes: {n: 2, d: 3}"),
        (SHRINK, "random:\n"),
        "error",
        "the inputs of 'random' cannot be drawn: ValueError: the sizes of shrink leave no distinct choice",
        "widen `sizes`, or fix some of them in the case",
    ),
    "a relation on what has no rows": (
        (SHRINK, "unchanged_when_rows_shift, shift: X", "unchanged_when_rows_permute, permute: d_k"),
        (SHRINK, "checks:"),
        "error",
        "the calls of its checks cannot be planned: TypeError",
        "let relations name arguments that are arrays of numbers",
    ),
    "an invariant that cannot be judged": (
        (CENTRE, "invariant: rows_sum_to_zero, of: Y", "invariant: spread_is_one, of: Y, limit: 0.1"),
        (CENTRE, "{invariant: spread_is_one"),
        "error",
        "the check 'spread-is-one' cannot be judged on 3 of 3 seeds: TypeError",
        "mend the check or the reference: grading would be `broken`",
    ),
    "a wrong function that is not there": (
        (CENTRE, "malrule: centre_whole", "malrule: centre_hole"),
        (CENTRE, "centre_hole"),
        "error",
        "solutions/tiny_malrules.py has no function 'centre_hole'",
        "did you mean 'centre_whole'?",
    ),
    "a wrong function without a misconception": (
        (MALRULES, "def shrink_by_width", "def centre_left(X):\n    return X\n\n\ndef shrink_by_width"),
        (MALRULES, "def centre_left"),
        "error",
        "no misconception names the wrong function 'centre_left'",
        "add one to its exercise, with code, text and hint, or remove the function",
    ),
    "a wrong function with other parameters": (
        (MALRULES, "def centre_whole(X):", "def centre_whole(X, far=0):"),
        (MALRULES, "def centre_whole"),
        "error",
        "the wrong function is centre_whole(X, far=0), the exercise asks for centre(X)",
        "give both the same parameters",
    ),
    "wrong functions that do not load": (
        (MALRULES, "import numpy as np", "import nothing_of_that_name"),
        (MALRULES, "import nothing_of_that_name"),
        "error",
        "loading stopped with ModuleNotFoundError",
        "mend this line",
    ),
}

#: Spoiling that has more than one finding by its nature: the others that belong to it.
BESIDE = {
    "a wrong function that is not there": {"no misconception names the wrong function 'centre_whole'"},
    "wrong functions that do not load": set(),
    "an exercise on another with one drawn call": {
        "'shrink_by_width' is diagnosed as nothing: it differs from the reference on 1 of 1 calls"
    },
}


@pytest.mark.parametrize(("spoil", "where", "severity", "message", "remedy"), SPOILED.values(), ids=SPOILED)
def test_a_rule_fires_at_its_place_with_its_remedy_and_alone(
    tiny: Any,
    request: pytest.FixtureRequest,
    spoil: tuple[str, str, str],
    where: tuple[str, str],
    severity: str,
    message: str,
    remedy: str,
) -> None:
    tiny.replace(*spoil)

    findings = tiny.lint().findings

    beside = BESIDE.get(request.node.callspec.id, set())
    found = [finding for finding in findings if finding.message not in beside]
    assert len(found) == 1, "\n".join(map(str, findings))
    place = found[0].place
    assert (place.file, (place.line, place.column or 1)) == (where[0], tiny.where(*where))
    assert found[0].severity == severity
    assert message in found[0].message
    assert remedy in found[0].remedy


def test_nothing_is_found_in_a_good_course(tiny: Any) -> None:
    report = tiny.lint(seeds=20, mutants=True)

    assert report.findings == ()


def test_no_value_check_is_an_error(tiny: Any) -> None:
    for line in ("by-hand}", "square}", "random, weight: 3}"):
        tiny.replace(CENTRE, f"  - {{value: {line}\n", "")

    messages = [finding.message for finding in tiny.lint().errors]

    assert "no check compares values" in messages


def test_a_file_that_belongs_to_no_exercise_is_named(tiny: Any) -> None:
    (tiny.top / "exercises/tiny/notes.txt").write_text("later")

    finding = tiny.only_finding()

    assert str(finding) == (
        "exercises/tiny/notes.txt: warning: this belongs to no exercise; "
        "move it away, or make it an exercise of the list"
    )


def test_the_students_file_and_hidden_files_may_lie_among_the_exercises(tiny: Any) -> None:
    for name in ("attention.py", "README.md", ".hidden"):
        (tiny.top / "exercises/tiny" / name).write_text("")

    assert tiny.lint().findings == ()


def test_file_numbers_that_do_not_follow_the_order_are_named(tiny: Any) -> None:
    (tiny.top / SHRINK).rename(tiny.top / "exercises/tiny/01_shrink.yaml")

    finding = tiny.only_finding()

    assert (str(finding.place), finding.severity) == ("exercises/tiny/01_shrink.yaml:1:1", "warning")
    assert finding.message == "the number 01 does not come after 01"


def test_misconceptions_without_a_file_of_wrong_functions_are_an_error(tiny: Any) -> None:
    tiny.replace("config/tiny.yaml", "malrules: solutions/tiny_malrules.py\n", "")

    findings = tiny.lint().findings

    assert [finding.place.file for finding in findings] == [CENTRE, SHRINK]
    assert {finding.message for finding in findings} == {
        "misconceptions, but the config names no file of wrong functions"
    }


def test_a_wrong_function_that_passes_every_check_is_an_error(tiny: Any) -> None:
    tiny.replace(MALRULES, "    Y = centre(X) / d_k\n", "    Y = centre(X) / d_k**0.5\n")

    found = [finding for finding in tiny.lint().findings if finding.rule == "malrule"]

    assert [finding.message for finding in found] == [
        "'shrink_by_width' passes every check of shrink on 2 of 2 seeds"
    ]
    assert (found[0].place.line, found[0].place.column) == tiny.where(SHRINK, "shrink_by_width")
    assert found[0].remedy == "add a case that shows the mistake, with a check"


def test_two_wrong_functions_that_no_case_tells_apart_are_reported(tiny: Any) -> None:
    tiny.replace(MALRULES, "    return X - np.mean(X)\n", "    return X - np.mean(X, 0)\n")

    finding = tiny.only_finding()

    assert (finding.severity, finding.message) == (
        "warning",
        "no case tells 'centre_whole' from 'centre_columns'",
    )
    assert (finding.place.line, finding.place.column) == tiny.where(CENTRE, "centre_whole")


def test_a_wrong_function_that_differs_on_one_call_is_not_diagnosed(tiny: Any) -> None:
    tiny.replace(
        MALRULES,
        "    return X - np.mean(X)\n",
        "    return X - np.mean(X, axis=None if X.shape == (4, 4) else 1, keepdims=True)\n",
    )

    finding = tiny.only_finding()

    assert finding.severity == "error"
    assert finding.message == (
        "'centre_whole' is diagnosed as nothing: it differs from the reference on 1 of 5 calls"
    )
    assert "a diagnosis needs 2 such calls" in finding.remedy


def test_a_wrong_function_that_only_raises_is_a_warning(tiny: Any) -> None:
    tiny.replace(MALRULES, "    return X - np.mean(X)\n", "    return X @ X\n")
    tiny.replace(CENTRE, "given: {X: {normal: [4, 4]}}", "given: {X: {normal: [4, 5]}}")

    finding = tiny.only_finding()

    assert (finding.severity, finding.message) == (
        "warning",
        "'centre_whole' raises on every call on which it differs, so its text is never shown",
    )
    assert (finding.place.line, finding.place.column) == tiny.where(CENTRE, "centre.whole")


def test_a_stock_answer_that_earns_more_than_a_tenth_is_a_warning(tiny: Any) -> None:
    tiny.replace(CENTRE, "given: {X: {normal: [4, 4]}}", "given: {X: {constant: [4, 4], value: 2}}")
    tiny.replace(CENTRE, "- {value: square}", "- {value: square, weight: 3}")

    found = [finding for finding in tiny.lint().findings if finding.rule == "stock-answer"]

    assert [finding.severity for finding in found] == ["warning"]
    assert found[0].message == "the stock answer 'zeros' earns 39% of the marks, by square"
    assert (found[0].place.line, found[0].place.column) == tiny.where(CENTRE, "checks:")


def test_a_stock_answer_that_passes_is_an_error(tiny: Any) -> None:
    tiny.replace(SOLUTIONS, "    return X - mean", "    return 0 * (X - mean)")
    tiny.replace(CENTRE, "    expect: {Y: [[-1.33, -0.33, 1.67], null]}\n    printed_digits: 2\n", "")

    messages = [finding.message for finding in tiny.lint().errors]

    assert "the stock answer 'zeros' passes every check" in messages


def test_all_findings_come_at_once_in_the_order_of_the_files(tiny: Any) -> None:
    tiny.replace(SHRINK, "{one_of: [2, 3]}", "[2, 4]")
    tiny.replace(CENTRE, "hints: [Add up a row., Which axis?, Print the shape of the mean.]", "hints: [A]")
    tiny.replace(CENTRE, "about: two short rows", 'about: "TODO"')

    findings = tiny.lint().findings

    assert [(finding.place.file, finding.rule) for finding in findings] == [
        (CENTRE, "todo"),
        (CENTRE, "hints"),
        (SHRINK, "square-size"),
    ]


def test_lint_can_be_asked_about_one_exercise(tiny: Any) -> None:
    tiny.replace(SHRINK, "{one_of: [2, 3]}", "[2, 4]")

    report = tiny.lint(only=["centre"])

    assert report.findings == ()
    assert [row[0] for row in report.tables[0].rows] == ["centre"]
    with pytest.raises(UsageError, match="did you mean 'centre'"):
        tiny.lint(only=["center"])


def test_the_same_course_gives_the_same_report(tiny: Any) -> None:
    tiny.replace(MALRULES, "    return X - np.mean(X)\n", "    return X - np.mean(X, 0)\n")

    assert tiny.lint(mutants=True) == tiny.lint(mutants=True)


def test_figures_of_another_shape_than_the_reference_gives_are_an_error(tiny: Any) -> None:
    tiny.replace(CENTRE, "Y: {shape: [n, d], about: centred numbers}", "Y: {about: centred numbers}")
    tiny.replace(CENTRE, "[[-1.33, -0.33, 1.67], null]", "[[-1.33, -0.33, 1.67]]")

    found = tiny.lint().errors[0]

    assert found.message == "Y: 1 entries are printed where the reference has shape (2, 3)"
    assert found.remedy == "print as many figures, with null for those unknown"
    assert (found.place.line, found.place.column) == tiny.where(CENTRE, "[[-1.33")


def test_inputs_that_no_worker_takes_are_an_error(tiny: Any) -> None:
    tiny.replace(SHRINK, "d_k: {size: d_k}}\n    draws: 2\n  random", "d_k: 1" + 30 * "0" + "}\n  random")

    found = [finding for finding in tiny.lint().errors if finding.rule == "drawing"]

    assert len(found) == 1
    assert found[0].message == (
        "the inputs of 'rectangle' cannot be sent to a worker: a whole number of more than 64 bits"
    )
    assert found[0].remedy == "choose smaller numbers, or other inputs"
    assert (found[0].place.line, found[0].place.column) == tiny.where(SHRINK, "rectangle:\n")


def test_a_stub_that_is_not_recognised_as_not_begun_is_an_error(
    tiny: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stock_answers, "stub_file", lambda course: "def centre(X):\n    return None\n")

    finding = tiny.only_finding()

    assert finding.message == "the stub should be `not_attempted`; the check 'by-hand' says failed"
    assert (finding.place.line, finding.place.column) == tiny.where(CENTRE, "centre\nparameters")


def test_stubs_that_do_not_load_are_an_error(tiny: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stock_answers, "stub_file", lambda course: "def centre(X:\n")

    finding = tiny.only_finding()

    assert finding.message.startswith("the stubs of this assignment do not load: SyntaxError")
    assert str(finding.place) == "config/tiny.yaml:1:1"


def test_a_check_that_stumbles_over_what_a_submission_may_return_is_an_error(
    tiny: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stumble(subject: Any) -> None:
        if np.isinf(subject.array).any():
            raise OverflowError("too large")

    monkeypatch.setitem(INVARIANTS, "rows_sum_to_zero", Invariant(stumble))  # type: ignore[arg-type]

    finding = tiny.only_finding()

    assert finding.message == (
        "the check 'rows-sum-to-zero' cannot be judged when infinity comes back: OverflowError: too large"
    )
    assert (finding.place.line, finding.place.column) == tiny.where(CENTRE, "{invariant: rows_sum")


@pytest.mark.slow
def test_in_the_course_that_is_shipped_nothing_is_to_mend_and_no_mutant_survives_without_a_reason() -> None:
    report = lint(load_assignment(Path(__file__).parents[2], "qkv"), mutants=True)

    assert [str(finding) for finding in report.errors] == []
