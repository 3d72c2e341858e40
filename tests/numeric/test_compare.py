"""Comparing: one formula, shapes first, nothing that is no number passes."""

import math
import warnings

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays

from autograder.model.check import Tolerance
from autograder.model.outcome import Listed, Unsendable
from autograder.numeric.compare import (
    Difference,
    Expected,
    all_near,
    compare,
    kind_of,
    numbers_of,
    outputs_of,
    same,
)

TOLERANCE = Tolerance(atol=3e-6, rtol=2e-5)

NUMBERS = st.floats(-1e6, 1e6, allow_nan=False, width=64)
MATRICES = arrays(np.float64, array_shapes(min_dims=0, max_dims=3, min_side=1, max_side=4), elements=NUMBERS)


def expected(values, digits=None):
    array = np.asarray(values)
    return Expected(array, TOLERANCE, None if digits is None else np.asarray(digits))


def code_of(actual, wanted):
    difference = compare(actual, expected(wanted))
    return None if difference is None else difference.code


# Laws


@given(MATRICES)
def test_comparing_an_array_with_itself_finds_nothing(array):
    assert compare(array, expected(array)) is None
    assert same(array, array, TOLERANCE)


@given(MATRICES)
def test_a_result_that_is_off_by_a_ten_millionth_of_itself_passes(array):
    assert compare(array * (1 + 1e-7), expected(array)) is None


@given(MATRICES)
def test_a_float32_result_passes_and_so_do_its_numbers_in_a_float64_array(array):
    single = array.astype(np.float32)

    assert compare(single, expected(array)) is None
    assert compare(single.astype(np.float64), expected(array)) is None


@given(MATRICES, st.sampled_from([np.nan, np.inf, -np.inf]), st.data())
def test_one_entry_that_is_not_finite_never_passes(array, bad, data):
    spoilt = np.array(array)
    spoilt.flat[data.draw(st.integers(0, array.size - 1))] = bad

    difference = compare(spoilt, expected(array))

    assert difference is not None
    assert difference.code == "value.not_finite"


@given(MATRICES, st.data())
def test_one_entry_beyond_the_margin_is_found_and_named(array, data):
    place = data.draw(st.integers(0, array.size - 1))
    actual = np.array(array)
    actual.flat[place] += 2 * (3e-6 + 2e-5 * abs(actual.flat[place]))

    difference = compare(actual, expected(array))

    assert difference is not None
    assert difference.params["count"] == 1
    assert difference.params["shown"][0]["index"] == [int(i) for i in np.unravel_index(place, array.shape)]


SHAPES = array_shapes(min_dims=0, max_dims=3, min_side=0, max_side=3)


@given(SHAPES, SHAPES)
def test_another_shape_never_passes_whatever_broadcasting_would_make_of_it(actual, wanted):
    assert (compare(np.ones(actual), expected(np.ones(wanted))) is None) == (actual == wanted)
    assert same(np.ones(actual), np.ones(wanted), TOLERANCE) == (actual == wanted)


@pytest.mark.parametrize(
    ("actual", "wanted", "code"),
    [
        ((0, 1, 1), (3, 4), "shape.differs"),
        ((0, 4), (3, 4), "shape.differs"),
        ((3, 1), (3, 4), "shape.differs"),
        ((1, 4), (3, 4), "shape.differs"),
        ((1, 3, 4), (3, 4), "shape.differs"),
        ((4, 3), (3, 4), "shape.transposed"),
        ((1,), (), "shape.number"),
        ((1, 1), (), "shape.number"),
        ((), (1,), "shape.differs"),
    ],
)
def test_a_wrong_shape_is_told_before_any_value(actual, wanted, code):
    difference = compare(np.full(actual, np.nan), expected(np.ones(wanted)))

    assert difference == Difference(code, {"actual": list(actual), "expected": list(wanted)})


# Kinds of value


