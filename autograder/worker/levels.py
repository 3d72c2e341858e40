"""The levels of isolation, strongest first; a canary proves that one holds before anything is graded."""

from __future__ import annotations

import contextlib
import os
import platform
import shutil
import socket
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Literal, NamedTuple, TypeAlias, get_args

from autograder.errors import AutograderError, IsolationUnavailable
from autograder.model.limits import Limits
from autograder.model.outcome import Died, Raised, Returned
from autograder.worker.interface import Level, Workshop
from autograder.worker.portable import PortableWorkshop

#: Strongest first.
LEVELS: tuple[Level, ...] = get_args(Level)
Wanted: TypeAlias = Literal["auto"] | Level

#: The submission of the self-test. Each probe does what a hostile submission would, and no harm if it may.
CANARY = b'''
import ctypes, errno, mmap, os, resource, signal, socket, subprocess, sys, threading

def probe(folder, pid, port):
    """Return the names of what was possible."""
    def readable():
        return open(folder + "/secret").read()
    def connect(family, address):
        with socket.socket(family, socket.SOCK_STREAM) as s:
            s.settimeout(1)
            s.connect(address)
    def fork():
        child = os.fork()
        if not child:
            os._exit(0)
        os.waitpid(child, 0)
    def thread():
        t = threading.Thread(target=int)
        t.start()
        t.join()
    def fails(result):
        if result < 0 and ctypes.get_errno() != errno.EFAULT:  # a bad address is for those who may look
            raise OSError
    def libc():
        return ctypes.CDLL(None, use_errno=True)
    def peek():
        buffer = ctypes.create_string_buffer(8)
        pieces = (ctypes.c_size_t * 2)(ctypes.addressof(buffer), 8)
        fails(libc().process_vm_readv(pid, pieces, 1, pieces, 1, 0))
    def raised_limit():
        soft, hard = resource.getrlimit(resource.RLIMIT_AS)
        resource.setrlimit(resource.RLIMIT_AS, (resource.RLIM_INFINITY, hard))
        mmap.mmap(-1, 4 << 30)
    probes = {
        "read": readable,
        "list": lambda: os.listdir(folder),
        "stat": lambda: os.stat(folder + "/secret"),
        "passwd": lambda: open("/etc/passwd").read(),
        "proc": lambda: open("/proc/self/maps").read(),
        "write": lambda: open(folder + "/written", "w").close(),
        "append": lambda: open(folder + "/secret", "a").close(),
        "mkdir": lambda: os.mkdir(folder + "/made"),
        "unlink": lambda: os.unlink(folder + "/spare"),
        "symlink": lambda: os.symlink("/", folder + "/link"),
        "chmod": lambda: os.chmod(folder + "/secret", 0o600),
        "shm": lambda: open("/dev/shm/" + os.path.basename(folder), "w").close(),
        "memfd": lambda: os.memfd_create("x"),
        "fork": fork,
        "thread": thread,
        "spawn": lambda: subprocess.run(["/bin/true"]),
        "pipe": os.pipe,
        "socket": lambda: connect(socket.AF_INET, ("127.0.0.1", port)),
        "unix": lambda: connect(socket.AF_UNIX, folder + "/socket"),
        "abstract": lambda: connect(socket.AF_UNIX, "\\0" + os.path.basename(folder)),
        "netlink": lambda: socket.socket(socket.AF_NETLINK, socket.SOCK_RAW),
        "kill": lambda: os.kill(pid, 0),
        "killpg": lambda: os.killpg(0, 0),
        "parent": lambda: os.kill(os.getppid(), 0),
        "pidfd": lambda: os.pidfd_open(pid),
        "peek": peek,
        "ptrace": lambda: fails(libc().ptrace(0x4206, pid, 0, 0)),  # PTRACE_SEIZE, which stops nothing
        "prlimit": lambda: resource.prlimit(pid, resource.RLIMIT_NOFILE),
        "priority": lambda: os.setpriority(os.PRIO_PROCESS, 0, 1),
        "setuid": lambda: os.setuid(0),
        "unshare": lambda: fails(libc().unshare(0x10000000)),
        "env": lambda: os.environ["AUTOGRADER_CANARY"],
        "memory": lambda: bytearray(4 << 30),
        "limit": raised_limit,
    }
    got = []
    for name, attempt in probes.items():
        try:
            attempt()
            got.append(name)
        except BaseException:
            pass
    return ",".join(got)

def replace():
    os.execv("/bin/true", ["true"])
'''


class Survey(NamedTuple):
    """What one level is worth on this machine: `obstacle` and `remedy` are empty if it can be had."""

    level: Level
    available: bool
    obstacle: str = ""
    remedy: str = ""


def open_workshop(wanted: Wanted) -> Workshop:
    """Return a workshop of the level wanted, or for "auto" of the strongest that proves itself.

    IsolationUnavailable if a named level does not hold here. "portable" has no walls to prove, so it is what
    "auto" comes to last; the workshop's `level` says so.
    """
    if wanted != "auto":
        return _proven(wanted)
    for level in LEVELS[:-1]:
        with contextlib.suppress(IsolationUnavailable):
            return _proven(level)
    return PortableWorkshop()


