"""The format in which the grader and a submission's process talk: frames of a fixed header and tagged values.

A frame is a header (magic, kind, sequence number, length of the body) and a body of values; a value is one
tag byte and its payload. There is no pickle, no JSON and no text that names a type: a dtype is an index into
a fixed table. The reader checks every size before it allocates, so a hostile body
can only raise `ProtocolError`.

Calls go one way only, from the grader, so their body is written by `marshal`, which is faster by far and may
be read only where the bytes are ours.
"""

from __future__ import annotations

import marshal
import math
import struct
from collections.abc import Sequence
from typing import Any, TypeAlias

import numpy as np

HEAD = struct.Struct("<4sB3xIQ")
MAGIC = b"AGW1"

#: Kinds of frames: the first two are requests, the others replies. PLAIN is a return and nothing besides:
#: no argument changed, nothing printed, nothing traced.
LOAD, CALL, READY, LOADED, RETURNED, RAISED, ABSENT, PLAIN = range(1, 9)
#: How many values the body of each kind holds; that of a call is written another way.
COUNTS = {LOAD: 6, READY: 0, LOADED: 4, RETURNED: 4, RAISED: 3, ABSENT: 1, PLAIN: 1}

#: Every dtype that may cross, by index; little-endian whatever the machine.
DTYPES = tuple(
    np.dtype(code)
    for code in [
        "?",
        "i1",
        "u1",
        "<i2",
        "<u2",
        "<i4",
        "<u4",
        "<i8",
        "<u8",
        "<f2",
        "<f4",
        "<f8",
        "<c8",
        "<c16",
    ]
)
_ITEMSIZES = tuple(dtype.itemsize for dtype in DTYPES)
_CODES = {dtype: index for index, dtype in enumerate(DTYPES)}
#: What nearly every array is made of.
_FLOAT = np.dtype("<f8")
#: What a list of numbers may have been before it became an array.
ORIGINS = ("list", "tuple", "matrix")

MAX_DIMS, MAX_DEPTH, MAX_NODES = 8, 6, 1024
#: Bytes of a short text (names, results) and of a long one (messages, printed output).
MAX_TEXT, MAX_LONG_TEXT = 4096, 4 << 20
#: Bytes of arrays one value may hold, and of a whole body.
MAX_ARRAYS = 64 << 20
#: Numbers that the sides of an array may make without those that are 0: no copy, stack or other type of it is too
#: large for numpy, whatever an empty array says of its other sides.
MAX_SIDES = MAX_ARRAYS
MAX_BODY = MAX_ARRAYS + (8 << 20)

#: Exit status of a submission's process whose own code failed, and of one out of memory beyond repair.
BROKEN, OUT_OF_MEMORY = 70, 71

_ARRAY = ord("A")
_ARRAYS = (np.ndarray, np.generic)
_SHAPES = tuple(struct.Struct(f"<{dims}I") for dims in range(MAX_DIMS + 1))
#: How an array of floats begins, by its number of dimensions.
_FLOAT_HEADS = tuple(bytes((_ARRAY, _CODES[_FLOAT], dims, 0)) for dims in range(MAX_DIMS + 1))
_U32, _I64, _F64 = struct.Struct("<I"), struct.Struct("<q"), struct.Struct("<d")


#: Dtype, shape and contents of an array.
Form: TypeAlias = tuple[Any, tuple[int, ...], bytes]


class ProtocolError(Exception):
    """The bytes are no frame, or not the one expected."""


class Function:
    """A function to be built in the submission's process: a family's name and its arrays."""

    __slots__ = ("family", "parameters")

    def __init__(self, family: str, parameters: dict[str, Any]) -> None:
        self.family = family
        self.parameters = parameters


class Listed:
    """An array that was nested lists or tuples of numbers, or an np.matrix."""

    __slots__ = ("array", "was")

    def __init__(self, array: Any, was: str) -> None:
        self.array = array
        self.was = was


class Unsendable:
    """A value that cannot cross; only the name of its type does."""

    __slots__ = ("type_name",)

    def __init__(self, type_name: str) -> None:
        self.type_name = type_name


class Text(str):
    """A text that may be long: a message, printed output."""

    __slots__ = ()


def pack(kind: int, sequence: int, *values: Any) -> bytes:
    """Return one frame; TypeError or ValueError if a value cannot be written."""
    parts = [b""]
    for value in values:
        _put(parts, value, 0)
    parts[0] = HEAD.pack(MAGIC, kind, sequence, sum(map(len, parts)))
    return b"".join(parts)


def pack_call(sequence: int, function: str, arguments: Sequence[Any], *, traced: bool) -> bytes:
    """Return the frame of a call; TypeError or ValueError if an argument cannot be written."""
    body = marshal.dumps((function, list(map(_packed, arguments)), traced))
    return HEAD.pack(MAGIC, CALL, sequence, len(body)) + body


