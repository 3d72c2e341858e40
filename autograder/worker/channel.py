"""The way to a worker's process and back, under a deadline: bytes only, and never more than asked for."""

from __future__ import annotations

import contextlib
import os
import select
import time
from typing import Protocol


class Channel(Protocol):
    """Bytes to and from one process; EOFError or OSError when it is gone, TimeoutError when it is late."""

    #: So many bytes of requests may be sent before the reply to the first is received.
    room: int

    def post(self, data: bytes) -> None:
        """Begin to send without waiting; what does not go at once goes with the next send or receive."""

    def send(self, data: bytes, deadline: float) -> None:
        """Send all, by `time.monotonic()` == deadline at the latest."""

    def rest_until_answered(self, sequence: int, seconds: float) -> None:
        """Sleep so long at most, or until the process says that it has replied to the request of that number."""

    def receive(self, size: int, deadline: float) -> bytes | bytearray:
        """Return exactly so many bytes."""

    def close(self) -> None:
        """Close our end at once, whoever holds the other. Safe to call twice."""


#: Bytes read ahead at most, so that many small replies come with one system call.
AHEAD = 1 << 16
#: Bytes of requests that a socket takes whether they are read or not; by default it holds three times as many.
ROOM = 1 << 16
#: Seconds of rest after which what has come is read, so that a process with much to say is not held up.
SLICE = 0.02


class DescriptorChannel:
    """A channel over descriptors that can be polled: a socket with a bell, or two pipes."""

    def __init__(self, read_fd: int, write_fd: int, bell_fd: int | None = None) -> None:
        self._read_fd, self._write_fd, self._bell_fd = read_fd, write_fd, bell_fd
        self.room = 0 if bell_fd is None else ROOM
        self._unsent = memoryview(b"")
        self._ahead, self._place = b"", 0
        for descriptor in {read_fd, write_fd}:
            os.set_blocking(descriptor, False)
        self._readable, self._writable, self._ringing = select.poll(), select.poll(), select.poll()
        self._readable.register(read_fd, select.POLLIN)
        self._writable.register(write_fd, select.POLLOUT)
        if bell_fd is not None:
            self._ringing.register(bell_fd, select.POLLIN)

    def post(self, data: bytes) -> None:
        self._unsent = memoryview(data)
        with contextlib.suppress(OSError):  # if it is gone, whoever receives next will see
            self._push()

    def send(self, data: bytes, deadline: float) -> None:
        self._flush(deadline)
        self._unsent = memoryview(data)
        self._flush(deadline)

    def rest_until_answered(self, sequence: int, seconds: float) -> None:
        if self._bell_fd is None or self._unsent:
            return
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0:
            if not self._ringing.poll(min(left, SLICE) * 1000):
                if self._take_what_is_there() >= AHEAD:
                    return
                continue
            # Rings of earlier requests may be left over, and one that lies only shortens the rest.
            rung = os.read(self._bell_fd, AHEAD)
            if not rung or rung[-1] == sequence & 255:
                return

    def _take_what_is_there(self) -> int:
        """Read what has come, up to `AHEAD` bytes; return how many those are."""
        with contextlib.suppress(BlockingIOError):
            part = os.read(self._read_fd, AHEAD)
            self._ahead, self._place = self._ahead[self._place :] + part, 0
            return len(part)
        return 0

    def receive(self, size: int, deadline: float) -> bytes | bytearray:
        if self._place + size > len(self._ahead):
            self._flush(deadline)
            if size > AHEAD:
                return self._receive_large(size, deadline)
            self._read_ahead(size, deadline)
        start = self._place
        self._place += size
        return self._ahead[start : self._place]

    # Reading so, as below, drops descriptors sent along; and a drip of single bytes does not extend the deadline.

    def _read_ahead(self, size: int, deadline: float) -> None:
        """Have at least so many bytes at hand."""
        while len(self._ahead) - self._place < size:
            _wait(self._readable, deadline)
            part = os.read(self._read_fd, AHEAD)
            if not part:
                raise EOFError
            self._ahead, self._place = self._ahead[self._place :] + part, 0

    def _receive_large(self, size: int, deadline: float) -> bytearray:
        """Receive into the memory that is needed, and no more."""
        buffer, have = bytearray(size), len(self._ahead) - self._place
        buffer[:have] = self._ahead[self._place :]
        self._ahead, self._place = b"", 0
        while have < size:
            _wait(self._readable, deadline)
            part = os.read(self._read_fd, min(size - have, 1 << 20))
            if not part:
                raise EOFError
            buffer[have : have + len(part)] = part
            have += len(part)
        return buffer

    def close(self) -> None:
        descriptors = {self._read_fd, self._write_fd, self._bell_fd}
        self._read_fd, self._write_fd, self._bell_fd = -1, -1, None
        for descriptor in descriptors - {-1, None}:
            os.close(descriptor)  # type: ignore[arg-type]

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
    """Wait until a descriptor is ready or closed; TimeoutError at the deadline, whatever more is there by then."""
    left = deadline - time.monotonic()
    if left <= 0 or not poll.poll(left * 1000):
        raise TimeoutError
