"""Processes that end, or have to be ended, and what the next call finds."""

from __future__ import annotations

import contextlib
import os
import signal
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from autograder.model.outcome import Died, NotCalled, Outcome, Returned
from autograder.worker.interface import Workshop
from autograder.worker.levels import open_workshop
from autograder.worker.session import Session
from tests.worker.conftest import QUICK, Start

FILE = """
import ctypes, os, time
import numpy as np

def well(): return 1
def leaves(): os._exit(7)
def loops():
    while True: pass
def loops_in_c(): 9 ** (9 ** 9)
def sleeps(): time.sleep(60)
def crashes(): ctypes.string_at(0)

def talk_fd():
    try:
        os.write(3, b"")
        return 3
    except OSError:  # where there are two pipes, 3 is the one to read from
        return max(fd for fd in range(3, 20) if is_open(fd))
def is_open(fd):
    try:
        os.get_inheritable(fd)
        return True
    except OSError:
        return False
def head(length):
    return b"AGW1" + bytes([5, 0, 0, 0]) + (2).to_bytes(4, "little") + length.to_bytes(8, "little")
def garbage(): os.write(talk_fd(), b"x" * 1000)
def forges_length():
    os.write(talk_fd(), head(1 << 60))
def drips_fast():
    os.write(talk_fd(), head(60 << 20))
    while True: os.write(talk_fd(), b"x" * 9)
def floods():
    while True: os.write(talk_fd(), bytes(1 << 16))
def drips():
    os.write(talk_fd(), head(1 << 20))
    while True:
        os.write(talk_fd(), b"x")
        time.sleep(0.02)
def closes():
    os.close(talk_fd())
    time.sleep(60)
"""

DEATHS: dict[str, tuple[Died, ...]] = {
    "leaves": (Died("exited", "exit 7"),),
    "loops": (Died("timed_out", seconds=QUICK.call_seconds),),
    "loops_in_c": (Died("timed_out", seconds=QUICK.call_seconds),),
    "sleeps": (Died("timed_out", seconds=QUICK.call_seconds),),
    "crashes": (Died("killed", "SIGSEGV"),),
    "garbage": (Died("protocol", "bad frame header"),),
    "forges_length": (Died("protocol", "frame too large"),),
    "floods": (Died("protocol", "bad frame header"),),
    "drips_fast": (Died("timed_out", seconds=QUICK.call_seconds),),
    "drips": (Died("timed_out", seconds=QUICK.call_seconds),),
    "closes": (Died("killed", "closed its connection"), Died("timed_out", seconds=QUICK.call_seconds)),
}


@pytest.mark.parametrize("function", DEATHS)
def test_a_death_is_told_by_its_cause_and_stays(start: Start, function: str) -> None:
    worker = start(FILE)
    outcome = worker.call(function, [])

    assert outcome in DEATHS[function]
    assert not worker.alive
    assert worker.call("well", []) == outcome


def test_a_reply_forged_before_its_call_is_not_taken_for_an_answer(start: Start) -> None:
    source = FILE + (
        "def forges():\n"
        "    nothing = bytes(4)\n"
        "    body = b'i' + (42).to_bytes(8, 'little') + b't' + nothing + b's' + nothing + b't' + nothing\n"
        "    os.write(talk_fd(), head(len(body)) + body)\n"
    )
    worker = start(source)

    assert worker.call("forges", []) == Returned(42)  # no more than returning 42
    assert worker.call("well", []) == Died("protocol", "bad frame header")


def test_a_process_that_does_not_read_does_not_hold_us_up(start: Start) -> None:
    worker = start("import threading, time\ndef sleeps(S): time.sleep(60)\n")
    began = time.monotonic()
    outcome = worker.call("sleeps", [np.zeros(1 << 20)])

    assert outcome == Died("timed_out", seconds=QUICK.call_seconds)
    assert time.monotonic() - began < 5


