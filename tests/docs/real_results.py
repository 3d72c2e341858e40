"""Real results for the pages to be held against: graded here, and made as a platform or a fault of ours leaves them."""

from dataclasses import replace
from functools import cache
from typing import Any

from autograder.grading.submission import Grader
from autograder.model.result import CheckResult, ExerciseResult, Lateness, Result
from autograder.model.submission import Origin, Submission
from autograder.worker.portable import PortableWorkshop
from tests.docs.pages import TOP
from tests.grading.in_process import course

RIGHT = "tests/sample_class/ana.py"
MISTAKEN = """
import numpy as np
def scores(Q, K): return Q @ K.T
def scale(S, d_k): return S / d_k
def softmax(S):
    print('rows', S.shape)
    e = np.exp(S)
    return e / e.sum(axis=0)
def mix(A, V): return V @ A
def attention(Q, K, V):
    A = softmax(scores(Q, K))
    return mix(A, V), A
def layer_norm(X, eps=1e-5): raise NotImplementedError
def project(u, W_Q, W_K, W_V): return None
def split_heads(M, n_heads):
    M *= 2
    return M
soft_max = one_head = 3
def score_spread(Q, K): return Q.std(), undefined
"""


@cache
def real_results() -> list[Any]:
    """Real results: a right file, one with many mistakes, one that does not load, one that a platform sent."""
    contents = [(TOP / RIGHT).read_bytes(), MISTAKEN.encode(), b"def scores(Q, K)\n", b"1 / 0\n"]
    workshop = PortableWorkshop()
    try:
        grader = Grader(course(), workshop)
        made = [
            grader.grade(Submission("zoë", "attention.py", content, content), _asked(content))
            for content in contents
        ]
    finally:
        workshop.close()
    came = Origin("Canvas", "12", "zoe", "zoe@example.org", "Zoë", "2027-03-26T22:00:00+00:00", False)
    return [*(result.to_json() for result in made), _delivered(made[1], came).to_json(), _broken()]


def _asked(content: bytes) -> list[str]:
    cheap = [
        "scores",
        "scale",
        "softmax",
        "mix",
        "attention",
        "layer_norm",
        "project",
        "split_heads",
        "score_spread",
    ]
    return cheap if content == MISTAKEN.encode() else ["scores", "softmax"]


def _delivered(result: Result, origin: Origin) -> Result:
    """A result as it comes from a platform's download, late, in another language."""
    late = Lateness(origin.handed_in, "2027-03-25T22:00:00+00:00", 86400, result.marks, 0.0, result.marks)
    return replace(result, origin=origin, late=late, language="pt")


def _broken() -> Any:
    """A result as a fault of ours leaves it."""
    fault = {"code": "check.broken", "fault": "Traceback"}
    lost = CheckResult("bank", "value", "broken", 4.0, 4.0, evidence=fault)
    exercise = ExerciseResult("scores", "Compare", "scores", "broken", 4.0, 4.0, checks=(lost,))
    made = {"autograder": "0", "python": "3", "numpy": "2", "isolation": "portable"}
    whose = ("qkv", "ana", "attention.py", "")
    result = Result(*whose, "broken", 4.0, 4.0, (exercise,), environment=made, exercises_sha256="0" * 64)
    return result.to_json()
