"""The portable level: early start, the channel of other systems, grandchildren."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from autograder.model.outcome import Died, Returned
from autograder.worker import portable
from autograder.worker.interface import Workshop
from autograder.worker.threads import ThreadChannel
from tests.worker.conftest import QUICK

ROOT = Path(__file__).parents[2]


def test_the_module_that_starts_early_imports_neither_numpy_nor_what_reads_yaml() -> None:
    program = "import sys, autograder.worker.portable; print(*sys.modules)"
    loaded = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, cwd=ROOT, check=True
    )

    assert {"numpy", "pydantic", "yaml", "rich", "dataclasses"}.isdisjoint(loaded.stdout.split())


def test_a_process_launched_early_becomes_the_first_worker() -> None:
    launched = portable.launch()
    with portable.PortableWorkshop(launched) as workshop:
        first = workshop.start(b"import os\ndef f(): return os.getpid()\n", "attention.py", QUICK)
        second = workshop.start(b"import os\ndef f(): return os.getpid()\n", "attention.py", QUICK)

        assert first.call("f", []) == Returned(launched._process.pid)
        assert second.call("f", []) != Returned(launched._process.pid)


def test_a_process_launched_early_and_never_used_is_ended() -> None:
    launched = portable.launch()
    portable.PortableWorkshop(launched).close()

    assert launched._process.returncode is not None


@pytest.fixture
def threaded(monkeypatch: pytest.MonkeyPatch) -> Iterator[Workshop]:
    """A portable workshop that talks as it does where pipes cannot be polled."""

    def channel(process: subprocess.Popen[bytes]) -> ThreadChannel:
        assert process.stdout is not None
        assert process.stdin is not None
        return ThreadChannel(process.stdout, process.stdin)

    monkeypatch.setattr(portable, "_channel", channel)
    with portable.PortableWorkshop() as workshop:
        yield workshop


FILE = b"""
import os, time
def echo(S): return S
def leaves(): os._exit(5)
def loops():
    while True: pass
def floods():
    while True:
        for fd in range(3, 10):
            try:
                os.write(fd, bytes(1 << 16))
            except OSError:
                pass
"""


def test_threads_carry_large_arrays_both_ways(threaded: Workshop) -> None:
    S = np.arange(1 << 18, dtype=float)
    outcome = threaded.start(FILE, "attention.py", QUICK.model_copy(update={"call_seconds": 5.0})).call(
        "echo", [S]
    )

    assert isinstance(outcome, Returned)
    assert np.array_equal(outcome.value, S)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("function", "expected"),
    [
        ("leaves", Died("exited", "exit 5")),
        ("loops", Died("timed_out", seconds=QUICK.call_seconds)),
        ("floods", Died("protocol", "bad frame header")),
    ],
)
def test_threads_tell_how_a_process_ended(threaded: Workshop, function: str, expected: Died) -> None:
    assert threaded.start(FILE, "attention.py", QUICK).call(function, []) == expected


GRANDCHILD = b"""
import os, time
def daemon():
    if os.fork() == 0:
        os.setsid()
        time.sleep(3)
        os._exit(0)
    os._exit(4)
def child():
    pid = os.fork()
    if pid == 0:
        time.sleep(60)
    return pid
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_a_grandchild_that_keeps_the_pipe_open_does_not_make_us_wait() -> None:
    began = time.monotonic()
    with portable.PortableWorkshop() as workshop:
        outcome = workshop.start(GRANDCHILD, "attention.py", QUICK).call("daemon", [])

    assert outcome == Died("timed_out", seconds=QUICK.call_seconds) or outcome == Died("exited", "exit 4")
    assert time.monotonic() - began < 2.5


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="looks at /proc")
def test_children_of_a_submission_end_with_it() -> None:
    with portable.PortableWorkshop() as workshop:
        worker = workshop.start(GRANDCHILD, "attention.py", QUICK)
        grandchild = worker.call("child", []).value  # type: ignore[union-attr]
        worker.close()

    end = time.monotonic() + 2
    while time.monotonic() < end and is_running(grandchild):
        time.sleep(0.01)
    assert not is_running(grandchild)


def is_running(pid: int) -> bool:
    """Say whether a process is there and no zombie."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False
