"""What a submission returned, turned into what the wire carries: plain arrays, numbers, text and sequences.

Nothing here may fail for an odd value: what is no number, array or sequence of them becomes `Unsendable`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from . import wire

#: Values, bytes and depth one returned value may take up; below the limits of the wire.
NODES, DEPTH = 512, 5
#: Numbers one list may hold before it is refused: each is looked at by itself.
LIST_NUMBERS = 1_000_000
#: A tuple of up to so many plain numbers is several results, not a vector.
TUPLE_NUMBERS = range(2, 9)

_NUMBERS = (bool, int, float, complex)
_SCALARS = (np.number, np.bool_)
_FLOAT = np.dtype(np.float64)
#: So many results of a tuple can be plain.
_PLAIN_PARTS = 8


class _RefusedError(Exception):
    """The value cannot be sent; the message names what it is."""


def simplify(value: Any, *, limit: int = wire.MAX_ARRAYS) -> Any:
    """Return the value as the wire can carry it, or `Unsendable`; arrays in it take up to `limit` bytes."""
    try:
        return value if _is_plain(value, limit) else _Conversion(limit).convert(value, 0)
    except _RefusedError as refusal:
        return wire.Unsendable(str(refusal))
    except Exception:
        return wire.Unsendable(type_name(value))


def _is_plain(value: Any, limit: int) -> bool:
    """Say whether a value is an array of floats, or a few of them, and so can be sent as it is."""
    if type(value) is tuple and 0 < len(value) <= _PLAIN_PARTS:
        # Without `all`, which a submission may have put something else in the place of.
        return False not in [_is_plain_array(part, limit // _PLAIN_PARTS) for part in value]
    return _is_plain_array(value, limit)


def _is_plain_array(value: Any, limit: int) -> bool:
    return (
        type(value) is np.ndarray
        and value.dtype is _FLOAT
        and value.ndim <= wire.MAX_DIMS
        and value.nbytes <= limit
        and (value.nbytes > 0 or wire.is_bounded(value.shape))
    )


def type_name(value: Any) -> str:
    """Return the name of a value's type, up to 100 characters, whatever the type says of itself."""
    return str(type.__dict__["__name__"].__get__(type(value)))[:100]


class _Conversion:
    """One conversion, with what is left of its budget."""

    def __init__(self, limit: int) -> None:
        self.nodes = NODES
        self.bytes = limit

    def convert(self, value: Any, depth: int) -> Any:
        self.nodes -= 1
        if self.nodes < 0 or depth > DEPTH:
            raise _RefusedError(f"{type_name(value)} nested too deeply or too long")
        if value is None or type(value) in (bool, float):
            return value
        if isinstance(value, np.ndarray):
            return self.array(value)
        if isinstance(value, _SCALARS):
            return self.plain(value)[()]
        if isinstance(value, int):
            return _whole(int(value))
        if isinstance(value, float):
            return float(value)
        if isinstance(value, complex):
            return np.complex128(value)
        if isinstance(value, str):
            return str.__str__(value)[: wire.MAX_TEXT]
        if isinstance(value, list | tuple):
            return self.sequence(value, depth)
        if hasattr(type(value), "__dataclass_fields__"):
            return tuple(self.convert(getattr(value, name), depth + 1) for name in _field_names(value))
        raise _RefusedError(type_name(value))

    def array(self, value: Any) -> Any:
        """Return an array as a plain one; an np.matrix as `Listed`, so that the habit can be named."""
        if isinstance(value, np.matrix):
            return wire.Listed(self.plain(value), "matrix")
        return self.plain(value)

    def plain(self, value: Any) -> Any:
        """Return an ndarray of a dtype of the wire, of exactly that class."""
        array = np.array(value, copy=None, subok=False)
        if array.dtype.char in "gG":  # long double: its layout differs between machines
            array = array.astype(np.complex128 if array.dtype.char == "G" else np.float64)
        if array.dtype.kind not in "biufc":
            raise _RefusedError(f"array of {array.dtype}"[:100])
        if array.ndim > wire.MAX_DIMS:
            raise _RefusedError(f"array of {array.ndim} dimensions")
        self.bytes -= array.nbytes
        if self.bytes < 0:
            raise _RefusedError(f"array of {array.nbytes} bytes")
        if not wire.is_bounded(array.shape):
            raise _RefusedError(f"array of shape {array.shape}"[:100])
        return array

    def sequence(self, value: Any, depth: int) -> Any:
        """Return lists of numbers as `Listed`, several results as a tuple, anything else item by item."""
        items = list(list.__iter__(value) if isinstance(value, list) else tuple.__iter__(value))
        if isinstance(value, list) or _is_vector_or_matrix(items):
            array = _regular(items)
            if array is not None:
                return wire.Listed(self.plain(array), "list" if isinstance(value, list) else "tuple")
        if len(items) > self.nodes:
            raise _RefusedError(f"{type_name(value)} of {len(items)} values that are no regular array")
        converted = [self.convert(item, depth + 1) for item in items]
        return converted if isinstance(value, list) else tuple(converted)


def _whole(value: int) -> int | float:
    """Return a whole number as such if it has 64 bits, else as a float."""
    if -(1 << 63) <= value < 1 << 63:
        return value
    try:
        return float(value)
    except OverflowError:
        raise _RefusedError(f"int of {value.bit_length()} bits") from None


def _field_names(value: Any) -> list[str]:
    return list(type(value).__dataclass_fields__)[:NODES]


def _is_number(value: Any) -> bool:
    return type(value) in _NUMBERS or isinstance(value, _SCALARS)


def _is_vector_or_matrix(items: list[Any]) -> bool:
    """Say whether the items of a tuple are one array rather than several results.

    Several numbers (two to eight) are several results, and so is a tuple that holds a list.
    """
    if all(map(_is_number, items)):
        return len(items) not in TUPLE_NUMBERS
    return all(isinstance(item, tuple) for item in items) and _holds_no_list(items, 0)


def _holds_no_list(items: Any, depth: int) -> bool:
    return depth <= DEPTH and all(
        _is_number(item) or (isinstance(item, tuple) and _holds_no_list(item, depth + 1)) for item in items
    )


def _regular(items: list[Any]) -> Any:
    """Return nested sequences of numbers as an array, or None if they hold other things or are ragged."""
    shape, level = [len(items)], items
    while not all(map(_is_number, level)):
        if len(shape) == wire.MAX_DIMS or not all(isinstance(item, list | tuple) for item in level):
            return None
        lengths = {len(item) for item in level}
        if len(lengths) != 1:
            return None
        shape.append(lengths.pop())
        if len(level) * shape[-1] > LIST_NUMBERS:
            raise _RefusedError(f"list of more than {LIST_NUMBERS} numbers")
        level = [part for item in level for part in item]
    array = np.array(level) if level else np.zeros(0)
    if array.dtype == object:  # whole numbers of more than 64 bits among them
        try:
            array = array.astype(np.float64)
        except OverflowError:
            raise _RefusedError("list of numbers larger than any float") from None
    return array.reshape(shape)
