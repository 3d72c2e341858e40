"""The walls a submission's process puts round itself: limits, no new privileges, a system-call filter.

Linux on x86-64 and aarch64 only; nothing beyond the standard library and the C library it already uses. The
filter is a list of what a single-threaded Python with numpy loaded needs to compute, import and talk on
descriptors that are open; everything else is refused.
"""

from __future__ import annotations

import ctypes
import platform
import resource
import struct
import sys
from typing import NamedTuple

from .limits import limit_use, lower

PR_SET_PDEATHSIG, PR_SET_DUMPABLE, PR_SET_NO_NEW_PRIVS = 1, 4, 38
SIGKILL = 9

_SECCOMP_SET_MODE_FILTER, _SECCOMP_FILTER_FLAG_SPEC_ALLOW = 1, 4
_EPERM, _ENOENT, _ENOSYS = 1, 2, 38


class _Machine(NamedTuple):
    """The numbers of one architecture: its audit name, seccomp(2) itself, and the calls by name."""

    audit: int
    seccomp: int
    #: Allowed whatever the arguments.
    allowed: dict[str, int]
    #: Allowed with files, answered "no such file" without.
    paths: dict[str, int]
    #: Answered "no such file" without files; with files refused, but for openat that only reads.
    openers: dict[str, int]
    fcntl: int
    ioctl: int
    openat: int


_X86_64 = _Machine(
    audit=0xC000003E,
    seccomp=317,
    allowed={
        "read": 0, "write": 1, "close": 3, "fstat": 5, "poll": 7, "lseek": 8, "mmap": 9, "mprotect": 10,
        "munmap": 11, "brk": 12, "rt_sigaction": 13, "rt_sigprocmask": 14, "rt_sigreturn": 15, "pread64": 17,
        "readv": 19, "writev": 20, "sched_yield": 24, "mremap": 25, "madvise": 28, "dup": 32, "nanosleep": 35,
        "getpid": 39, "exit": 60, "uname": 63, "getcwd": 79, "gettimeofday": 96, "getrusage": 98,
        "sysinfo": 99, "times": 100, "getuid": 102, "getgid": 104, "geteuid": 107, "getegid": 108,
        "sigaltstack": 131, "gettid": 186, "futex": 202, "sched_getaffinity": 204, "getdents64": 217,
        "restart_syscall": 219, "clock_gettime": 228, "clock_getres": 229, "clock_nanosleep": 230,
        "exit_group": 231, "set_robust_list": 273, "getrandom": 318, "membarrier": 324, "rseq": 334,
    },
    paths={
        "stat": 4, "lstat": 6, "access": 21, "readlink": 89, "newfstatat": 262, "readlinkat": 267,
        "faccessat": 269, "statx": 332, "faccessat2": 439,
    },
    openers={"open": 2, "openat": 257},
    fcntl=72,
    ioctl=16,
    openat=257,
)  # fmt: skip

_AARCH64 = _Machine(
    audit=0xC00000B7,
    seccomp=277,
    allowed={
        "read": 63, "write": 64, "close": 57, "fstat": 80, "ppoll": 73, "lseek": 62, "mmap": 222,
        "mprotect": 226, "munmap": 215, "brk": 214, "rt_sigaction": 134, "rt_sigprocmask": 135,
        "rt_sigreturn": 139, "pread64": 67, "readv": 65, "writev": 66, "sched_yield": 124, "mremap": 216,
        "madvise": 233, "dup": 23, "nanosleep": 101, "getpid": 172, "exit": 93, "uname": 160, "getcwd": 17,
        "gettimeofday": 169, "getrusage": 165, "sysinfo": 179, "times": 153, "getuid": 174, "getgid": 176,
        "geteuid": 175, "getegid": 177, "sigaltstack": 132, "gettid": 178, "futex": 98,
        "sched_getaffinity": 123, "getdents64": 61, "restart_syscall": 128, "clock_gettime": 113,
        "clock_getres": 114, "clock_nanosleep": 115, "exit_group": 94, "set_robust_list": 99,
        "getrandom": 278, "membarrier": 283, "rseq": 293,
    },
    paths={"newfstatat": 79, "readlinkat": 78, "faccessat": 48, "statx": 291, "faccessat2": 439},
    openers={"openat": 56},
    fcntl=25,
    ioctl=29,
    openat=56,
)  # fmt: skip

#: ACCMODE, CREAT, TRUNC, APPEND, ASYNC, TMPFILE: none goes with reading. The same on both machines.
_WRITE_FLAGS = 0o3 | 0o100 | 0o1000 | 0o2000 | 0o20000 | 0o20000000
#: F_GETFD, F_SETFD, F_GETFL, F_DUPFD_CLOEXEC: no F_SETOWN or F_SETFL, by which a process can signal others.
_FCNTL_COMMANDS = (1, 2, 3, 1030)
#: TCGETS (isatty), FIONCLEX, FIOCLEX.
_IOCTL_COMMANDS = (0x5401, 0x5450, 0x5451)
#: openat2 and clone3, whose arguments a filter cannot see: the C library falls back to the older calls.
_UNSEEN = (437, 435)

