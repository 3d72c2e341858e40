"""How long `nbgrader autograde` takes with our preprocessor, and with nbgrader's Execute, on the same class.

Run from the project's top: python tests/bench/nbgrader.py
Notebooks that loop or end their process are left out: in a kernel each of them costs a minute, or the batch.
"""

import json
import shutil
import statistics
import sys
import tempfile
import time
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
"""


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
    for step, (whole, each) in steps.items():
        first, rest = each[0], sum(each[1:])
        print(
            f"{step}\n  whole command {whole:6.1f} s, the step {sum(each):6.2f} s for {len(each)} notebooks"
        )
        print(f"  first notebook {first:5.2f} s, each further one {rest / (len(each) - 1):5.2f} s")
    (whole, each), (slow_whole, slow_each) = steps[OURS], steps[THEIRS]
    further = sum(slow_each[1:]) / sum(each[1:])
    print(
        f"faster: the step {sum(slow_each) / sum(each):.1f} times, after the first notebook {further:.1f} times"
    )
    print(f"        the whole command {slow_whole / whole:.1f} times")


def measured(base: Path, course: Path, step: str) -> tuple[float, list[float]]:
    """Seconds of the whole command, and of the step for each notebook."""
    copy = base / step / "course"
    shutil.copytree(course, copy)
    config = copy / "nbgrader_config.py"
    text = config.read_text().replace("'../project'", repr(str(base / "project"))).replace(OURS, step)
    config.write_text(text + TIMED.format(step=step, opening=OPENING))
    began = time.perf_counter()
    run("nbgrader", "autograde", ASSIGNMENT, folder=copy)
    whole = time.perf_counter() - began
    seconds = json.loads((copy / "seconds.json").read_text())
    opening = sum(taken for name, taken in seconds if name == "__init__")
    return whole, opening, [taken for name, taken in seconds if name == "preprocess"]


if __name__ == "__main__":
    main()
