"""The wire carries values unchanged, and hostile bytes can only raise ProtocolError."""

from __future__ import annotations

import struct

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from autograder.worker.inside import wire

arrays = hnp.arrays(
    dtype=st.sampled_from(wire.DTYPES), shape=hnp.array_shapes(min_dims=0, max_dims=4, min_side=0, max_side=4)
)
leaves = (
    st.none()
    | st.booleans()
    | st.integers(-(1 << 63), (1 << 63) - 1)
    | st.floats()
    | st.text(max_size=50)
    | arrays
    | arrays.map(lambda array: wire.Listed(array, "list"))
    | st.text(max_size=20).map(wire.Unsendable)
    | st.dictionaries(st.text(max_size=5), arrays, max_size=3).map(
        lambda arrays: wire.Function("sines", arrays)
    )
)
values = st.recursive(
    leaves, lambda inner: st.lists(inner, max_size=3) | st.lists(inner, max_size=3).map(tuple), max_leaves=8
)


def same(actual: object, expected: object) -> bool:
    """Compare values to the last bit, types included."""
    if type(actual) is not type(expected):
        return False
    if isinstance(expected, np.ndarray | np.generic):
        return (
            actual.dtype == expected.dtype
            and actual.shape == expected.shape
            and actual.tobytes() == expected.tobytes()
        )
    if isinstance(expected, tuple | list):
        return len(actual) == len(expected) and all(map(same, actual, expected))
    if isinstance(expected, dict):
        return list(actual) == list(expected) and all(same(actual[key], expected[key]) for key in expected)
    if isinstance(expected, wire.Listed | wire.Unsendable | wire.Function):
        return all(same(getattr(actual, name), getattr(expected, name)) for name in type(expected).__slots__)
    if isinstance(expected, float):
        return struct.pack("d", actual) == struct.pack("d", expected)
    return actual == expected


def body_of(kind: int, *values: object) -> bytes:
    return wire.pack(kind, 1, *values)[wire.HEAD.size :]


@given(values)
@settings(max_examples=80, deadline=None)
def test_what_was_packed_is_unpacked_to_the_last_bit(value: object) -> None:
    (actual,) = wire.unpack_body(body_of(wire.ABSENT, value), wire.ABSENT)

    assert same(actual, value)


@given(values, st.data())
@settings(max_examples=150, deadline=None)
def test_a_mutated_body_is_read_or_raises_protocol_error_only(value: object, data: st.DataObject) -> None:
    body = bytearray(body_of(wire.ABSENT, value))
    for _ in range(data.draw(st.integers(1, 4))):
        place = data.draw(st.integers(0, len(body)))
        body[place : place + data.draw(st.integers(0, 3))] = data.draw(st.binary(max_size=3))

    try:
        (actual,) = wire.unpack_body(body, wire.ABSENT)
    except wire.ProtocolError:
        return
    assert same(actual, actual)


def test_values_read_are_plain_owned_writable_arrays() -> None:
    (array,) = wire.unpack_body(body_of(wire.ABSENT, np.arange(6.0).reshape(2, 3).T), wire.ABSENT)

    assert type(array) is np.ndarray
    assert array.flags.writeable
    assert array.flags.c_contiguous
    assert array.tolist() == [[0, 3], [1, 4], [2, 5]]


def test_big_endian_arrays_arrive_with_their_values() -> None:
    (array,) = wire.unpack_body(body_of(wire.ABSENT, np.array([1, 2], ">i4")), wire.ABSENT)

    assert array.tolist() == [1, 2]


def test_a_bool_byte_that_is_neither_0_nor_1_is_read_as_true() -> None:
    body = body_of(wire.ABSENT, np.array([True, False]))
    (array,) = wire.unpack_body(body[:-2] + b"\xff\x00", wire.ABSENT)

    assert array.tobytes() == b"\x01\x00"


def test_a_text_may_hold_lone_surrogates() -> None:
    assert wire.unpack_body(body_of(wire.ABSENT, "a\ud800b"), wire.ABSENT) == ["a?b"]