def unpack_call(body: bytes) -> tuple[str, list[Any], list[Form | None], bool]:
    """Return function, arguments, what each of them that is an array looks like, and whether to trace.

    Only for what the grader has sent: marshal does not withstand hostile bytes.
    """
    function, packed, traced = marshal.loads(body)
    arguments: list[Any] = []
    forms: list[Form | None] = []
    for one in packed:
        if type(one) is bytes:
            arguments.append(_Reader(one).value(0))
            forms.append(form_of(arguments[-1]))
            continue
        code, shape, raw = one
        dtype = DTYPES[code]
        arguments.append(np.ndarray(shape, dtype, raw).copy())  # owned, aligned, writable
        forms.append((dtype, shape, raw))
    return function, arguments, forms, traced


def form_of(argument: Any) -> Form | None:
    """Return all of an array that a call can change; None of anything else."""
    return (argument.dtype, argument.shape, argument.tobytes()) if type(argument) is np.ndarray else None


def _packed(argument: Any) -> tuple[int, tuple[int, ...], bytes] | bytes:
    """Return an array as dtype, shape and contents, anything else encoded as a value."""
    if type(argument) is np.ndarray and argument.ndim <= MAX_DIMS:
        code = _CODES.get(argument.dtype)
        if code is not None:
            return code, argument.shape, argument.tobytes()
    parts: list[bytes] = []
    _put(parts, argument, 0)
    return b"".join(parts)


def unpack_head(head: bytes | bytearray, sequence: int, kinds: tuple[int, ...]) -> tuple[int, int]:
    """Return kind and length of the body; ProtocolError unless it is one of `kinds` with that number."""
    magic, kind, actual, length = HEAD.unpack(head)
    if magic != MAGIC or kind not in kinds or actual != sequence:
        raise ProtocolError("bad frame header")
    if length > MAX_BODY:
        raise ProtocolError("frame too large")
    return kind, length


def unpack_body(body: bytes | bytearray, kind: int) -> list[Any]:
    """Return the values of a body; ProtocolError if it is not exactly the values of that kind of frame."""
    reader = _Reader(body)
    try:
        values = [reader.value(0) for _ in range(COUNTS[kind])]
    except (ValueError, OverflowError, TypeError, MemoryError, struct.error) as error:
        raise ProtocolError(f"bad value: {error}") from None
    reader.finish()
    return values


def _put(parts: list[bytes], value: Any, depth: int) -> None:
    """Append the encoding of one value."""
    if depth > MAX_DEPTH:
        raise ValueError("a value nested too deeply")
    if type(value) is np.ndarray and value.dtype is _FLOAT and value.ndim <= MAX_DIMS:
        parts.append(_FLOAT_HEADS[value.ndim] + _SHAPES[value.ndim].pack(*value.shape))
        parts.append(value.tobytes())
    elif value is None:
        parts.append(b"N")
    elif isinstance(value, _ARRAYS):
        _put_array(parts, value)
    elif type(value) is bool:
        parts.append(b"b\1" if value else b"b\0")
    elif type(value) is int:
        if not -(1 << 63) <= value < 1 << 63:
            raise ValueError("a whole number of more than 64 bits")
        parts.append(b"i" + _I64.pack(value))
    elif type(value) is float:
        parts.append(b"f" + _F64.pack(value))
    elif isinstance(value, str):
        _put_text(parts, value, long=type(value) is Text)
    elif isinstance(value, tuple | list):
        parts.append((b"t" if isinstance(value, tuple) else b"l") + _U32.pack(len(value)))
        for item in value:
            _put(parts, item, depth + 1)
    elif type(value) is Listed:
        parts.append(b"M" + bytes((ORIGINS.index(value.was),)))
        _put_array(parts, value.array)
    elif type(value) is Unsendable:
        parts.append(b"U")
        _put_text(parts, value.type_name, long=False)
    elif type(value) is Function:
        parts.append(b"F" + bytes((len(value.parameters),)))
        _put_text(parts, value.family, long=False)
        for name, array in value.parameters.items():
            _put_text(parts, name, long=False)
            _put_array(parts, np.asarray(array))
    else:
        raise TypeError(f"a value of type {type(value).__name__}")


def _put_text(parts: list[bytes], text: str, *, long: bool) -> None:
    encoded = text.encode("utf-8", "replace")[: MAX_LONG_TEXT if long else MAX_TEXT]
    parts.append((b"p" if long else b"s") + _U32.pack(len(encoded)) + encoded)


def _put_array(parts: list[bytes], value: Any) -> None:
    """Append an array or numpy scalar as header and raw bytes in C order."""
    array = value if type(value) is np.ndarray else np.array(value, copy=None, subok=False)
    code = _CODES.get(array.dtype)
    if code is None and array.dtype.kind in "iufc":
        code = _CODES.get(array.dtype.newbyteorder("<"))
    if code is None:
        raise TypeError(f"an array of dtype {array.dtype}")
    if array.ndim > MAX_DIMS:
        raise ValueError(f"an array of more than {MAX_DIMS} dimensions")
    if array.dtype != DTYPES[code]:
        array = array.astype(DTYPES[code])
    head = bytes((_ARRAY, code, array.ndim, isinstance(value, np.generic)))
    parts.append(head + _SHAPES[array.ndim].pack(*array.shape))
    parts.append(array.tobytes())


