"""What a submission prints and reads: printed text is kept up to a limit, there is nothing to read."""

from __future__ import annotations

import io
import sys
from typing import Any


class Capture(io.TextIOBase):
    """Stands in for stdout and stderr: keeps up to `room` characters of each call, drops the rest."""

    encoding = "utf-8"
    errors = "replace"
    newlines = None
    line_buffering = True

    def __init__(self, room: int) -> None:
        self._limit = self._room = room
        self._parts: list[str] = []
        self.buffer = _Bytes(self)

    def writable(self) -> bool:
        return True

    def write(self, text: str, /) -> int:
        if not isinstance(text, str):
            raise TypeError(f"write() argument must be str, not {type(text).__name__}")
        if self._room > 0:
            self._parts.append(text[: self._room])
            self._room -= len(text)
        return len(text)

    def reconfigure(self, **settings: Any) -> None:
        """Accept what a real stream accepts; files written for Windows consoles call this."""

    def limit(self, room: int) -> None:
        """Set how many characters are kept from now on."""
        self._limit = self._room = room

    def take(self) -> str:
        """Return what was printed since the last time and start anew."""
        if not self._parts:
            return ""
        text, self._parts, self._room = "".join(self._parts), [], self._limit
        return text


class _Bytes(io.RawIOBase):
    """The binary side of a capture, for `sys.stdout.buffer.write`."""

    def __init__(self, capture: Capture) -> None:
        self._capture = capture

    def writable(self) -> bool:
        return True

    def write(self, data: Any, /) -> int:
        raw = bytes(data)
        self._capture.write(raw.decode("utf-8", "replace"))
        return len(raw)


def install() -> Capture:
    """Put a capture in the place of stdout and stderr, and an empty stdin; return the capture."""
    capture = Capture(0)
    sys.stdout = sys.stderr = sys.__stdout__ = sys.__stderr__ = capture  # type: ignore[assignment,misc]
    sys.stdin = sys.__stdin__ = io.StringIO()  # type: ignore[assignment,misc]
    return capture
