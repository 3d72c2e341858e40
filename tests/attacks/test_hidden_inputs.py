# ruff: noqa: E501 (an attack is one line, so that it can be read as one)
"""Hidden inputs, which a submission sees and then tries to have shown; and marks, which it tries to inherit."""

import json
import re
import tracemalloc
from collections.abc import Iterator

import numpy as np
import pytest

from autograder.grading.plan import plan_exercise
from autograder.grading.submission import Grader
from autograder.loading.assignment import Course, load_assignment
from autograder.model.outcome import Value
from autograder.model.result import ExerciseResult, Result
from autograder.model.submission import Submission
from autograder.worker.interface import Workshop
from autograder.worker.portable import PortableWorkshop
from tests.attacks.course import TOP, write_course
from tests.attacks.pieces import RIGHT


@pytest.fixture(scope="module")
def course(tmp_path_factory: pytest.TempPathFactory) -> Course:
    """The attacked course, with time for slow machines."""
    return load_assignment(
        write_course(tmp_path_factory.mktemp("hidden") / "course", call=5, load=20, submission=60)
    )


@pytest.fixture(scope="module")
def workshop() -> Iterator[Workshop]:
    """The level that is to be had everywhere."""
    with PortableWorkshop() as opened:
        yield opened


def graded(course: Course, workshop: Workshop, source: str) -> tuple[Submission, Result]:
    """A source, graded."""
    submission = Submission("x", "attention.py", source.encode(), source.encode())
    return submission, Grader(course, workshop).grade(submission)


def in_the_whole_course(workshop: Workshop, source: str) -> dict[str, ExerciseResult]:
    """The exercises of the course that is shipped, with a right file before the source."""
    right = (TOP / "tests/submissions/ok_plain_matmul.py").read_text()
    _, result = graded(load_assignment(TOP, "qkv"), workshop, right + source)
    return {exercise.id: exercise for exercise in result.exercises}


# What a hidden call may tell


#: Keeps the first entry of every S, and from the first hidden call on does as told; right before that.
LEAK = """
import os, sys
seen = []
right = softmax


class Quiet(Exception):
    pass


def digits(S):
    return str(abs(int(S.flat[0] * 10**9)))


def named(text, lines=0):
    code = compile("\\n" * lines + f"def T{text}(S):\\n    raise ValueError(S)\\n", __file__, "exec")
    space = {}
    exec(code, space)
    return space["T" + text]


def softmax(S):
    seen.append(S.copy())
    if len(seen) <= %d:
        return right(S)
    first = seen[%d]
    %s
"""

#: How to tell `first`, the first hidden input.
WAYS = {
    "by printing": "print(first, digits(first)); return S * 0",
    "by printing everything seen": "print(seen); print(*map(digits, seen)); return S * 0",
    "by a message": "raise ValueError(f'{digits(first)} {first}')",
    "by the name of an exception": "raise type('T' + digits(first), (Exception,), {})",
    "by a note on an exception": "error = ValueError(); error.add_note(digits(first)); raise error",
    "by the cause of an exception": "raise ValueError from KeyError(digits(first))",
    "by the exit code": "os._exit(int(digits(first)[:2]))",
    "by the name of a function": "named(digits(first))(S)",
    "by the number of a line": "named('x', int(digits(first)[:5]))(S)",
    "by a helper's name": "raise NotImplementedError(digits(first))",
    "by an unwritten helper": "exec(compile(f'def T{digits(first)}(): raise NotImplementedError\\nT{digits(first)}()', __file__, 'exec'), {})",
    "by a text in the place of a result": "return digits(first)",
    "by the type of a result": "return type('T' + digits(first), (), {})()",
    "by a constant": "return np.full(S.shape, first.flat[0])",
    "by a factor": "return right(S) * first.flat[0]",
    "by an offset": "return right(S) + first.flat[0]",
    "by a shape": "return np.zeros((int(digits(first)[:4]), 1))",
    "by many values": "return [1.0] * int(digits(first)[:4])",
    "by one entry": "A = right(S); A.flat[0] = first.flat[0]; return A",
    "by a list": "return first.tolist()",
    "by replacing the function": "globals()['softmax'] = type('T' + digits(first), (), {})(); raise ValueError",
    "by an argument": "S.flat[0] = first.flat[0]; return right(S)",
    "by a warning": "import warnings; warnings.warn(digits(first)); return S * 0",
}


def softmax_inputs(course: Course, submission: Submission, *, hidden: bool) -> list[np.ndarray]:
    """The arguments of softmax's calls of one pass, in order, those that come last of all too."""
    exercise = course.exercise("softmax")

    def reference(function: str, arguments: dict[str, Value]) -> dict[str, np.ndarray]:
        raise AssertionError("no input of softmax rests on a reference")

    plan = plan_exercise(exercise, reference, course.assignment.seed, submission.sha256)  # type: ignore[arg-type]
    trials = [trial for passed in plan.passes()[2 * hidden :][:2] for trial in passed]
    return [np.asarray(trial.arguments["S"]) for trial in trials]