def is_bounded(shape: tuple[int, ...]) -> bool:
    """Say whether the sides of an array that are not 0 make no more numbers than may be sent."""
    sides = 1
    for side in shape:
        sides *= side or 1
    return sides <= MAX_SIDES


class _Reader:
    """Decode one body; every read is checked against what is left, the number of values is bounded."""

    __slots__ = ("body", "nodes", "place", "size")

    def __init__(self, body: bytes | bytearray) -> None:
        self.body = body
        self.size = len(body)
        self.place = 0
        self.nodes = 0

    def skip(self, size: int) -> int:
        """Return where the next so many bytes begin, and go on behind them."""
        start = self.place
        if size > self.size - start:
            raise ProtocolError("body too short")
        self.place = start + size
        return start

    def finish(self) -> None:
        if self.place != self.size:
            raise ProtocolError("bytes after the last value")

    def value(self, depth: int) -> Any:
        self.nodes += 1
        if depth > MAX_DEPTH or self.nodes > MAX_NODES:
            raise ProtocolError("value too deep or too large")
        tag = self.byte()
        if tag == _ARRAY:
            return self.array(depth)
        reader = _READERS.get(tag)
        if reader is None:
            raise ProtocolError("unknown tag")
        return reader(self, depth)

    def byte(self) -> int:
        return self.body[self.skip(1)]

    def count(self) -> int:
        size: int = _U32.unpack_from(self.body, self.skip(4))[0]
        return size

    def array(self, depth: int) -> Any:
        # Most of what is read is arrays: so in one piece, the three reads checked here and not by `skip`.
        body, start = self.body, self.place
        head = body[start : start + 3]
        if len(head) < 3:
            raise ProtocolError("body too short")
        code, dims, scalar = head
        if code >= len(DTYPES) or dims > MAX_DIMS or scalar > 1 or (scalar and dims):
            raise ProtocolError("bad array header")
        begin = start + 3 + 4 * dims
        if begin > self.size:
            raise ProtocolError("body too short")
        shape = _SHAPES[dims].unpack_from(body, start + 3)
        # Python integers cannot overflow, so no shape can claim less than it needs.
        count = math.prod(shape)
        end = begin + count * _ITEMSIZES[code]
        if end > self.size:
            raise ProtocolError("body too short")
        if not count and not is_bounded(shape):
            raise ProtocolError("bad shape")
        self.place = end
        if code == 0:  # a hostile bool may be any byte
            array = np.ndarray(shape, np.uint8, body, begin).astype(np.bool_)
        else:
            array = np.ndarray(shape, DTYPES[code], body, begin).copy()  # owned, aligned, writable
        return array[()] if scalar else array

    def tagged_array(self) -> Any:
        if self.byte() != _ARRAY:
            raise ProtocolError("an array was due")
        array = self.array(0)
        if not isinstance(array, np.ndarray):
            raise ProtocolError("an array was due")
        return array

    def flag(self, depth: int) -> bool:
        return bool(self.byte())

    def whole(self, depth: int) -> Any:
        return _I64.unpack_from(self.body, self.skip(8))[0]

    def real(self, depth: int) -> Any:
        return _F64.unpack_from(self.body, self.skip(8))[0]

    def text(self, depth: int) -> str:
        return self._text(MAX_TEXT)

    def long_text(self, depth: int) -> str:
        return self._text(MAX_LONG_TEXT)

    def tagged_text(self) -> str:
        if self.byte() != ord("s"):
            raise ProtocolError("a name was due")
        return self._text(MAX_TEXT)

    def _text(self, limit: int) -> str:
        size = self.count()
        if size > limit:
            raise ProtocolError("text too long")
        start = self.skip(size)
        return self.body[start : start + size].decode("utf-8", "replace")

    def items(self, depth: int) -> list[Any]:
        size = self.count()
        if size > MAX_NODES:
            raise ProtocolError("sequence too long")
        return [self.value(depth + 1) for _ in range(size)]

    def listed(self, depth: int) -> Listed:
        origin = self.byte()
        if origin >= len(ORIGINS):
            raise ProtocolError("bad origin of a list")
        return Listed(self.tagged_array(), ORIGINS[origin])

    def unsendable(self, depth: int) -> Unsendable:
        return Unsendable(self.tagged_text())

    def function(self, depth: int) -> Function:
        size = self.byte()
        family = self.tagged_text()
        parameters = {self.tagged_text(): self.tagged_array() for _ in range(size)}
        return Function(family, parameters)


_READERS = {
    ord("N"): lambda reader, depth: None,
    ord("b"): _Reader.flag,
    ord("i"): _Reader.whole,
    ord("f"): _Reader.real,
    ord("s"): _Reader.text,
    ord("p"): _Reader.long_text,
    ord("t"): lambda reader, depth: tuple(reader.items(depth)),
    ord("l"): _Reader.items,
    ord("M"): _Reader.listed,
    ord("U"): _Reader.unsendable,
    ord("F"): _Reader.function,
}
