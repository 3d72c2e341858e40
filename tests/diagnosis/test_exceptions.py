"""Exceptions in plain words: real exceptions of numpy and Python, "
"raised here, and what is said of them."""

from __future__ import annotations

import inspect
import re
import textwrap
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from autograder.diagnosis import exception_rules
from autograder.diagnosis.exceptions import explain_exception
from autograder.diagnosis.sample import Idea
from autograder.diagnosis.sizes import sizes_of
from autograder.loading.assignment import Course, load_assignment
from autograder.model.outcome import Raised
from autograder.wording import english_diagnosis
from autograder.wording.say import say
from autograder.worker.inside.functions import build

TOP = Path(__file__).parents[2]
FILE = "submission.py"


@pytest.fixture(scope="module")
def course() -> Course:
    return load_assignment(TOP, "qkv")


def raised_by(source: str, function: str, arguments: Mapping[str, Any]) -> tuple[Raised, str | None]:
    """What a worker tells of the call: the deepest frame of the file, its line, its arrays' shapes."""
    source = textwrap.dedent(source)
    namespace: dict[str, Any] = {"np": np}
    exec(compile(source, FILE, "exec"), namespace)
    with np.errstate(all="ignore"), pytest.raises(Exception) as caught:
        namespace[function](**arguments)
    frames = []
    traceback = caught.value.__traceback__
    while traceback is not None:
        if traceback.tb_frame.f_code.co_filename == FILE:
            frames.append((traceback.tb_frame, traceback.tb_lineno))
        traceback = traceback.tb_next
    shapes = (
        {n: v.shape for n, v in frames[-1][0].f_locals.items() if isinstance(v, np.ndarray)} if frames else {}
    )
    line = frames[-1][1] if frames else None
    raised = Raised(
        type(caught.value).__name__,
        str(caught.value),
        line,
        frames[-1][0].f_code.co_name if frames else None,
        tuple((frame.f_code.co_name, number) for frame, number in frames),
        shapes,
    )
    return raised, source.splitlines()[line - 1].strip() if line is not None else None


def explained(
    course: Course, source: str, exercise: str, arguments: Mapping[str, Any], *, hidden: bool = False
) -> Idea | None:
    chosen = course.exercise(exercise)
    raised, line = raised_by(source, chosen.function, arguments)
    known = [e.function for e in course.exercises]
    sizes = sizes_of(chosen, arguments)
    return explain_exception(raised, chosen, line, hidden=hidden, sizes=sizes, known=known)


def sentence(course: Course, source: str, exercise: str, arguments: Mapping[str, Any], **options: Any) -> str:
    idea = explained(course, source, exercise, arguments, **options)
    assert idea is not None
    assert idea.kind == "exception"
    return say(idea.code, idea.params)


def zeros(*shape: int) -> np.ndarray:
    return np.zeros(shape)


QK = {"Q": zeros(4, 3), "K": zeros(5, 3)}
S = {"S": zeros(2, 5)}

