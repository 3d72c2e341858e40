"""What submissions return arrives as arrays, numbers and sequences; anything else by the name of its type."""

from __future__ import annotations

import collections
import dataclasses
from typing import Any

import numpy as np
import pytest

from autograder.worker.inside import wire
from autograder.worker.inside.values import simplify

Pair = collections.namedtuple("Pair", "O A")


@dataclasses.dataclass
class Result:
    """A result with two fields."""

    O: Any  # noqa: E741
    A: Any


class Loud(np.ndarray):
    """An array that answers every question wrongly."""

    shape = property(lambda self: (7,))  # type: ignore[assignment]
    dtype = property(lambda self: "nonsense")  # type: ignore[assignment]
    __array_priority__ = 1e9

    def __array__(self, *arguments: Any, **settings: Any) -> Any:
        raise RuntimeError

    def __array_finalize__(self, other: Any) -> None:
        pass

    def __array_function__(self, *arguments: Any) -> Any:
        raise RuntimeError

    def tobytes(self, *arguments: Any) -> Any:
        raise RuntimeError


def plain(value: Any) -> Any:
    """Return a simplified value in a form that == compares."""
    if isinstance(value, wire.Listed):
        return (value.was, value.array.tolist())
    if isinstance(value, wire.Unsendable):
        return f"<{value.type_name}>"
    if isinstance(value, np.ndarray | np.generic):
        return value.tolist()
    if isinstance(value, tuple):
        return tuple(map(plain, value))
    if isinstance(value, list):
        return list(map(plain, value))
    return value


async def coroutine() -> None:
    """Return nothing, later."""


M = np.array([[1.0, 2.0], [3.0, 4.0]])

TABLE = [
    ("nothing", None, None),
    ("a bool", True, True),
    ("a whole number", 3, 3),
    ("a whole number of 100 bits", 1 << 100, float(1 << 100)),
    ("a whole number beyond floats", 1 << 2000, "<int of 2001 bits>"),
    ("text", "abc", "abc"),
    ("an array", M, M.tolist()),
    ("an array in Fortran order", np.asfortranarray(M), M.tolist()),
    ("a 0-d array", np.array(2.5), 2.5),
    ("a numpy scalar", np.float32(2.5), 2.5),
    ("a long double", np.longdouble(2.5), 2.5),
    ("a complex number", 1 + 2j, 1 + 2j),
    ("a masked array", np.ma.array([1.0, 2.0], mask=[0, 1]), [1.0, 2.0]),
    ("an array that lies", M.view(Loud), M.tolist()),
    ("a list of rows", [[1, 2], [3, 4]], ("list", [[1, 2], [3, 4]])),
    ("a list of rows of numpy scalars", [list(row) for row in M], ("list", M.tolist())),
    ("a list of tuples", [(1, 2), (3, 4)], ("list", [[1, 2], [3, 4]])),
    ("an empty list", [], ("list", [])),
    ("empty rows", [[], []], ("list", [[], []])),
    ("a list of big whole numbers", [1 << 70, 1], ("list", [float(1 << 70), 1.0])),
    ("a tuple of rows as tuples", ((1, 2), (3, 4)), ("tuple", [[1, 2], [3, 4]])),
    ("a vector as a tuple", tuple(range(9)), ("tuple", list(range(9)))),
    ("two numbers", (1.5, 2.5), (1.5, 2.5)),
    ("two arrays", (M, M), (M.tolist(), M.tolist())),
    ("two lists", ([1, 2], [3, 4]), (("list", [1, 2]), ("list", [3, 4]))),
    ("a list of arrays", [M, M], [M.tolist(), M.tolist()]),
    ("ragged rows", [[1, 2], [3]], [("list", [1, 2]), ("list", [3])]),
    ("a list with a hole", [1, None], [1, None]),
    ("a named tuple", Pair(M, 1), (M.tolist(), 1)),
    ("a dataclass", Result(M, 1), (M.tolist(), 1)),
    ("a dict", {"O": M}, "<dict>"),
    ("a set", {1}, "<set>"),
    ("a coroutine's function", coroutine, "<function>"),
    ("a generator", (i for i in [1]), "<generator>"),
    ("an array of objects", np.array([None]), "<array of object>"),
    ("an array of text", np.array(["a"]), "<array of <U1>"),
    ("a numpy text", np.str_("a"), "a"),
    ("a tuple with a dict in it", (M, {}), "<dict>"),
]


@pytest.mark.parametrize(("value", "expected"), [row[1:] for row in TABLE], ids=[row[0] for row in TABLE])
def test_a_returned_value_arrives_as(value: object, expected: object) -> None:
    simplified = simplify(value)

    assert plain(simplified) == expected
    wire.pack(wire.ABSENT, 1, simplified)


@pytest.mark.filterwarnings("ignore::PendingDeprecationWarning")
def test_a_matrix_arrives_as_an_array_that_was_a_matrix() -> None:
    actual = simplify(np.matrix([[1, 2]]))

    assert (type(actual.array), actual.was) == (np.ndarray, "matrix")


def test_an_array_above_the_limit_is_named_by_its_size() -> None:
    assert plain(simplify(np.zeros(100), limit=799)) == "<array of 800 bytes>"


def test_arrays_that_are_too_large_together_are_refused() -> None:
    assert plain(simplify((np.zeros(60), np.zeros(60)), limit=800)) == "<array of 480 bytes>"


def test_a_broadcast_of_2_to_the_40_is_refused_by_its_size() -> None:
    assert plain(simplify(np.broadcast_to(1.0, (1 << 20, 1 << 20)))) == f"<array of {8 << 40} bytes>"


def test_an_empty_array_of_huge_sides_is_refused_by_its_shape() -> None:
    huge = np.zeros((1 << 31, (1 << 31) - 1, 0), dtype=bool)

    assert plain(simplify(huge)) == "<array of shape (2147483648, 2147483647, 0)>"
    assert plain(simplify((np.zeros((1 << 40, 0)), 1.0))) == "<array of shape (1099511627776, 0)>"


def test_a_list_of_numbers_that_no_float_holds_is_refused_in_words() -> None:
    assert plain(simplify([10**400, 1])) == "<list of numbers larger than any float>"


def test_a_list_that_holds_itself_is_refused() -> None:
    value: list[Any] = [None]
    value[0] = value

    assert plain(simplify(value)) == "<list nested too deeply or too long>"


def test_a_long_ragged_list_is_refused() -> None:
    assert plain(simplify([[1] * (i % 2 + 1) for i in range(2000)])).startswith("<list of 2000 values")


def test_a_value_whose_class_raises_is_named_by_its_type() -> None:
    class Broken(tuple):
        __slots__ = ()
        __dataclass_fields__ = property(lambda self: 1 / 0)
        __len__ = None  # type: ignore[assignment]

    assert plain(simplify({1: Broken()})) == "<dict>"
    assert plain(simplify(Broken((1, None)))) == (1, None)


def test_a_class_name_of_a_million_letters_is_cut() -> None:
    assert plain(simplify(type("x" * 1_000_000, (), {})())) == f"<{'x' * 100}>"
