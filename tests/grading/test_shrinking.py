"""Seeking a small failing input: through a session, bounded, the same each time."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

from autograder.diagnosis.sample import Idea, Sample
from autograder.grading import shrinking
from autograder.grading.expectations import call_reference
from autograder.grading.shrinking import find_smallest, outputs_by_name
from autograder.model.check import Tolerance
from autograder.model.exercise import Exercise
from autograder.model.outcome import Died, Outcome, Raised, Returned, Value
from autograder.numeric.compare import Expected
from autograder.wording.say import say
from autograder.worker.portable import PortableWorkshop
from autograder.worker.session import Session
from tests.grading.in_process import TOLERANCE, Functions, course, plan_of

#: The wrong functions of these tests overflow and divide by zero as such functions do.
pytestmark = pytest.mark.filterwarnings("ignore::RuntimeWarning")

COLUMNS = "import numpy as np\ndef softmax(S):\n    e = np.exp(S - S.max())\n    return e / e.sum(axis=0)\n"
UNSCALED = (
    "import numpy as np\n"
    "def attention(Q, K, V):\n"
    "    S = Q @ K.T\n"
    "    e = np.exp(S - S.max(axis=1, keepdims=True))\n"
    "    A = e / e.sum(axis=1, keepdims=True)\n"
    "    return A @ V, A\n"
)


def samples(exercise: Exercise, session: Any, *, cases: Sequence[str] = ()) -> tuple[Sample, ...]:
    """The draws of an exercise, as a session answers them."""
    found = []
    for trial in plan_of(exercise, course().references).draws:
        if cases and trial.case not in cases:
            continue
        outcome = session.call(exercise.function, tuple(trial.arguments.values()))
        values = call_reference(course().references, exercise.function, trial.arguments)
        names = zip(exercise.outputs, values, strict=True)
        expected = {name: Expected(np.asarray(value), TOLERANCE) for name, value in names}
        outputs = outputs_by_name(outcome, exercise.outputs)
        found.append(
            Sample(trial.case, trial.draw, trial.hidden, trial.arguments, outcome, outputs, expected)
        )
    return tuple(found)


def sought(name: str, source: str, *, session: Any = None, **options: Any) -> Idea | None:
    exercise = course().exercise(name)
    own = Functions.of_source(source)
    failed = samples(exercise, own, cases=options.pop("cases", ()))
    parts = (course().references, course().exercises, TOLERANCE)
    return find_smallest(session or own, exercise, failed, *parts, **options)


def words(idea: Idea | None) -> str:
    assert idea is not None
    assert idea.kind == "smallest"
    return say(idea.code, idea.params)


def test_a_column_softmax_is_shown_on_two_scores() -> None:
    assert words(sought("softmax", COLUMNS)) == "S = [[0, 0]]: row 0 is [1, 1], expected [0.5, 0.5]"


def test_a_missing_scale_needs_two_columns_of_keys() -> None:
    told = words(sought("attention", UNSCALED))

    assert told == (
        "Q = [[0, 1]], K = [[0, 0], [0, 1]], V = [[0], [0]]: A row 0 is [0.27, 0.73], expected [0.33, 0.67]"
    )


def test_an_exception_is_sought_as_that_exception() -> None:
    source = "def scores(Q, K):\n    return Q @ K\n"

    assert words(sought("scores", source)) == "Q = [[0, 0]], K = [[0, 0]]: raises ValueError"


def test_whole_numbers_alone_are_sought_in_whole_numbers() -> None:
    source = "def scale(S, d_k):\n    S = S.copy()\n    S /= d_k ** 0.5\n    return S\n"

    assert words(sought("scale", source)) == "S = [[0]], d_k = 1 in whole numbers: raises UFuncTypeError"


def test_a_gradient_is_shown_with_its_function() -> None:
    source = (
        "import numpy as np\n"
        "def numerical_gradient(f, M, h=1e-6):\n"
        "    G = np.zeros(M.shape)\n"
        "    for i in np.ndindex(M.shape):\n"
        "        E = np.zeros(M.shape)\n"
        "        E[i] = h\n"
        "        G[i] = (f(M + E) - f(M)) / h\n"
        "    return G\n"
    )

    told = words(sought("numerical_gradient", source))
    assert told.startswith(
        "f = quadratic(C = [[1]], B = [[1]]), M = [[0]], h = 0.1: row 0 is [1.1], expected"
    )


def test_the_heads_of_a_small_input_are_valid() -> None:
    source = (
        "import numpy as np\n"
        "def one_head(X, W_Q, W_K, W_V, n_heads, h):\n"
        "    u = (X - X.mean(1, keepdims=True)) / np.sqrt(X.var(1, keepdims=True) + 1e-5)\n"
        "    d = X.shape[1] // n_heads\n"
        "    Q, K, V = (u @ W[:, :d] for W in (W_Q, W_K, W_V))\n"
        "    e = np.exp(Q @ K.T / np.sqrt(d))\n"
        "    A = e / e.sum(1, keepdims=True)\n"
        "    return A @ V, A\n"
    )

    told = words(sought("one_head", source))
    assert "n_heads = 2, h = 1: O row 0" in told


def test_the_same_submission_gets_the_same_input() -> None:
    assert sought("attention", UNSCALED) == sought("attention", UNSCALED)


def test_a_right_function_gets_none() -> None:
    source = COLUMNS.replace("e.sum(axis=0)", "e.sum(axis=1, keepdims=True)")

    assert sought("softmax", source) is None


def test_a_function_that_only_hidden_draws_catch_is_shown_on_a_new_input() -> None:
    told = words(sought("softmax", COLUMNS, cases=("random",)))

    assert told == "S = [[0, 0]]: row 0 is [1, 1], expected [0.5, 0.5]"


def test_nothing_is_sought_where_only_written_cases_fail() -> None:
    assert sought("softmax", COLUMNS, cases=("five-tokens",)) is None


class Counting:
    """A session that counts its calls and answers each with what it is told to."""

    def __init__(self, answer: Any) -> None:
        self.answer = answer
        self.calls = 0

    def call(self, function: str, arguments: Sequence[Value], *, trace: bool = False) -> Outcome:
        self.calls += 1
        return self.answer(arguments)


def raises_on_small_numbers(arguments: Sequence[Value]) -> Outcome:
    """What a column softmax gives on a drawn input, and an exception on every small one that is tried."""
    if np.mod(2 * arguments[0], 1).any():
        return Functions.of_source(COLUMNS).call("softmax", arguments)
    return Raised("KeyError", "")


def test_a_function_that_does_not_come_back_is_asked_no_more() -> None:
    session = Counting(lambda arguments: Died("timed_out"))

    assert sought("softmax", COLUMNS, session=session) is None
    assert session.calls == 1


def test_an_answer_that_changes_from_call_to_call_is_not_shown() -> None:
    rng = np.random.default_rng(1)
    session = Counting(lambda arguments: Returned(rng.normal(size=arguments[0].shape)))

    assert sought("softmax", COLUMNS, session=session) is None


def test_the_calls_are_bounded_where_nothing_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shrinking, "CALLS", 40)
    session = Counting(raises_on_small_numbers)

    assert sought("softmax", COLUMNS, session=session) is None
    assert 20 < session.calls <= 40


def test_without_thorough_hypothesis_is_not_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shrinking, "_by_hypothesis", lambda *parts: pytest.fail("asked"))
    session = Counting(raises_on_small_numbers)

    assert sought("softmax", COLUMNS, session=session, thorough=False) is None


def test_what_the_fixed_inputs_miss_is_found_and_made_small_by_hypothesis() -> None:
    source = (
        "import numpy as np\n"
        "def softmax(S):\n"
        "    e = np.exp(S - S.max(axis=1, keepdims=True))\n"
        "    A = e / e.sum(axis=1, keepdims=True)\n"
        "    return A + ((np.abs(S) > 2).any() or (S[0, :2] == 2).sum() == 2)\n"
    )

    assert sought("softmax", source, thorough=False) is None
    assert words(sought("softmax", source)) == "S = [[2, 2]]: row 0 is [1.5, 1.5], expected [0.5, 0.5]"


REMEMBERS = (
    "SEEN = {}\n"
    "def scale(S, d_k):\n    return S / SEEN.setdefault(0, d_k) ** 0.5\n"
    "def scores(Q, K):\n    return SEEN.setdefault((len(Q), len(K)), Q @ K.T)\n"
)


@pytest.mark.parametrize("hidden", [False, True])
@pytest.mark.parametrize("name", ["scale", "scores"])
def test_an_input_that_fails_only_after_other_calls_is_no_smallest_input(name: str, hidden: bool) -> None:
    exercise = course().exercise(name)
    cases = [name for name, case in exercise.cases.items() if case.hidden == hidden]
    own = Functions.of_source(REMEMBERS)

    assert sought(name, REMEMBERS, cases=cases, session=own, afresh=own.names["SEEN"].clear) is None


def test_through_a_real_worker() -> None:
    exercise = course().exercise("softmax")
    limits = course().assignment.limits
    failed = samples(exercise, Functions.of_source(COLUMNS))
    with (
        PortableWorkshop() as workshop,
        Session(workshop, COLUMNS.encode(), "attention.py", limits) as session,
    ):
        idea = find_smallest(
            session,
            exercise,
            failed,
            course().references,
            course().exercises,
            Tolerance(atol=3e-6, rtol=2e-5),
        )

    assert words(idea) == "S = [[0, 0]]: row 0 is [1, 1], expected [0.5, 0.5]"
