"""The wrong functions of the assignment `qkv` are wrong, each in its own way, on inputs chosen here."""

import importlib
import inspect
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from itertools import combinations
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

ROOT = Path(__file__).parents[2]

EXERCISES = (
    "scores",
    "scale",
    "softmax",
    "mix",
    "attention",
    "layer_norm",
    "project",
    "split_heads",
    "one_head",
    "pattern_scores",
    "score_spread",
    "softmax_backward",
    "backward",
    "numerical_gradient",
)

#: Right on every input whose name starts with "usual": only the rare input that their docstring names tells.
RARE = {
    "scale_truncates_integers",
    "softmax_no_max_subtraction",
    "softmax_subtracts_minimum",
    "softmax_truncates_integers",
    "mix_truncates_integers",
    "layer_norm_no_eps",
    "layer_norm_eps_outside_root",
    "layer_norm_ignores_eps_argument",
    "layer_norm_one_pass_variance",
    "layer_norm_truncates_integers",
    "project_normalises_again",
    "split_heads_one_head_stays_flat",
    "one_head_unscaled_when_alone",
    "softmax_backward_truncates_integers",
    "numerical_gradient_forward_difference",
    "numerical_gradient_fixed_step",
    "numerical_gradient_relative_step",
    "numerical_gradient_keeps_steps",
    "numerical_gradient_truncates_integers",
    "numerical_gradient_truncates_step",
    "numerical_gradient_truncates_result",
}

Inputs = dict[str, tuple[Any, ...]]


@pytest.fixture(scope="session")
def _root_on_path() -> Iterator[None]:
    sys.path.insert(0, str(ROOT))
    yield
    sys.path.remove(str(ROOT))


@pytest.fixture(scope="session")
def reference(_root_on_path: None) -> ModuleType:
    return importlib.import_module("solutions.qkv")


@pytest.fixture(scope="session")
def malrules(_root_on_path: None) -> dict[str, dict[str, Callable[..., Any]]]:
    """The wrong functions by exercise and name; the longest exercise that a name begins with is its own."""
    module = importlib.import_module("solutions.qkv_malrules")
    rules: dict[str, dict[str, Callable[..., Any]]] = {exercise: {} for exercise in EXERCISES}
    for name, function in inspect.getmembers(module, inspect.isfunction):
        if function.__module__ == module.__name__ and not name.startswith("_"):
            owner = max((e for e in EXERCISES if name.startswith(f"{e}_")), key=len, default="none")
            rules[owner][name] = function
    return rules


def _normal(*shape: int, seed: int = 1) -> np.ndarray:
    return np.random.default_rng([seed, *shape]).normal(size=shape)


def _whole(*shape: int, seed: int = 1) -> np.ndarray:
    return np.random.default_rng([seed, *shape]).integers(-4, 5, size=shape)


def _weights(n_q: int, n_k: int) -> np.ndarray:
    exponentials = np.exp(_normal(n_q, n_k, seed=9))
    return exponentials / exponentials.sum(axis=1, keepdims=True)


def _normalised(n: int, d: int) -> np.ndarray:
    X = _normal(n, d)
    return (X - X.mean(axis=1, keepdims=True)) / X.std(axis=1, keepdims=True)


def _square_loss(M: np.ndarray) -> float:
    return float(np.sum(M**2))


def _cubic_loss(M: np.ndarray) -> float:
    return float(np.sum(M**3))


def _coupling_loss(M: np.ndarray) -> float:
    """A quadratic whose derivative at an entry depends on all other entries."""
    return float(np.sum(M) ** 2)


def _row_loss(M: np.ndarray) -> float:
    """A quadratic that adds up over rows, and needs a matrix."""
    return float(np.sum(np.sum(M, axis=1) ** 2))


def _queries_and_keys(n_q: int, n_k: int, d_k: int) -> tuple[np.ndarray, np.ndarray]:
    return _normal(n_q, d_k, seed=2), _normal(n_k, d_k, seed=3)


def _of_attention(n_q: int, n_k: int, d_k: int, d_v: int) -> tuple[np.ndarray, ...]:
    return *_queries_and_keys(n_q, n_k, d_k), _normal(n_k, d_v, seed=4)


def _of_backward(n_q: int, n_k: int, d_k: int, d_v: int) -> tuple[np.ndarray, ...]:
    return _normal(n_q, d_v, seed=5), *_of_attention(n_q, n_k, d_k, d_v), _weights(n_q, n_k)


def _of_project(u: np.ndarray, d_k: int, d_v: int) -> tuple[np.ndarray, ...]:
    d = u.shape[1]
    return u, _normal(d, d_k, seed=6), _normal(d, d_k, seed=7), _normal(d, d_v, seed=8)


