"""What is measured of the autograder itself."""

from __future__ import annotations

import sys
import tempfile
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from material import HOSTILE, LOOPS, RIGHT, TOP, numbered, submissions, write_class
from meter import Ran, Spent, run, spent

from autograder.grading.batch import Order, grade_batch
from autograder.grading.store import result_text
from autograder.grading.submission import Grader
from autograder.loading.assignment import Course
from autograder.loading.submissions import find_submissions
from autograder.model.outcome import Outcome
from autograder.model.result import Result
from autograder.model.submission import Submission
from autograder.worker.interface import Request, Workshop
from autograder.worker.levels import open_workshop
from autograder.worker.session import Session


def grading(course: Course, source: str, count: int, *, times: int) -> Spent:
    """The unit of work in this process, so many submissions one after the other, results as text."""
    with open_workshop("auto") as workshop:
        return spent(_grade_all(course, workshop, submissions(source, count)), times=times)


def grading_and_floor(course: Course, source: str, count: int, *, times: int) -> tuple[Spent, Spent]:
    """The unit of work, and what no judging can go below: a fork, the file loaded, the same calls sent alike.

    They take turns, so that what else the machine does meanwhile falls on both.
    """
    made = submissions(source, count)
    with open_workshop("auto") as workshop:
        grade_all = _grade_all(course, workshop, made)
        call_all = _call_all(course, workshop, made)
        turns = [(spent(grade_all), spent(call_all)) for _ in range(times)]
    graded, floor = zip(*turns, strict=True)
    return min(graded, key=_cpu), min(floor, key=_cpu)


def _cpu(one: Spent) -> float:
    return one.cpu


def _grade_all(course: Course, workshop: Workshop, made: Sequence[Submission]) -> Callable[[], object]:
    """Grade all of them; three have been already."""
    grader = Grader(course, workshop)
    for submission in made[:3]:
        grader.grade(submission)
    return lambda: [result_text(grader.grade(one)) for one in made]


def _call_all(course: Course, workshop: Workshop, made: Sequence[Submission]) -> Callable[[], None]:
    """Load all of them and make the calls of one."""
    passes = _calls(course, made[0])
    limits = course.assignment.limits

    def call_all() -> None:
        for one in made:
            with Session(workshop, one.source, "attention.py", limits) as session:
                for requests in passes:
                    deque(session.calls(requests), maxlen=0)

    return call_all


def _calls(course: Course, submission: Submission) -> list[Sequence[Request]]:
    """The calls that grading a submission makes, as they are sent together."""
    asked: list[Sequence[Request]] = []
    real = Session.calls

    def calls(self: Session, requests: Sequence[Request], *, trace: bool = False) -> Iterator[Outcome]:
        asked.append(requests)
        return real(self, requests, trace=trace)

    Session.calls = calls  # type: ignore[method-assign]
    try:
        with open_workshop("auto") as workshop:
            Grader(course, workshop).grade(submission)
    finally:
        Session.calls = real  # type: ignore[method-assign]
    return asked


def shape(course: Course, source: str) -> tuple[int, int, Result]:
    """How many checks and calls there are, and the result of a submission."""
    made = submissions(source, 1)[0]
    with open_workshop("auto") as workshop:
        result = Grader(course, workshop).grade(made)
    checks = sum(len(exercise.checks) for exercise in course.exercises)
    return checks, sum(map(len, _calls(course, made))), result


def batch(course: Course, source: str, count: int, *, jobs: int) -> Spent:
    """A class graded into a results folder, as `grade` does, the start of its processes included."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write_class(folder / "in", [source] * count)
        found = find_submissions(folder / "in")
        order = Order(course.top, course.assignment.name, folder / "out", "auto")
        return spent(lambda: grade_batch(course, found, order, jobs=jobs))


def command(top: Path, sources: Sequence[str], *, jobs: int) -> tuple[Ran, int]:
    """`autograder grade` on a class as a command of its own, and how many rows its table has."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write_class(folder / "in", list(sources))
        options = ["--out", "out", "--jobs", str(jobs), "--plain", "-C", str(top)]
        ran = run([sys.executable, "-m", "autograder", "grade", "in", *options], cwd=folder, watch=True)
        rows = len((folder / "out/grades.csv").read_text().splitlines()) - 1
        return ran, rows


def mixed_class(count: int, *, loops: int) -> list[str]:
    """A class of which a fifth is broken or hostile, some of it looping for ever."""
    hostile = list(HOSTILE.values())
    bad = count // 5 - loops
    sources = [RIGHT] * (count - bad - loops) + [hostile[i % len(hostile)] for i in range(bad)]
    return sources + [LOOPS] * loops


def cold_check(*, times: int) -> tuple[Spent, Spent]:
    """What `autograder check` takes on a right file, started anew, and a Python that imports numpy."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "attention.py").write_text(numbered(RIGHT, 0))
        check = [sys.executable, "-m", "autograder", "check", "attention.py", "-C", str(TOP)]
        numpy = [sys.executable, "-c", "import numpy"]
        return _best(check, folder, times), _best(numpy, folder, times)


def _best(command: Sequence[str], folder: Path, times: int) -> Spent:
    """The shortest of several runs in wall time, with the least CPU time."""
    took = [run(command, cwd=folder).spent for _ in range(times)]
    return Spent(min(one.wall for one in took), min(one.cpu for one in took))
