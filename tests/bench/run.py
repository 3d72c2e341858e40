"""One run that measures grading side by side with the usual ways, on this machine: `make bench`.

    python tests/bench/run.py [--quick] [PART…]

Throughput is the best of several runs by CPU time, since other loads on the machine only add to it.
"""

from __future__ import annotations

import argparse
import os
import platform
import tempfile
from dataclasses import dataclass, field
from pathlib import Path

# Before numpy is loaded: one thread, as the workers have.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import material
import ours
import rivals
from meter import Spent, on_cores
from rich.console import Console
from rich.table import Table

from autograder.loading.assignment import Course
from autograder.worker.levels import open_workshop


@dataclass(frozen=True)
class Amounts:
    """How much is measured."""

    submissions: int
    times: int
    rivals: int
    sizes: tuple[int, ...]
    mixed: int


QUICK = Amounts(submissions=20, times=2, rivals=3, sizes=(20, 100), mixed=50)
FULL = Amounts(submissions=100, times=6, rivals=12, sizes=(100, 1000, 10_000), mixed=1000)


@dataclass
class Bench:
    """The material, and where figures go."""

    amounts: Amounts
    six: Course
    console: Console
    #: The grading of the six functions and of the whole, and the floor below it, once measured.
    measured: dict[str, tuple[Spent, Spent]] = field(default_factory=dict)

    def table(self, title: str, *columns: str) -> Table:
        """An empty table, figures to the right."""
        table = Table(title=title, title_justify="left", title_style="bold")
        for index, column in enumerate(columns):
            table.add_column(column, justify="right" if index else "left")
        return table

    def grading(self, course: Course) -> tuple[Spent, Spent]:
        """Grading in one process on one core, and the floor, measured once."""
        name = course.assignment.name
        if name not in self.measured:
            with on_cores(1):
                amounts = self.amounts
                self.measured[name] = ours.grading_and_floor(
                    course, material.RIGHT, amounts.submissions, times=amounts.times
                )
        return self.measured[name]


def throughput(bench: Bench) -> None:
    """Submissions a second: on one core, on two, and the floor."""
    count = bench.amounts.submissions
    columns = (
        "assignment",
        "checks",
        "calls",
        "1 core /s",
        "CPU ms",
        "floor ms",
        "÷ floor",
        "2 cores /s",
        "CPU ms",
    )
    table = bench.table("Throughput of the unit of work; CPU time of each submission", *columns)
    for course in (bench.six, material.qkv()):
        checks, calls, _ = ours.shape(course, material.RIGHT)
        one, floor = bench.grading(course)
        with on_cores(2):
            two = _steady(bench, course)
        table.add_row(
            *(
                course.assignment.name,
                str(checks),
                str(calls),
                _f(one.a_second(count)),
                _f(one.cpu_ms(count)),
            ),
            *(_f(floor.cpu_ms(count)), _f(one.cpu / floor.cpu, 2), _f(two)),
        )
    bench.console.print(table)


def _steady(bench: Bench, course: Course) -> float:
    """Submissions a second of two jobs at work: a class of four times the usual number less one of once."""
    count = bench.amounts.submissions
    few, many = (ours.batch(course, material.RIGHT, number, jobs=2) for number in (count, 4 * count))
    return 3 * count / max(many.wall - few.wall, 1e-9)


def compared(bench: Bench) -> None:
    """The same six functions by a unittest runner and by pytest, a process each, and by nbgrader's batch."""
    count, times = bench.amounts.rivals, bench.amounts.times
    columns = ("how", "a second", "CPU ms each", "× ours, wall", "× ours, CPU")
    table = bench.table("The six functions, one core", *columns)
    number = bench.amounts.submissions
    us, _ = bench.grading(bench.six)
    table.add_row("autograder", _f(us.a_second(number)), _f(us.cpu_ms(number)), "1", "1")

    def add(name: str, other: Spent) -> None:
        wall, cpu = us.a_second(number) / other.a_second(count), other.cpu_ms(count) / us.cpu_ms(number)
        table.add_row(name, _f(other.a_second(count), 2), _f(other.cpu_ms(count)), _f(wall), _f(cpu))

    with on_cores(1):
        for runner in ("unittest", "pytest"):
            add(f"{runner}, a process each", rivals.one_process_each(runner, count, times=times))
        if rivals.has_nbgrader():
            add(f"nbgrader autograde, {count} in a batch", rivals.nbgrader_batch(count))
    bench.console.print(table)
    if not rivals.has_nbgrader():
        bench.console.print("nbgrader is not installed, so it is not measured")