@pytest.mark.parametrize(
    "actual",
    [
        pytest.param([[1, 2], [3, 4]], id="list"),
        pytest.param(((1.0, 2.0), (3.0, 4.0)), id="tuple"),
        pytest.param(Listed(np.array([[1, 2], [3, 4]]), "list"), id="Listed"),
        pytest.param(Listed(np.array([[1.0, 2], [3, 4]]), "matrix"), id="matrix"),
        pytest.param((np.array([1.0, 2]), np.array([3, 4])), id="tuple of rows"),
        pytest.param([np.array([1.0, 2]), [3, 4]], id="list of rows of two kinds"),
        pytest.param(np.array([[1, 2], [3, 4]], dtype=np.int8), id="int8"),
        pytest.param(np.array([[1, 2], [3, 4]], dtype=np.uint64), id="uint64"),
        pytest.param(np.array([[1, 2], [3, 4]], dtype=np.float32), id="float32"),
        pytest.param(np.array([[1, 2], [3, 4]], dtype=np.complex128), id="complex without imaginary part"),
    ],
)
def test_the_right_numbers_pass_in_whatever_they_come(actual):
    assert code_of(actual, [[1.0, 2.0], [3.0, 4.0]]) is None


@pytest.mark.parametrize("actual", [2, 2.0, np.float32(2), np.int64(2), np.array(2.0), np.complex128(2)])
def test_a_number_passes_as_a_python_number_a_numpy_scalar_or_an_array_without_axes(actual):
    assert code_of(actual, 2.0) is None


@pytest.mark.parametrize("actual", [True, np.True_, np.array(True)])
def test_a_truth_value_counts_as_the_number_that_it_is(actual):
    assert code_of(actual, 1.0) is None
    assert code_of(actual, 0.0) == "value.differs"


@pytest.mark.parametrize(
    ("actual", "said"),
    [
        ("text", "text"),
        (None, "None"),
        (Unsendable("generator"), "generator"),
        ((), "a tuple of 0"),
        ((1.0, "x"), "a tuple of 2"),
        ([np.ones(2), np.ones(3)], "a list of 2"),
        (np.array(["a"]), "one array"),
        (np.array([None]), "one array"),
        (10**400, "one number"),
    ],
)
def test_what_is_no_array_of_numbers_is_told_as_what_it_is(actual, said):
    difference = compare(actual, expected(np.ones(2)))

    assert difference is not None
    assert (difference.code, difference.params["actual"]) == ("value.kind", said)
    assert kind_of(actual) == said


def test_a_whole_number_beyond_float64_is_no_fault_of_ours():
    assert code_of(2**63, 1.0) == "value.differs"
    assert code_of(10**400, 1.0) == "value.kind"


def test_the_smallest_whole_number_is_not_near_by_wrapping_round():
    smallest = np.full((2, 2), np.iinfo(np.int64).min)

    assert code_of(smallest, np.zeros((2, 2), dtype=np.int64)) == "value.differs"
    assert code_of(np.array(0, dtype=np.uint8), np.array(255, dtype=np.uint8)) == "value.differs"


def test_several_results_of_one_shape_are_not_told_as_a_shape_with_an_axis_more():
    difference = compare((np.ones((2, 3)), np.ones((2, 3))), expected(np.ones((2, 3))))

    assert difference is not None
    assert (difference.code, difference.params["actual"]) == ("value.kind", "a tuple of 2")


def test_an_imaginary_part_counts():
    assert code_of(np.array([1 + 1e-3j]), [1.0]) == "value.differs"
    assert code_of(np.array([1 + 1e-9j]), [1.0]) is None
    assert code_of(np.array([complex(1, math.nan)]), [1.0]) == "value.not_finite"


# Precision


def test_float16_does_not_pass_where_its_digits_do_not_reach():
    values = np.array([[0.1, 0.2, 0.7]])

    assert compare(values.astype(np.float16), expected(values)) is not None


def test_float32_is_given_more_than_float64_and_no_more_than_its_precision():
    off = 6e-5 * np.ones(1)

    assert code_of(1 + off, [1.0]) == "value.differs"
    assert code_of((1 + off).astype(np.float32), [1.0]) is None
    assert code_of((1 + 4 * off).astype(np.float32), [1.0]) == "value.differs"


@pytest.mark.parametrize("digits", range(7))
@pytest.mark.parametrize("sign", [-1, 1])
def test_a_printed_figure_is_met_by_half_a_unit_of_its_last_place_on_both_ends(digits, sign):
    figure, unit = 0.31 if digits > 1 else 3.0, 10.0**-digits
    wanted = expected([figure], [digits])

    room = 0.5 * unit + wanted.tolerance.rtol * figure

    assert compare(np.array([figure + sign * 0.5 * unit]), wanted) is None
    assert compare(np.array([figure + sign * room]), wanted) is None
    difference = compare(np.array([figure + sign * (room + 1e-4 * unit)]), wanted)
    assert difference is not None
    assert difference.params["printed_digits"] == digits


