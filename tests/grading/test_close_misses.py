"""Functions that are right on all but some inputs: each loses marks, and what is said of it is true."""

import pytest

from autograder.model.result import ExerciseResult
from tests.grading.test_grader import by_id, grade, replaced

#: The submissions' own warnings, in this process.
pytestmark = pytest.mark.filterwarnings("ignore::RuntimeWarning")

SOFTMAX = "    e = np.exp({shifted})\n    return e / e.sum(axis=1, keepdims=True)\n"


def softmax(shifted: str) -> str:
    return f"def softmax(S):\n{SOFTMAX.format(shifted=shifted)}"


def patterns(previous: str) -> str:
    return (
        "def pattern_scores(kind, Q, K):\n"
        "    n, m = len(Q), len(K)\n"
        "    previous = np.zeros((n, m))\n"
        f"{previous}"
        "    decay = -abs(np.arange(n)[:, None] - np.arange(m))\n"
        "    content = Q @ K.T\n"
        "    return {'content': content, 'previous': previous, 'decay': decay,\n"
        "            'mixed': (content + previous + decay) / 3}[kind]\n"
    )


WRONG = {
    "the largest is sought from 0 up": ("softmax", softmax("S - np.maximum(S.max(1, keepdims=True), 0)")),
    "the largest in size is taken off": ("softmax", softmax("S - abs(S).max(axis=1, keepdims=True)")),
    "a constant is taken off": ("softmax", softmax("S - 700")),
    "the largest of the first row is taken off": ("softmax", softmax("S - S[0].max()")),
    "the largest of the last row is taken off": ("softmax", softmax("S - S[-1].max()")),
    "longer floats in place of a shift": ("softmax", softmax("S.astype(np.longdouble)")),
    "axes of size 1 are lost": (
        "layer_norm",
        (
            "def layer_norm(X, eps=1e-5):\n"
            "    return np.squeeze((X - X.mean(1, keepdims=True)) / np.sqrt(X.var(1, keepdims=True) + eps))\n"
        ),
    ),
    "one token alone loses an axis": (
        "one_head",
        (
            "def one_head(X, W_Q, W_K, W_V, n_heads, h):\n"
            "    u, d = layer_norm(X), X.shape[1] // n_heads\n"
            "    cut = slice(h * d, (h + 1) * d)\n"
            "    O, A = attention(*((u @ W)[:, cut] for W in (W_Q, W_K, W_V)))\n"
            "    return O.squeeze(), A.squeeze()\n"
        ),
    ),
    "a loop to the last query": (
        "pattern_scores",
        patterns("    for q in range(1, n):\n        previous[q, q - 1] = 5\n"),
    ),
    "a loop to the shorter side": (
        "pattern_scores",
        patterns("    for q in range(1, min(n, m)):\n        previous[q, q - 1] = 5\n"),
    ),
    "a step through the flat array": ("pattern_scores", patterns("    previous.flat[m::m + 1] = 5\n")),
    "a difference of two means of squares": (
        "score_spread",
        (
            "def score_spread(Q, K):\n"
            "    S = Q @ K.T\n"
            "    raw = np.sqrt((S ** 2).mean() - S.mean() ** 2)\n"
            "    return raw, raw / np.sqrt(K.shape[1])\n"
        ),
    ),
    "attention scaled by the values where there are as many queries as keys": (
        "attention",
        (
            "def attention(Q, K, V):\n"
            "    d = V.shape[1] if len(Q) == len(V) else K.shape[1]\n"
            "    A = softmax(Q @ K.T / np.sqrt(d))\n"
            "    return A @ V, A\n"
        ),
    ),
}
RIGHT = {
    "the largest of all scores is taken off": ("softmax", softmax("S - S.max()")),
    "single precision": ("softmax", softmax("(S - S.max(1, keepdims=True)).astype(np.float32)")),
    "a constant over the largest": ("softmax", softmax("S - S.max(1, keepdims=True) - 20")),
    "a loop that stops at both ends": (
        "pattern_scores",
        patterns("    for q in range(1, min(n, m + 1)):\n        previous[q, q - 1] = 5\n"),
    ),
}


def graded(name: str, source: str, draw: int) -> ExerciseResult:
    return by_id(grade(replaced(it=source) + f"# {draw}\n", only=(name,)))[name]