def children_of(pid: int, *, zombies: bool = True) -> set[int]:
    """Return all descendants of a process, by /proc."""
    parents = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                state, parent = (entry / "stat").read_text().rpartition(")")[2].split()[:2]
            except (OSError, ValueError):
                continue
            if zombies or state != "Z":
                parents[int(entry.name)] = int(parent)
    found: set[int] = set()
    while new := {child for child, parent in parents.items() if parent in found | {pid}} - found:
        found |= new
    return found


def settled(expected: set[int], *, zombies: bool = True) -> set[int]:
    """Return the descendants of this process, once they are those expected or two seconds have passed."""
    end = time.monotonic() + 2
    while (actual := children_of(os.getpid(), zombies=zombies)) != expected and time.monotonic() < end:
        time.sleep(0.01)
    return actual


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="looks at /proc")
def test_no_process_and_no_descriptor_is_left_of_workers_however_they_ended(workshop: Workshop) -> None:
    workshop.start(b"", "attention.py", QUICK).close()
    processes, descriptors = children_of(os.getpid()), len(os.listdir("/proc/self/fd"))

    for function in ("well", "leaves", "loops", "crashes", "garbage"):
        with Session(workshop, FILE.encode(), "attention.py", QUICK) as session:
            session.call(function, [])

    assert settled(processes) == processes
    assert len(os.listdir("/proc/self/fd")) == descriptors


def test_closing_twice_is_safe(start: Start) -> None:
    worker = start(FILE)
    worker.close()
    worker.close()

    assert not worker.alive


Run = Callable[..., list[Outcome]]


def one_by_one(session: Session, *functions: str) -> list[Outcome]:
    return [session.call(function, []) for function in functions]


def many_at_once(session: Session, *functions: str) -> list[Outcome]:
    return list(session.calls([(function, []) for function in functions]))


ways = pytest.mark.parametrize("run", [one_by_one, many_at_once])


@ways
def test_after_a_death_the_next_call_finds_a_fresh_process(workshop: Workshop, run: Run) -> None:
    with Session(workshop, FILE.encode(), "attention.py", QUICK) as session:
        outcomes = run(session, "well", "leaves", "well", "crashes", "well")

    assert outcomes == [
        Returned(1),
        Died("exited", "exit 7"),
        Returned(1),
        Died("killed", "SIGSEGV"),
        Returned(1),
    ]


@ways
def test_after_too_many_deaths_nothing_is_called_any_more(workshop: Workshop, run: Run) -> None:
    with Session(workshop, FILE.encode(), "attention.py", QUICK) as session:
        outcomes = run(session, *["leaves"] * QUICK.deaths, "well", "well")

    assert outcomes[-2:] == [NotCalled("deaths"), NotCalled("deaths")]
    assert session.deaths == QUICK.deaths


@ways
def test_after_the_submissions_time_nothing_is_called_any_more(workshop: Workshop, run: Run) -> None:
    limits = QUICK.model_copy(update={"submission_seconds": 0.2, "deaths": 100})
    with Session(workshop, FILE.encode(), "attention.py", limits) as session:
        outcomes = run(session, "loops", "well")

    assert outcomes == [Died("timed_out", seconds=QUICK.call_seconds), NotCalled("time")]


@ways
def test_a_death_in_loading_is_final(workshop: Workshop, run: Run) -> None:
    with Session(workshop, b"import os\nos._exit(3)\n", "attention.py", QUICK) as session:
        outcomes = run(session, "f", "f")

    assert session.loaded.failure == Died("exited", "exit 3")
    assert outcomes == [Died("exited", "exit 3")] * 2
    assert session.deaths == 1


def test_a_session_starts_nothing_before_it_is_asked() -> None:
    class NoWorkshop:
        level = "portable"

        def start(self, *arguments: object) -> object:
            raise AssertionError("started")

    with Session(NoWorkshop(), b"", "attention.py", QUICK):  # type: ignore[arg-type]
        pass


