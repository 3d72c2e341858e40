"""What is graded: six functions cut out of the real course, and as many submissions as are wanted."""

from __future__ import annotations

import shutil
from pathlib import Path

import yaml

from autograder.loading.assignment import Course, load_assignment
from autograder.loading.yaml_strict import read_document
from autograder.model.submission import Submission

TOP = Path(__file__).parents[2]

#: The six functions and the checks that are kept of each, 14 in all.
SIX = {
    "scores": ("rectangle", "random"),
    "scale": ("bank", "random"),
    "softmax": ("bank", "stays-finite", "random", "rows-sum-to-one"),
    "mix": ("rectangle", "random"),
    "attention": ("five-tokens", "random"),
    "backward": ("page-backward", "random"),
}
CONFIG = {
    "name": "six",
    "title": "Six functions",
    "folder": "exercises/six",
    "exercises": list(SIX),
    "solutions": "solutions/qkv.py",
    "malrules": "solutions/qkv_malrules.py",
    "seed": 1,
}
RIGHT = (TOP / "tests/submissions/ok_plain_matmul.py").read_text()
#: Three functions of the later course, done wrong in ways that students do.
WRONG = {
    "softmax": "def softmax(S):\n    E = np.exp(S - S.max())\n    return E / E.sum(axis=0)\n",
    "layer_norm": "def layer_norm(X, eps=1e-5):\n"
    "    return (X - X.mean(1, keepdims=True)) / np.sqrt(X.var(1, keepdims=True, ddof=1) + eps)\n",
    "backward": "def backward(dO, Q, K, V, A):\n"
    "    dA = dO @ V.T\n    dS = A * (dA - (dA * A).sum(axis=1, keepdims=True))\n"
    "    return dS @ K, dS.T @ Q, A.T @ dO, dS\n",
}
#: What is broken or hostile, by name: each comes as often as the others.
HOSTILE = {
    "no_python": "def scores(Q, K)\n    return Q @ K.T\n",
    "raises_at_load": "import numpy as np\nprint(undefined_name)\n",
    "raises": RIGHT.replace("def softmax(S):", "def softmax(S):\n    raise ValueError('no')\n"),
    "exits": RIGHT.replace("def mix(A, V):", "def mix(A, V):\n    import os\n    os._exit(0)\n"),
    "too_much_memory": RIGHT.replace("def mix(A, V):", "def mix(A, V):\n    np.ones(1 << 33)\n"),
    "forks": RIGHT.replace("def mix(A, V):", "def mix(A, V):\n    import os\n    os.fork()\n"),
    "writes": RIGHT.replace("def mix(A, V):", "def mix(A, V):\n    open('/tmp/note', 'w').write('x')\n"),
    "looks": RIGHT.replace("def mix(A, V):", "def mix(A, V):\n    open('solutions/qkv.py').read()\n"),
    "prints": RIGHT.replace("def mix(A, V):", "def mix(A, V):\n    print('x' * 10_000_000)\n"),
    "garbage": RIGHT.replace("def mix(A, V):", "def mix(A, V):\n    import os\n    os.write(3, b'x' * 99)\n"),
}
LOOPS = RIGHT.replace("def mix(A, V):", "def mix(A, V):\n    while True:\n        pass\n")


def write_six(top: Path) -> Course:
    """Write the course of six functions into a folder and load it."""
    shutil.copytree(TOP / "solutions", top / "solutions", ignore=shutil.ignore_patterns("__pycache__"))
    (top / "config").mkdir()
    (top / "exercises/six").mkdir(parents=True)
    (top / "config/six.yaml").write_text(yaml.safe_dump(CONFIG))
    for name, checks in SIX.items():
        path = next((TOP / "exercises/qkv").glob(f"[0-9][0-9]_{name}.yaml"))
        cut = _cut(read_document(path, TOP).data, checks)
        (top / f"exercises/six/{path.name}").write_text(yaml.safe_dump(cut, sort_keys=False))
    return load_assignment(top, "six")


def _cut(exercise: dict, checks: tuple[str, ...]) -> dict:  # type: ignore[type-arg]
    """An exercise with only these checks, and only the cases that they look at."""
    kept = {_name(check): check for check in exercise["checks"]}
    kept = {name: kept[name] for name in checks}
    cases = [check["value"] for check in kept.values() if "value" in check]
    return exercise | {
        "uses": [name for name in exercise["uses"] if name in SIX],
        "cases": {name: exercise["cases"][name] for name in cases},
        "checks": list(kept.values()),
        "equivalent_mutants": [],
    }


def _name(check: dict) -> str:  # type: ignore[type-arg]
    return str(check.get("id") or check.get("value") or check.get("invariant", "").replace("_", "-"))


def qkv() -> Course:
    """The whole assignment."""
    return load_assignment(TOP, "qkv")


def wrong(functions: tuple[str, ...]) -> str:
    """The right submission with these functions done wrong."""
    source = RIGHT
    for name in functions:
        source = source.replace(f"def {name}(", f"def _right_{name}(") + "\n\n" + WRONG[name]
    return source


def numbered(source: str, number: int) -> str:
    """The same submission by another student: other bytes, so other inputs."""
    return f"{source}\n# student {number}\n"


def submissions(source: str, count: int) -> list[Submission]:
    """So many submissions, as read from files."""
    made = (numbered(source, number).encode() for number in range(count))
    return [Submission(f"s{number:05}", "attention.py", text, text) for number, text in enumerate(made)]


def write_class(folder: Path, sources: list[str]) -> None:
    """A folder of submissions."""
    folder.mkdir()
    for number, source in enumerate(sources):
        (folder / f"s{number:05}.py").write_text(numbered(source, number))