_LOAD, _JUMP_EQUAL, _JUMP_SET, _RETURN = 0x20, 0x15, 0x45, 0x06
_ALLOW, _KILL_PROCESS, _ERRNO = 0x7FFF0000, 0x80000000, 0x00050000


def _machine() -> _Machine | None:
    """Return the numbers of this machine, or None where there is no filter for it."""
    if not sys.platform.startswith("linux") or sys.maxsize < 1 << 32:
        return None
    return {"x86_64": _X86_64, "aarch64": _AARCH64}.get(platform.machine())


def filter_program(machine: _Machine, *, files: bool) -> bytes:
    """Return the filter as BPF instructions; without `files`, no path seems to exist."""
    program = [
        _step(_LOAD, 4),
        _step(_JUMP_EQUAL, machine.audit, yes=1),
        _step(_RETURN, _KILL_PROCESS),
        _step(_LOAD, 0),
    ]
    program += _one_of(machine.fcntl, 1, _FCNTL_COMMANDS) + _one_of(machine.ioctl, 1, _IOCTL_COMMANDS)
    if files:
        program += _without_flags(machine.openat, 2, _WRITE_FLAGS)
    for number in sorted([*machine.allowed.values(), *(machine.paths.values() if files else ())]):
        program += _answer(number, _ALLOW)
    if not files:
        for number in sorted([*machine.paths.values(), *machine.openers.values()]):
            program += _answer(number, _ERRNO | _ENOENT)
    for number in _UNSEEN:
        program += _answer(number, _ERRNO | _ENOSYS)
    return b"".join([*program, _step(_RETURN, _ERRNO | _EPERM)])


def _step(code: int, operand: int, *, yes: int = 0, no: int = 0) -> bytes:
    return struct.pack("<HBBI", code, yes, no, operand)


def _answer(number: int, verdict: int) -> list[bytes]:
    return [_step(_JUMP_EQUAL, number, no=1), _step(_RETURN, verdict)]


def _one_of(number: int, argument: int, values: tuple[int, ...]) -> list[bytes]:
    """Allow a call if one argument is among values; leave the number loaded for the steps after."""
    steps = [_load_argument(argument)]
    for value in values:
        steps += _answer(value, _ALLOW)
    return _guarded(number, [*steps, _step(_RETURN, _ERRNO | _EPERM)])


def _without_flags(number: int, argument: int, flags: int) -> list[bytes]:
    """Allow a call if no bit of flags is set in one argument."""
    refuse, allow = _step(_RETURN, _ERRNO | _EPERM), _step(_RETURN, _ALLOW)
    return _guarded(number, [_load_argument(argument), _step(_JUMP_SET, flags, no=1), refuse, allow])


def _load_argument(argument: int) -> bytes:
    return _step(_LOAD, 16 + 8 * argument)


def _guarded(number: int, block: list[bytes]) -> list[bytes]:
    return [_step(_JUMP_EQUAL, number, no=len(block)), *block]


class _Program(ctypes.Structure):
    _fields_ = [("length", ctypes.c_ushort), ("filter", ctypes.c_char_p)]


class Box:
    """The walls, prepared once in the fork server and put up in each child; OSError where they cannot be."""

    def __init__(self, *, files: bool) -> None:
        machine = _machine()
        if machine is None:
            raise OSError(f"no system-call filter for {sys.platform} on {platform.machine()}")
        self._code = filter_program(machine, files=files)
        self._program = _Program(len(self._code) // 8, self._code)
        self._seccomp = machine.seccomp
        self._libc = ctypes.CDLL(None, use_errno=True)
        self._libc.syscall.restype = ctypes.c_long

    def die_with_parent(self) -> None:
        """Have the kernel end this process with the thread that forked it; the filter forbids undoing it."""
        self._checked(self._libc.prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0), "PR_SET_PDEATHSIG")

    def enter(self, memory_mb: int, cpu_seconds: int) -> None:
        """Put up the walls, for good."""
        for limit, value in _strict_limits().items():
            lower(limit, value)
        limit_use(memory_mb, cpu_seconds)
        libc = self._libc
        self._checked(libc.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0), "PR_SET_NO_NEW_PRIVS")
        # No core dump, no ptrace by a sibling of the same user.
        self._checked(libc.prctl(PR_SET_DUMPABLE, 0, 0, 0, 0), "PR_SET_DUMPABLE")
        self._checked(
            libc.syscall(
                self._seccomp,
                _SECCOMP_SET_MODE_FILTER,
                _SECCOMP_FILTER_FLAG_SPEC_ALLOW,
                ctypes.byref(self._program),
            ),
            "seccomp",
        )

    def _checked(self, result: int, what: str) -> None:
        if result < 0:
            raise OSError(ctypes.get_errno(), what)


def _strict_limits() -> dict[int, int]:
    """Return the limits on what a computation needs none of, or little."""
    return {
        resource.RLIMIT_FSIZE: 0,
        resource.RLIMIT_NOFILE: 24,
        resource.RLIMIT_NPROC: 0,
        resource.RLIMIT_MEMLOCK: 0,
        resource.RLIMIT_MSGQUEUE: 0,
        resource.RLIMIT_SIGPENDING: 64,
        resource.RLIMIT_STACK: 8 << 20,
    }
