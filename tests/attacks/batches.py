"""One run of `autograder grade` over attacks and honest siblings, by some user at some level, and its end."""

import contextlib
import json
import os
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from tests.attacks.canaries import canaries
from tests.attacks.course import write_course
from tests.attacks.pieces import RIGHT, Attack
from tests.attacks.users import TOP, User

REAPER = Path(__file__).parent / "reaper.py"
#: Between so many attacks stands an honest sibling, and behind the last.
APART = 4
#: Files that somebody who can write outside would leave.
NOTES = ("/tmp", "/var/tmp", "/dev/shm")


@dataclass(frozen=True)
class Batch:
    """What one run left: the process's end, every result by student, what was touched outside."""

    code: int
    seconds: float
    left: list[str]
    stdout: str
    stderr: str
    touched: list[str]
    results: dict[str, Any]

    @property
    def unavailable(self) -> str:
        """Why the level cannot be had here, if so."""
        return self.stderr if not self.results and "isolation" in self.stderr else ""

    def of(self, attack: str) -> Any:
        """The result of an attack."""
        return next(result for student, result in self.results.items() if student.endswith(f"_{attack}"))

    def honest(self) -> dict[str, Any]:
        """The results of the siblings."""
        return {student: result for student, result in self.results.items() if student.endswith("_honest")}


def class_of(attacks: Sequence[Attack]) -> dict[str, Attack | None]:
    """Students in the order in which they are graded: attacks, and None for an honest sibling."""
    students: dict[str, Attack | None] = {}
    for number, attack in enumerate(attacks):
        students[f"{number:03}_{attack.name}"] = attack
        if number % APART == APART - 1 or number == len(attacks) - 1:
            students[f"{number:03}_z_honest"] = None
    return students


def run_batch(
    folder: Path,
    attacks: Sequence[Attack],
    user: User,
    level: str,
    *,
    limits: Mapping[str, float] | None = None,
    kill_after: int = 0,
) -> Batch:
    """Grade a class of attacks in a folder of its own."""
    folder.mkdir()
    os.chmod(folder, 0o755)
    top = write_course(folder / "course", **(limits or {}))
    (folder / "in").mkdir()
    with canaries(folder / "canaries", user.worker_uid) as traps:
        places = _places(folder, top) | traps.places
        for student, attack in class_of(attacks).items():
            source = RIGHT if attack is None else attack.filled_in(places)
            (folder / "in" / f"{student}.py").write_text(source, encoding="utf-8")
        told = _graded(folder, top, user, level, traps.environment, kill_after)
    touched = [*traps.touched, *_notes()]
    batch = Batch(**told, touched=touched, results=_results(folder / "out"))
    (folder / "batch.json").write_text(json.dumps(asdict(batch)))
    return batch


def read_batch(folder: Path) -> Batch:
    """A run that another process has made."""
    return Batch(**json.loads((folder / "batch.json").read_text()))


def _places(folder: Path, top: Path) -> dict[str, str]:
    return {
        "REFERENCE": str(top / "solutions/qkv.py"),
        "CONFIG": str(top / "config/attacked.yaml"),
        "GRADER": str(TOP / "autograder/grading/submission.py"),
        "SUBMISSIONS": str(folder / "in"),
        "OTHER": str(folder / "in/003_z_honest.py"),
        "RESULTS": str(folder / "out"),
    }


def _graded(
    folder: Path, top: Path, user: User, level: str, environment: Mapping[str, str], kill_after: int
) -> dict[str, Any]:
    """Run the command and return how it ended and what it said."""
    for name in ("out", "home", "tell"):
        (folder / name).mkdir()
        os.chown(folder / name, user.uid, user.uid if user.uid != os.getuid() else -1)
    tell = folder / "tell/told.json"
    command = [
        user.python,
        str(REAPER),
        str(tell),
        "100",
        str(kill_after),
        "--",
        user.python,
        "-m",
        "autograder",
    ]
    command += [
        "grade",
        str(folder / "in"),
        "--out",
        str(folder / "out"),
        "--isolation",
        level,
        "--jobs",
        "2",
    ]
    run = subprocess.run(
        [*command, "-C", str(top)],
        cwd=top,
        env={**user.environment(), **environment, "HOME": str(folder / "home")},
        capture_output=True,
        check=False,
        timeout=120,
        **user.identity(),
    )  # type: ignore[call-overload]
    stdout, stderr = (stream.decode("utf-8", "replace") for stream in (run.stdout, run.stderr))
    assert tell.exists(), stderr
    return {**json.loads(tell.read_text()), "stdout": stdout, "stderr": stderr}


def _results(folder: Path) -> dict[str, Any]:
    return {path.stem: json.loads(path.read_text(encoding="utf-8")) for path in sorted(folder.glob("*.json"))}


def _notes() -> list[str]:
    """Notes that lie where anyone may write; they are removed."""
    found = [path for folder in NOTES for path in Path(folder).glob("attack-*")]
    for path in found:
        with contextlib.suppress(OSError):
            path.unlink()
    return [f"wrote {path}" for path in found]
