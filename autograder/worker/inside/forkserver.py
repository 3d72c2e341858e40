"""A process with numpy loaded that forks one child a submission. It holds no secret and runs no student code.

It talks to the grader on one socket that keeps messages apart: b"F" with three descriptors (the child's socket,
the pipe for its exit status, the pipe of its bell) is answered by b"P" and a pidfd. It ends when the grader does.
"""

from __future__ import annotations

import array
import codecs
import contextlib
import fcntl
import gc
import importlib
import os
import resource  # noqa: F401  (before the uid changes: a Python in root's home is out of reach after it)
import select
import socket
import struct
from typing import NoReturn

import numpy as np

from . import child, wire
from .box import Box
from .rehearsal import rehearse

#: The uid and gid that a fork server started by root becomes.
NOBODY = 65534
#: The descriptors of a child's socket and of its bell; all above them are closed.
CHILD_DESCRIPTOR, BELL_DESCRIPTOR = 3, 4
READY, FORK, FORKED = b"R", b"F", b"P"

_COMMON = [
    "collections",
    "contextlib",
    "copy",
    "dataclasses",
    "functools",
    "itertools",
    "linecache",
    "math",
    "operator",
    "random",
    "string",
    "sys",
    "time",
    "traceback",
    "tracemalloc",
    "types",
    "typing",
    "warnings",
    "numpy.random",
    "numpy.linalg",
]
#: What a submission may import where it can open no file.
_ALL = [
    "__future__",
    "abc",
    "argparse",
    "array",
    "base64",
    "binascii",
    "bisect",
    "calendar",
    "cmath",
    "collections.abc",
    "colorsys",
    "concurrent.futures",
    "copyreg",
    "csv",
    "datetime",
    "decimal",
    "difflib",
    "dis",
    "doctest",
    "enum",
    "fractions",
    "getpass",
    "glob",
    "graphlib",
    "hashlib",
    "heapq",
    "html",
    "inspect",
    "io",
    "itertools",
    "json",
    "keyword",
    "locale",
    "logging",
    "mmap",
    "numbers",
    "opcode",
    "pathlib",
    "pickle",
    "platform",
    "pprint",
    "queue",
    "re",
    "reprlib",
    "resource",
    "secrets",
    "shutil",
    "signal",
    "socket",
    "statistics",
    "stringprep",
    "struct",
    "subprocess",
    "tempfile",
    "textwrap",
    "threading",
    "timeit",
    "tokenize",
    "unittest",
    "unicodedata",
    "uuid",
    "weakref",
    "zlib",
    "numpy.char",
    "numpy.ctypeslib",
    "numpy.fft",
    "numpy.lib.recfunctions",
    "numpy.lib.scimath",
    "numpy.lib.stride_tricks",
    "numpy.ma",
    "numpy.polynomial",
    "numpy.rec",
    "numpy.strings",
    "numpy.testing",
    "numpy.typing",
]
#: What a source file may declare itself to be written in.
_ENCODINGS = [
    "ascii",
    "latin-1",
    "iso8859-15",
    "cp1250",
    "cp1251",
    "cp1252",
    "cp437",
    "cp850",
    "koi8-r",
    "mac-roman",
    "utf-8-sig",
    "utf-16",
    "idna",
]


def main(descriptor: int, *, files: bool) -> NoReturn:
    """Serve until the grader closes the socket."""
    try:
        _ForkServer(descriptor, files=files).run()
    except (BrokenPipeError, ConnectionResetError):
        os._exit(0)


class _ForkServer:
    """The control socket and the children by pidfd."""

    def __init__(self, descriptor: int, *, files: bool) -> None:
        self.control = socket.socket(fileno=descriptor)
        self.poll = select.poll()
        #: pidfd -> (pid, pipe for the exit status)
        self.children: dict[int, tuple[int, int]] = {}
        _preload(files=files)
        _drop_root()
        os.chdir("/")
        os.environ.clear()
        self.box = Box(files=files)
        if not files:  # no sandbox around it that would end with the grader
            self.box.die_with_parent()

    def run(self) -> NoReturn:
        np.ones((64, 64)) @ np.ones((64, 64))  # OpenBLAS takes its buffers now, once for all children
        rehearse()
        gc.collect()
        gc.freeze()
        self.control.send(READY)
        _silence(2)
        self.poll.register(self.control, select.POLLIN)
        while True:
            for descriptor, _ in self.poll.poll():
                if descriptor == self.control.fileno():
                    self.answer()
                else:
                    self.bury(descriptor)

    def answer(self) -> None:
        message, ancillary, _, _ = self.control.recvmsg(16, socket.CMSG_SPACE(12))
        if not message:  # the grader is gone; the children die with this process
            os._exit(0)
        talk, status, bell = array.array("i", ancillary[0][2])
        parent = os.getpid()
        pid = os.fork()
        if pid == 0:
            self.become_child(talk, bell, parent)
        os.close(talk)
        os.close(bell)
        pidfd = os.pidfd_open(pid)
        self.children[pidfd] = (pid, status)
        self.poll.register(pidfd, select.POLLIN)
        rights = array.array("i", [pidfd])
        self.control.sendmsg([FORKED], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, rights)])

    def become_child(self, talk: int, bell: int, parent: int) -> NoReturn:
        """Turn the forked process into a child. The order matters: own group, own end, own descriptors."""
        try:
            os.setsid()  # kill(0, ...) reaches the process group, which must not be the fork server's
            self.box.die_with_parent()
            if os.getppid() != parent:
                os._exit(0)
            bell = fcntl.fcntl(bell, fcntl.F_DUPFD, BELL_DESCRIPTOR + 1)  # out of the way of the next line
            os.dup2(talk, CHILD_DESCRIPTOR)
            os.dup2(bell, BELL_DESCRIPTOR)
            os.closerange(BELL_DESCRIPTOR + 1, 1 << 16)
            for descriptor in (0, 1, 2):
                _silence(descriptor)
            child.serve(CHILD_DESCRIPTOR, CHILD_DESCRIPTOR, self.box.enter, BELL_DESCRIPTOR)
        finally:
            os._exit(wire.BROKEN)

    def bury(self, pidfd: int) -> None:
        """Reap a child and pass its exit status on."""
        pid, status = self.children.pop(pidfd)
        self.poll.unregister(pidfd)
        os.close(pidfd)
        code = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
        with contextlib.suppress(OSError):  # nobody waits for it any more
            os.write(status, struct.pack("<i", code))
        os.close(status)


def _preload(*, files: bool) -> None:
    for name in _COMMON if files else _COMMON + _ALL:
        importlib.import_module(name)
    if not files:
        for name in _ENCODINGS:
            codecs.lookup(name)


def _drop_root() -> None:
    """Give up uid 0 for good. A user namespace of host uid 0 would keep what that uid may do outside."""
    if os.getuid() == 0:
        os.setgroups([])
        os.setresgid(NOBODY, NOBODY, NOBODY)
        os.setresuid(NOBODY, NOBODY, NOBODY)


def _silence(descriptor: int) -> None:
    null = os.open(os.devnull, os.O_RDWR)
    os.dup2(null, descriptor)
    if null != descriptor:
        os.close(null)
