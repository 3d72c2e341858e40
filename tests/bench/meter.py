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
    """A command that ended: exit code, what it took, and if watched the most memory of one process, MiB."""

    code: int
    spent: Spent
    peak_mb: float


def run(
    command: Sequence[str], *, cwd: Path, environment: dict[str, str] | None = None, watch: bool = False
) -> Ran:
    """Run a command to its end, its output thrown away; with `watch`, look at its memory meanwhile."""
    began, peak = time.perf_counter(), 0.0
    quiet = subprocess.DEVNULL
    surroundings = os.environ | (environment or {})
    process = subprocess.Popen(command, cwd=cwd, env=surroundings, stdout=quiet, stderr=quiet)
    while watch and os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is None:
        peak = max(peak, _peak_mb(process.pid))
        time.sleep(0.05)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    took = Spent(time.perf_counter() - began, usage.ru_utime + usage.ru_stime)
    return Ran(process.returncode, took, peak)


def _peak_mb(pid: int) -> float:
    """The largest peak of a process and those right below it, which are the jobs.

    What wait4 tells will not do: there a process begins with the memory of the one that started it.
    """
    try:
        processes = [pid, *(child.pid for child in psutil.Process(pid).children())]
    except psutil.NoSuchProcess:
        return 0.0
    return max(map(_high_water, processes))


def _high_water(pid: int) -> float:
    try:
        status = Path(f"/proc/{pid}/status").read_text()
    except OSError:
        return 0.0
    line = next((line for line in status.splitlines() if line.startswith("VmHWM:")), "VmHWM: 0 kB")
    return int(line.split()[1]) / 1024
