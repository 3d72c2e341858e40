"""Every figure of the course page is a case, with the page's digits, and the references reproduce it."""

from functools import cache
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest

from autograder.grading.expectations import call_reference
from autograder.loading.assignment import Course, load_assignment
from autograder.model.exercise import Exercise
from autograder.numeric.draw import draw_case

TOP = Path(__file__).parents[2]


class Figure(NamedTuple):
    """A figure as the page prints it, and the entry of an output that shows it."""

    printed: str
    exercise: str
    case: str
    output: str
    index: tuple[int, ...]

    @property
    def digits(self) -> int:
        """How many digits are printed after the point."""
        return len(self.printed.partition(".")[2])


def table(
    exercise: str, case: str, output: str, rows: dict[int, str], *, head: int | None = None
) -> list[Figure]:
    """The figures of some rows of an output; "·" where the page prints nothing."""
    place = () if head is None else (head,)
    return [
        Figure(printed, exercise, case, output, (*place, row, column))
        for row, line in rows.items()
        for column, printed in enumerate(line.split())
        if printed != "·"
    ]


LAST_ROW = {4: "0.011 0.035 0.622 0.319 0.014"}
BANK_WEIGHTS = {0: "0.07 0.31 0.62"}

FIGURES = [
    # Example 1: the four steps for the query of "bank".
    *table("scores", "bank", "S", {0: "1 3 4"}),
    *table("scale", "bank", "scaled", {0: "0.71 2.12 2.83"}),
    *table("softmax", "bank", "A", BANK_WEIGHTS),
    *table("mix", "bank", "O", {0: "0.85 0.15"}),
    *table("attention", "bank", "A", BANK_WEIGHTS),
    *table("attention", "bank", "O", {0: "0.85 0.15"}),
    # All three queries at once.
    *table("attention", "all-three", "A", {0: "0.45 0.45 0.11", 1: "0.07 0.31 0.62", 2: "0.14 0.28 0.58"}),
    *table("attention", "all-three", "O", {0: "0.78 0.22", 1: "0.85 0.15", 2: "0.86 0.14"}),
    # "The verdict flips and no attention weight moves."
    *table("attention", "river-flips", "A", BANK_WEIGHTS),
    # Example 2: the last row of u, its query in head 1, its weights with and without the division.
    *table("layer_norm", "five-tokens", "u", {4: "-0.577 -0.577 -0.577 1.732"}),
    *table("project", "five-tokens", "Q", {4: "1.732 -0.577 · ·"}),
    *table("split_heads", "five-tokens", "heads", {4: "1.732 -0.577"}, head=0),
    *table("softmax", "five-tokens", "A", LAST_ROW),
    *table("attention", "five-tokens", "A", LAST_ROW),
    *table("one_head", "five-tokens", "A", LAST_ROW),
    *table("softmax", "five-tokens-undivided", "A", {4: "0.002 0.012 0.707 0.275 0.003"}),
    # "The first 'the' puts 0.66 on ␣climb."
    *table("one_head", "the-looks-ahead", "A", {0: "· · 0.66 · ·"}),
    # Why √d_k: a deviation of about 11 at d_k = 128, unit variance after the division, e^-20 of about 2e-9.
    Figure("11", "score_spread", "d_k-128", "raw", ()),
    Figure("1", "score_spread", "d_k-128", "scaled", ()),
    *table("softmax", "hard-argmax", "A", {0: "0.000000002 · 0.000000002"}),
    # The backward pass with default_rng(0).
    *table(
        "attention",
        "page-backward",
        "A",
        {0: "0.226 0.475 0.298", 1: "0.144 0.598 0.259", 2: "0.668 0.235 0.097"},
    ),
    *table(
        "backward",
        "page-backward",
        "dQ",
        {0: "0.456 0.354 0.099 0.209", 1: "0.407 0.404 0.013 0.129", 2: "0.345 0.228 0.109 0.184"},
    ),
]