def test_a_true_value_at_the_edge_of_a_printed_figure_may_be_off_by_rounding_and_a_tiny_one_may_not_be_0():
    assert compare(np.array([0.1434999]), expected([0.144], [3])) is None
    assert code_of([0.0], [2e-9]) is None
    assert compare(np.array([0.0]), expected([2e-9], [9])) is not None


def test_beside_printed_figures_the_rest_is_compared_at_the_tolerance():
    wanted = expected([0.31, 0.62], [2, -1])

    assert compare(np.array([0.3149, 0.62]), wanted) is None
    difference = compare(np.array([0.3149, 0.6201]), wanted)
    assert difference is not None
    assert difference.params["shown"][0]["index"] == [1]
    assert "printed_digits" not in difference.params


@pytest.mark.parametrize("huge", [1e308, -1.7e308, np.finfo(np.float64).max])
@pytest.mark.parametrize("wanted", [1e-300, 0.0, 0.5])
def test_differences_beyond_all_measure_are_still_plain_data_and_warn_nobody(huge, wanted):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        difference = compare(np.array([huge, 0.0]), expected([wanted, 0.0]))

    assert difference is not None
    sizes = (difference.params["largest_difference"], difference.params["largest_relative"])
    assert all(size is None or isinstance(size, str) or math.isfinite(size) for size in sizes)


# Several outputs

NAMES = ("O", "A")


@pytest.mark.parametrize(
    "value",
    [
        (np.ones(2), np.zeros(3)),
        [np.ones(2), np.zeros(3)],
        np.ones((2, 3, 4)),
        Listed(np.ones((2, 3)), "list"),
        Listed(np.ones((2, 3)), "tuple"),
        (1.0, 2.0),
        (None, "text"),
    ],
)
def test_what_tuple_unpacking_takes_apart_is_taken_apart(value):
    outputs = outputs_of(value, NAMES)

    assert isinstance(outputs, tuple)
    assert len(outputs) == 2


@pytest.mark.parametrize(
    "value",
    [
        np.ones((3, 2)),
        np.array(1.0),
        (np.ones(2),),
        (1.0, 2.0, 3.0),
        "OA",
        1.0,
        Unsendable("dict"),
        Listed(np.ones((2, 3)), "matrix"),
        Listed(np.ones((3, 2)), "list"),
        (),
    ],
)
def test_another_number_of_outputs_is_told_with_the_names_of_those_asked(value):
    difference = outputs_of(value, NAMES)

    assert isinstance(difference, Difference)
    assert difference.code == "value.count"
    assert difference.params["outputs"] == ["O", "A"]


def test_none_is_told_as_nothing_returned():
    assert outputs_of(None, NAMES) == Difference("value.nothing", {"outputs": ["O", "A"]})
    assert outputs_of(None, ("A",)) == Difference("value.nothing", {"outputs": ["A"]})


def test_a_tuple_of_one_in_place_of_one_output_is_told_as_a_stray_comma():
    assert outputs_of((np.ones(2),), ("A",)) == Difference("value.tuple_for_one", {"output": "A"})


def test_one_output_is_never_taken_apart():
    array = np.ones((1, 3))

    assert outputs_of(array, ("A",)) == (array,)


def test_an_output_array_with_as_many_rows_as_outputs_still_fails_by_shape():
    """With two queries, O alone unpacks into two rows; no row has the shape of an output."""
    outputs = outputs_of(np.ones((2, 3)), NAMES)

    assert isinstance(outputs, tuple)
    assert code_of(outputs[0], np.ones((2, 3))) == "shape.differs"


# Two values of the submission's own


@pytest.mark.parametrize(
    ("left", "right", "agree"),
    [
        (np.array([1.0, np.nan]), np.array([1.0, np.nan]), True),
        (np.array([1.0, np.inf]), np.array([1.0, -np.inf]), False),
        ((np.ones(2), np.ones(3)), (np.ones(2), np.ones(3)), True),
        ((np.ones(2), np.ones(3)), (np.ones(2), np.zeros(3)), False),
        ((np.ones(2), np.ones(2)), (np.ones(2), np.ones(3)), False),
        ((np.ones(2), np.ones(3)), (np.ones(2),), False),
        (None, None, True),
        (None, np.ones(1), False),
        ("a", "a", True),
        ("a", "b", False),
        (Unsendable("dict"), Unsendable("dict"), True),
        (Unsendable("dict"), Unsendable("set"), False),
        (np.array([True, False]), np.array([True, False]), True),
        (np.array([True, False]), np.array([False, False]), False),
        (Listed(np.ones(2), "list"), np.ones(2), True),
        (np.ones((2, 1)), np.ones((2, 2)), False),
    ],
)
def test_two_answers_are_the_same_if_kind_shape_and_numbers_are(left, right, agree):
    assert same(left, right, TOLERANCE) is agree
    assert same(right, left, TOLERANCE) is agree


