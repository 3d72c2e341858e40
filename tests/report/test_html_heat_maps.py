"""Heat maps as data: one scale for all panels, sums at the side, names where they fit."""

import re
from importlib.resources import files
from typing import Any

import pytest

from autograder.report.html.heat_maps import STEPS, level, picture_of
from tests.report.made_up import arrays

COLUMNS = {"actual": [[1.0, 0.5], [1.0, 0.5]], "expected": [[0.5, 0.5], [0.25, 0.75]]}


def panels(evidence: Any) -> list[Any]:
    """The panels of a picture of one layer."""
    picture = picture_of(evidence)
    assert picture is not None
    assert len(picture.layers) == 1
    return list(picture.layers[0])


def test_actual_expected_and_difference_stand_beside_each_other() -> None:
    near = [[False, True], [False, False]]
    actual, expected, difference = panels(arrays(**COLUMNS, near=near))

    assert [panel.title for panel in (actual, expected, difference)] == [
        "actual",
        "expected",
        "actual − expected",
    ]
    assert [[cell.text for cell in row.cells] for row in difference.rows] == [
        ["+0.5", "·"],
        ["+0.75", "−0.25"],
    ]
    assert [[cell.far for cell in row.cells] for row in actual.rows] == [[True, False], [True, True]]
    assert not any(cell.far for row in expected.rows for cell in row.cells)


def test_the_sums_of_the_rows_stand_at_the_side() -> None:
    actual, expected, difference = panels(arrays(**COLUMNS))

    assert [row.sum for row in actual.rows] == ["1.5", "1.5"]
    assert [row.sum for row in expected.rows] == ["1", "1"]
    assert [row.sum for row in difference.rows] == ["+0.5", "+0.5"]
    assert all(row.cells[-1].x + actual.cell <= actual.side for row in actual.rows)


def test_a_single_column_has_no_sums() -> None:
    assert [panel.side for panel in panels(arrays([[1.0], [2.0]], [[1.0], [3.0]]))] == [0, 0, 0]


def test_equal_numbers_have_equal_colours_in_all_three_panels() -> None:
    actual, expected, difference = panels(arrays([[2.0, -4.0]], [[4.0, -2.0]]))

    assert [cell.level for cell in actual.rows[0].cells] == ["p3", "n6"]
    assert [cell.level for cell in expected.rows[0].cells] == ["p6", "n3"]
    assert [cell.level for cell in difference.rows[0].cells] == ["n3", "n3"]


def test_tokens_name_rows_and_columns_where_their_number_fits() -> None:
    actual, *_ = panels(arrays([[1.0, 2.0, 3.0]], [[1.0, 2.0, 4.0]], tokens=["sat", "bank", "river"]))

    assert [name for _, name in actual.columns] == ["sat", "bank", "river"]
    assert [row.name for row in actual.rows] == ["0"]


def test_of_different_shapes_there_is_no_difference() -> None:
    picture = picture_of(arrays([[1.0, 2.0]], [[1.0], [2.0]]))

    assert picture is not None
    assert not picture.comparable
    assert [[panel.title for panel in layer] for layer in picture.layers] == [["actual"], ["expected"]]
    assert picture.summary == "shape (1, 2), expected (2, 1)"


def test_a_stack_has_a_line_of_panels_for_each_layer() -> None:
    picture = picture_of(arrays([[[1.0, 2.0]], [[3.0, 4.0]]], [[[1.0, 2.0]], [[3.0, 5.0]]]))

    assert picture is not None
    assert [layer[0].title for layer in picture.layers] == ["actual [0]", "actual [1]"]
    assert picture.summary == "1 of 4 entries differ, most at [1, 0, 1]: 4, expected 5"


def test_what_is_not_finite_has_a_colour_and_a_text_of_its_own() -> None:
    actual, _, difference = panels(arrays(["nan", "inf", 1.0], [0.5, 0.5, 1.0]))

    assert [(cell.level, cell.text) for cell in actual.rows[0].cells] == [
        ("odd", "nan"),
        ("odd", "inf"),
        ("p6", "1"),
    ]
    assert [cell.level for cell in difference.rows[0].cells] == ["odd", "odd", "z"]


def test_zeros_alone_have_a_scale_too() -> None:
    picture = picture_of(arrays([[0.0, 0.0]], [[0.0, 0.0]]))

    assert picture is not None
    assert {cell.level for panel in picture.layers[0] for row in panel.rows for cell in row.cells} == {"z"}


@pytest.mark.parametrize("value", [0.0, 1e-300, 5e-324, 1e308, -1e308])
def test_every_finite_number_has_a_step_of_the_scale(value: float) -> None:
    assert re.fullmatch(rf"z|[np][1-{STEPS}]", level(value, 1e308))


@pytest.mark.parametrize(
    "evidence",
    [
        {},
        {"arrays": None},
        {"arrays": {}},
        arrays([[1.0], [2.0, 3.0]], [[1.0], [2.0]]),
        arrays([["x"]], [[1.0]]),
        arrays([[None]], [[1.0]]),
        arrays([], []),
        arrays([[[[1.0]]]], [[[[1.0]]]]),
        arrays([1.0] * 401, [1.0] * 401),
        arrays({"a": 1}, [1.0]),
        arrays("1", "2"),
    ],
)
def test_no_picture_is_made_of_damaged_evidence(evidence: Any) -> None:
    assert picture_of(evidence) is None


def test_a_damaged_mask_is_made_again_from_the_numbers() -> None:
    actual, *_ = panels(arrays([[1.0, 2.0]], [[1.0, 3.0]], near=[[True], [True, False]]))

    assert [cell.far for cell in actual.rows[0].cells] == [False, True]


# Colours


def style() -> str:
    """The style sheet of the pages."""
    return (files("autograder.report.html") / "templates/style.css").read_text(encoding="utf-8")


def luminance(colour: str) -> float:
    """The relative luminance of #rgb or #rrggbb, as WCAG 2.1 defines it."""
    digits = colour.lstrip("#")
    digits = "".join(2 * digit for digit in digits) if len(digits) == 3 else digits
    parts = [int(digits[i : i + 2], 16) / 255 for i in (0, 2, 4)]
    linear = [part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    """The contrast of two colours, 1 to 21."""
    darker, lighter = sorted((luminance(one), luminance(other)))
    return (lighter + 0.05) / (darker + 0.05)


def test_the_number_in_every_step_of_colour_can_be_read_in_light_and_in_dark() -> None:
    steps = re.findall(r"\.(\w+) \{ --cell: (#\w+); --on-cell: (#\w+); \}", style())

    assert len(steps) == 2 * (2 * STEPS + 2)
    assert all(contrast(cell, ink) >= 4.5 for _, cell, ink in steps)


def test_every_word_can_be_read_on_every_ground_in_light_and_in_dark() -> None:
    themes = [
        dict(re.findall(r"--([a-z-]+): (#\w+);", block))
        for block in re.findall(r":root \{(.*?)\}", style(), re.S)
    ]
    themes = [theme for theme in themes if "page" in theme]

    assert len(themes) == 2
    for theme in themes:
        for ink in ("ink", "quiet", "link", "good", "bad", "warm"):
            for ground in ("page", "card", "sunk"):
                assert contrast(theme[ink], theme[ground]) >= 4.5, (ink, ground)
        for ground in ("mark", "s-full", "s-most", "s-some", "s-zero", "s-broken"):
            assert contrast(theme["ink"], theme[ground]) >= 4.5, ground
