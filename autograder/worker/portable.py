"""The level "portable": a fresh interpreter, two pipes and a time limit, wherever Python runs; no walls.

This module imports little, so that `launch` can start the interpreter while the rest is being imported.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from typing import TYPE_CHECKING, Literal, Self

from autograder.worker import interpreter

if TYPE_CHECKING:
    from collections.abc import Sequence

    from autograder.model.limits import Limits
    from autograder.worker.channel import Channel
    from autograder.worker.dialogue import Dialogue

#: Seconds a killed process may take to be gone.
KILL_SECONDS = 5.0


class PortableWorkshop:
    """Makes workers by starting an interpreter each; see `interface.Workshop`."""

    level: Literal["portable"] = "portable"

    def __init__(self, launched: LaunchedProcess | None = None) -> None:
        """Begin with a process that `launch` has started, if there is one; it becomes the first worker's."""
        self._launched = [launched] if launched is not None else []
        self._dialogues: list[Dialogue] = []

    def start(self, source: bytes, filename: str, limits: Limits, cells: Sequence[int] = ()) -> Dialogue:
        """Start a worker and return before it is up; its `loaded` waits."""
        from autograder.worker.dialogue import Dialogue

        process = self._waiting() or launch()
        dialogue = Dialogue(process, source, filename, limits, cells, announced=True)
        self._dialogues = [*(old for old in self._dialogues if old.alive), dialogue]
        return dialogue

    def _waiting(self) -> LaunchedProcess | None:
        """The first of the waiting processes that nobody has ended meanwhile."""
        while self._launched:
            process = self._launched.pop(0)
            if process.alive:
                return process
            process.channel.close()
            process.end(0)
        return None

    def prepare(self, count: int) -> None:
        """Have so many interpreters starting, or up, for the next workers."""
        while len(self._launched) < count:
            self._launched.append(launch())

    def close(self) -> None:
        """End every worker. Safe to call twice."""
        while self._launched:
            launched = self._launched.pop()
            launched.channel.close()
            launched.end(0)
        for dialogue in self._dialogues:
            dialogue.close()
        self._dialogues = []

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()


class LaunchedProcess:
    """An interpreter that is starting, or up, to take one submission."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        self._process = process
        self._channel: Channel | None = None

    @property
    def channel(self) -> Channel:
        """The channel to it, by descriptors that are polled, or on Windows by threads."""
        if self._channel is None:
            self._channel = _channel(self._process)
        return self._channel

    @property
    def alive(self) -> bool:
        """Whether it has not ended."""
        return self._process.poll() is None

    def end(self, patience: float) -> int | None:
        """See `dialogue.Process`. Its whole process group goes; on Windows what it has started stays."""
        status = _exit_status(self._process, patience)
        own = status is not None
        _kill_group(self._process)
        _exit_status(self._process, KILL_SECONDS)
        return status if own else None


def launch() -> LaunchedProcess:
    """Start an interpreter that loads numpy and waits for a submission; returns at once."""
    process = subprocess.Popen(
        interpreter.command("stdio", interpreter.numpy_site(), str(os.getpid())),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        bufsize=0,
        env=interpreter.environment(),
        start_new_session=sys.platform != "win32",
    )
    return LaunchedProcess(process)


def _channel(process: subprocess.Popen[bytes]) -> Channel:
    """Return a channel over the process's pipes, which it owns from now on."""
    assert process.stdin is not None
    assert process.stdout is not None
    if sys.platform == "win32":
        from autograder.worker.threads import ThreadChannel

        return ThreadChannel(process.stdout, process.stdin)
    from autograder.worker.channel import DescriptorChannel

    read_fd, write_fd = os.dup(process.stdout.fileno()), os.dup(process.stdin.fileno())
    process.stdout.close()
    process.stdin.close()
    return DescriptorChannel(read_fd, write_fd)


def _exit_status(process: subprocess.Popen[bytes], patience: float) -> int | None:
    """Return the exit status if the process ends within so many seconds."""
    end = time.monotonic() + patience
    while (status := process.poll()) is None and time.monotonic() < end:
        time.sleep(0.001)
    return status


def _kill_group(process: subprocess.Popen[bytes]) -> None:
    if sys.platform == "win32":
        process.kill()
        return
    import signal

    try:
        os.killpg(process.pid, signal.SIGKILL)
    except (ProcessLookupError, PermissionError):  # gone already; macOS says the latter of a zombie
        process.kill()
