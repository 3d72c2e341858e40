"""The way to a worker's process and back, under a deadline: bytes only, and never more than asked for."""

from __future__ import annotations

import contextlib
import os
import select
import time
from typing import Protocol


class Channel(Protocol):
    """Bytes to and from one process; EOFError or OSError when it is gone, TimeoutError when it is late."""

    def post(self, data: bytes) -> None:
        """Begin to send without waiting; what does not go at once goes with the next send or receive."""

    def send(self, data: bytes, deadline: float) -> None:
        """Send all, by `time.monotonic()` == deadline at the latest."""

    def receive(self, size: int, deadline: float) -> bytearray:
        """Return exactly so many bytes."""

    def close(self) -> None:
        """Close our end at once, whoever holds the other. Safe to call twice."""


#: Bytes read ahead at most, so that a small reply comes with one system call.
AHEAD = 1 << 16


class DescriptorChannel:
    """A channel over descriptors that can be polled: a socket, or two pipes."""

    def __init__(self, read_fd: int, write_fd: int) -> None:
        self._read_fd, self._write_fd = read_fd, write_fd
        self._unsent = memoryview(b"")
        self._ahead = memoryview(b"")
        for descriptor in {read_fd, write_fd}:
            os.set_blocking(descriptor, False)
        self._readable, self._writable = select.poll(), select.poll()
        self._readable.register(read_fd, select.POLLIN)
        self._writable.register(write_fd, select.POLLOUT)

    def post(self, data: bytes) -> None:
        self._unsent = memoryview(data)
        with contextlib.suppress(OSError):  # if it is gone, whoever receives next will see
            self._push()

    def send(self, data: bytes, deadline: float) -> None:
        self._flush(deadline)
        self._unsent = memoryview(data)
        self._flush(deadline)

    def receive(self, size: int, deadline: float) -> bytearray:
        # A drip of single bytes does not extend the deadline; reading so drops descriptors sent along.
        self._flush(deadline)
        buffer = bytearray(size)
        view = memoryview(buffer)
        while view:
            if not self._ahead:
                _wait(self._readable, deadline)
                self._ahead = memoryview(os.read(self._read_fd, max(AHEAD, min(len(view), 1 << 20))))
                if not self._ahead:
                    raise EOFError
            count = min(len(view), len(self._ahead))
            view[:count] = self._ahead[:count]
            view, self._ahead = view[count:], self._ahead[count:]
        return buffer

    def close(self) -> None:
        descriptors, self._read_fd, self._write_fd = {self._read_fd, self._write_fd}, -1, -1
        for descriptor in descriptors - {-1}:
            os.close(descriptor)

    def _push(self) -> None:
        """Send what can be sent at once."""
        try:
            while self._unsent:
                self._unsent = self._unsent[os.write(self._write_fd, self._unsent) :]
        except BlockingIOError:
            return

    def _flush(self, deadline: float) -> None:
        while self._unsent:
            self._push()
            if self._unsent:
                _wait(self._writable, deadline)


def _wait(poll: select.poll, deadline: float) -> None:
    """Wait until a descriptor is ready or closed; TimeoutError at the deadline."""
    left = deadline - time.monotonic()
    if left <= 0 or not poll.poll(left * 1000):
        raise TimeoutError