IDS = [f"{f.exercise}-{f.case}-{f.output}{list(f.index)}={f.printed}" for f in FIGURES]


@cache
def course() -> Course:
    """The assignment, read once."""
    return load_assignment(TOP, "qkv")


def outputs(function: str, arguments: Any) -> dict[str, np.ndarray]:
    """The reference's outputs by name; of a case's arguments it takes those that it knows."""
    exercise = course().exercise(function)
    own = {name: arguments[name] for name in exercise.parameters if name in arguments}
    return dict(zip(exercise.outputs, call_reference(course().references, function, own), strict=True))


@cache
def arguments_of(exercise: str, case: str) -> dict[str, Any]:
    """The arguments of a case that is the same for everybody."""
    found = course().exercise(exercise)
    given = found.cases[case]
    assert not given.drawn, "only a case that is written out, or has a seed, can have printed figures"
    return draw_case(found, given, np.random.default_rng(given.seed), outputs, sizes={})


@cache
def reference(exercise: str, case: str) -> dict[str, np.ndarray]:
    """The reference's outputs on a case."""
    return outputs(course().exercise(exercise).function, arguments_of(exercise, case))


def digits_of(exercise: Exercise, case: str, output: str) -> int | None:
    """How many digits the YAML gives to the figures of an output."""
    digits = exercise.cases[case].printed_digits
    return digits[output] if isinstance(digits, dict) else digits


def entries(expected: Any, index: tuple[int, ...] = ()) -> dict[tuple[int, ...], float]:
    """The figures of an `expect` by index."""
    if expected is None:
        return {}
    if isinstance(expected, tuple):
        return {k: v for i, item in enumerate(expected) for k, v in entries(item, (*index, i)).items()}
    return {index: expected}


@pytest.mark.parametrize("figure", FIGURES, ids=IDS)
def test_the_case_expects_exactly_the_printed_figure(figure: Figure) -> None:
    exercise = course().exercise(figure.exercise)

    expected = entries(exercise.cases[figure.case].expect[figure.output])[figure.index]

    assert digits_of(exercise, figure.case, figure.output) == figure.digits
    assert f"{expected:.{figure.digits}f}" == figure.printed
    assert expected == float(figure.printed)


@pytest.mark.parametrize("figure", FIGURES, ids=IDS)
def test_the_reference_rounds_to_the_printed_figure(figure: Figure) -> None:
    actual = reference(figure.exercise, figure.case)[figure.output][figure.index]

    assert f"{actual:.{figure.digits}f}" == figure.printed


def test_no_case_expects_a_figure_that_the_page_does_not_print() -> None:
    stated = {
        (exercise.id, name, output, index)
        for exercise in course().exercises
        for name, case in exercise.cases.items()
        for output, expected in case.expect.items()
        for index in entries(expected)
    }

    assert stated == {figure[1:] for figure in FIGURES}


# Figures that stand between two steps, or are said in words


def test_the_exponentials_of_bank_are_those_of_the_page() -> None:
    powers = np.exp(reference("scale", "bank")["scaled"][0])

    assert [f"{power:.1f}" for power in powers] == ["2.0", "8.3", "16.9"]
    assert f"{powers.sum():.1f}" == "27.3"


def test_the_deviation_of_the_last_token_is_0_866_and_the_case_says_so() -> None:
    case = course().exercise("layer_norm").cases["five-tokens"]
    X = arguments_of("layer_norm", "five-tokens")["X"]

    assert X.mean(axis=1) == pytest.approx(np.zeros(5))
    assert f"{np.sqrt(0.75):.3f}" == f"{X[4].std():.3f}" == "0.866"
    assert f"{1.5 / X[4].std():.3f}" == "1.732"
    assert "0.866" in str(case.about)


