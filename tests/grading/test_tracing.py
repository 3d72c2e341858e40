"""Tracing a submission's call and the reference's, and what is told of the two."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

from autograder.diagnosis.sample import Idea, Sample
from autograder.diagnosis.sizes import all_sizes
from autograder.grading.expectations import call_reference
from autograder.grading.names import definitions
from autograder.grading.shrinking import outputs_by_name
from autograder.grading.tracing import (
    find_parting,
    function_lines,
    reference_steps,
    short,
    traced_sample,
)
from autograder.model.exercise import Exercise
from autograder.model.outcome import Assigned, Outcome, Returned, Value
from autograder.numeric.compare import Expected
from autograder.wording.say import say
from autograder.worker.inside.trace import Tracer
from autograder.worker.portable import PortableWorkshop
from autograder.worker.replies import value_from
from autograder.worker.session import Session
from tests.grading.in_process import FILE, TOLERANCE, Functions, course, plan_of, submission

#: The wrong functions of these tests overflow and divide by zero as such functions do.
pytestmark = pytest.mark.filterwarnings("ignore::RuntimeWarning")

RNG = np.random.default_rng(3)
HEAD = "import numpy as np\n"
SOFTMAX = (
    "def softmax(S):\n"
    "    e = np.exp(S - S.max(axis=1, keepdims=True))\n"
    "    return e / e.sum(axis=1, keepdims=True)\n"
)
UNSCALED = HEAD + (
    "def attention(Q, K, V):\n"
    "    s = Q @ K.T\n"
    "    e = np.exp(s - s.max(axis=1, keepdims=True))\n"
    "    w = e / e.sum(axis=1, keepdims=True)\n"
    "    return w @ V, w\n"
)


class Traced(Functions):
    """Functions of this process whose calls can be traced as a worker traces them."""

    def call(self, function: str, arguments: Sequence[Value], *, trace: bool = False) -> Outcome:
        outcome = super().call(function, arguments)
        if not trace or not isinstance(outcome, Returned):
            return outcome
        tracer = Tracer(FILE)
        tracer.run(self.names[function], [np.copy(a) if isinstance(a, np.ndarray) else a for a in arguments])
        seen = tuple(Assigned(line, name, value_from(value)) for line, name, value in tracer.assigned)
        return Returned(outcome.value, outcome.changed, trace=seen)


def samples(exercise: Exercise, session: Any) -> tuple[Sample, ...]:
    """The draws of an exercise, as a session answers them."""
    found = []
    for trial in plan_of(exercise, course().references).draws:
        outcome = session.call(exercise.function, tuple(trial.arguments.values()))
        values = call_reference(course().references, exercise.function, trial.arguments)
        names = zip(exercise.outputs, values, strict=True)
        expected = {name: Expected(np.asarray(value), TOLERANCE) for name, value in names}
        outputs = outputs_by_name(outcome, exercise.outputs)
        found.append(
            Sample(trial.case, trial.draw, trial.hidden, trial.arguments, outcome, outputs, expected)
        )
    return tuple(found)


def parting(name: str, source: str, *, passed: Sequence[str] = (), session: Any = None) -> Idea | None:
    exercise = course().exercise(name)
    own = Traced.of_source(source)
    return find_parting(
        session or own,
        exercise,
        samples(exercise, own),
        course().references,
        course().exercises,
        definitions(submission(source)),
        passed,
    )


def words(idea: Idea | None) -> str:
    assert idea is not None
    return say(idea.code, idea.params)


def test_the_line_after_the_last_right_one_is_named_with_the_next_step() -> None:
    told = words(parting("attention", UNSCALED))

    assert told == (
        "line 3, `s`: equals S (raw dot products); line 5, `w`: differs from A (weights); "
        "the cause lies in lines 4 to 5"
    )


def test_the_line_within_an_earlier_function_is_found() -> None:
    source = HEAD + (
        "def softmax(S):\n"
        "    e = np.exp(S)\n"
        "    return e / e.sum(axis=0)\n"
        "def attention(Q, K, V):\n"
        "    scaled = Q @ K.T / np.sqrt(K.shape[1])\n"
        "    A = softmax(scaled)\n"
        "    return A @ V, A\n"
    )
    idea = parting("attention", source)

    assert words(idea) == (
        "line 6, `scaled`: equals scaled (the scores divided by the root of d_k); "
        "line 4, the returned value: its columns sum to 1; the next step should be A (weights)"
    )
    assert idea is not None
    assert idea.line == 4


def test_an_earlier_function_that_passed_is_not_blamed() -> None:
    source = (
        HEAD
        + SOFTMAX
        + ("def attention(Q, K, V):\n    S = Q @ K.T\n    A = softmax(S)\n    return A @ V, A\n")
    )
    idea = parting("attention", source, passed=("softmax",))

    assert words(idea) == (
        "line 6, `S`: equals S (raw dot products); line 7, `A`: differs from A (weights); "
        "the next step should be scaled (the scores divided by the root of d_k)"
    )


def test_a_gradient_without_its_scale_is_told_by_the_factor() -> None:
    source = HEAD + (
        "def backward(dO, Q, K, V, A):\n"
        "    dV = A.T @ dO\n"
        "    dA = dO @ V.T\n"
        "    dS = A * (dA - (dA * A).sum(axis=1, keepdims=True))\n"
        "    dQ = dS @ K\n"
        "    dK = dS.T @ Q\n"
        "    return dQ, dK, dV, dS\n"
    )

    assert words(parting("backward", source)) == (
        "line 5, `dS`: equals dS (gradient at the scaled scores); "
        "line 6, `dQ`: dQ (gradient at the queries) times √d_k"
    )


def test_a_loop_that_fills_its_result_is_followed_to_the_end() -> None:
    source = HEAD + (
        "def attention(Q, K, V):\n"
        "    S = np.zeros((len(Q), len(K)))\n"
        "    for i in range(len(Q)):\n"
        "        for j in range(len(K)):\n"
        "            S[i, j] = Q[i] @ K[j] / np.sqrt(K.shape[1])\n"
        "    e = np.exp(S)\n"
        "    A = e / e.sum()\n"
        "    return A @ V, A\n"
    )

    assert words(parting("attention", source)).startswith(
        "line 6, `S`: equals scaled (the scores divided by the root of d_k); "
        "line 8, `A`: all its entries together sum to 1"
    )


def test_an_overflow_is_found_where_it_begins() -> None:
    source = HEAD + "def softmax(S):\n    e = np.exp(S)\n    return e / e.sum(axis=1, keepdims=True)\n"

    assert words(parting("softmax", source)) == "line 3, `e`: the first value that is not finite"


def test_a_right_or_a_raising_function_is_not_traced() -> None:
    assert parting("softmax", HEAD + SOFTMAX) is None
    assert parting("softmax", HEAD + "def softmax(S):\n    return S[99]\n") is None


def test_only_a_visible_sample_is_traced() -> None:
    exercise = course().exercise("softmax")
    every = samples(exercise, Functions.of_source(HEAD + "def softmax(S):\n    return S\n"))
    chosen = traced_sample(exercise, every)

    assert chosen is not None
    assert not chosen.hidden
    assert traced_sample(exercise, [sample for sample in every if sample.hidden]) is None


def test_the_traced_sample_has_sizes_that_differ_and_no_huge_numbers() -> None:
    exercise = course().exercise("softmax")
    chosen = traced_sample(
        exercise, samples(exercise, Functions.of_source(HEAD + "def softmax(S):\n    return S\n"))
    )

    assert chosen is not None
    S = chosen.arguments["S"]
    assert isinstance(S, np.ndarray)
    assert S.shape[0] != S.shape[1]
    assert np.abs(S).max() < 50


def test_one_traced_call_is_enough() -> None:
    source = HEAD + "def softmax(S):\n    return S * 2\n"
    session = Traced.of_source(source)

    parting("softmax", source, session=session)

    assert session.called == ["softmax"]


def test_the_reference_steps_have_the_words_of_the_exercises() -> None:
    exercise = course().exercise("attention")
    arguments = {"Q": RNG.normal(size=(4, 3)), "K": RNG.normal(size=(5, 3)), "V": RNG.normal(size=(5, 2))}
    steps = reference_steps(course().references, exercise, arguments, course().exercises)
    named = [(step.name, step.about, step.function) for step in steps if step.about]

    assert named == [
        ("S", "raw dot products", "scores"),
        ("scaled", "the scores divided by the root of d_k", "scale"),
        ("A", "weights", "softmax"),
        ("O", "mixed values", "mix"),
    ]
    assert not any(np.array_equal(step.array, value) for step in steps for value in arguments.values())


def test_an_own_output_bears_its_own_name() -> None:
    exercise = course().exercise("backward")
    names = ("Q", "K", "V")
    arguments: dict[str, Any] = {name: RNG.normal(size=(4, 3)) for name in names} | {
        "dO": RNG.normal(size=(4, 3))
    }
    arguments["A"] = course().references.call("attention", {name: arguments[name] for name in names})[1]
    ordered = {name: arguments[name] for name in exercise.parameters}
    steps = reference_steps(course().references, exercise, ordered, course().exercises)

    assert [step.name for step in steps if step.about] == ["dV", "dA", "dS", "dQ", "dK"]


def test_the_tracer_that_was_at_work_gets_its_place_back() -> None:
    def mine(frame: Any, event: str, argument: Any) -> None:
        return None

    exercise = course().exercise("softmax")
    before = sys.gettrace()
    sys.settrace(mine)
    try:
        reference_steps(course().references, exercise, {"S": RNG.normal(size=(2, 3))}, course().exercises)
        kept = sys.gettrace()
    finally:
        sys.settrace(before)

    assert kept is mine


def test_a_long_loop_of_the_reference_is_not_followed_for_ever() -> None:
    from autograder.model.outcome import FunctionArgument

    exercise = course().exercise("numerical_gradient")
    M = RNG.normal(size=(20, 30))
    f = FunctionArgument("sines", {"W": M})

    assert len(reference_steps(course().references, exercise, {"f": f, "M": M}, course().exercises)) <= 60


def test_sizes_come_from_arrays_numbers_and_products() -> None:
    one_head, scale = course().exercise("one_head"), course().exercise("scale")
    W = np.zeros((6, 6))

    assert all_sizes(
        one_head, {"X": np.zeros((4, 6)), "W_Q": W, "W_K": W, "W_V": W, "n_heads": 2, "h": 1}
    ) == {
        "n": 4,
        "d": 6,
        "n_heads": 2,
        "d_k": 3,
    }
    assert all_sizes(scale, {"S": np.zeros((2, 5)), "d_k": 7}) == {"n_q": 2, "n_k": 5, "d_k": 7}


def test_lines_of_functions_are_those_of_the_last_definition() -> None:
    source = (
        "def f():\n    return 1\n\ndef f():\n    a = 1\n    return a\nif f:\n    def g():\n        pass\n"
    )

    assert function_lines(definitions(submission(source))) == {"f": range(4, 7)}
    assert function_lines(definitions(submission("def f(:\n"))) == {}


def test_a_long_description_is_its_first_clause() -> None:
    assert short("weights, every row sums to 1") == "weights"


def test_through_a_real_worker() -> None:
    limits = course().assignment.limits
    with PortableWorkshop() as workshop, Session(workshop, UNSCALED.encode(), FILE, limits) as session:
        told = words(parting("attention", UNSCALED, session=session))

    assert told.startswith("line 3, `s`: equals S (raw dot products); line 5, `w`: differs from A (weights)")
