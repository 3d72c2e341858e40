"""What a check shows: everything escaped, nothing of hidden cases, pictures that are tables of numbers."""

import xml.etree.ElementTree as ElementTree
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from autograder.loading.assignment import load_assignment
from autograder.model.result import CheckResult, Diagnosis, ExerciseResult, FileReport, Result
from autograder.notebook.card import Checked
from autograder.notebook.checking import Checker, CheckError, check
from autograder.notebook.figures import Figure
from autograder.notebook.heat import described, figure_html
from tests.cli.small_course import TOP

EVIL = "<img src=x onerror=alert(1)> & \x1b[31m \u202e"


def tree(html: str) -> ElementTree.Element:
    """The HTML as a tree: it is well-formed, which a browser would not insist on."""
    return ElementTree.fromstring(f"<div>{html.replace('&nbsp;', '&#160;')}</div>")


def words(html: str) -> str:
    """The text that is read in the HTML."""
    return " ".join(" ".join(tree(html).itertext()).split())


def figure(actual: Any, expected: Any, near: Any = None, **more: Any) -> Figure:
    """A figure of an output A."""
    actual, expected = np.asarray(actual, dtype=float), np.asarray(expected, dtype=float)
    if near is None and actual.shape == expected.shape:
        near = np.isclose(actual, expected)
    return Figure("softmax", "five-tokens", "A", actual, expected, near, **more)


@pytest.fixture
def checker() -> Checker:
    """A checker of the real course."""
    return Checker(load_assignment(TOP, "qkv"))


def columns(S: Any) -> Any:
    e = np.exp(S - S.max())
    return e / e.sum(axis=0)


def right(S: Any) -> Any:
    e = np.exp(S - S.max(axis=1, keepdims=True))
    return e / e.sum(axis=1, keepdims=True)


# Pictures


def test_a_figure_has_three_tables_of_numbers_and_says_what_differs() -> None:
    shown = tree(figure_html(figure([[0.5, 0.5], [0.25, 0.75]], [[0.5, 0.5], [0.75, 0.25]])))
    captions = [caption.text for caption in shown.iter("caption")]

    assert captions == ["actual", "expected", "actual − expected"]
    (found,) = shown.iter("figure")
    assert found.get("aria-label") == (
        "A, five tokens: 2 of 4 entries differ, most at [1, 0]: 0.25, expected 0.75"
    )
    assert [cell.text for cell in list(shown.iter("table"))[2].iter("td")][1:] == ["·", "·", "−0.5", "+0.5"]


def test_the_same_value_has_the_same_colour_in_actual_and_expected() -> None:
    tables = list(tree(figure_html(figure([[0.0, 1.0]], [[1.0, 0.0]]))).iter("table"))
    styles = [[cell.get("style") for cell in table.iter("td")][1:] for table in tables[:2]]

    assert styles[0] == styles[1][::-1]
    assert styles[0][0] != styles[0][1]


def test_dark_cells_have_light_ink() -> None:
    html = figure_html(figure([[0.0, 1.0]], [[0.0, 1.0]]))

    assert "background:rgb(8, 64, 129);color:#fff" in html
    assert "background:rgb(247, 251, 255);color:#000" in html


def test_another_shape_is_shown_without_a_difference() -> None:
    one = figure(np.zeros((2, 3)), np.zeros((3, 2)))

    assert described(one) == "A, five tokens: shape (2, 3), expected (3, 2)"
    assert [caption.text for caption in tree(figure_html(one)).iter("caption")] == ["actual", "expected"]


@pytest.mark.parametrize("odd", [np.nan, np.inf, -np.inf])
def test_what_is_not_finite_is_shown_and_counts_as_the_worst(odd: float) -> None:
    one = figure([[odd, 0.5]], [[0.5, 0.5]])

    assert described(one).startswith("A, five tokens: 1 of 2 entries differ, most at [0, 0]: ")
    assert str(odd).replace("-", "−") in words(figure_html(one))


@pytest.mark.parametrize("shape", [(3,), (1, 1), (2, 3, 4), (2, 2, 2, 2), (0, 3)])
def test_any_number_of_axes_can_be_shown(shape: tuple[int, ...]) -> None:
    array = np.arange(float(np.prod(shape))).reshape(shape)

    assert "actual" in words(figure_html(figure(array, array)))


def test_a_large_matrix_is_cut_and_says_so() -> None:
    html = figure_html(figure(np.zeros((40, 50)), np.ones((40, 50))))

    assert "actual (the beginning of (40, 50))" in words(html)
    assert len(list(tree(html).iter("td"))) < 3 * 14 * 14


def test_tokens_name_the_direction_they_fit_and_are_escaped() -> None:
    html = figure_html(figure([[1.0, 2.0]], [[1.0, 2.0]], tokens=("<b>", "bank")))
    heads = [head.text for head in next(tree(html).iter("table")).iter("th")]

    assert heads == ["<b>", "bank", "0"]


