"""The labels of tests/submissions, proved against the reference without the grader.

A second process (this file, run as a script) loads every labelled file and judges each function it
lists; the tests compare its verdicts with the headers. Hostile files are not loaded here.
"""

from __future__ import annotations

import copy
import dataclasses
import importlib.util
import io
import json
import os
import re
import subprocess
import sys
import types
import warnings
from collections.abc import Callable, Iterator
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Any

import numpy as np
import pytest

HERE = Path(__file__).resolve().parent
SUBMISSIONS = HERE / "submissions"
REFERENCE = HERE.parent / "solutions" / "qkv.py"
FUNCTIONS = (
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
KINDS = ("mistake", "quirk-correct", "broken-file", "hostile")
GRADIENTS = ("dQ", "dK", "dV", "dS")
SECONDS = 60

# --- headers ------------------------------------------------------------------------------------


def read_header(path: Path) -> dict[str, Any]:
    """Return the keys between the two '# ---' lines of a labelled file."""
    inside = _decoded(path.read_bytes()).split("# ---")[1]
    pairs = [re.match(r"# (\w+): (.*?)\s*$", line) for line in inside.splitlines()]
    return {pair[1]: _header_value(pair[2]) for pair in pairs if pair}


def _decoded(raw: bytes) -> str:
    """Return the text of a file that may be UTF-16, UTF-8 or latin-1."""
    if raw[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return raw.decode("utf-16")
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError:
        return raw.decode("latin-1")


def _header_value(text: str) -> Any:
    """Return a list for [a, b], the inside of a quoted text, a number for digits, or the word."""
    if text.startswith("["):
        return [word.strip() for word in text[1:-1].split(",") if word.strip()]
    if text.isdigit():
        return int(text)
    return text.strip('"')


# --- inputs ---------------------------------------------------------------------------------------


@dataclasses.dataclass(frozen=True)
class Case:
    """Arguments of one call, and whether the scores in it are of the order of 1000."""

    arguments: tuple[Any, ...]
    huge: bool = False


SHAPES = ((4, 6, 5, 3), (2, 5, 7, 6), (6, 3, 8, 5), (5, 4, 3, 7))  # n_q, n_k, d_k, d_v


def draw_cases(reference: Any) -> dict[str, list[Case]]:
    """Return the inputs that decide what is wrong, for every exercise."""
    cases: dict[str, list[Case]] = {name: [] for name in FUNCTIONS}
    rng = np.random.default_rng(2024)

    def whole(*shape: int) -> np.ndarray:
        return rng.integers(-4, 5, size=shape)

    def real(*shape: int) -> np.ndarray:
        return rng.normal(size=shape)

    for draw in (real, whole):
        for n_q, n_k, d_k, d_v in SHAPES if draw is real else SHAPES[:2]:
            _add_forward_cases(cases, draw, (n_q, n_k, d_k, d_v), real)
            _add_backward_cases(cases, draw, (n_q, n_k, d_k, d_v), reference)
        _add_head_cases(cases, draw, real)
    _add_huge_cases(cases, real)
    _add_layer_norm_edges(cases, real)
    _add_gradient_cases(cases, real, whole)
    return cases


def _add_forward_cases(
    cases: dict[str, list[Case]], draw: Callable[..., Any], sizes: tuple[int, ...], real: Callable[..., Any]
) -> None:
    n_q, n_k, d_k, d_v = sizes
    weights = np.exp(real(n_q, n_k))
    weights /= weights.sum(axis=1, keepdims=True)
    cases["scores"].append(Case((draw(n_q, d_k), draw(n_k, d_k))))
    cases["scale"].append(Case((3 * draw(n_q, n_k), d_k)))
    cases["softmax"].append(Case((2 * draw(n_q, n_k),)))
    cases["mix"].append(Case((weights, draw(n_k, d_v))))
    cases["mix"].append(Case((draw(n_q, n_k), draw(n_k, d_v))))
    for _ in range(2):  # two calls of equal shape: a remembered answer shows
        cases["attention"].append(Case((draw(n_q, d_k), draw(n_k, d_k), draw(n_k, d_v))))
    cases["layer_norm"].append(Case((2 * draw(n_q, n_k) + 1,)))
    cases["project"].append(Case((draw(n_q, d_k), draw(d_k, n_k), draw(d_k, n_k), draw(d_k, d_v))))
    cases["score_spread"].append(Case((draw(n_q, d_k), draw(n_k, d_k))))
    for kind in ("content", "previous", "decay", "mixed"):
        cases["pattern_scores"].append(Case((kind, draw(n_q, d_k), draw(n_k, d_k))))


def _add_backward_cases(
    cases: dict[str, list[Case]], draw: Callable[..., Any], sizes: tuple[int, ...], reference: Any
) -> None:
    n_q, n_k, d_k, d_v = sizes
    Q, K, V = draw(n_q, d_k), draw(n_k, d_k), draw(n_k, d_v)
    A = reference.attention(0.5 * Q, K, V)[1]
    cases["softmax_backward"].append(Case((draw(n_q, n_k), A)))
    A = reference.attention(Q, K, V)[1]
    cases["backward"].append(Case((draw(n_q, d_v), Q, K, V, A)))


def _add_head_cases(cases: dict[str, list[Case]], draw: Callable[..., Any], real: Callable[..., Any]) -> None:
    for n, d in ((5, 6), (7, 12)):
        for n_heads in (1, 2, 3):
            cases["split_heads"].append(Case((draw(n, d), n_heads)))
            X, W_Q, W_K, W_V = draw(n, d) + np.arange(d), real(d, d), real(d, d), real(d, d)
            for h in range(n_heads):
                cases["one_head"].append(Case((X, W_Q, W_K, W_V, n_heads, h)))


def _add_huge_cases(cases: dict[str, list[Case]], real: Callable[..., Any]) -> None:
    """Every row reaches 1000, so that subtracting the greatest of all entries stays right."""
    S = np.array([[1000, -1000, 0, 999.5], [-1000, 999, 1000, 998.25], [1000, 1000, -1000, 1000]])
    cases["softmax"].append(Case((S,), huge=True))
    d_k = 5
    Q = np.zeros((3, d_k))
    Q[:, 0] = 1000 * np.sqrt(d_k)
    Q[:, 1] = (0.5, -1.0, 2.0)
    K = np.zeros((4, d_k))
    K[:, 0] = (1, -1, 1, 0.999)
    K[:, 1] = (0.5, 0.25, -0.5, 1.0)
    cases["attention"].append(Case((Q, K, real(4, 6)), huge=True))


def _add_layer_norm_edges(cases: dict[str, list[Case]], real: Callable[..., Any]) -> None:
    X = real(5, 7)
    constant = X.copy()
    constant[2] = 2.5
    cases["layer_norm"] += [Case((constant,)), Case((X, 0.1)), Case((X + 1e7,))]


def _add_gradient_cases(
    cases: dict[str, list[Case]], real: Callable[..., Any], whole: Callable[..., Any]
) -> None:
    C, D, E = real(3, 4), real(3, 4), real(4, 4)

    def quadratic(M: np.ndarray) -> float:
        return float((C * M * M).sum() + (D * M).sum())

    def couples_rows(M: np.ndarray) -> float:
        return float((E * (M.T @ M)).sum())

    M = real(3, 4)
    M[1, 2] = 0.0
    for point in (M, whole(3, 4)):
        for f in (quadratic, couples_rows):
            cases["numerical_gradient"] += [Case((f, point)), Case((f, point, 0.1))]


# --- verdicts ---------------------------------------------------------------------------------------


def as_parts(value: Any, count: int) -> list[Any]:
    """Return the members of a result: a tuple, list or other iterable, or a dataclass."""
    if count == 1:
        return [value]
    if dataclasses.is_dataclass(value) and not hasattr(value, "__iter__"):
        value = [getattr(value, field.name) for field in dataclasses.fields(value)]
    parts = list(value)
    if len(parts) != count:
        raise TypeError(f"{len(parts)} results instead of {count}")
    return parts


def excess(actual: Any, expected: Any, *, huge: bool) -> float:
    """Return the greatest difference in units of the tolerance; infinite for another shape or nan."""
    actual, expected = np.asarray(actual, dtype=float), np.asarray(expected, dtype=float)
    if actual.shape != expected.shape:
        return float("inf")
    atol, rtol = (5e-5, 1e-4) if huge else (3e-6, 2e-5)
    ratio = np.abs(actual - expected) / (atol + rtol * np.abs(expected))
    return float(np.nan_to_num(ratio, nan=np.inf).max(initial=0.0))


def same_bits(before: Any, after: Any) -> bool:
    """Return whether an argument is what it was, to the last bit."""
    if not isinstance(before, np.ndarray):
        return True
    same_form = before.dtype == after.dtype and before.shape == after.shape
    return bool(same_form and before.tobytes() == after.tobytes())


@dataclasses.dataclass
class Verdict:
    """What a function did on its cases: worst excess, wrong parts, a reason if it is wrong."""

    worst: float = 0.0
    parts: list[int] = dataclasses.field(default_factory=list)
    reason: str | None = None


def judge(function: Any, reference: Callable[..., Any], cases: list[Case]) -> Verdict:
    """Return the verdict on one function over all its cases."""
    verdict = Verdict()
    for number, case in enumerate(cases):
        expected = reference(*copy.deepcopy(case.arguments))
        count = len(expected) if isinstance(expected, tuple) else 1
        given = copy.deepcopy(case.arguments)
        try:
            actual = as_parts(function(*given), count)
            amounts = [
                excess(a, e, huge=case.huge) for a, e in zip(actual, as_parts(expected, count), strict=True)
            ]
        except Exception as error:
            amounts = []
            verdict.reason = verdict.reason or f"case {number}: {type(error).__name__}: {str(error)[:80]}"
            verdict.worst = float("inf")
        if not all(map(same_bits, case.arguments, given)):
            verdict.reason = verdict.reason or f"case {number}: an argument was changed"
            verdict.worst = float("inf")
        for part, amount in enumerate(amounts):
            verdict.worst = max(verdict.worst, amount)
            if amount > 1:
                verdict.parts = sorted({*verdict.parts, part})
                verdict.reason = verdict.reason or f"case {number}: {amount:.3g} times the tolerance"
    return verdict


def load(path: Path) -> dict[str, Any]:
    """Return the names a file defines: up to the line that raises, none if it exits or will not compile."""
    module = types.ModuleType("attention")
    sys.modules["attention"] = module
    try:
        exec(compile(path.read_bytes(), path.name, "exec"), module.__dict__)
    except SystemExit:
        return {}
    except Exception:  # the names defined before the line that raised are kept
        return dict(module.__dict__)
    return dict(module.__dict__)


def judge_file(path: Path, reference: Any, cases: dict[str, list[Case]]) -> dict[str, Verdict]:
    """Return the verdict on every function that the header of a file lists."""
    header = read_header(path)
    listed = [*header["functions_right"], *header["functions_wrong"]]
    with (
        np.errstate(),
        warnings.catch_warnings(),
        redirect_stdout(io.StringIO()),
        redirect_stderr(io.StringIO()),
    ):
        warnings.simplefilter("ignore")
        names = load(path)
        return {
            name: judge(names[name], getattr(reference, name), cases[name])
            if callable(names.get(name))
            else Verdict(float("inf"), [], "no such function")
            for name in listed
        }


def load_reference(path: Path) -> Any:
    """Return the module at path."""
    spec = importlib.util.spec_from_file_location("reference", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def is_loaded_here(header: dict[str, Any]) -> bool:
    """Return whether a file may be loaded beside others: it is not hostile and loading it ends."""
    return header["kind"] != "hostile" and header.get("loading") != "never-ends"


def judge_all(reference_path: Path) -> Iterator[tuple[str, dict[str, Verdict]]]:
    """Yield (file name, verdicts) for every file that may be loaded."""
    reference = load_reference(reference_path)
    cases = draw_cases(reference)
    for path in sorted(SUBMISSIONS.glob("*.py")):
        if is_loaded_here(read_header(path)):
            yield path.stem, judge_file(path, reference, cases)


# --- tests ------------------------------------------------------------------------------------------

FILES = sorted(SUBMISSIONS.glob("*.py"))
HEADERS = {path.stem: read_header(path) for path in FILES}
JUDGED = [name for name, header in HEADERS.items() if is_loaded_here(header)]


@pytest.fixture(scope="module")
def verdicts(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """What each function of each file did, found out in a process of its own."""
    done = subprocess.run(
        [sys.executable, str(Path(__file__).resolve())],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=SECONDS,
        check=True,
        cwd=tmp_path_factory.mktemp("labels"),
        env={**os.environ, "OPENBLAS_NUM_THREADS": "1"},
    )
    result: dict[str, Any] = json.loads(done.stdout)
    return result


@pytest.mark.parametrize("name", JUDGED)
def test_every_label_is_true(name: str, verdicts: dict[str, Any]) -> None:
    wrong = {function: v["reason"] for function, v in verdicts[name].items() if v["reason"]}

    assert sorted(wrong) == sorted(HEADERS[name]["functions_wrong"]), wrong


@pytest.mark.parametrize("name", [name for name in JUDGED if "parts_wrong" in HEADERS[name]])
def test_the_gradients_named_as_wrong_are_the_wrong_ones(name: str, verdicts: dict[str, Any]) -> None:
    parts = [GRADIENTS[i] for i in verdicts[name]["backward"]["parts"]]

    assert sorted(parts) == sorted(HEADERS[name]["parts_wrong"])


@pytest.mark.parametrize("name", HEADERS)
def test_every_header_is_complete(name: str) -> None:
    header = HEADERS[name]
    listed = header["functions_right"] + header["functions_wrong"]

    assert header["name"] == name
    assert header["kind"] in KINDS
    assert header["tier"] in (1, 2)
    assert header["mistake"]
    assert listed
    assert sorted(set(listed)) == sorted(listed)
    assert set(listed) <= set(FUNCTIONS)
    assert set(header.get("root_cause", [])) <= set(header["functions_wrong"])


@pytest.mark.parametrize("name", [name for name, header in HEADERS.items() if "loading" in header])
def test_a_file_that_cannot_be_loaded_to_its_end_has_nothing_right(name: str) -> None:
    assert HEADERS[name]["loading"] in ("never-ends", "exits")
    assert HEADERS[name]["functions_right"] == []


def test_every_exercise_has_a_mistake_that_starts_in_it() -> None:
    causes = {cause for header in HEADERS.values() for cause in header.get("root_cause", [])}

    assert causes == set(FUNCTIONS)


if __name__ == "__main__":
    print(json.dumps({name: {f: vars(v) for f, v in found.items()} for name, found in judge_all(REFERENCE)}))