def _of_one_head(n: int, d: int, n_heads: int, h: int) -> tuple[Any, ...]:
    return *_of_project(_normal(n, d), d, d), n_heads, h


def _inputs(exercise: str) -> Inputs:
    """Named arguments for one exercise: "usual" ones, and others that show what those do not."""
    huge = np.array([[1000.0, 0, -1000], [900, 1000, 800], [-1000, -999, -1000], [0, 800, 3]])
    tables: dict[str, Inputs] = {
        "scores": {
            "usual rectangle": _queries_and_keys(3, 4, 5),
            "usual, fewer keys": _queries_and_keys(4, 2, 3),
            "keys as many as wide": _queries_and_keys(3, 4, 4),
            "square": _queries_and_keys(4, 4, 4),
        },
        "scale": {
            "usual": (_normal(3, 4), 5),
            "usual, whole root": (_normal(4, 2), 9),
            "whole numbers": (_whole(3, 4), 6),
        },
        "softmax": {
            "usual rectangle": (_normal(3, 4),),
            "usual square": (_normal(4, 4),),
            "huge": (huge,),
            "huge square": (huge[:3],),
            "whole numbers": (_whole(3, 4),),
        },
        "mix": {
            "usual rectangle": (_weights(3, 4), _normal(4, 5)),
            "usual square": (_weights(4, 4), _normal(4, 4)),
            "whole numbers": (_weights(3, 4), _whole(4, 5)),
        },
        "attention": {
            "usual rectangle": _of_attention(3, 4, 5, 6),
            "keys as wide as values": _of_attention(3, 4, 5, 5),
            "queries as many as keys": _of_attention(4, 4, 5, 6),
        },
        "layer_norm": {
            "usual rectangle": (_normal(3, 6) * 2 + 1,),
            "usual square": (_normal(4, 4) * 2 + 1,),
            "constant row": (np.array([[3.0, 3, 3], [1, 5, 2]]),),
            "large eps": (_normal(3, 5) * 2, 0.1),
            "offset": (_normal(3, 5) + 1e7,),
            "whole numbers": (_whole(3, 5) * 3,),
        },
        "project": {
            "usual rectangle": _of_project(_normalised(3, 4), 5, 6),
            "usual square": _of_project(_normalised(3, 4), 4, 4),
            "not normalised": _of_project(_normal(3, 4), 5, 6),
        },
        "split_heads": {
            "usual, two heads": (_normal(4, 6), 2),
            "usual, three heads": (_normal(3, 12), 3),
            "one head": (_normal(3, 4), 1),
            "tokens left over": (_normal(5, 4), 2),
        },
        "one_head": {
            "usual, two heads": _of_one_head(5, 6, 2, 0),
            "usual, three heads": _of_one_head(5, 6, 3, 1),
            "usual, last of three": _of_one_head(4, 6, 3, 2),
            "one head": _of_one_head(3, 4, 1, 0),
        },
        "pattern_scores": {
            f"usual {kind}": (kind, *_queries_and_keys(3, 5, 4))
            for kind in ("content", "previous", "decay", "mixed")
        },
        "score_spread": {
            "usual rectangle": _queries_and_keys(3, 4, 5),
            "usual, longer": _queries_and_keys(6, 2, 3),
        },
        "softmax_backward": {
            "usual rectangle": (_normal(3, 4), _weights(3, 4)),
            "usual square": (_normal(4, 4), _weights(4, 4)),
            "whole numbers": (_whole(3, 4), _weights(3, 4)),
        },
        "backward": {
            "usual rectangle": _of_backward(3, 4, 5, 6),
            "queries as many as keys": _of_backward(4, 4, 5, 6),
            "keys as many as values are wide": _of_backward(3, 4, 5, 4),
        },
        "numerical_gradient": {
            "usual quadratic": (_square_loss, _normal(2, 3)),
            "usual cubic": (_cubic_loss, _normal(3, 2)),
            "usual coupling": (_coupling_loss, _normal(2, 3)),
            "rows that add up": (_row_loss, _normal(2, 3)),
            "large step on a quadratic": (_square_loss, _normal(2, 3), 0.1),
            "large step on a coupling": (_coupling_loss, _normal(2, 3), 0.1),
            "large step on a cubic": (_cubic_loss, _normal(2, 3), 0.1),
            "an entry of 0": (_square_loss, np.array([[0.0, 1.5]])),
            # A large step, so that the derivatives taken from a cut-off step are no whole numbers.
            "whole numbers": (_cubic_loss, _whole(3, 2), 0.7),
        },
    }
    return tables[exercise]


