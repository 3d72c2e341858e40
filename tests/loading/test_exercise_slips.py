# ruff: noqa: E501 (the messages stand whole)
"""Every slip in an exercise file is told with its place, what was found, what was expected, and a remedy."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from autograder.checks.invariants import INVARIANTS
from autograder.checks.relations import RELATIONS
from autograder.errors import ExerciseError, ExitCode
from autograder.loading.exercises import load_exercise

FILE = "exercises/small/02_softmax.yaml"
KINDS = "value, invariant, relation, leaves_arguments_alone, same_answer"
RECIPES = "normal, uniform, integers, weights, constant, size, index, reference, function"
KEYS = (
    "id, title, about, idea, function, parameters, returns, uses, points, sizes, cases, checks, "
    "misconceptions, hints, equivalent_mutants"
)

Spoil = Callable[[str, str, str], Path]

#: What it is: the text, what takes its place, and all that is said.
SLIPS: dict[str, tuple[str, str, list[str]]] = {
    "an unknown key": (
        "points: 4",
        "points: 4\npionts: 4",
        [f"11:1: unknown key 'pionts'; did you mean 'points'? Known: {KEYS}"],
    ),
    "a key misspelt that is needed": (
        "points: 4",
        "pionts: 4",
        [f"10:1: unknown key 'pionts'; did you mean 'points'? Known: {KEYS}"],
    ),
    "a key that is missing": ("points: 4\n", "", ["1:1: the key 'points' is missing; add `points: …`"]),
    "a key twice": (
        "points: 4",
        "points: 4\npoints: 5",
        ["11:1: the key 'points' occurs twice; the first is at line 10; remove or rename one of them"],
    ),
    "negative points": (
        "points: 4",
        "points: -4",
        ["10:9: points: found -4, expected more than 0; write a larger number"],
    ),
    "points in quotes": (
        "points: 4",
        'points: "4"',
        ["10:9: points: found '4', expected a number; write a number without quotes, such as 0.5 or 1e-5"],
    ),
    "an unreadable number": (
        "points: 4",
        "points: 4,5",
        ["10:9: points: found '4,5', expected a number; write a number without quotes, such as 0.5 or 1e-5"],
    ),
    "a truth value for a number": (
        "points: 4",
        "points: true",
        ["10:9: points: found true, expected a number; write a number without quotes, such as 0.5 or 1e-5"],
    ),
    "points that are not a number": (
        "points: 4",
        "points: .nan",
        ["10:9: points: found .nan, expected a finite number; write a finite number"],
    ),
    "a deviation without end": (
        "std: 2",
        "std: .inf",
        ["18:42: cases.random.given.S.std: found .inf, expected a finite number; write a finite number"],
    ),
    "a number with a leading zero": (
        "points: 4",
        "points: 010",
        ["10:9: the number 010 begins with 0, which some read as octal; drop the 0, or quote it"],
    ),
    "a tab": (
        "points: 4",
        "\tpoints: 4",
        ["10:1: a tab where only spaces may stand; put spaces in the tab's place"],
    ),
    "a colon within a text": (
        "title: From",
        "title: One: From",
        [
            "2:11: a colon where no key can stand; put a text that holds a colon in quotes, or mend this line's indentation"
        ],
    ),
    "an id that is none": (
        "id: softmax",
        "id: Softmax",
        [
            "1:5: id: found 'Softmax', expected a short name; use small letters and digits, as in [a-z][a-z0-9_]*"
        ],
    ),
    "an id that is not the file's": (
        "id: softmax",
        "id: scores",
        [
            "1:5: id: found 'scores' in a file named 02_softmax.yaml; rename the file to 02_scores.yaml, or mend the id"
        ],
    ),
    "a function named as a word of Python": (
        "function: softmax",
        "function: lambda",
        ["4:11: function: 'lambda' is a word of Python itself; choose another name"],
    ),
    "a name with a blank": (
        "function: softmax",
        "function: soft max",
        [
            "4:11: function: found 'soft max', expected a Python name; use letters, digits and _, with no digit first"
        ],
    ),
    "a comma in a text within braces": (
        "about: weights",
        "about: weights, every row sums to 1",
        [
            "8:42: returns.A: unknown key 'every row sums to 1'; put the text before it in quotes: within {…} a comma ends an unquoted text"
        ],
    ),
    "an unknown size in an output": (
        "A: {shape: [n_q, n_k]",
        "A: {shape: [n_q, n_p]",
        ["8:20: returns.A.shape[1]: unknown size 'n_p'; did you mean 'n_q'? Known: n_q, n_k"],
    ),
    "half a size": (
        "A: {shape: [n_q, n_k]",
        "A: {shape: [n_q, 1.5]",
        [
            "8:20: returns.A.shape[1]: found 1.5, expected a size; write a whole number, or a name from `sizes`"
        ],
    ),
    "a size below zero": (
        "A: {shape: [n_q, n_k]",
        "A: {shape: [n_q, -1]",
        ["8:20: returns.A.shape[1]: found -1, expected 0 or more; write a larger number"],
    ),
    "a key misspelt within braces": (
        "about: scores}",
        "abuot: scores}",
        ["6:26: parameters.S: unknown key 'abuot'; did you mean 'about'? Known: shape, kind, about, default"],
    ),
    "an unknown kind of parameter": (
        "about: scores}",
        "kind: arry, about: scores}",
        [
            "6:32: parameters.S.kind: found 'arry', expected one of array, integer, number, text, function; did you mean 'array'?"
        ],
    ),
    "a default of another kind": (
        "about: scores}",
        "kind: number, default: one, about: scores}",
        [
            "6:49: parameters.S.default: found 'one', expected a number; write a number, or change the `kind` of the parameter",
            "14:16: cases.bank.given.S: found a list, expected a number; write a number, or change the `kind` of the parameter",
        ],
    ),
    "a list where a mapping belongs": (
        "{shape: [n_q, n_k], about: scores}",
        "[n_q, n_k]",
        [
            "6:6: parameters.S: found a list, expected a mapping; write `key: value`, one a line, or {key: value}"
        ],
    ),
    "a mapping where a list belongs": (
        "shape: [n_q, n_k], about: scores",
        "shape: {n_q: n_k}, about: scores",
        ["6:14: parameters.S.shape: found a mapping, expected a list; write [a, b], or one `- item` a line"],
    ),
    "an empty range": (
        "n_q: [2, 6]",
        "n_q: [6, 2]",
        ["11:14: sizes.n_q: the range [6, 2] is empty; write [2, 6]"],
    ),
    "a range from zero": (
        "n_q: [2, 6]",
        "n_q: [0, 6]",
        ["11:15: sizes.n_q[0]: found 0, expected 1 or more; begin the range at 1"],
    ),
    "a number for a range": (
        "n_q: [2, 6]",
        "n_q: 5",
        [
            "11:14: sizes.n_q: found 5, expected a range, a choice or a product; write [low, high], {one_of: [2, 3]} or {product: [n_heads, d_k]}"
        ],
    ),
    "a range of three": (
        "n_q: [2, 6]",
        "n_q: [2, 6, 7]",
        ["11:14: sizes.n_q: found a list, expected at most 2 entries; remove what is too much"],
    ),
    "a misspelt choice of sizes": (
        "n_q: [2, 6]",
        "n_q: {one_off: [2, 3]}",
        ["11:15: sizes.n_q: unknown key 'one_off'; did you mean 'one_of'? Known: one_of"],
    ),
    "products in a circle": (
        "n_q: [2, 6]",
        "n_q: {product: [n_k, d]}, d: {product: [n_q, n_k]}",
        [
            "11:30: sizes.n_q.product[1]: the products go round in a circle: n_q → d → n_q; give one of them a range",
            "11:49: sizes.d.product[0]: the products go round in a circle: d → n_q → d; give one of them a range",
        ],
    ),
    "a product of an unknown size": (
        "n_q: [2, 6]",
        "n_q: {product: [n_k, n_j]}",
        ["11:30: sizes.n_q.product[1]: unknown size 'n_j'; did you mean 'n_k'? Known: n_k"],
    ),
    "a product before its factor": (
        "n_q: [2, 6]",
        "a: {product: [b, n_k]}, b: {product: [n_k, n_k]}, n_q: [2, 6]",
        ["11:23: sizes.a.product[0]: the product 'b' comes later; write 'b' before 'a'"],
    ),
    "a ragged matrix": (
        "[[0.7071, 2.1213, 2.8284]]",
        "[[0.7071, 2.1213, 2.8284], [1]]",
        ["14:43: cases.bank.given.S[1]: row 1 has 1 entry, row 0 has 3 entries; make all rows equally long"],
    ),
    "a number with an underscore": (
        "2.8284",
        "1_000",
        [
            "14:34: cases.bank.given.S[0][2]: found '1_000', expected a number; write a number, or null where nothing is said"
        ],
    ),
    "a word among the numbers": (
        "2.8284",
        "yes",
        [
            "14:34: cases.bank.given.S[0][2]: found 'yes', expected a number; write a number, or null where nothing is said"
        ],
    ),
    "a row for a matrix": (
        "S: [[0.7071, 2.1213, 2.8284]]",
        "S: [0.7071, 2.1213, 2.8284]",
        [
            "14:16: cases.bank.given.S: found 1 axis, expected 2 axes (n_q, n_k); nest the lists so, a list of rows: [[…], […]]"
        ],
    ),
    "a number for a matrix": (
        "S: [[0.7071, 2.1213, 2.8284]]",
        "S: 3",
        [
            "14:16: cases.bank.given.S: found 3, expected a list of numbers or a recipe; write a list of numbers or a recipe, or change the `kind` of the parameter"
        ],
    ),
    "an unknown parameter": (
        "S: [[0.7071, 2.1213, 2.8284]]",
        "s: [[0.7071, 2.1213, 2.8284]]",
        ["14:13: cases.bank.given: unknown parameter 's'; did you mean 'S'? Known: S"],
    ),
    "a parameter without a value": (
        "S: [[0.7071, 2.1213, 2.8284]]",
        "X: [[1]]",
        [
            "14:5: cases.bank.given: the parameter 'S' is missing, and has no default; add `S: …`",
            "14:13: cases.bank.given: unknown parameter 'X'; known: S",
        ],
    ),
    "an unknown recipe": (
        "{normal: [n_q, n_k], std: 2}",
        "{nromal: [n_q, n_k], std: 2}",
        [f"18:17: cases.random.given.S: unknown recipe 'nromal'; did you mean 'normal'? Known: {RECIPES}"],
    ),
    "no recipe": (
        "{normal: [n_q, n_k], std: 2}",
        "{std: 2}",
        [f"18:16: cases.random.given.S: the input names no recipe; add one of: {RECIPES}"],
    ),
    "two recipes": (
        "{normal: [n_q, n_k], std: 2}",
        "{normal: [n_q, n_k], uniform: [n_q, n_k]}",
        ["18:37: cases.random.given.S: two recipes in one input: normal, uniform; keep one"],
    ),
    "an unknown key of a recipe": (
        "{normal: [n_q, n_k], std: 2}",
        "{normal: [n_q, n_k], sdt: 2}",
        ["18:37: cases.random.given.S: unknown key 'sdt'; did you mean 'std'? Known: normal, std, mean"],
    ),
    "an unknown size in a recipe": (
        "{normal: [n_q, n_k], std: 2}",
        "{normal: [n_q, m_k]}",
        ["18:31: cases.random.given.S.normal[1]: unknown size 'm_k'; did you mean 'n_k'? Known: n_q, n_k"],
    ),
    "a function for a matrix": (
        "{normal: [n_q, n_k], std: 2}",
        "{function: sines, of: M}",
        [
            "18:16: cases.random.given.S: found the recipe 'function', expected a list of numbers or a recipe; write a list of numbers or a recipe, or change the `kind` of the parameter",
            "18:38: cases.random.given.S.of: 'M' is not given in this case; known: none",
        ],
    ),
    "an empty range of numbers": (
        "{normal: [n_q, n_k], std: 2}",
        "{uniform: [n_q, n_k], low: 3}",
        ["18:43: cases.random.given.S.low: the range from 3 to 1 is empty; let `low` be less than `high`"],
    ),
    "a hidden case that could be copied": (
        "{normal: [n_q, n_k], std: 2}",
        "[[1, 2]]",
        [
            "19:12: cases.random.draws: 3 draws of a case that draws nothing; drop `draws`, or give a recipe such as {normal: [n_q, n_k]}",
            "20:5: cases.random.hidden: a hidden case that draws nothing: its numbers could be copied; draw an input, or show the case",
        ],
    ),
    "a hidden case with a seed": (
        "draws: 3",
        "seed: 1",
        [
            "19:5: cases.random.seed: a hidden case with a seed of its own: its numbers are the same for all, and could be copied; drop `seed`, or show the case"
        ],
    ),
    "no draw at all": (
        "draws: 3",
        "draws: 0",
        ["19:12: cases.random.draws: found 0, expected 1 or more; write a larger number"],
    ),
    "half a draw": (
        "draws: 3",
        "draws: 2.5",
        [
            "19:12: cases.random.draws: found 2.5, expected a whole number; write a whole number without quotes, such as 3"
        ],
    ),
    "a fixed size of no use": (
        "draws: 3",
        "sizes: {m_q: 3}",
        ["19:13: cases.random.sizes: unknown size 'm_q'; did you mean 'n_q'? Known: n_q, n_k"],
    ),
    "an unknown output": (
        "expect: {A:",
        "expect: {B:",
        ["15:14: cases.bank.expect: unknown output 'B'; known: A"],
    ),
    "figures without digits": (
        "    printed_digits: 2\n",
        "",
        [
            "15:5: cases.bank.expect: figures are expected, but not to how many digits; add `printed_digits: 2` or as many as are printed"
        ],
    ),
    "digits without figures": (
        "    expect: {A: [[0.07, 0.31, 0.62]]}\n",
        "",
        [
            "15:5: cases.bank.printed_digits: digits of figures that are not there; add `expect: {…}`, or drop this key"
        ],
    ),
    "figures of another shape": (
        "[[0.07, 0.31, 0.62]]",
        "[[0.07, 0.31]]",
        ["15:17: cases.bank.expect.A: n_k is 2 here, but 3 in S; make the shape (n_q, n_k) fit"],
    ),
    "digits in words": (
        "printed_digits: 2",
        "printed_digits: two",
        [
            "16:21: cases.bank.printed_digits: found 'two', expected a whole number or a mapping; write a whole number without quotes, such as 3, or write `key: value`, one a line, or {key: value}"
        ],
    ),
    "digits of another output": (
        "printed_digits: 2",
        "printed_digits: {B: 2}",
        [
            "16:5: cases.bank.printed_digits: the digits of 'A' are missing; add `A: …`",
            "16:22: cases.bank.printed_digits: no figures are expected of 'B'; known: A",
        ],
    ),
    "empty checks": (
        "checks:\n  - {value: bank}\n  - {value: random, weight: 3}\n  - {invariant: rows_sum_to_one, of: A}\n  - {relation: unchanged_when_rows_shift, shift: S}\n",
        "checks: []\n",
        ["21:9: checks: found an empty list, expected at least 1 entry; add what is missing"],
    ),
    "an unknown check kind": (
        "invariant: rows_sum",
        "invarient: rows_sum",
        [f"24:6: checks[2]: unknown check kind 'invarient'; did you mean 'invariant'? Known: {KINDS}"],
    ),
    "a check without a kind": (
        "- {value: bank}",
        "- {weight: 2}",
        [f"22:5: checks[0]: the check names no check kind; add one of: {KINDS}"],
    ),
    "a check that is a word": (
        "- {value: bank}",
        "- bank",
        [f"22:5: checks[0]: found 'bank', expected a mapping; begin it with one of: {KINDS}"],
    ),
    "two kinds in one check": (
        "value: bank",
        "value: bank, invariant: finite",
        [
            "22:19: checks[0]: two kinds in one check: value, invariant; make two checks of it, one `- {…}` each"
        ],
    ),
    "an unknown case": (
        "value: bank",
        "value: bnak",
        ["22:13: checks[0].value: unknown case 'bnak'; did you mean 'bank'? Known: bank, random"],
    ),
    "a case that is not text": (
        "value: bank",
        "value: 3",
        ["22:13: checks[0].value: found 3, expected a text; put the value in quotes, if a text is meant"],
    ),
    "an unknown output in a check": (
        "value: bank",
        "value: bank, of: B",
        ["22:23: checks[0].of: unknown output 'B'; known: A"],
    ),
    "an unknown output in a list": (
        "value: bank",
        "value: bank, of: [A, B]",
        ["22:27: checks[0].of[1]: unknown output 'B'; known: A"],
    ),
    "a check without weight": (
        "value: bank",
        "value: bank, weight: 0",
        ["22:27: checks[0].weight: found 0, expected more than 0; write a larger number"],
    ),
    "two checks of one name": (
        "- {value: bank}",
        "- {value: bank}\n  - {value: bank}",
        ["23:5: checks[1]: the name 'bank' is taken by checks[0]; add `id: …` to tell them apart"],
    ),
    "an unknown invariant": (
        "rows_sum_to_one",
        "rows_sum_to_on",
        [
            f"24:17: checks[2].invariant: unknown invariant 'rows_sum_to_on'; did you mean 'rows_sum_to_one'? Known: {', '.join(INVARIANTS)}"
        ],
    ),
    "an invariant without its key": (
        "rows_sum_to_one",
        "within_range_of",
        ["24:6: checks[2].invariant: within_range_of needs the key 'values'; add `values: …`"],
    ),
    "an unknown relation": (
        "unchanged_when_rows_shift",
        "unchangd_when_rows_shift",
        [
            f"25:16: checks[3].relation: unknown relation 'unchangd_when_rows_shift'; did you mean 'unchanged_when_rows_shift'? Known: {', '.join(RELATIONS)}"
        ],
    ),
    "a relation without its key": (
        ", shift: S",
        "",
        ["25:6: checks[3].relation: unchanged_when_rows_shift needs the key 'shift'; add `shift: …`"],
    ),
    "a relation on an unknown parameter": (
        "shift: S",
        "shift: T",
        ["25:50: checks[3].shift: unknown parameter 'T'; known: S"],
    ),
    "a claim that cannot be denied": (
        "- {value: bank}",
        "- {leaves_arguments_alone: false}",
        ["22:30: checks[0].leaves_arguments_alone: found false, expected true; write true"],
    ),
    "an unknown way to ask again": (
        "- {value: bank}",
        "- {same_answer: twise}",
        [
            "22:19: checks[0].same_answer: found 'twise', expected one of twice, after_other_calls; did you mean 'twice'?"
        ],
    ),
    "no hints": (
        "  - Look at one row.\n",
        "",
        ["26:7: hints: found nothing, expected a list; write [a, b], or one `- item` a line"],
    ),
    "a text where a list belongs": (
        "  - Look at",
        "  Look at",
        ["27:3: hints: found 'Look at one row.', expected a list; write [a, b], or one `- item` a line"],
    ),
    "a case named with a capital": (
        "  random:\n",
        "  Random:\n",
        [
            "17:3: cases.Random: found 'Random', expected a short name; use small letters and digits, as in [a-z0-9][a-z0-9_.-]*",
            "23:13: checks[1].value: unknown case 'random'; did you mean 'Random'? Known: bank, Random",
        ],
    ),
    "a code without an exercise": (
        "function: softmax\n",
        "function: softmax\nmisconceptions:\n  - {code: columns, malrule: a, text: t}\n",
        ["6:12: misconceptions[0].code: found 'columns', expected a code; write it like softmax.columns"],
    ),
    "two misconceptions of one code": (
        "function: softmax\n",
        "function: softmax\nmisconceptions:\n  - {code: softmax.a, malrule: a, text: t}\n  - {code: softmax.a, malrule: b, text: t}\n",
        [
            "7:12: misconceptions[1].code: the code 'softmax.a' is taken by misconceptions[0].code; give it another code"
        ],
    ),
}


@pytest.mark.parametrize(("old", "new", "expected"), SLIPS.values(), ids=SLIPS)
def test_a_slip_is_told_with_place_and_remedy(
    top: Path, spoil: Spoil, old: str, new: str, expected: list[str]
) -> None:
    path = spoil(FILE, old, new)

    with pytest.raises(ExerciseError) as caught:
        load_exercise(path, top)

    assert str(caught.value).splitlines() == [f"{FILE}:{line}" for line in expected]
    assert caught.value.exit_code == ExitCode.INVALID


def test_all_slips_of_a_file_are_told_at_once_in_the_order_of_the_file(top: Path, spoil: Spoil) -> None:
    spoil(FILE, "title: From", "tittle: From")
    spoil(FILE, "points: 4", "points: -4\npoints: 5")
    spoil(FILE, "about: scores", "abuot: scores")
    spoil(FILE, "draws: 3", "draws: three")
    spoil(FILE, "value: bank", "value: bnak")
    path = spoil(FILE, "of: A}", "of: B}")

    with pytest.raises(ExerciseError) as caught:
        load_exercise(path, top)

    starts = [
        f"{problem.place.line}:{problem.place.column} {problem.message}" for problem in caught.value.problems
    ]
    assert starts == [
        "2:1 unknown key 'tittle'",
        "6:26 parameters.S: unknown key 'abuot'",
        "10:9 points: found -4, expected more than 0",
        "11:1 the key 'points' occurs twice; the first is at line 10",
        "20:12 cases.random.draws: found 'three', expected a whole number",
        "23:13 checks[0].value: unknown case 'bnak'",
        "25:38 checks[2].of: unknown output 'B'",
    ]


def test_a_valid_file_becomes_an_exercise(top: Path) -> None:
    exercise = load_exercise(top / FILE, top)

    assert exercise.signature == "softmax(S)"
    assert list(exercise.cases) == ["bank", "random"]
    assert [check.name for check in exercise.checks] == [
        "bank",
        "random",
        "rows-sum-to-one",
        "unchanged-when-rows-shift",
    ]


def test_nothing_is_said_of_a_row_without_figures(top: Path, spoil: Spoil) -> None:
    spoil(FILE, "S: [[0.7071, 2.1213, 2.8284]]", "S: [[1, 2], [3, 4], [5, 6]]")
    path = spoil(FILE, "A: [[0.07, 0.31, 0.62]]", "A: [[null, null], [0.27, null], null]")

    assert load_exercise(path, top).cases["bank"].expect["A"] == ((None, None), (0.27, None), None)


def test_one_name_may_stand_without_a_list(top: Path, spoil: Spoil) -> None:
    spoil(FILE, "value: bank", "value: bank, of: A")
    path = spoil(
        FILE, "invariant: rows_sum_to_one, of: A", "invariant: rows_sum_to_one, of: A, on: [bank, random]"
    )

    checks = load_exercise(path, top).checks

    assert checks[0].of == ("A",)
    assert checks[2].on == ("bank", "random")