def wrong(bench: Bench) -> None:
    """A submission with three wrong exercises beside one with none: why they are wrong is worked out too."""
    course, count = material.qkv(), bench.amounts.submissions
    none, _ = bench.grading(course)
    with on_cores(1):
        source = material.wrong(tuple(material.WRONG))
        three = ours.grading(course, source, count, times=bench.amounts.times)
    _, calls, result = ours.shape(course, source)
    table = bench.table("Wrong exercises, the whole assignment", "submission", "calls", "CPU ms each", "×")
    table.add_row("none wrong", "", _f(none.cpu_ms(count)), "1")
    failed = sum(exercise.status != "passed" for exercise in result.exercises)
    name, times = f"three wrong, {failed} not passed", three.cpu / none.cpu
    table.add_row(name, str(calls), _f(three.cpu_ms(count)), _f(times, 2))
    bench.console.print(table)


def growth(bench: Bench) -> None:
    """Time and peak memory of `autograder grade` against the number of submissions."""
    columns = ("submissions", "jobs", "seconds", "a second", "peak MiB")
    table = bench.table("`autograder grade`, the six functions", *columns)
    for size in bench.amounts.sizes:
        for jobs in (1, 2):
            ran, rows = ours.command(bench.six.top, [material.RIGHT] * size, jobs=jobs)
            assert (ran.code, rows) == (0, size), f"exit code {ran.code}, {rows} rows"
            took = ran.spent
            table.add_row(str(size), str(jobs), _f(took.wall), _f(took.a_second(size)), _f(ran.peak_mb))
    bench.console.print(table)


def mixed(bench: Bench) -> None:
    """A class of which a fifth is broken or hostile, on two cores, its timeouts told beside."""
    size, loops = bench.amounts.mixed, max(1, bench.amounts.mixed // 100)
    course = material.qkv()
    sources = ours.mixed_class(size, loops=loops)
    ran, rows = ours.command(course.top, sources, jobs=2)
    assert (ran.code, rows) == (0, size), f"exit code {ran.code}, {rows} rows"
    # A function is given up after two calls that did not return; two jobs share the waiting.
    waited = loops * 2 * course.assignment.limits.call_seconds / 2
    title = "A fifth broken or hostile, the whole assignment, 2 jobs"
    table = bench.table(title, "submissions", "seconds", "of them timeouts")
    table.add_row(str(size), _f(ran.spent.wall), f"at least {_f(waited)}")
    bench.console.print(table)


def cold(bench: Bench) -> None:
    """`autograder check` started anew beside a Python that imports numpy."""
    check, numpy = ours.cold_check(times=2 * bench.amounts.times)
    table = bench.table("Started anew", "command", "ms", "CPU ms", "×", "× CPU")
    table.add_row('python -c "import numpy"', _f(1000 * numpy.wall), _f(1000 * numpy.cpu), "1", "1")
    times = _f(check.wall / numpy.wall), _f(check.cpu / numpy.cpu)
    table.add_row("autograder check, all exercises", _f(1000 * check.wall), _f(1000 * check.cpu), *times)
    bench.console.print(table)


PARTS = {part.__name__: part for part in (throughput, compared, wrong, cold, growth, mixed)}


def _f(number: float, digits: int = 1) -> str:
    return f"{number:,.{digits}f}"


def main() -> None:
    """Measure the parts asked for, or all."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--quick", action="store_true", help="about a minute, and no large class")
    parser.add_argument("parts", nargs="*", metavar="PART", help=f"by default all: {', '.join(PARTS)}")
    options = parser.parse_args()
    unknown = set(options.parts) - set(PARTS)
    if unknown:
        parser.error(f"no part {', '.join(sorted(unknown))}; known: {', '.join(PARTS)}")
    with tempfile.TemporaryDirectory(dir=Path(__file__).parent, prefix=".course-") as name:
        bench = Bench(QUICK if options.quick else FULL, material.write_six(Path(name)), Console(width=120))
        with open_workshop("auto") as workshop:
            level = workshop.level
        load = os.getloadavg()[0]
        bench.console.print(
            f"Python {platform.python_version()}, isolation {level}, {len(os.sched_getaffinity(0))} cores, "
            f"load of the last minute {load:.1f}\n"
        )
        for part in options.parts or PARTS:
            PARTS[part](bench)
            bench.console.print()


if __name__ == "__main__":
    main()