# The card


def hostile() -> Checked:
    """A result whose every text is markup and escapes."""
    check_result = CheckResult(EVIL, "value", "failed", 0.0, 1.0, message=EVIL)
    diagnosis = Diagnosis("softmax.columns", EVIL, line=2, source=EVIL, agrees=(1, 2), cell=3)
    exercise = ExerciseResult(
        "softmax",
        EVIL,
        "softmax",
        "failed",
        0.0,
        1.0,
        message=EVIL,
        checks=(check_result,),
        diagnosis=(diagnosis,),
        notes=(EVIL,),
        printed=EVIL,
        next=EVIL,
    )
    report = FileReport("file.note", EVIL, 1, EVIL)
    return Checked(
        Result("qkv", "", EVIL, "", "graded", 0.0, 1.0, (exercise,), (report,)),
        (figure([[1.0]], [[2.0]], tokens=(EVIL,)),),
    )


def test_no_text_of_the_submission_becomes_markup() -> None:
    checked = hostile()
    html = checked._repr_html_()

    assert "<img" not in html
    assert "\x1b" not in html + repr(checked)
    assert "\u202e" not in html + repr(checked)
    assert {element.tag for element in tree(html).iter()} <= {
        *("div", "p", "section", "span", "strong", "table", "tr", "th", "td", "code", "pre"),
        *("figure", "figcaption", "caption"),
    }


def test_a_card_shows_marks_evidence_diagnosis_and_figures(checker: Checker) -> None:
    checked = checker.check((columns,), {"__name__": __name__, "softmax": columns}, None)
    read = words(checked._repr_html_())

    assert (checked.marks, checked.max_marks, checked.passed) == (0.0, 4.0, False)
    assert "0 of 4 marks" in read
    assert "row 0 sums to 3; every column sums to 1" in read
    assert "A, bank: 3 of 3 entries differ" in read
    assert "autograder hint softmax" in read


def test_the_text_says_what_the_card_says(checker: Checker) -> None:
    checked = checker.check(("softmax",), {"softmax": columns}, None)
    bundle = checked._repr_mimebundle_()

    assert set(bundle) == {"text/plain", "text/html"}
    assert bundle["text/plain"] == repr(checked)
    assert "A, bank: 3 of 3 entries differ, most at [0, 0]: 1, expected 0.07" in repr(checked)


def test_nothing_of_a_hidden_case_is_pictured(checker: Checker) -> None:
    def wrong_on_other_numbers(S: Any) -> Any:
        return right(S) if S.shape[0] < 3 else columns(S)

    checked = checker.check(("softmax",), {"softmax": wrong_on_other_numbers}, None)
    hidden = {name for name, case in checker._course.exercise("softmax").cases.items() if case.hidden}

    assert checked.figures
    assert hidden
    assert not hidden & {one.case for one in checked.figures}
    assert {check.id for check in checked.result.exercises[0].checks if check.hidden} >= hidden


def test_what_passes_is_pictured_once_and_says_so(checker: Checker) -> None:
    checked = checker.check(("softmax",), {"softmax": right}, None)

    assert checked.passed
    assert [described(one) for one in checked.figures] == ["A, bank: all 3 entries are as expected"]


def test_that_it_runs_in_the_kernel_is_said_once(checker: Checker) -> None:
    first, second = (checker.check(("softmax",), {"softmax": right}, None) for _ in range(2))

    assert first.note.startswith("Called in this notebook's kernel")
    assert first.note in repr(first)
    assert second.note == ""


# What is asked


def test_a_function_under_another_name_is_checked_as_the_one_it_is_bound_to(checker: Checker) -> None:
    checked = checker.check((right,), {"softmax": right}, None)

    assert [exercise.id for exercise in checked.result.exercises] == ["softmax"]


def test_without_names_all_that_is_there_is_checked(checker: Checker) -> None:
    checked = checker.check((), {"softmax": right, "scale": lambda S, d_k: S / np.sqrt(d_k)}, None)

    assert [exercise.id for exercise in checked.result.exercises] == ["scale", "softmax"]


def test_a_name_that_no_exercise_asks_for_is_refused_with_what_there_is(course: Path) -> None:
    with pytest.raises(CheckError, match=r"there is no exercise 'doubel'; did you mean 'double'"):
        check("doubel")


def test_outside_a_course_it_says_where_to_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(CheckError, match="holds config/ and exercises/") as refused:
        check("softmax")

    assert refused.value._render_traceback_() == [f"autograder: {refused.value}"]


def double(S: Any) -> Any:
    return S + S


def test_the_functions_of_the_calling_module_are_checked_without_ipython(
    course: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("autograder.notebook.checking._shell", lambda: None)

    assert check(double).passed
    assert check("double").passed