JUNK = st.recursive(
    st.none()
    | st.text(max_size=3)
    | st.booleans()
    | st.floats()
    | st.integers()
    | st.builds(Unsendable, st.text(max_size=5))
    | arrays(
        st.sampled_from([np.float64, np.float32, np.float16, np.int64, np.uint8, np.bool_, np.complex128]),
        array_shapes(min_dims=0, max_dims=3, min_side=0, max_side=3),
    ),
    lambda inner: st.lists(inner, max_size=3) | st.lists(inner, max_size=3).map(tuple),
    max_leaves=6,
)


@settings(max_examples=200)
@given(JUNK, JUNK)
def test_nothing_that_a_worker_can_send_makes_comparing_stumble(value, other):
    for names in (("A",), NAMES):
        outputs = outputs_of(value, names)
        for output in outputs if isinstance(outputs, tuple) else ():
            compare(output, expected(np.ones((2, 2))))
    assert isinstance(same(value, other, TOLERANCE), bool)
    assert same(value, value, TOLERANCE)
    numbers = numbers_of(value)
    assert numbers is None or numbers.dtype.kind in "iufc"


# All at once

_KINDS = st.sampled_from(
    [np.float64, np.float32, np.float16, np.int64, np.int8, np.uint64, np.bool_, np.complex128]
)
_ODD = st.sampled_from([0.0, 1.0, -1.0, 1 + 1e-5, 1 + 1e-4, 128.0, -128.0, 5e-6, np.inf, -np.inf, np.nan])


@st.composite
def outputs_and_expected(draw):
    """An output and what it must be: often near, in any kind of array, now and then with its own tolerance."""
    wanted = draw(
        arrays(np.float64, array_shapes(min_dims=0, max_dims=2, min_side=0, max_side=3), elements=_ODD)
    )
    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        actual = wanted.astype(draw(_KINDS))
        wanted = wanted.astype(draw(st.sampled_from([np.float64, np.float64, np.int8, np.float32])))
    if draw(st.booleans()) and actual.size:
        actual = actual.copy()
        actual.flat[0] = draw(st.sampled_from([0, 1]))
    tolerance = draw(st.sampled_from([TOLERANCE, TOLERANCE, Tolerance(atol=1e-3, rtol=0.0)]))
    digits = np.full(wanted.shape, 2) if draw(st.integers(0, 4)) == 0 else None
    return actual, Expected(wanted, tolerance, digits)


@settings(max_examples=400)
@given(st.lists(outputs_and_expected(), min_size=1, max_size=3))
def test_near_at_once_is_near_one_by_one(pairs):
    actual, wanted = zip(*pairs, strict=True)
    at_once = all_near(actual, wanted, TOLERANCE)
    one_by_one = all(compare(*pair) is None for pair in pairs)
    plain = all(
        a.dtype in (np.float64, np.int64) and w.array.dtype == np.float64 and np.isfinite(w.array).all()
        for a, w in pairs
    )

    assert not at_once or (one_by_one and all(np.isfinite(w.array).all() for w in wanted))
    assert not plain or at_once == one_by_one


@pytest.mark.parametrize(
    ("actual", "wanted", "near"),
    [(np.inf, np.inf, True), (0.0, np.inf, False), (-np.inf, np.inf, False), (np.nan, np.nan, False)],
)
def test_infinity_is_met_by_itself_alone_and_nan_by_nothing(actual, wanted, near):
    assert (compare(np.array([actual, 1.0]), expected([wanted, 1.0])) is None) is near


def test_the_smallest_number_of_a_small_type_is_near_itself():
    assert compare(np.array([-128.0]), expected(np.array([-128], np.int8))) is None


def test_a_long_list_in_place_of_outputs_is_counted_and_not_taken_apart():
    class Long(np.ndarray):
        def __iter__(self):
            raise AssertionError("each row was looked at")

    found = outputs_of(Listed(np.zeros((1000, 0)).view(Long), "list"), ("O", "A"))

    assert (found.code, found.params["actual"]) == ("value.count", "a list of 1000")
