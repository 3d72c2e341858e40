"""Stored values: what is written comes back to the last bit; what is damaged is refused with its place."""

import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays

from autograder.checks.trial import Trial
from autograder.errors import BrokenError, ExerciseError
from autograder.loading.kit import FORMAT, StoredCall, load_values, values_text
from autograder.model.outcome import FunctionArgument
from tests.kit.small import released, small_course

SHAPES = array_shapes(min_dims=0, max_dims=3, min_side=0, max_side=3)
ARRAYS = st.sampled_from(["float64", "float32", "int64", "int8", "bool"]).flatmap(
    lambda dtype: arrays(dtype, SHAPES)
)


def through_a_file(folder: Path, argument: object, output: np.ndarray):
    """Argument and output after they were written and read back."""
    call = StoredCall(Trial("page", 0, False, {"S": argument}), {"double": (output,)})
    path = folder / "values.json"
    path.write_text(values_text("mini", {"double": {"page": (call,)}}), encoding="utf-8")
    values = load_values(path, folder)
    trial = values.trials("double")["page"][0]
    return trial.arguments["S"], values.outputs("double", trial, "double")[0]


def same_bits(left: np.ndarray, right: np.ndarray) -> bool:
    """Equal in type, shape and numbers; one NaN is as good as another."""
    return (
        left.dtype == right.dtype
        and left.shape == right.shape
        and np.array_equal(left, right, equal_nan=True)
    )


@given(ARRAYS, ARRAYS)
def test_arrays_come_back_to_the_last_bit(tmp_path_factory, argument, output):
    argument = (
        np.where(np.isnan(argument), argument.dtype.type(0), argument)
        if argument.dtype.kind == "f"
        else argument
    )
    actual, made = through_a_file(tmp_path_factory.getbasetemp(), argument, output.astype(np.float64))

    assert actual.tobytes() == argument.tobytes()
    assert actual.dtype == argument.dtype
    assert same_bits(made, output.astype(np.float64))


@pytest.mark.parametrize("value", [3, 2.5, 1e-300, "mixed", True])
def test_numbers_and_texts_come_back_as_they_were(tmp_path, value):
    actual, _ = through_a_file(tmp_path, value, np.zeros(1))

    assert (type(actual), actual) == (type(value), value)


def test_what_is_not_finite_comes_back(tmp_path):
    odd = np.array([[np.inf, -np.inf], [np.nan, -0.0]])
    _, made = through_a_file(tmp_path, 1, odd)

    assert same_bits(made, odd)
    assert np.signbit(made[1, 1])


def test_a_function_handed_over_comes_back_with_its_numbers(tmp_path):
    actual, _ = through_a_file(
        tmp_path, FunctionArgument("sines", {"W": np.array([[0.1, 0.2]])}), np.zeros(1)
    )

    assert actual.family == "sines"
    assert actual.parameters["W"].tolist() == [[0.1, 0.2]]


@pytest.mark.parametrize("value", [np.array(["a"]), np.array([1j]), np.array([None]), None, object()])
def test_what_has_no_place_in_the_file_is_refused_when_it_is_written(tmp_path, value):
    with pytest.raises(ValueError, match="cannot be stored"):
        through_a_file(tmp_path, value, np.zeros(1))


DAMAGED = {
    "": "values.json:1:1: not JSON",
    "{\n": "values.json:2:1: not JSON",
    "[]": "found 'no format'",
    '{"format": "autograder-values/9"}': "found 'autograder-values/9', expected 'autograder-values/1'",
    f'{{"format": "{FORMAT}"}}': "damaged: KeyError",
    f'{{"format": "{FORMAT}", "exercises": {{"double": 3}}}}': "damaged: AttributeError",
    f'{{"format": "{FORMAT}", "exercises": {{"double": {{"page": [{{}}]}}}}}}': "damaged: KeyError",
}


@pytest.mark.parametrize("text", DAMAGED)
def test_a_damaged_file_is_an_error_with_its_place_and_what_to_do(tmp_path, text):
    (tmp_path / "values.json").write_text(text)
    with pytest.raises(ExerciseError) as raised:
        load_values(tmp_path / "values.json", tmp_path)

    assert DAMAGED[text] in str(raised.value)
    assert str(raised.value).startswith("values.json")
    assert str(raised.value).endswith("take the file from the kit again")


ENTRIES = {
    '{"dtype": "object", "shape": [1], "entries": [1]}': "the type 'object' is not read",
    '{"dtype": "float64", "shape": [2], "entries": [1.0]}': "entries of shape (1,) where (2,) is said",
    '{"dtype": "float64", "shape": [2, 2], "entries": [[1.0], [2.0, 3.0]]}': "damaged: ValueError",
    '{"dtype": "float64", "shape": [1], "entries": ["one"]}': "damaged: ValueError",
}


@pytest.mark.parametrize("entries", ENTRIES)
def test_an_array_that_is_none_is_refused(tmp_path, entries):
    draw = f'{{"arguments": {{"S": {entries}}}, "outputs": {{}}}}'
    text = f'{{"format": "{FORMAT}", "exercises": {{"double": {{"page": [{draw}]}}}}}}'
    (tmp_path / "values.json").write_text(text)

    with pytest.raises(ExerciseError) as raised:
        load_values(tmp_path / "values.json", tmp_path)
    assert ENTRIES[entries] in str(raised.value)


def test_a_file_that_is_gone_is_told_with_the_config_s_line(tmp_path):
    kit = released(small_course(tmp_path / "course"), tmp_path / "kit")
    (kit.top / "values/mini.json").unlink()

    with pytest.raises(
        ExerciseError, match=r"config/mini.yaml:\d+:\d+: solutions: there is no file values/mini.json"
    ):
        released_again(kit.top)


def released_again(top: Path):
    from autograder.loading.assignment import load_assignment

    return load_assignment(top)


@pytest.mark.parametrize(
    "spoil",
    [
        lambda cases: cases.pop("drawn"),
        lambda cases: cases["drawn"].pop(),
        lambda cases: cases["drawn"][0]["outputs"].clear(),
        lambda cases: cases["drawn"][1]["arguments"].clear(),
        lambda cases: cases["drawn"][1]["arguments"].update(T=1),
        lambda cases: cases["drawn"][0]["outputs"]["double"].append(
            {"dtype": "bool", "shape": [], "entries": True}
        ),
    ],
)
def test_a_case_without_all_its_values_is_told_at_the_case(tmp_path, spoil):
    kit = released(small_course(tmp_path / "course"), tmp_path / "kit")
    path = kit.top / "values/mini.json"
    data = json.loads(path.read_text())
    spoil(data["exercises"]["double"])
    path.write_text(json.dumps(data))

    with pytest.raises(ExerciseError) as raised:
        released_again(kit.top)
    lines = (kit.top / "exercises/mini/01_double.yaml").read_text().splitlines()
    line = next(number for number, text in enumerate(lines, 1) if text.startswith("  drawn:"))
    assert (
        f"01_double.yaml:{line}:3: cases.drawn: values/mini.json does not hold the values of this case"
        in str(raised.value)
    )


def test_a_call_that_is_not_stored_has_no_value(tmp_path):
    kit = released(small_course(tmp_path / "course"), tmp_path / "kit")
    page = kit.stored.trials("double")["page"][0]

    with pytest.raises(BrokenError, match="no value of total on double/page"):
        kit.stored.outputs("double", page, "total")
    with pytest.raises(BrokenError):
        kit.stored.outputs("double", Trial("page", 1, False, {}), "double")
