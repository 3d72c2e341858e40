"""Arguments turned into what a worker is sent, and its replies into outcomes. Nothing it says is believed.

A reply of the wrong form raises `wire.ProtocolError`; the texts in a right one are the submission's word, and
never longer than our own code in that process would have sent them: that code may have been replaced.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

import numpy as np

from autograder.model.outcome import (
    Assigned,
    FunctionArgument,
    Listed,
    Loaded,
    NameFound,
    NoFunction,
    Raised,
    Returned,
    Unsendable,
    Value,
)
from autograder.worker.inside import failure, functions, inventory, trace, wire

_KINDS: tuple[Literal["function", "class", "value"], ...] = ("function", "class", "value")
#: Characters of the name of a type or of one of the submission's own names.
_NAME = failure.NAME_LENGTH


def sendable(value: Value) -> Any:
    """Return an argument as `wire` takes it, lists of numbers as arrays; TypeError if it cannot be sent."""
    if type(value) is np.ndarray:
        return value
    if isinstance(value, FunctionArgument):
        parameters = {name: np.asarray(array) for name, array in value.parameters.items()}
        functions.build(value.family, parameters)  # fails here, not in the submission, if wrong
        return wire.Function(value.family, parameters)
    if isinstance(value, Listed):
        return value.array
    if isinstance(value, Unsendable):
        raise TypeError(f"a value of type {value.type_name} cannot be sent to a worker")
    if isinstance(value, tuple | list):
        return type(value)(map(sendable, value))
    return value


def value_from(value: Any) -> Value:
    """Return a decoded value as the rest of the house knows it."""
    if type(value) is np.ndarray:
        return value
    if type(value) is wire.Listed:
        if value.array.ndim == 0:
            raise wire.ProtocolError("a list that is one number")
        return Listed(value.array, value.was)  # type: ignore[arg-type]
    if type(value) is wire.Unsendable:
        return Unsendable(value.type_name[: 2 * _NAME])
    if type(value) is wire.Function:
        raise wire.ProtocolError("a function came back")
    if isinstance(value, tuple):
        return tuple(map(value_from, value))
    if isinstance(value, list):
        return [value_from(item) for item in value]
    return value  # type: ignore[no-any-return]


def loaded_from(values: Sequence[Any], output_chars: int) -> Loaded:
    """Return what a LOADED frame says."""
    names, rows, failed, printed = values
    failures = tuple(failure for fields in _tuple(failed) if (failure := _failure(fields)) is not None)
    first = failures[0] if failures else None
    return Loaded(_names(_text(names), rows), first, _text(printed)[:output_chars], failures)


def returned_from(values: Sequence[Any], arguments: int, output_chars: int) -> Returned:
    """Return what a RETURNED frame says of a call with so many arguments."""
    value, changed, printed, trace = values
    text = _text(printed)[:output_chars]
    return Returned(value_from(value), _changed(changed, arguments), text, _trace(trace))


def raised_from(values: Sequence[Any], output_chars: int) -> Raised:
    """Return what a RAISED frame says."""
    failure, printed, trace = values
    raised = _failure(failure, printed=_text(printed)[:output_chars], trace=_trace(trace))
    if raised is None:
        raise wire.ProtocolError("an exception was due")
    return raised


def absent_from(values: Sequence[Any]) -> NoFunction:
    """Return what an ABSENT frame says."""
    (found,) = values
    return NoFunction(None if found is None else _text(found)[:_NAME])


def _names(joined: str, rows: Any) -> tuple[NameFound, ...]:
    if len(joined) > inventory.NAMES * (inventory.NAME_LENGTH + 1):
        raise wire.ProtocolError("more names than are listed")
    names = joined.split("\n")[: inventory.NAMES + 1] if joined else []
    if not isinstance(rows, np.ndarray) or rows.shape != (len(names), 4) or rows.dtype != np.int32:
        raise wire.ProtocolError("names and their facts do not match")
    found = []
    for name, (kind, required, accepted, line) in zip(names, rows.tolist(), strict=True):
        if not 0 <= kind < len(_KINDS):
            raise wire.ProtocolError("a name of no known kind")
        found.append(NameFound(name, _KINDS[kind], _known(required), _known(accepted), _known(line)))
    return tuple(found)


def _failure(fields: Any, *, printed: str = "", trace: tuple[Assigned, ...] = ()) -> Raised | None:
    if fields is None:
        return None
    name, message, line, function, frames, shapes = _tuple(fields, 6)
    return Raised(
        _text(name)[:_NAME],
        _text(message)[: failure.MESSAGE_LENGTH],
        _known(_whole(line)),
        None if function is None else _text(function)[:_NAME],
        tuple(
            (_text(frame)[:_NAME], _whole(number)) for frame, number in _pairs(frames)[: 2 * failure.FRAMES]
        ),
        {_text(array)[:_NAME]: _shape(shape) for array, shape in _pairs(shapes)[: failure.SHAPES]},
        printed,
        trace,
    )


def _changed(pairs: Any, arguments: int) -> Mapping[int, Value]:
    changed = {_whole(index): value_from(value) for index, value in _pairs(pairs)}
    if not all(0 <= index < arguments for index in changed):
        raise wire.ProtocolError("an argument that was not given has changed")
    return changed


def _trace(entries: Any) -> tuple[Assigned, ...]:
    return tuple(
        Assigned(_whole(line), _text(name)[:_NAME], value_from(value))
        for line, name, value in (_tuple(entry, 3) for entry in _tuple(entries)[: trace.ASSIGNMENTS])
    )


def _tuple(value: Any, size: int | None = None) -> tuple[Any, ...]:
    if type(value) is not tuple or (size is not None and len(value) != size):
        raise wire.ProtocolError("a tuple was due")
    return value


def _pairs(value: Any) -> list[tuple[Any, ...]]:
    return [_tuple(pair, 2) for pair in _tuple(value)]


def _text(value: Any) -> str:
    if type(value) is not str:
        raise wire.ProtocolError("a text was due")
    return value


def _whole(value: Any) -> int:
    if type(value) is not int:
        raise wire.ProtocolError("a whole number was due")
    return value


def _known(value: int) -> int | None:
    return None if value < 0 else value


def _shape(value: Any) -> tuple[int, ...]:
    if not isinstance(value, np.ndarray) or value.dtype != np.int64 or value.ndim != 1:
        raise wire.ProtocolError("a shape was due")
    sides = value[: wire.MAX_DIMS].tolist()
    if len(value) > wire.MAX_DIMS or not all(0 <= side < 1 << 48 for side in sides):
        raise wire.ProtocolError("no shape that an array can have")
    return tuple(sides)