CASES = {
    "a product without its transpose names both shapes and what the sizes count": (
        "def scores(Q, K):\n    return Q @ K",
        "scores",
        QK,
        (
            "Q (4, 3) @ K (5, 3): @ needs the last size of the left, 3 (the width "
            "of a key), to equal the first of "
            "the right, 5 (the number of keys)"
        ),
    ),
    "dot is told like the sign": (
        "def scores(Q, K):\n    return K.T.dot(Q)",
        "scores",
        QK,
        (
            "dot of K.T (3, 5) and Q (4, 3): dot needs the last size of the left, "
            "5 (the number of keys), to equal the "
            "first of the right, 4 (the number of queries)"
        ),
    ),
    "the second product of a line is found by its sizes": (
        "def project(u, W_Q, W_K, W_V):\n    return u @ W_Q, W_K @ u, u @ W_V",
        "project",
        {"u": zeros(3, 4), "W_Q": zeros(4, 5), "W_K": zeros(4, 5), "W_V": zeros(4, 6)},
        (
            "W_K (4, 5) @ u (3, 4): @ needs the last size of the left, 5 (the "
            "width of a key), to equal the first of "
            "the right, 3 (the number of tokens)"
        ),
    ),
    "a transpose that keeps the axes is named": (
        "def scores(Q, K):\n    return Q @ K.transpose(0, 1)",
        "scores",
        QK,
        (
            "`K.transpose(0, 1)` leaves a matrix as it is, axis 0 first and axis 1 "
            "second; @ then meets 3 (the width of "
            "a key) with 5 (the number of keys)"
        ),
    ),
    "a sum without the kept axis says which shape would fit": (
        "def softmax(S):\n    e = np.exp(S)\n    return e / e.sum(axis=1)",
        "softmax",
        S,
        (
            "e (2, 5) / e.sum(axis=1) (2,): sizes are lined up from the right, so "
            "5 (the number of keys) meets 2 (the "
            "number of queries); one number for each row needs shape (2, 1)"
        ),
    ),
    "an elementwise product of matrices says that nothing is summed": (
        "def mix(A, V):\n    return A * V",
        "mix",
        {"A": zeros(2, 3), "V": zeros(3, 4)},
        (
            "A (2, 3) * V (3, 4): * works entry by entry on equal shapes and sums "
            "nothing; these are shapes of a matrix "
            "product"
        ),
    ),
    "a reshape tells how many entries there are and how many are asked": (
        "def split_heads(M, n_heads):\n    return M.reshape(n_heads, 7, 2)",
        "split_heads",
        {"M": zeros(5, 4), "n_heads": 2},
        "20 entries do not fill shape (2,7,2), which has 28",
    ),
    "an axis that is not there": (
        "def softmax(S):\n    return S.sum(axis=2)",
        "softmax",
        S,
        "there is no axis 2: an array of 2 axes has the axes 0 to 1",
    ),
    "None from an earlier function is traced to the missing return": (
        "def scores(Q, K):\n    Q @ K.T\n\ndef attention(Q, K, V):\n    S = scores(Q, K)\n    return S.shape",
        "attention",
        QK | {"V": zeros(5, 2)},
        "S is None on this line: a function that ends without `return` gives None",
    ),
    "None from a call on the line names the function": (
        "def scores(Q, K):\n    pass\n\ndef attention(Q, K, V):\n    return scores(Q, K).shape",
        "attention",
        QK | {"V": zeros(5, 2)},
        "scores(…) gives None here: a function that ends without `return` does",
    ),
    "None that is indexed": (
        "def softmax(S):\n    A = print('')\n    return A[0]",
        "softmax",
        S,
        "A is None on this line: a function that ends without `return` gives None",
    ),
    "a function that calls itself": (
        "def softmax(S):\n    return softmax(S - S.max())",
        "softmax",
        S,
        "softmax calls itself again each time, so that no call comes to an end",
    ),
    "an index past the end": (
        "def softmax(S):\n    return S[2]",
        "softmax",
        S,
        "place 2 is past the end: axis 0 has size 2 (the number of queries), and places are counted from 0",
    ),
    "a missing argument of an earlier function": (
        "def scale(S, d_k):\n    return S\n\ndef attention(Q, K, V):\n    return scale(Q)",
        "attention",
        QK | {"V": zeros(5, 2)},
        "scale is called on this line without d_k",
    ),
    "a parameter too many of one's own function": (
        "def softmax(S, axis):\n    return S",
        "softmax",
        S,
        "softmax is called as softmax(S); this one also wants axis",
    ),
    "an unknown name with near ones": (
        "def softmax(S):\n    weights = np.exp(S)\n    return wieghts",
        "softmax",
        S,
        "the name wieghts is not defined where this line runs; near names: weights",
    ),
    "a name in another case": (
        "def softmax(S):\n    return np.exp(s)",
        "softmax",
        S,
        "the name s is not defined where this line runs; near names: S",
    ),
    "a function's name given to an array": (
        "softmax = np.zeros(3)\n\ndef attention(Q, K, V):\n    return softmax(Q @ K.T)",
        "attention",
        QK | {"V": zeros(5, 2)},
        "softmax is an array here, not a function: the name has been given to something else",
    ),
    "an in-place division of whole numbers": (
        "def scale(S, d_k):\n    S /= np.sqrt(d_k)\n    return S",
        "scale",
        {"S": np.ones((2, 3), dtype=int), "d_k": 3},
        (
            "`/=` writes fractions into S, an array of whole numbers, which cannot "
            "hold them; S is the caller's array "
            "besides"
        ),
    ),
    "numpy told to raise": (
        "def softmax(S):\n    with np.errstate(all='raise'):\n        return np.exp(S + 1000)",
        "softmax",
        S,
        "numpy was told to raise on overflow (np.seterr or np.errstate), and it occurs here in exp",
    ),
    "a module that is not there": (
        "def softmax(S):\n    import no_such_module_here\n    return S",
        "softmax",
        S,
        "the module no_such_module_here is not installed here; the exercises need numpy alone",
    ),
    "int of an array": (
        "def softmax(S):\n    return int(S)",
        "softmax",
        S,
        "int takes one number and was given an array; numpy's own functions take whole arrays",
    ),
    "an array as a condition": (
        "def softmax(S):\n    if S > 0:\n        return S",
        "softmax",
        S,
        "an array has no single truth value: `if`, `and`, `or` and `max` of Python ask for one",
    ),
    "two places in a list": (
        "def softmax(S):\n    rows = S.tolist()\n    return rows[0, 1]",
        "softmax",
        S,
        "a list takes one place at a time; a pair of places, as in [i, j], is for arrays",
    ),
    "a stub that is used": (
        "def softmax(S):\n    raise NotImplementedError\n\ndef attention(Q, K, V):\n    return softmax(Q)",
        "attention",
        QK | {"V": zeros(5, 2)},
        "softmax is used here and is not written yet",
    ),
    "a size that came from a division": (
        "def split_heads(M, n_heads):\n    return np.zeros((n_heads, len(M), M.shape[1] / n_heads))",
        "split_heads",
        {"M": zeros(5, 4), "n_heads": 2},
        "a whole number is needed here, for a size or a count, and a fraction came; `/` gives fractions",
    ),
    "a result that is taken apart into too many names": (
        "def split_heads(M, n_heads):\n    h, n, d = M.shape\n    return M",
        "split_heads",
        {"M": zeros(5, 4), "n_heads": 2},
        "3 names stand on the left and 2 came from the right",
    ),
    "a coroutine in a sum": (
        (
            "async def scores(Q, K):\n    return Q\n\ndef attention(Q, K, V):\n    "
            "s = scores(Q, K)\n    s.close()\n"
            "    return s / 2.0"
        ),
        "attention",
        QK | {"V": zeros(5, 2)},
        "a function defined with `async def` gives a coroutine, not its result; a plain `def` is asked for",
    ),
    "an old name of numpy": (
        "def softmax(S):\n    return S.astype(np.float)",
        "softmax",
        S,
        "numpy has no `float` any more; Python's own `float` is the same type",
    ),
    "a method that arrays do not have": (
        "def softmax(S):\n    return S.transpos()",
        "softmax",
        S,
        "arrays have no `transpos`; near names: transpose",
    ),
    "an average of plain numbers over nothing": (
        "def softmax(S):\n    return sum([]) / len([])",
        "softmax",
        S,
        "a plain Python number is divided by 0 here",
    ),
    "memory": (
        "def softmax(S):\n    return np.zeros((10**7, 10**7))",
        "softmax",
        S,
        "an array of shape (10000000, 10000000) was asked for; the arguments are far smaller than that",
    ),
    "f called on a row": (
        "def numerical_gradient(f, M, h=1e-6):\n    return [f(row) for row in M]",
        "numerical_gradient",
        {"f": build("sines", {"W": zeros(3, 2)}), "M": zeros(3, 2)},
        "f takes the whole of M, shape (3, 2); here it is given shape (2,)",
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_an_exception_is_said_in_plain_words(course: Course, name: str) -> None:
    source, exercise, arguments, expected = CASES[name]

    assert sentence(course, source, exercise, arguments) == expected


def test_the_line_is_the_deepest_of_the_file(course: Course) -> None:
    source = "def scores(Q, K):\n    return Q @ K\n\ndef attention(Q, K, V):\n    return scores(Q, K)"
    idea = explained(course, source, "attention", QK | {"V": zeros(5, 2)})

    assert idea is not None
    assert idea.line == 2


def test_an_unknown_exception_is_not_explained(course: Course) -> None:
    assert explained(course, "def softmax(S):\n    raise LookupError('?')", "softmax", S) is None


def test_a_size_that_two_things_share_is_not_named(course: Course) -> None:
    source = "def scores(Q, K):\n    return Q @ K"
    words = sentence(course, source, "scores", {"Q": zeros(3, 3), "K": zeros(4, 3)})

    assert "the left, 3, to equal the first of the right, 4 (the number of keys)" in words


@pytest.mark.parametrize("name", CASES)
def test_of_a_hidden_case_no_number_is_said(course: Course, name: str) -> None:
    source, exercise, arguments, _ = CASES[name]
    idea = explained(course, source, exercise, arguments, hidden=True)
    words = say(idea.code, idea.params) if idea is not None else ""
    told = set("".join(c if c.isdigit() else " " for c in words).split())
    written = set("".join(c if c.isdigit() else " " for c in source + "axis 0 axis 1 size 1").split())

    assert told <= written, words


def test_of_a_hidden_case_the_rule_is_still_said(course: Course) -> None:
    words = sentence(course, "def scores(Q, K):\n    return Q @ K", "scores", QK, hidden=True)

    assert words == "@ needs the last size of the left array to equal the first of the right one"


def test_a_name_made_of_a_hidden_number_is_not_repeated(course: Course) -> None:
    source = "def softmax(S):\n    return eval('leak%d' % S[0, 0])"
    arguments = {"S": np.full((2, 3), 4711.0)}

    assert explained(course, source, "softmax", arguments, hidden=True) is None
    assert "leak4711" in sentence(course, source, "softmax", arguments)


def test_a_message_that_only_pretends_does_no_harm(course: Course) -> None:
    source = (
        "def softmax(S):\n    raise ValueError('operands could not be broadcast together with shapes () ()')"
    )

    assert explained(course, source, "softmax", S) is None


@pytest.mark.parametrize("code", [code for code in english_diagnosis.TEXTS if code.endswith(".hidden")])
def test_a_hidden_text_has_no_place_for_a_number(code: str) -> None:
    words = dict.fromkeys(("operator", "transpose"), "…")

    assert english_diagnosis.TEXTS[code].format_map(words)


@pytest.mark.parametrize("code", english_diagnosis.TEXTS)
def test_the_texts_keep_to_the_tone(code: str) -> None:
    words = english_diagnosis.TEXTS[code].lower().replace(",", " ").split()

    assert not {"you", "your", "just", "simply", "obviously", "please"} & set(words)


@pytest.mark.parametrize(
    "line", ["Q" + "@Q" * 140, "-" * 290 + "Q @ K", "(" * 100 + "Q @ K", "if Q @ K:", "Q @ ("]
)
def test_an_odd_line_is_read_without_harm(course: Course, line: str) -> None:
    message = "shapes (4,3) and (5,3) not aligned: 3 (dim 1) != 5 (dim 0)"
    raised = Raised("ValueError", message, 1, "scores", (("scores", 1),), {"Q": (4, 3), "K": (5, 3)})
    idea = explain_exception(raised, course.exercise("scores"), line)

    assert idea is not None
    assert "3 (the width of a key), to equal the first of the right, 5" in say(idea.code, idea.params)


def test_every_rule_leads_to_a_text() -> None:
    """The codes that the rules name in their source are in the catalogue."""
    named = set(re.findall(r'"(exception\.[\w.]+)"', inspect.getsource(exception_rules)))

    assert len(exception_rules.RULES) > 50
    assert not named - set(english_diagnosis.TEXTS)