@pytest.mark.parametrize("exercise", ["softmax", "attention", "one_head"])
def test_the_last_token_puts_94_percent_on_the_verb_and_the_case_says_so(exercise: str) -> None:
    verb = reference(exercise, "five-tokens")["A"][4, 2:4].sum()

    assert f"{100 * verb:.0f}" == "94"
    assert "94 %" in str(course().exercise(exercise).cases["five-tokens"].about)


def test_the_four_exercises_on_the_five_tokens_are_one_running_example() -> None:
    chain = arguments_of("one_head", "five-tokens")
    u = outputs("layer_norm", chain)["u"]
    projected = outputs("project", {**chain, "u": u})
    heads = {
        name: outputs("split_heads", {"M": M, "n_heads": 2})["heads"][0] for name, M in projected.items()
    }

    assert arguments_of("project", "five-tokens")["u"] == pytest.approx(u, abs=1e-4)
    assert arguments_of("split_heads", "five-tokens")["M"] == pytest.approx(projected["Q"], abs=1e-4)
    for name, head in heads.items():
        assert arguments_of("attention", "five-tokens")[name] == pytest.approx(head, abs=1e-4)
    S = heads["Q"] @ heads["K"].T
    assert arguments_of("softmax", "five-tokens-undivided")["S"] == pytest.approx(S, abs=1e-3)
    assert arguments_of("softmax", "five-tokens")["S"] == pytest.approx(S / np.sqrt(2), abs=1e-3)


def test_columns_1_and_3_of_the_first_four_tokens_may_be_swapped_without_changing_a_figure() -> None:
    chain = arguments_of("one_head", "five-tokens")
    weights = reference("one_head", "five-tokens")["A"]

    for swapped in product([False, True], repeat=4):
        X = chain["X"].copy()
        rows = np.flatnonzero(swapped)
        X[np.ix_(rows, [0, 2])] = X[np.ix_(rows, [2, 0])]
        assert outputs("one_head", {**chain, "X": X})["A"] == pytest.approx(weights)


def test_river_set_to_money_flips_the_verdict_and_moves_no_weight() -> None:
    before, after = reference("attention", "bank"), reference("attention", "river-flips")

    assert (before["A"] == after["A"]).all()
    assert before["O"][0, 0] > before["O"][0, 1]
    assert after["O"][0, 0] < after["O"][0, 1]


def test_the_moved_query_leaves_river_and_splits_evenly_between_sat_and_bank() -> None:
    sat, bank, river = reference("attention", "query-moves")["A"][0]

    assert sat == bank > river


def test_the_zero_query_scores_zero_and_gets_the_plain_average() -> None:
    values = arguments_of("attention", "zero-query")["V"]
    zero = reference("attention", "zero-query")

    assert (reference("scores", "zero-query")["S"] == 0).all()
    assert zero["A"] == pytest.approx(np.full((1, 3), 1 / 3))
    assert zero["O"][0] == pytest.approx(values.mean(axis=0))


def test_the_heads_of_gpt_2_small_are_64_wide() -> None:
    given = course().exercise("split_heads").cases["gpt-2-small"].given

    assert given["M"].normal[1] == 768
    assert 768 / given["n_heads"] == 64


def test_the_backward_example_agrees_with_central_differences_at_the_step_of_the_page() -> None:
    """The page's largest errors (3.2e-10, 6.1e-10, 3.4e-10) are one machine's; compared is their size."""
    arguments = arguments_of("backward", "page-backward")
    dO = arguments["dO"]
    differences = course().references.functions["numerical_gradient"]

    assert course().exercise("numerical_gradient").parameters["h"].default == 1e-6
    for name in ("Q", "K", "V"):

        def loss(moved: np.ndarray, name: str = name) -> float:
            return float((outputs("attention", {**arguments, name: moved})["O"] * dO).sum())

        actual = reference("backward", "page-backward")[f"d{name}"]
        assert np.abs(actual - differences(loss, arguments[name])).max() < 1e-8