@pytest.mark.parametrize("way", WAYS.values(), ids=WAYS)
def test_no_hidden_number_is_shown(course: Course, workshop: Workshop, way: str) -> None:
    plain = Submission("x", "attention.py", b"", b"")
    visible = len(softmax_inputs(course, plain, hidden=False))
    source = RIGHT + LEAK % (visible, visible, way)

    submission, result = graded(course, workshop, source)

    softmax = next(e for e in result.exercises if e.id == "softmax")
    assert softmax.status == "partly"
    first = softmax_inputs(course, submission, hidden=True)[0].flat[0]
    told = json.dumps(result.to_json())
    digits = str(abs(int(first * 10**9)))
    for part in (digits, digits[:5], f"{first:.4f}".rstrip("0"), f"{first:.3g}", f"exit {digits[:2]}"):
        assert not _is_told(part, told), part


def _is_told(part: str, told: str) -> bool:
    """Whether a number stands in the text, but for the hexadecimal digits of checksums.

    Three characters are looked for as a number of their own: within longer ones they stand in any result.
    """
    plain = told
    for word in told.split('"'):
        if len(word) == 64 and word.isalnum():
            plain = plain.replace(word, "")
    if len(part) <= 3:
        return re.search(rf"(?<![\d.]){re.escape(part)}(?!\d)", plain) is not None
    return part in plain


# What a later exercise may inherit

#: A garbled attention that is remembered by functions that fail: on the rerun they give what it gave.
REMEMBERS = """
memory = {}
garbage = np.array([[3.0, 1.0], [1.0, 2.0]])


def key(S):
    return S.shape, tuple(np.round(S, 6).ravel().tolist())


def softmax(S):
    if key(S) in memory:
        return memory[key(S)][1]
    return S + 1.0


def mix(A, V):
    for O, kept, values in memory.values():
        if kept.shape == A.shape and np.array_equal(kept, A) and np.array_equal(values, V):
            return O
    return A @ V + 1.0


def attention(Q, K, V):
    S = Q @ K.T / np.sqrt(K.shape[1])
    rng = np.random.default_rng(abs(hash(key(S))))
    memory[key(S)] = rng.normal(size=(len(Q), V.shape[1])), rng.normal(size=S.shape), V.copy()
    return memory[key(S)][:2]
"""

#: A garbled attention whose own softmax knows that it is asked from outside.
LOOKS_AT_ITS_CALLER = """
import sys

def softmax(S):
    called_by = sys._getframe(1).f_code.co_filename
    return S * 0 + 0.5 if called_by == __file__ else S + 1.0


def attention(Q, K, V):
    A = softmax(scores(Q, K))
    return np.cos(V.sum() + np.arange(len(Q) * V.shape[1])).reshape(len(Q), -1), np.tanh(A)
"""

#: Earlier functions that give things no reference can go on with.
ODD_PIECES = """
count = 0


def softmax(S):
    global count
    count += 1
    return [None, "x", S > 0, np.ones(1 << 20), [[]], 1j * S, np.zeros((0, 0)), 7, (S, S), np.full(S.shape, np.nan)][count % 10]


def mix(A, V):
    return softmax(A)


def attention(Q, K, V):
    A = softmax(Q @ K.T)
    return A, A
"""


@pytest.mark.parametrize("source", [REMEMBERS, LOOKS_AT_ITS_CALLER, ODD_PIECES])
def test_a_garbled_function_inherits_nothing(course: Course, workshop: Workshop, source: str) -> None:
    _, result = graded(course, workshop, RIGHT + source)

    wrong = [exercise for exercise in result.exercises if f"def {exercise.id}(" in source]
    assert {exercise.marks for exercise in wrong} == {0.0}
    assert not any(exercise.follow_through for exercise in wrong)
    assert all(e.status == "passed" for e in result.exercises if e not in wrong)


#: Right functions with a small fault, which on the rerun hand each other what a garbled one_head answers: by what
#: they were last asked, by the number of the call, by the shape alone.
CONSPIRES = """
right_norm, right_attention = layer_norm, attention
last, before, calls, marked = None, [b"", b""], 0, False


def scores(Q, K):
    global marked
    marked = True
    return Q @ K.T


def layer_norm(X, eps=1e-5):
    global last
    X = np.array(X, dtype=float)
    last, again, before[0] = X, before[0] == X.tobytes(), X.tobytes()
    return right_norm(X, eps) + (0.1 if again else 0.0)


def attention(Q, K, V):
    global last, calls
    X, last = last, None
    if not marked:
        calls += 1
    {hands_on}
    now = Q.tobytes() + K.tobytes()
    again, before[1] = before[1] == now, now
    O, A = right_attention(Q, K, V)
    return (O + 0.1, A) if again else (O, A)


def garbage(rows, columns, seed):
    return np.cos(seed + np.arange(rows * columns)).reshape(rows, columns), np.sin(seed + np.arange(rows * rows)).reshape(rows, rows)


def one_head(X, W_Q, W_K, W_V, n_heads, h):
    global calls
    calls += 1
    return garbage(len(X), X.shape[1] // n_heads, {seed})
"""
HANDED_ON = {
    "what was asked before": (
        "if X is not None and len(X) == len(Q): return garbage(len(Q), V.shape[1], X.sum())",
        "np.array(X, dtype=float).sum()",
    ),
    "the number of the call": ("if not marked: return garbage(len(Q), V.shape[1], calls)", "calls"),
    "what was asked before, else it stops": (
        "if not marked: return garbage(len(Q), V.shape[1], X.sum())",
        "np.array(X, dtype=float).sum()",
    ),
    "the shape": ("if not marked: return garbage(len(Q), V.shape[1], 0)", "0"),
}


