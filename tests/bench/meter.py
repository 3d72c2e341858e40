"""Wall and CPU time of this process and everything below it, and peak memory of a command."""

from __future__ import annotations

import os
import subprocess
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import psutil


@dataclass(frozen=True, slots=True)
class Spent:
    """Seconds of wall and of CPU time."""

    wall: float
    cpu: float

    def a_second(self, count: int) -> float:
        """How many of them there were in a second."""
        return count / self.wall

    def cpu_ms(self, count: int) -> float:
        """Milliseconds of CPU for each."""
        return 1000 * self.cpu / count


def spent(work: Callable[[], object], *, times: int = 1) -> Spent:
    """What some work takes; of several times the best, by CPU time, since other loads only add to it."""
    return min((_once(work) for _ in range(times)), key=lambda one: one.cpu)


def _once(work: Callable[[], object]) -> Spent:
    wall, cpu = time.perf_counter(), _cpu()
    work()
    return Spent(time.perf_counter() - wall, _cpu() - cpu)


def _cpu() -> float:
    """CPU seconds so far of this process, of what it has waited for, and of what is alive below it."""
    own = os.times()
    total = own.user + own.system + own.children_user + own.children_system
    for process in psutil.Process().children(recursive=True):
        try:
            times = process.cpu_times()
        except psutil.NoSuchProcess:
            continue
        total += times.user + times.system + times.children_user + times.children_system
    return total


@contextmanager
def on_cores(count: int) -> Iterator[None]:
    """Keep this process, and what it starts meanwhile, to so many cores."""
    every = os.sched_getaffinity(0)
    os.sched_setaffinity(0, set(sorted(every)[:count]))
    try:
        yield
    finally:
        os.sched_setaffinity(0, every)


@dataclass(frozen=True, slots=True)
class Ran:
    """A command that ended: exit code, seconds, the most memory that one of its processes had, MiB."""

    code: int
    wall: float
    peak_mb: float


def run(command: Sequence[str], *, cwd: Path, environment: dict[str, str] | None = None) -> Ran:
    """Run a command to its end, its output thrown away."""
    began = time.perf_counter()
    quiet = subprocess.DEVNULL
    surroundings = os.environ | (environment or {})
    process = subprocess.Popen(command, cwd=cwd, env=surroundings, stdout=quiet, stderr=quiet)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    return Ran(process.returncode, time.perf_counter() - began, usage.ru_maxrss / 1024)