def _outcome(function: Callable[..., Any], arguments: tuple[Any, ...]) -> Any:
    """What comes back, or the name of the exception."""
    with np.errstate(all="ignore"):
        try:
            return function(*(a.copy() if isinstance(a, np.ndarray) else a for a in arguments))
        except (ValueError, IndexError) as error:
            return type(error).__name__


def _agree(actual: Any, expected: Any) -> bool:
    """Whether two outcomes are the same kind of thing, in shape and in value."""
    if isinstance(actual, str) or isinstance(expected, str):
        return bool(isinstance(actual, str) and isinstance(expected, str) and actual == expected)
    if isinstance(actual, tuple) != isinstance(expected, tuple):
        return False
    if isinstance(actual, tuple):
        return len(actual) == len(expected) and all(map(_agree, actual, expected))
    if np.shape(actual) != np.shape(expected):
        return False
    return bool(np.allclose(actual, expected, rtol=2e-5, atol=3e-6, equal_nan=True))


def _outcomes(function: Callable[..., Any], exercise: str) -> dict[str, Any]:
    return {name: _outcome(function, arguments) for name, arguments in _inputs(exercise).items()}


@pytest.mark.parametrize("exercise", EXERCISES)
def test_every_exercise_has_several_malrules(exercise, malrules):
    assert len(malrules[exercise]) >= 6


@pytest.mark.parametrize("exercise", EXERCISES)
def test_a_malrule_has_the_signature_of_its_exercise(exercise, malrules, reference):
    def parameters(function):
        return [(p.name, p.kind, p.default) for p in inspect.signature(function).parameters.values()]

    expected = parameters(getattr(reference, exercise))
    others = [name for name, rule in malrules[exercise].items() if parameters(rule) != expected]

    assert others == []


@pytest.mark.parametrize("exercise", EXERCISES)
def test_the_reference_is_defined_on_all_the_inputs_chosen_here(exercise, reference):
    outcomes = _outcomes(getattr(reference, exercise), exercise)

    assert [name for name, outcome in outcomes.items() if isinstance(outcome, str)] == []


@pytest.mark.parametrize("exercise", EXERCISES)
def test_a_malrule_returns_a_wrong_value_on_some_input(exercise, malrules, reference):
    expected = _outcomes(getattr(reference, exercise), exercise)
    right = []
    for name, rule in malrules[exercise].items():
        actual = _outcomes(rule, exercise)
        if all(isinstance(actual[i], str) or _agree(actual[i], expected[i]) for i in expected):
            right.append(name)

    assert right == []


@pytest.mark.parametrize("exercise", EXERCISES)
def test_exactly_the_malrules_called_rare_are_right_on_every_usual_input(exercise, malrules, reference):
    expected = {i: o for i, o in _outcomes(getattr(reference, exercise), exercise).items() if "usual" in i}
    right = set()
    for name, rule in malrules[exercise].items():
        actual = _outcomes(rule, exercise)
        if all(_agree(actual[i], expected[i]) for i in expected):
            right.add(name)

    assert right == RARE & malrules[exercise].keys()


@pytest.mark.parametrize("exercise", EXERCISES)
def test_two_malrules_of_an_exercise_are_told_apart_by_some_input(exercise, malrules):
    outcomes = {name: _outcomes(rule, exercise) for name, rule in malrules[exercise].items()}
    alike = [
        (one, other)
        for one, other in combinations(outcomes, 2)
        if all(_agree(outcomes[one][i], outcomes[other][i]) for i in outcomes[one])
    ]

    assert alike == []


@pytest.mark.parametrize("exercise", EXERCISES)
def test_a_malrule_changes_no_argument(exercise, malrules):
    changed = []
    for name, rule in malrules[exercise].items():
        for label, arguments in _inputs(exercise).items():
            before = [a.copy() for a in arguments if isinstance(a, np.ndarray)]
            with np.errstate(all="ignore"), suppress(ValueError, IndexError):
                rule(*arguments)
            after = [a for a in arguments if isinstance(a, np.ndarray)]
            if not all(map(np.array_equal, before, after)):
                changed.append((name, label))

    assert changed == []


@pytest.mark.parametrize("exercise", EXERCISES)
def test_a_malrule_hands_back_none_of_its_arguments(exercise, malrules):
    """Otherwise a later change of the result would change the input of another case."""
    shared = []
    for name, rule in malrules[exercise].items():
        for label, arguments in _inputs(exercise).items():
            with np.errstate(all="ignore"):
                try:
                    result = rule(*arguments)
                except (ValueError, IndexError):
                    continue
            results = result if isinstance(result, tuple) else (result,)
            given = [a for a in arguments if isinstance(a, np.ndarray)]
            if any(r is a for r in results for a in given):
                shared.append((name, label))

    assert shared == []
