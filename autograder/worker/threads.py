"""A channel for systems whose pipes cannot be waited for: two threads block, and we wait on queues."""

from __future__ import annotations

import queue
import threading
import time
from typing import IO

#: Bytes read at once, and blocks read ahead: a process that floods us waits for us to read.
BLOCK, AHEAD = 1 << 16, 64


class ThreadChannel:
    """See `channel.Channel`. The threads end with the pipes, and never keep this process alive."""

    #: A pipe holds as little as its system likes, so one request at a time.
    room = 0

    def __init__(self, reader: IO[bytes], writer: IO[bytes]) -> None:
        self._blocks: queue.Queue[bytes] = queue.Queue(AHEAD)
        self._outgoing: queue.Queue[bytes | None] = queue.Queue()
        self._rest = memoryview(b"")
        self._closed = threading.Event()
        threading.Thread(target=self._read, args=(reader,), daemon=True).start()
        threading.Thread(target=self._write, args=(writer,), daemon=True).start()

    def post(self, data: bytes) -> None:
        self._outgoing.put(data)

    def send(self, data: bytes, deadline: float) -> None:
        # The receive that follows has the same deadline, so a process that does not read is found there.
        self._outgoing.put(data)

    def rest_until_answered(self, sequence: int, seconds: float) -> None:
        return  # there is no bell

    def receive(self, size: int, deadline: float) -> bytes:
        buffer = bytearray()
        while len(buffer) < size:
            if not self._rest:
                self._rest = memoryview(self._next_block(deadline))
            part, self._rest = self._rest[: size - len(buffer)], self._rest[size - len(buffer) :]
            buffer += part
        return bytes(buffer)

    def close(self) -> None:
        # Closing a pipe that a thread reads would wait for the thread; a grandchild may hold the other end.
        self._closed.set()
        self._outgoing.put(None)

    def _next_block(self, deadline: float) -> bytes:
        try:
            block = self._blocks.get(timeout=max(0.0, deadline - time.monotonic()))
        except queue.Empty:
            raise TimeoutError from None
        if not block:
            self._blocks.put(b"")
            raise EOFError
        return block

    def _read(self, reader: IO[bytes]) -> None:
        """Hand blocks over until the pipe ends or nobody wants them; an empty one says that it ended."""
        with reader:
            while not self._closed.is_set():
                try:
                    block = reader.read(BLOCK)
                except (OSError, ValueError):
                    block = b""
                while not self._closed.is_set():
                    try:
                        self._blocks.put(block, timeout=0.1)
                        break
                    except queue.Full:
                        continue
                if not block:
                    return

    def _write(self, writer: IO[bytes]) -> None:
        with writer:
            while (data := self._outgoing.get()) is not None:
                view = memoryview(data)
                try:
                    while view:
                        view = view[writer.write(view) :]
                except (OSError, ValueError):
                    return