def survey() -> list[Survey]:
    """Try each level and say what stands in the way of it and what to do about that."""
    surveys = []
    for level in LEVELS:
        try:
            _proven(level).close()
            surveys.append(Survey(level, True))
        except IsolationUnavailable as error:
            surveys.append(Survey(level, False, error.message, error.remedy))
    return surveys


def self_test(workshop: Workshop) -> tuple[str, ...]:
    """Run the canary in a worker and return what got through, by name; empty if nothing did."""
    limits = Limits(
        call_seconds=10, load_seconds=10, submission_seconds=30, memory_mb=1024, output_chars=0, deaths=1
    )
    with _traps() as (folder, port), _environment("AUTOGRADER_CANARY", "1"):
        worker = workshop.start(CANARY, "canary.py", limits)
        try:
            if worker.loaded.failure is not None:
                return (f"canary did not load: {_failure(worker.loaded.failure)}",)
            found = worker.call("probe", [folder, os.getpid(), port])
            if not isinstance(found, Returned) or not isinstance(found.value, str):
                return (f"canary did not return: {_failure(found)}",)
            got = [name for name in found.value.split(",") if name]
            if not isinstance(worker.call("replace", []), Raised):
                got.append("exec")
            return tuple(got)
        finally:
            worker.close()


def _failure(outcome: object) -> str:
    if isinstance(outcome, Raised):
        return f"{outcome.type_name}: {outcome.message}"
    if isinstance(outcome, Died):
        return f"{outcome.how} {outcome.detail}".strip()
    return type(outcome).__name__


def _proven(level: Level) -> Workshop:
    """Return a workshop that the canary got nothing out of; IsolationUnavailable otherwise."""
    if level == "portable":
        return PortableWorkshop()
    _refuse_without_walls(level)
    workshop = _WORKSHOPS[level]()
    try:
        got = self_test(workshop)
    except IsolationUnavailable as error:
        workshop.close()
        raise IsolationUnavailable(error.message, remedy=error.remedy or _REMEDIES[level]) from error
    except AutograderError as error:
        workshop.close()
        message = f"isolation '{level}' does not work: {error}"
        raise IsolationUnavailable(message, remedy=_REMEDIES[level]) from error
    except BaseException:
        workshop.close()
        raise
    if got:
        workshop.close()
        raise IsolationUnavailable(
            f"isolation '{level}' does not hold here: a trial submission got through to {', '.join(got)}",
            remedy=_REMEDIES[level],
        )
    return workshop


def _refuse_without_walls(level: Level) -> None:
    """IsolationUnavailable where it is plain beforehand that a level cannot be had."""
    if not sys.platform.startswith("linux") or platform.machine() not in ("x86_64", "aarch64"):
        raise IsolationUnavailable(
            f"isolation '{level}' needs Linux on x86-64 or aarch64, not {sys.platform}, {platform.machine()}",
            remedy="grade on such a machine, or use 'portable' for files you trust",
        )
    if level == "sandbox" and shutil.which("bwrap") is None:
        message = "isolation 'sandbox' needs bubblewrap, which is not installed"
        raise IsolationUnavailable(message, remedy=_REMEDIES[level])


def _sandbox() -> Workshop:
    from autograder.worker.sandbox import sandbox_workshop

    return sandbox_workshop()


def _no_open() -> Workshop:
    from autograder.worker.sandbox import no_open_workshop

    return no_open_workshop()


_WORKSHOPS: Mapping[Level, Callable[[], Workshop]] = {"sandbox": _sandbox, "no-open": _no_open}
_REMEDIES: Mapping[Level, str] = {
    "sandbox": "install bubblewrap (Debian, Ubuntu: apt-get install bubblewrap) and allow user namespaces, "
    "or use 'no-open', which needs neither",
    "no-open": "allow system-call filters (seccomp) for this process, or use 'portable' for files you trust",
}


@contextlib.contextmanager
def _traps() -> Iterator[tuple[str, int]]:
    """Yield a folder and a port that anyone may get at who is not kept out."""
    with tempfile.TemporaryDirectory(prefix="autograder-canary-") as name:
        folder = Path(name)
        folder.chmod(0o777)
        for file in ("secret", "spare"):
            (folder / file).write_text("not for the canary")
            (folder / file).chmod(0o666)
        with (
            socket.create_server(("127.0.0.1", 0)) as server,
            socket.socket(socket.AF_UNIX) as at_path,
            socket.socket(socket.AF_UNIX) as abstract,
        ):
            at_path.bind(str(folder / "socket"))
            (folder / "socket").chmod(0o777)
            abstract.bind("\0" + folder.name)
            at_path.listen()
            abstract.listen()
            try:
                yield str(folder), server.getsockname()[1]
            finally:
                with contextlib.suppress(OSError):  # where the canary was not kept from writing it
                    os.unlink(f"/dev/shm/{folder.name}")


@contextlib.contextmanager
def _environment(name: str, value: str) -> Iterator[None]:
    os.environ[name] = value
    try:
        yield
    finally:
        del os.environ[name]
