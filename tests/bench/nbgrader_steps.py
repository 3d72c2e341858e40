"""How long `nbgrader autograde` takes with our preprocessor, and with nbgrader's Execute, on the same class.

Run from the project's top: python tests/bench/nbgrader_steps.py
Notebooks that loop or end their process are left out: in a kernel each of them costs a minute, or the batch.
"""

import json
import shutil
import statistics
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

TOP = Path(__file__).resolve().parents[2]
# Not this folder, whose nbgrader.py would be taken for nbgrader.
sys.path[0] = str(TOP)

from tests.nbgrader.classroom import ASSIGNMENT, everybody, hand_in, read, run, write_project  # noqa: E402

UNFIT = ("ines", "jonas", "kemal", "pedro", "samir", "tove")
OURS = "autograder.plugins.nbgrader.preprocessors.GradeInWorker"
THEIRS = "nbgrader.preprocessors.Execute"
OPENING = "autograder.plugins.nbgrader.graders.NotebookGrader"
#: Notes the seconds that each notebook spends in a step, and that ours takes to open before the first.
TIMED = """
import json, time
from traitlets import import_item

_seconds = []

def _timed(owner, name):
    made = getattr(owner, name)
    def timed(self, *arguments, **more):
        began = time.perf_counter()
        try:
            return made(self, *arguments, **more)
        finally:
            _seconds.append([name, time.perf_counter() - began])
            Path(__file__).with_name("seconds.json").write_text(json.dumps(_seconds))
    setattr(owner, name, timed)

_timed(import_item({step!r}), "preprocess")
_timed(import_item({opening!r}), "__init__")
_timed(import_item({opening!r}), "_checked")
"""


@dataclass(frozen=True)
class Times:
    """Seconds of one run: all of it, opening the course, the step and the grading for each notebook."""

    whole: float
    opening: float
    step: list[float]
    grading: list[float]


def main() -> None:
    """Print both times, and how many times faster one is."""
    with tempfile.TemporaryDirectory(prefix="autograder-bench-") as name:
        base = Path(name)
        (base / "project").mkdir()
        project, course = write_project(base / "project", isolation="auto"), base / "course"
        run("autograder", "-C", str(project), "nbgrader", "create", str(course), folder=base)
        run("nbgrader", "generate_assignment", ASSIGNMENT, folder=course)
        everyone = everybody(read(course / "release" / ASSIGNMENT / f"{ASSIGNMENT}.ipynb"))
        hand_in(course, {student: text for student, text in everyone.items() if student not in UNFIT})
        steps = {step: measured(base, course, step) for step in (OURS, THEIRS)}
    for step, times in steps.items():
        print(f"{step}, {len(times.step)} notebooks")
        print(f"  whole command {times.whole:6.1f} s, of that in the step {sum(times.step):6.2f} s")
        print(f"  a notebook {statistics.median(times.step):5.2f} s (median)")
    ours, theirs = steps[OURS], steps[THEIRS]
    beside, spent = sum(ours.grading), sum(theirs.step)
    print(f"grading in the worker takes {beside:.2f} s, most of it beside nbgrader's other steps,")
    print(f"  and the course is opened once, in {ours.opening:.2f} s")
    print(
        f"faster: the step {spent / sum(ours.step):.0f} times; grading, wherever, {spent / beside:.1f} times;"
    )
    print(f"        the whole command {theirs.whole / ours.whole:.1f} times")


def measured(base: Path, course: Path, step: str) -> Times:
    """The whole command with one of the steps, timed."""
    copy = base / step / "course"
    shutil.copytree(course, copy)
    config = copy / "nbgrader_config.py"
    text = config.read_text().replace("'../project'", repr(str(base / "project"))).replace(OURS, step)
    config.write_text(text + TIMED.format(step=step, opening=OPENING))
    began = time.perf_counter()
    run("nbgrader", "autograde", ASSIGNMENT, folder=copy)
    whole = time.perf_counter() - began
    seconds = json.loads((copy / "seconds.json").read_text())

    def of(name: str) -> list[float]:
        return [taken for called, taken in seconds if called == name]

    return Times(whole, sum(of("__init__")), of("preprocess"), of("_checked"))


if __name__ == "__main__":
    main()
