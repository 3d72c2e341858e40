"""Several processes of ours that grade side by side, each with its own workshop; one lost is replaced."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
import time
import traceback
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from typing import Any, Generic, TypeVar

Task = TypeVar("Task")
Answer = TypeVar("Answer")

#: How often a task may lose its process before it is given up.
TRIES = 2


@dataclass(frozen=True, slots=True)
class Lost:
    """A task whose process was lost each time: a fault of ours or of the machine's."""

    why: str


@dataclass(slots=True)
class _Member(Generic[Task]):
    process: BaseProcess
    connection: Connection
    task: Task | None = None


class Crew(Generic[Task, Answer]):
    """`size` processes that each run `work = prepare()` once, then `work(task)` for every task they are sent.

    prepare and tasks must be picklable; they are ours, nothing of a submission's passes here but as data.
    """

    def __init__(self, prepare: Callable[[], Callable[[Task], Answer]], size: int) -> None:
        self._prepare = prepare
        self._size = size
        self._context = multiprocessing.get_context("spawn")
        self._members: list[_Member[Task]] = []

    def map(self, tasks: Sequence[Task]) -> Iterator[tuple[Task, Answer | Lost]]:
        """Every task with its answer, as they come."""
        waiting: deque[tuple[Task, int]] = deque((task, 0) for task in tasks)
        tries: dict[int, int] = {}
        self._members = [self._start() for _ in range(min(self._size, len(waiting)))]
        for member in self._members:
            self._give(member, waiting, tries)
        while busy := [member for member in self._members if member.task is not None]:
            for connection in wait([member.connection for member in busy]):
                member = next(m for m in busy if m.connection is connection)
                task = member.task
                assert task is not None
                try:
                    answers = [member.connection.recv()]
                except (EOFError, OSError):
                    answers = self._replace(member, task, waiting, tries)
                member.task = None
                self._give(member, waiting, tries)
                yield from ((task, answer) for answer in answers)

    def _give(self, member: _Member[Task], waiting: deque[tuple[Task, int]], tries: dict[int, int]) -> None:
        if waiting:
            member.task, tries[id(member)] = waiting.popleft()
            with suppress(OSError):  # the process is gone: waiting for its answer tells
                member.connection.send(member.task)

    def _replace(
        self, member: _Member[Task], task: Task, waiting: deque[tuple[Task, int]], tries: dict[int, int]
    ) -> list[Lost]:
        """A new process in the place of one that is gone; its task comes again (no answer yet), or is given up."""
        member.connection.close()
        member.process.join(1)
        code = member.process.exitcode
        fresh = self._start()
        member.process, member.connection = fresh.process, fresh.connection
        tried = tries[id(member)] + 1
        if tried < TRIES:
            waiting.append((task, tried))
            return []
        return [Lost(f"the grading process ended with code {code}, {tried} times")]

    def _start(self) -> _Member[Task]:
        ours, theirs = self._context.Pipe()
        process = self._context.Process(target=_serve, args=(theirs, self._prepare, os.getpid()), daemon=True)
        process.start()
        theirs.close()
        return _Member(process, ours)

    def close(self) -> None:
        """End all processes, busy ones too."""
        for member in self._members:
            member.connection.close()
            if member.task is not None:
                member.process.terminate()
        for member in self._members:
            member.process.join(2)
            if member.process.is_alive():
                member.process.kill()
                member.process.join()
        self._members = []


def _serve(connection: Connection, prepare: Callable[[], Callable[[Any], Any]], parent: int) -> None:
    """What a crew member does: serve tasks until the parent closes the connection, or is gone."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with, args=(parent,), daemon=True).start()
    work = prepare()
    while True:
        try:
            task = connection.recv()
        except (EOFError, OSError):
            return
        try:
            answer = work(task)
        except Exception:
            answer = Lost(traceback.format_exc())
        try:
            connection.send(answer)
        except OSError:
            return


def _end_with(parent: int) -> None:
    """End this process when its parent is gone, whatever it is doing."""
    while os.getppid() == parent:
        time.sleep(0.2)
    os._exit(1)