def array_head(code: int, dims: int, *shape: int, scalar: int = 0) -> bytes:
    return b"A" + bytes((code, dims, scalar)) + struct.pack(f"<{len(shape)}I", *shape)


HOSTILE = {
    "nothing": b"",
    "unknown tag": b"?",
    "a dtype that is not in the table": array_head(14, 0) + bytes(16),
    "nine dimensions": array_head(1, 9, *[1] * 9) + b"\0",
    "a scalar with a dimension": array_head(1, 1, 1, scalar=1) + b"\0",
    "more bytes claimed than there are": array_head(11, 2, 1 << 31, 1 << 31) + bytes(64),
    "a product that overflows 64 bits to 0": array_head(1, 4, 1 << 16, 1 << 16, 1 << 16, 1 << 16),
    "zero elements among impossible dimensions": array_head(
        11, 4, 0, (1 << 32) - 1, (1 << 32) - 1, (1 << 32) - 1
    ),
    "a text longer than the body": b"s" + struct.pack("<I", 4000) + b"x",
    "a text above the limit": b"s" + struct.pack("<I", 5000) + bytes(5000),
    "a long text above the limit": b"p" + struct.pack("<I", wire.MAX_LONG_TEXT + 1) + bytes(10),
    "a sequence of four thousand million": b"l" + struct.pack("<I", (1 << 32) - 1),
    "a sequence of more values than allowed": b"l" + struct.pack("<I", 1024) + b"N" * 1024,
    "nesting": b"t\x01\0\0\0" * 100 + b"N",
    "a second value": b"NN",
    "a list of no known origin": b"M\x09" + array_head(1, 1, 1) + b"\0",
    "four thousand million empty rows": array_head(1, 2, 0xFFFFFFFF, 0),
    "an empty array of huge sides": array_head(0, 3, 1 << 31, (1 << 31) - 1, 0),
    "a list of four thousand million empty rows": b"M\x00" + array_head(11, 2, 0xFFFFFFFF, 0),
    "a list that is no array": b"M\x00N",
    "a list that is a scalar": b"M\x00" + array_head(1, 0, scalar=1) + b"\0",
    "a type name that is no text": b"UN",
    "a function whose name is no text": b"F\x01N",
    "half a number": b"i\0\0",
}


@pytest.mark.parametrize("body", HOSTILE.values(), ids=HOSTILE.keys())
def test_a_hostile_body_raises_protocol_error(body: bytes) -> None:
    with pytest.raises(wire.ProtocolError):
        wire.unpack_body(body, wire.ABSENT)


FORGED = {
    "magic": wire.HEAD.pack(b"AGW2", wire.RETURNED, 5, 0),
    "kind": wire.HEAD.pack(wire.MAGIC, wire.LOADED, 5, 0),
    "an earlier number": wire.HEAD.pack(wire.MAGIC, wire.RETURNED, 4, 0),
    "length": wire.HEAD.pack(wire.MAGIC, wire.RETURNED, 5, wire.MAX_BODY + 1),
}


@pytest.mark.parametrize("head", FORGED.values(), ids=FORGED.keys())
def test_a_head_that_is_not_the_one_awaited_is_refused(head: bytes) -> None:
    with pytest.raises(wire.ProtocolError):
        wire.unpack_head(head, 5, (wire.RETURNED, wire.RAISED))


UNWRITABLE = {
    "a dict": {},
    "an array of objects": np.array([None]),
    "an array of text": np.array(["a"]),
    "a whole number of 65 bits": 1 << 64,
    "a set": set(),
}


@pytest.mark.parametrize("value", UNWRITABLE.values(), ids=UNWRITABLE.keys())
def test_a_value_the_wire_does_not_know_is_refused_in_writing(value: object) -> None:
    with pytest.raises((TypeError, ValueError)):
        wire.pack(wire.ABSENT, 1, value)