@ways
def test_a_fork_server_that_was_killed_is_started_anew_and_nobody_is_blamed(
    workshop: Workshop, run: Run
) -> None:
    if workshop.level == "portable":
        pytest.skip("has no fork server")
    others = children_of(os.getpid())
    with (
        open_workshop(workshop.level) as mine,
        Session(mine, FILE.encode(), "attention.py", QUICK) as session,
    ):
        assert run(session, "well") == [Returned(1)]
        for process in sorted(children_of(os.getpid()) - others):  # the server before its child
            with contextlib.suppress(ProcessLookupError):  # gone with the one before
                os.kill(process, signal.SIGKILL)
        settled(others, zombies=False)

        assert run(session, "well") == [Returned(1)]
        assert session.deaths == 0


HOARDER = b"""
keep = []
def hoards():
    size = 1 << 24
    while size >= 64:
        try:
            while True:
                keep.append(bytearray(size))
        except MemoryError:
            size >>= 2
def takes(S): pass
"""


def test_a_process_without_memory_for_its_arguments_has_died_of_it(workshop: Workshop) -> None:
    limits = QUICK.model_copy(update={"memory_mb": 256, "call_seconds": 10.0})
    with Session(workshop, HOARDER, "attention.py", limits) as session:
        session.call("hoards", [])

        assert session.call("takes", [np.zeros(1 << 21)]) == Died("memory", "256 MiB")


# Many calls at once


def test_all_calls_together_have_the_submissions_time_and_no_more(workshop: Workshop) -> None:
    limits = QUICK.model_copy(update={"submission_seconds": 0.5})
    with Session(workshop, b"import time\ndef naps(): time.sleep(0.2)\n", "attention.py", limits) as session:
        began = time.monotonic()
        outcomes = many_at_once(session, *["naps"] * 20)

    assert time.monotonic() - began < 3
    assert set(map(type, outcomes[:2])) == {Returned}
    assert set(outcomes[4:]) == {NotCalled("time")}
    assert session.deaths == 0


def test_who_does_not_wait_for_all_replies_ends_the_process(start: Start) -> None:
    worker = start(FILE)
    outcomes = worker.calls([("well", [])] * 5)
    first = next(outcomes)
    outcomes.close()  # type: ignore[attr-defined]

    assert first == Returned(1)
    assert not worker.alive or worker.call("well", []) == Returned(1)  # where they are sent one by one


def test_who_waits_for_all_replies_can_go_on(start: Start) -> None:
    worker = start(FILE)

    for _ in range(3):
        assert list(worker.calls([("well", [])] * 300)) == [Returned(1)] * 300
        assert worker.call("well", []) == Returned(1)


def test_large_requests_and_replies_among_small_ones_all_arrive(start: Start) -> None:
    worker = start("def f(S): return S\n", QUICK.model_copy(update={"call_seconds": 5.0}))
    sent = [np.full(size, float(size)) for size in (1, 1 << 18, 2, 1 << 13, 1 << 13, 3, 1 << 17, 1 << 20, 4)]

    outcomes = list(worker.calls([("f", [array]) for array in sent]))

    assert [float(outcome.value.sum()) for outcome in outcomes] == [float(array.sum()) for array in sent]  # type: ignore[union-attr]


def test_a_submission_that_closes_its_bell_is_answered_all_the_same(workshop: Workshop) -> None:
    if workshop.level == "portable":
        pytest.skip("has no bell")
    with Session(workshop, b"import os\ndef f(): os.closerange(4, 30)\n", "attention.py", QUICK) as session:
        assert many_at_once(session, "f", "f", "f") == [Returned(None)] * 3
        assert many_at_once(session, "f") == [Returned(None)]


def test_where_a_call_may_take_but_an_instant_the_wait_for_many_takes_none_of_it(workshop: Workshop) -> None:
    if workshop.level == "portable":
        pytest.skip("has no bell")
    limits = QUICK.model_copy(update={"call_seconds": 0.05})
    with Session(workshop, b"import time\ndef naps(): time.sleep(0.01)\n", "attention.py", limits) as session:
        assert many_at_once(session, *["naps"] * 12) == [Returned(None)] * 12
