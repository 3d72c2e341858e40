"""The same six functions graded the usual ways, all in the student's process: pytest, unittest, nbgrader."""

from __future__ import annotations

import os
import sys
import tempfile
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from material import RIGHT, TOP, numbered
from meter import Spent, run, spent

#: What a course would write by hand, as many checks as the course of six has, on the same functions.
HEAD = """
import numpy as np


def near(function, *arguments):
    actual = getattr(student, function)(*arguments)
    expected = getattr(reference, function)(*arguments)
    if not isinstance(expected, tuple):
        actual, expected = (actual,), (expected,)
    for a, e in zip(actual, expected, strict=True):
        np.testing.assert_allclose(a, e, rtol=2e-5, atol=3e-6)


def drawn(seed, *shapes):
    rng = np.random.default_rng(seed)
    return [rng.normal(size=shape) for shape in shapes]
"""
CHECKS = {
    "scores_rectangle": 'near("scores", *drawn(1, (3, 5), (4, 5)))',
    "scores_random": '[near("scores", *drawn(s, (2 + s, 5), (4, 5))) for s in range(3)]',
    "scale_bank": 'near("scale", np.array([[1.0, 3.0, 4.0]]), 2)',
    "scale_random": '[near("scale", *drawn(s, (3, 4)), 3 + s) for s in range(3)]',
    "softmax_bank": 'near("softmax", np.array([[0.7071, 2.1213, 2.8284]]))',
    "softmax_finite": 'near("softmax", np.array([[1000.0, 0.0, -1000.0], [0.0, 0.0, 800.0]]))',
    "softmax_random": '[near("softmax", *drawn(s, (3, 4 + s))) for s in range(3)]',
    "softmax_rows": "np.testing.assert_allclose(student.softmax(*drawn(9, (3, 4))).sum(axis=1), 1.0)",
    "mix_rectangle": 'near("mix", *drawn(1, (3, 5), (5, 2)))',
    "mix_random": '[near("mix", *drawn(s, (3 + s, 5), (5, 2))) for s in range(3)]',
    "attention_five": 'near("attention", *drawn(1, (5, 2), (5, 2), (5, 2)))',
    "attention_random": '[near("attention", *drawn(s, (3, 5), (4, 5), (4, 2))) for s in range(3)]',
    "backward_page": 'near("backward", *drawn(1, (3, 2), (3, 5), (4, 5), (4, 2), (3, 4)))',
    "backward_random": (
        '[near("backward", *drawn(s, (3, 2), (3, 5), (4, 5), (4, 2), (3, 4))) for s in range(3)]'
    ),
}
TESTS = (
    "import os, sys, unittest\n"
    'sys.path[:0] = [os.environ["STUDENT"], os.environ["SOLUTIONS"]]\n'
    f"import attention as student\nimport qkv as reference\n{HEAD}\n\n"
    "class Submission(unittest.TestCase):\n"
    + "".join(f"    def test_{name}(self): {check}\n" for name, check in CHECKS.items())
)
#: The same for a notebook, whose cells see the student's functions as they are.
CELL_HEAD = (
    f"import sys, types\nsys.path.insert(0, {str(TOP / 'solutions')!r})\nimport qkv as reference\n"
    f"student = types.SimpleNamespace(**globals())\n{HEAD}\n"
)


def one_process_each(runner: str, count: int, *, times: int) -> Spent:
    """A runner ("pytest" or "unittest") started once a submission."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "by_hand.py").write_text(TESTS)
        for number in range(count):
            (folder / f"s{number}").mkdir()
            (folder / f"s{number}/attention.py").write_text(numbered(RIGHT, number))
        arguments = ["-q", "by_hand.py"] if runner == "pytest" else ["by_hand"]

        def grade() -> None:
            for number in range(count):
                surroundings = {
                    "STUDENT": str(folder / f"s{number}"),
                    "SOLUTIONS": str(TOP / "solutions"),
                    "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",
                    "OPENBLAS_NUM_THREADS": "1",
                }
                ran = run([sys.executable, "-m", runner, *arguments], cwd=folder, environment=surroundings)
                assert ran.code == 0, f"{runner} ended with {ran.code}"

        return spent(grade, times=times)


def has_nbgrader() -> bool:
    """Whether nbgrader can be measured here."""
    try:
        return bool(version("nbgrader") and version("ipykernel"))
    except PackageNotFoundError:
        return False


def nbgrader_batch(count: int) -> Spent:
    """`nbgrader autograde` on a folder of notebooks, its own batch."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "nbgrader_config.py").write_text(
            "c = get_config()\nc.CourseDirectory.course_id = 'bench'\n"
        )
        (folder / "source/six").mkdir(parents=True)
        _write_notebook(folder / "source/six/six.ipynb", submission=False)
        _nbgrader(folder, "generate_assignment", "six")
        for number in range(count):
            (folder / f"submitted/s{number}/six").mkdir(parents=True)
            _write_notebook(folder / f"submitted/s{number}/six/six.ipynb", submission=True)
        return spent(lambda: _nbgrader(folder, "autograde", "six"))


def _nbgrader(folder: Path, *command: str) -> None:
    surroundings = {
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",  # it starts alembic by name
        "OPENBLAS_NUM_THREADS": "1",
        "JUPYTER_CONFIG_DIR": str(folder),
        "IPYTHONDIR": str(folder),
    }
    ran = run([sys.executable, "-m", "nbgrader", *command], cwd=folder, environment=surroundings)
    assert ran.code == 0, f"nbgrader {command[0]} ended with {ran.code}"


def _write_notebook(path: Path, *, submission: bool) -> None:
    """One cell to fill in, and a graded cell a check."""
    from nbformat import v4, write

    functions = RIGHT if submission else f"### BEGIN SOLUTION\n{RIGHT}\n### END SOLUTION"
    cells = [_cell("functions", functions, solution=True)]
    for index, check in enumerate(CHECKS.values()):
        cells.append(_cell(f"check{index}", (CELL_HEAD if index == 0 else "") + check, solution=False))
    write(v4.new_notebook(cells=cells, metadata={"kernelspec": _KERNEL}), path)


_KERNEL = {"name": "python3", "display_name": "Python 3", "language": "python"}


def _cell(name: str, source: str, *, solution: bool):  # type: ignore[no-untyped-def]
    from nbformat import v4

    about = {"grade": not solution, "grade_id": name, "locked": not solution, "schema_version": 3}
    about |= {"solution": solution, "task": False, "cell_type": "code"} | ({} if solution else {"points": 1})
    return v4.new_code_cell(source, metadata={"nbgrader": about})