@pytest.mark.parametrize("draw", range(3))
@pytest.mark.parametrize(("name", "source"), WRONG.values(), ids=WRONG)
def test_a_function_that_is_wrong_on_some_inputs_loses_marks_whatever_is_drawn(name, source, draw) -> None:
    exercise = graded(name, source, draw)

    assert exercise.status in ("partly", "failed", "raised")
    assert exercise.marks < exercise.max_marks


@pytest.mark.parametrize("draw", range(3))
@pytest.mark.parametrize(("name", "source"), RIGHT.values(), ids=RIGHT)
def test_its_right_neighbour_keeps_them(name, source, draw) -> None:
    exercise = graded(name, source, draw)

    assert (exercise.status, exercise.marks) == ("passed", exercise.max_marks)


# What is said where an earlier exercise is at fault


def test_a_right_function_on_an_unwritten_one_is_not_said_to_be_wrong_itself() -> None:
    unwritten = "def softmax(S):\n    raise NotImplementedError('softmax')\n"
    result = by_id(grade(replaced(it=unwritten), only=("softmax", "attention", "one_head")))

    assert result["one_head"].message == (
        "rests on attention, not right yet; whether its own part is right shows only after that"
    )


EAGER = (
    "def pattern_scores(kind, Q, K):\n"
    "    g = np.arange(len(Q))[:, None] - np.arange(len(K))\n"
    "    c, p, d = {content}, 5.0 * (g == 1), -1.0 * abs(g)\n"
    "    return {{'content': c, 'previous': p, 'decay': d, 'mixed': (c + p + d) / 3}}[kind]\n"
)


@pytest.mark.parametrize(
    ("content", "own"), [("scores(Q, K)", False), ("help_out(Q, K)", False), ("Q + K", True)]
)
def test_a_function_stopped_by_an_earlier_one_is_not_said_to_be_wrong_itself(content, own) -> None:
    turned = "def scores(Q, K):\n    return K @ Q.T\n"
    helper = "def help_out(Q, K):\n    return scores(Q, K)\n"
    source = replaced(it=turned, helper=helper, eager=EAGER.format(content=content))
    exercise = by_id(grade(source, only=("scores", "pattern_scores")))["pattern_scores"]

    words = "its own part differs as well" if own else "whether its own part is right shows only after that"
    assert exercise.message == f"rests on scores, not right yet; {words}"
    if not own:
        assert not [one.code for one in exercise.diagnosis if one.code.startswith("only.")]


def test_a_later_function_with_the_same_mistake_of_its_own_is_called_equal_and_not_built_rightly() -> None:
    unscaled = "def scale(S, d_k):\n    return S\n"
    own = "def attention(Q, K, V):\n    A = softmax(Q @ K.T)\n    return A @ V, A\n"
    exercise = by_id(grade(replaced(it=unscaled, own=own), only=("scale", "attention")))["attention"]

    assert exercise.follow_through
    assert exercise.message == "follow-through from scale: equal to a right build on this file's own scale"


def test_a_function_that_ignores_an_argument_is_not_said_to_keep_anything() -> None:
    first_head = (
        "def one_head(X, W_Q, W_K, W_V, n_heads, h):\n"
        "    Q, K, V = project(layer_norm(X), W_Q, W_K, W_V)\n"
        "    return attention(*(split_heads(M, n_heads)[0] for M in (Q, K, V)))\n"
    )
    exercise = graded("one_head", first_head, 0)

    assert "transform.kept" not in [idea.code for idea in (*exercise.diagnosis, *exercise.further)]
    assert "one_head.ignores_h" in [idea.code for idea in exercise.diagnosis]


#: Wrong on every third call of those in a row: on a rerun other calls are the third.
EVERY_THIRD = (
    "N = [0]\ndef scale(S, d_k):\n    N[0] += 1\n    return S / np.sqrt(d_k) * (1 if N[0] % 3 else 2)\n"
)


def test_beside_an_earlier_function_that_counts_its_calls_nothing_is_said_of_the_later_one() -> None:
    result = by_id(grade(replaced(it=EVERY_THIRD), only=("scale", "attention", "one_head")))

    for name in ("attention", "one_head"):
        assert "its own part differs" not in result[name].message
