"""The grader's end of a fork server: starts it, asks it for children, starts it anew if it has died."""

from __future__ import annotations

import array
import contextlib
import os
import select
import signal
import socket
import struct
import subprocess
import threading
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from typing import Literal, Self

from autograder.errors import BrokenError, IsolationUnavailable
from autograder.model.limits import Limits
from autograder.worker import interpreter
from autograder.worker.channel import DescriptorChannel
from autograder.worker.dialogue import Dialogue, WorkshopGoneError

#: Seconds the fork server may take to come up, to fork, and a killed child to be gone.
START_SECONDS, FORK_SECONDS, KILL_SECONDS = 30.0, 10.0, 5.0
#: Characters of its complaints that are kept.
COMPLAINT = 2000


class ForkWorkshop:
    """Makes workers by forking a process that has numpy loaded; see `interface.Workshop`.

    `command` returns the command line of the server, given the number of its socket. Threads may share a
    workshop; a process forked from this one starts its own server.
    """

    def __init__(self, level: Literal["sandbox", "no-open"], command: Callable[[int], list[str]]) -> None:
        self.level: Literal["sandbox", "no-open"] = level
        self._command = command
        self._lock = threading.Lock()
        self._server: _Server | None = None

    def start(self, source: bytes, filename: str, limits: Limits, cells: Sequence[int] = ()) -> Dialogue:
        """Fork a worker and begin to load the source; IsolationUnavailable if the server cannot start."""
        return Dialogue(self._fork(), source, filename, limits, cells)

    def close(self) -> None:
        """End the server and with it every worker. Safe to call twice."""
        with self._lock:
            self._drop()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    def _fork(self) -> ForkedProcess:
        with self._lock:
            if self._server is not None and self._server.owner != os.getpid():
                self._server.disown()
                self._server = None
            for _ in range(2):
                if self._server is None:
                    self._server = _Server(self._command, self.level)
                try:
                    return self._server.fork()
                except (OSError, EOFError):  # it died meanwhile: one more, once
                    self._drop()
        raise BrokenError("the fork server keeps dying", remedy="see whether the machine is out of memory")

    def _drop(self) -> None:
        server, self._server = self._server, None
        if server is not None and server.owner == os.getpid():
            server.close()


class _Server:
    """One running fork server."""

    def __init__(self, command: Callable[[int], list[str]], level: str) -> None:
        self.owner = os.getpid()
        self._stop = threading.Event()
        self._control, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self._complaints, complain = os.pipe()
        try:
            self._process = _start_in_lasting_thread(
                command(theirs.fileno()), theirs.fileno(), complain, self._stop
            )
        except OSError as error:
            self._control.close()
            os.close(self._complaints)
            raise IsolationUnavailable(f"isolation '{level}' cannot be started: {error}") from error
        finally:
            theirs.close()
            os.close(complain)
        self._wait_until_up(level)

    def _wait_until_up(self, level: str) -> None:
        self._control.settimeout(START_SECONDS)
        try:
            up = self._control.recv(1) == b"R"
        except OSError:
            up = False
        complaint = "" if up else self._complaint()
        os.close(self._complaints)
        if not up:
            self.close()
            raise IsolationUnavailable(
                f"isolation '{level}' does not start here: {complaint or 'no reason given'}"
            )
        self._control.settimeout(FORK_SECONDS)

    def fork(self) -> ForkedProcess:
        """Return a new child; OSError or EOFError if the server has died."""
        with ExitStack() as given, ExitStack() as kept:
            ours, theirs = socket.socketpair()
            kept.callback(ours.close)
            given.callback(theirs.close)
            (status, report), (bell, ring) = (self._pipe(kept, given) for _ in range(2))
            rights = array.array("i", [theirs.fileno(), report, ring])
            self._control.sendmsg([b"F"], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, rights)])
            message, ancillary, _, _ = self._control.recvmsg(16, socket.CMSG_SPACE(4))
            if message != b"P":
                raise EOFError
            kept.pop_all()
        talk = ours.detach()
        channel = DescriptorChannel(talk, talk, bell)
        return ForkedProcess(channel, array.array("i", ancillary[0][2])[0], status)

    @staticmethod
    def _pipe(kept: ExitStack, given: ExitStack) -> tuple[int, int]:
        """Return a pipe: the end that we keep, and the one that is given away."""
        ends = os.pipe()
        kept.callback(os.close, ends[0])
        given.callback(os.close, ends[1])
        return ends

    def close(self) -> None:
        """End the server; its children end with it."""
        self._control.close()
        self._process.kill()
        self._process.wait()
        self._stop.set()

    def disown(self) -> None:
        """Let go of a server that belongs to the process this one was forked from."""
        self._control.close()
        self._process.returncode = 0  # not ours to wait for

    def _complaint(self) -> str:
        """Return the end of what it wrote before it failed."""
        self._process.kill()
        self._process.wait()
        os.set_blocking(self._complaints, False)
        try:
            text = os.read(self._complaints, 1 << 16).decode("utf-8", "replace")
        except BlockingIOError:
            return ""
        return " ".join(text[-COMPLAINT:].split())


class ForkedProcess:
    """A child of the fork server, held by a pidfd; its exit status comes through a pipe."""

    def __init__(self, channel: DescriptorChannel, pidfd: int, status: int) -> None:
        self.channel = channel
        self._pidfd = pidfd
        self._status = status

    def end(self, patience: float) -> int | None:
        """See `dialogue.Process`."""
        try:
            if patience and _is_readable(self._status, patience):
                return self._own_status()
            with contextlib.suppress(ProcessLookupError):
                signal.pidfd_send_signal(self._pidfd, signal.SIGKILL)
            _is_readable(self._status, KILL_SECONDS)
            return None
        finally:
            os.close(self._pidfd)
            os.close(self._status)

    def _own_status(self) -> int:
        data = os.read(self._status, 4)
        if len(data) < 4:
            raise WorkshopGoneError(
                "the fork server has ended", remedy="see whether the machine is out of memory"
            )
        return int(struct.unpack("<i", data)[0])


def _is_readable(descriptor: int, seconds: float) -> bool:
    poll = select.poll()
    poll.register(descriptor, select.POLLIN)
    return bool(poll.poll(seconds * 1000))


def _start_in_lasting_thread(
    command: list[str], descriptor: int, complain: int, stop: threading.Event
) -> subprocess.Popen[bytes]:
    """Start a process from a thread that lives until `stop`.

    The kernel ends a process that asked to die with its parent when the *thread* that forked it ends.
    """
    started: list[subprocess.Popen[bytes] | OSError] = []
    ready = threading.Event()

    def start() -> None:
        try:
            started.append(
                subprocess.Popen(
                    command,
                    pass_fds=[descriptor],
                    stdin=subprocess.DEVNULL,
                    stdout=subprocess.DEVNULL,
                    stderr=complain,
                    env=interpreter.environment(),
                    start_new_session=True,
                )
            )
        except OSError as error:
            started.append(error)
        ready.set()
        stop.wait()

    threading.Thread(target=start, name="keeper of a fork server", daemon=True).start()
    ready.wait()
    if isinstance(started[0], OSError):
        stop.set()
        raise started[0]
    return started[0]