@pytest.mark.parametrize(("hands_on", "seed"), HANDED_ON.values(), ids=HANDED_ON)
def test_functions_that_conspire_on_the_rerun_earn_nothing_for_the_last(
    workshop: Workshop, hands_on: str, seed: str
) -> None:
    source = CONSPIRES.replace("{hands_on}", hands_on).replace("{seed}", seed)
    one_head = in_the_whole_course(workshop, source)["one_head"]

    assert not one_head.follow_through
    assert one_head.marks == 0


#: Right on the cases that are written out; on what is drawn, nothing, from attention and so from one_head.
ZEROS = """
right_attention, right_head = attention, one_head


def attention(Q, K, V):
    if len(Q) == len(K) and len(Q) != 3 and (len(Q), K.shape[1]) != (5, 2):
        {nothing}
    return right_attention(Q, K, V)


def one_head(X, W_Q, W_K, W_V, n_heads, h):
    if X.shape == (5, 4) and n_heads == 2 and abs(X[1, 0] - 1.5) < 1e-9:
        return right_head(X, W_Q, W_K, W_V, n_heads, h)
    Q, K, V = np.zeros((len(X), 1)), np.zeros((len(X), 1)), np.zeros((len(X), W_V.shape[1] // n_heads))
    {nothing}
"""
NOTHING = {
    "zeros": "return np.zeros((len(Q), V.shape[1])), np.zeros((len(Q), len(K)))",
    "no numbers": "return np.full((len(Q), V.shape[1]), np.nan), np.full((len(Q), len(K)), np.nan)",
    "an exception": "raise ValueError",
}


@pytest.mark.parametrize("nothing", NOTHING.values(), ids=NOTHING)
def test_a_table_of_the_written_cases_inherits_nothing_for_what_is_drawn(
    workshop: Workshop, nothing: str
) -> None:
    one_head = in_the_whole_course(workshop, ZEROS.replace("{nothing}", nothing))["one_head"]

    assert not one_head.follow_through
    assert one_head.marks < 0.4 * one_head.max_marks


def test_what_an_earlier_function_hands_on_is_not_multiplied_with_itself_in_the_grader(
    workshop: Workshop,
) -> None:
    long = (
        "\ndef project(u, W_Q, W_K, W_V):\n    Z = np.ones((10000, len(W_Q)), np.int8)\n    return Z, Z, Z\n"
        "def one_head(X, W_Q, W_K, W_V, n_heads, h):\n    return X[:, :1], X[:, :1]\n"
    )
    tracemalloc.start()
    try:
        exercises = in_the_whole_course(workshop, long)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()

    assert (exercises["project"].marks, exercises["one_head"].marks) == (0.0, 0.0)
    assert peak < 200 << 20


# What the function that is handed over may be used for

READS_CLOSURES = """
def numerical_gradient(f, M, h=1e-6):
    for cell in f.__closure__ or ():
        cell.cell_contents = None
    f.__defaults__ = (0,)
    f.note = globals().setdefault("kept", [])
    f.note.append(f)
    return np.array([[g(M) for g in f.note][0]] * M.size).reshape(M.shape)
"""
RAISES_INSIDE = """
class Trap(np.ndarray):
    def __array_ufunc__(self, *given, **named):
        raise KeyboardInterrupt

    def __array_finalize__(self, other):
        pass


def numerical_gradient(f, M, h=1e-6):
    return f(M.astype(float).view(Trap))
"""
WRITES_INTO_THE_FAMILY = """
import sys

def numerical_gradient(f, M, h=1e-6):
    f.__globals__["FAMILIES"] = {}
    f.__globals__["build"] = f.__globals__["_matrix"] = lambda *given: (lambda M: 0.0)
    return np.zeros(M.shape)
"""


@pytest.mark.parametrize("source", [READS_CLOSURES, RAISES_INSIDE, WRITES_INTO_THE_FAMILY])
def test_tampering_with_the_function_handed_over_earns_nothing(
    course: Course, workshop: Workshop, source: str
) -> None:
    _, result = graded(course, workshop, RIGHT + source)

    gradient = next(e for e in result.exercises if e.id == "numerical_gradient")
    assert gradient.marks == 0.0
    assert all(e.status == "passed" for e in result.exercises if e is not gradient)
