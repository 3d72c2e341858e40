"""An exception of a submission's code as plain facts: type, message, its own lines, shapes of its arrays."""

from __future__ import annotations

import types
from typing import Any

import numpy as np

from . import wire
from .values import type_name

MESSAGE_LENGTH = 2000
#: Frames kept at each end of a traceback; arrays described; characters of a name.
FRAMES, SHAPES, NAME_LENGTH = 10, 20, 100


def describe(error: BaseException, filename: str) -> tuple[Any, ...]:
    """Return type, message, line, function, frames and shapes, as `wire` carries them; never raises."""
    frames = _own_frames(error.__traceback__, filename)
    line, function = (frames[-1][1], frames[-1][0].f_code.co_name) if frames else (-1, None)
    if isinstance(error, SyntaxError) and (not frames or _is_of(error, filename)):
        line, function = _syntax_line(error, filename), function if frames else None
    kept = frames if len(frames) <= 2 * FRAMES else frames[:FRAMES] + frames[-FRAMES:]
    shapes = _shapes(frames[-1][0]) if frames else {}
    return (
        type_name(error),
        wire.Text(_message(error)),
        line,
        None if function is None else function[:NAME_LENGTH],
        tuple((frame.f_code.co_name[:NAME_LENGTH], number) for frame, number in kept),
        tuple((name, np.array(shape, dtype="<i8")) for name, shape in shapes.items()),
    )


def _own_frames(traceback: types.TracebackType | None, filename: str) -> list[tuple[types.FrameType, int]]:
    """Return frames and lines of the file in a traceback, outermost first."""
    frames = []
    while traceback is not None:
        if traceback.tb_frame.f_code.co_filename == filename:
            frames.append((traceback.tb_frame, traceback.tb_lineno or -1))
        traceback = traceback.tb_next
    return frames


def _is_of(error: SyntaxError, filename: str) -> bool:
    return error.filename == filename


def _syntax_line(error: SyntaxError, filename: str) -> int:
    known = _is_of(error, filename) and type(error.lineno) is int and 0 < error.lineno < 1 << 31
    return error.lineno if known and error.lineno is not None else -1


def _message(error: BaseException) -> str:
    """Return the message, cut; an exception whose text cannot be made has a stand-in."""
    try:
        message = error.msg if isinstance(error, SyntaxError) and error.msg else str(error)
        return str.__str__(message)[:MESSAGE_LENGTH]
    except BaseException:
        return "<no message>"


def _shapes(frame: types.FrameType) -> dict[str, tuple[int, ...]]:
    """Return the shapes of the arrays among a frame's own variables; a module's are not told."""
    if frame.f_code.co_name == "<module>":
        return {}
    found: dict[str, tuple[int, ...]] = {}
    for name, value in dict(frame.f_locals).items():
        if len(found) == SHAPES:
            break
        if isinstance(value, np.ndarray) and value.ndim <= wire.MAX_DIMS and name.isidentifier():
            found[name[:NAME_LENGTH]] = tuple(np.ndarray.shape.__get__(value))
    return found
