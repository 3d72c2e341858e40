"""Drawing: the same parts give the same numbers, whatever else is drawn; sizes tell axes apart."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from autograder.model.outcome import FunctionArgument
from autograder.numeric.draw import draw_sizes, generator
from tests.grading.in_process import References, course, exercise, plan_of, softmax

REFERENCES = References(softmax=softmax)

TWO = {
    "first": {"given": {"S": {"normal": ("n", "m")}}, "draws": 2},
    "second": {"given": {"S": {"normal": ("n", "m")}}, "draws": 2, "same_sizes": True},
}


def numbers(asked, seed=0):
    return {(trial.case, trial.draw): trial.arguments for trial in plan_of(asked, REFERENCES, seed).draws}


def same_arguments(left, right):
    return left.keys() == right.keys() and all(np.array_equal(left[name], right[name]) for name in left)


def test_the_same_seed_draws_the_same_numbers():
    first, again = numbers(exercise(cases=TWO)), numbers(exercise(cases=TWO))

    assert all(same_arguments(first[key], again[key]) for key in first)


def test_a_case_is_drawn_alike_whatever_other_cases_draws_and_checks_there_are():
    alone = numbers(exercise(cases={"second": TWO["second"]}, checks=({"value": "second"},)))
    cases = {"new": TWO["first"], **TWO, "second": {**TWO["second"], "draws": 5}}
    checks = ({"relation": "unchanged_when_rows_shift", "shift": "S"}, {"value": "first"})
    among = numbers(exercise(cases=cases, checks=checks))

    assert all(same_arguments(alone[key], among[key]) for key in alone)


def test_every_draw_case_and_submission_has_other_numbers():
    one, other = numbers(exercise(cases=TWO), "sha of one"), numbers(exercise(cases=TWO), "sha of another")

    drawn = [tuple(arguments["S"].ravel()) for arguments in (*one.values(), *other.values())]

    assert len(set(drawn)) == len(drawn) == 8


def test_draws_of_the_same_sizes_have_the_same_sizes():
    shapes = {key: arguments["S"].shape for key, arguments in numbers(exercise(cases=TWO)).items()}

    assert shapes["second", 0] == shapes["second", 1]


def test_a_seed_of_the_cases_own_draws_from_default_rng_in_the_order_written():
    parameters = {name: {"shape": (3, 4), "about": name} for name in ("K", "Q")}
    case = {"given": {"Q": {"normal": (3, 4)}, "K": {"normal": (3, 4)}}, "seed": 7}
    asked = exercise(parameters=parameters, cases={"page": case}, checks=({"value": "page"},))
    rng = np.random.default_rng(7)
    Q, K = rng.normal(size=(3, 4)), rng.normal(size=(3, 4))

    for seed in (0, "another submission"):
        drawn = numbers(asked, seed)["page", 0]
        assert list(drawn) == ["K", "Q"]
        assert same_arguments(drawn, {"K": K, "Q": Q})


def test_a_seed_of_the_cases_own_leaves_the_sizes_distinct_and_the_same_for_all():
    case = {"given": {"S": {"normal": ("n", "m")}}, "seed": 7}
    asked = exercise(cases={"page": case}, checks=({"value": "page"},))
    S = numbers(asked)["page", 0]["S"]

    assert S.shape[0] != S.shape[1]
    assert np.array_equal(S, np.random.default_rng(7).normal(size=S.shape))
    assert same_arguments(numbers(asked, "another")["page", 0], {"S": S})


# Sizes

HEADS = {"n": (2, 6), "h": {"one_of": (2, 3)}, "d_k": {"one_of": (2, 3, 5)}, "d": {"product": ("h", "d_k")}}


@given(st.integers(0, 10_000))
def test_drawn_sizes_are_all_distinct_and_products_are_products(seed):
    asked = exercise(sizes=HEADS)

    sizes = draw_sizes(asked, asked.cases["drawn"], generator(seed))

    assert sizes["d"] == sizes["h"] * sizes["d_k"]
    assert len({sizes["n"], sizes["h"], sizes["d_k"]}) == 3
    assert sizes["d"] != sizes["n"]
    assert 2 <= sizes["n"] <= 6


@given(st.integers(0, 10_000))
def test_a_size_that_the_case_fixes_is_kept_and_avoided_by_the_others(seed):
    asked = exercise(
        sizes=HEADS,
        cases={"one": {"given": {"S": {"normal": ("n", "d")}}, "sizes": {"h": 3}}},
        checks=({"value": "one"},),
    )

    sizes = draw_sizes(asked, asked.cases["one"], generator(seed))

    assert sizes["h"] == 3
    assert 3 not in (sizes["n"], sizes["d_k"])


def test_ranges_without_a_distinct_choice_are_refused():
    asked = exercise(sizes={"n": (2, 2), "m": (2, 2)})

    with pytest.raises(ValueError, match="no distinct choice"):
        draw_sizes(asked, asked.cases["drawn"], generator(0))


# Recipes


def draw(given, **parts):
    asked = exercise(cases={"drawn": {"given": {"S": given}}}, **parts)
    return numbers(asked)["drawn", 0]["S"]


def test_recipes_draw_what_they_say():
    integers = draw({"integers": (40, 5), "low": -2, "high": 2})
    weights = draw({"weights": (4, 5)})
    uniform = draw({"uniform": (40, 5), "low": 3, "high": 4})

    assert integers.dtype.kind == "i"
    assert set(integers.ravel()) == {-2, -1, 0, 1, 2}
    assert np.allclose(weights.sum(axis=1), 1)
    assert (weights > 0).all()
    assert 3 <= uniform.min() < uniform.max() <= 4
    assert np.array_equal(draw({"constant": (2, 3), "value": 1.5}), np.full((2, 3), 1.5))
    assert abs(draw({"normal": (50, 50), "std": 3, "mean": 10}).mean() - 10) < 0.5


def test_sizes_indices_and_functions_fit_the_arrays_of_their_draw():
    parameters = {
        "S": {"shape": ("n", "m"), "about": "scores"},
        "count": {"kind": "integer", "about": "rows"},
        "which": {"kind": "integer", "about": "row"},
        "f": {"kind": "function", "about": "loss"},
    }
    given_ = {
        "f": {"function": "quadratic", "of": "S"},
        "S": {"normal": ("n", "m")},
        "count": {"size": "n"},
        "which": {"index": "n"},
    }
    drawn = numbers(exercise(parameters=parameters, cases={"drawn": {"given": given_, "draws": 8}}))

    for arguments in drawn.values():
        assert list(arguments) == ["S", "count", "which", "f"]
        assert arguments["count"] == len(arguments["S"])
        assert 0 <= arguments["which"] < len(arguments["S"])
        assert isinstance(arguments["f"], FunctionArgument)
        assert arguments["f"].parameters["C"].shape == arguments["S"].shape


def test_an_argument_may_come_from_a_reference_on_the_others():
    parameters = {name: {"shape": ("n", "m"), "about": name} for name in ("A", "S")}
    given_ = {"A": {"reference": "softmax", "output": "A"}, "S": {"normal": ("n", "m")}}
    drawn = numbers(exercise(parameters=parameters, cases={"drawn": {"given": given_}}))["drawn", 0]

    assert np.array_equal(drawn["A"], softmax(drawn["S"]))


def test_a_default_before_a_given_argument_is_written_out_so_that_positions_fit():
    parameters = {
        "S": {"shape": ("n", "m"), "about": "scores"},
        "eps": {"kind": "number", "default": 0.25, "about": "small"},
        "times": {"kind": "integer", "default": 2, "about": "factor"},
    }
    with_last = exercise(
        parameters=parameters, cases={"drawn": {"given": {"S": {"normal": ("n", "m")}, "times": 5}}}
    )
    without = exercise(parameters=parameters)

    drawn = numbers(with_last)["drawn", 0]
    assert list(drawn) == ["S", "eps", "times"]
    assert (drawn["eps"], drawn["times"]) == (0.25, 5)
    assert list(numbers(without)["drawn", 0]) == ["S"]


# The exercises that are shipped


@pytest.mark.parametrize("name", [exercise.id for exercise in course().exercises])
def test_every_shipped_exercise_tells_its_axes_apart_in_a_drawn_case(name):
    """In some drawn case no two sizes are equal, but for what is square by the exercise's own words."""
    asked = course().exercise(name)
    free = [size for size in asked.sizes if not hasattr(asked.sizes[size], "product")]
    drawn = [case for case in asked.cases.values() if case.drawn and not case.sizes]

    assert drawn
    for case in drawn:
        sizes = draw_sizes(asked, case, generator(name, "axes"))
        assert len({sizes[size] for size in free}) == len(free)
