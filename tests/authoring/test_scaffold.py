"""`autograder new`: what it writes loads, lint says what is still to be done, and filled in it is green."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from autograder.authoring.new import scaffold
from autograder.errors import UsageError

NEW = "exercises/tiny/03_double.yaml"
CONFIG = "config/tiny.yaml"
SOLUTIONS = "solutions/tiny.py"

#: What an author writes in the place of each TODO.
WRITTEN = {
    '"TODO: what the exercise is about, in a few words"': "Twice as much",
    '"TODO: the idea in one line"': "every entry doubles",
    "TODO: the exercise.": "Return twice X.",
    '"TODO: what X holds, one row for each …"': "numbers",
    '"TODO: what comes back"': "twice the numbers",
    '"TODO: what a reader recognises the case by"': "two rows",
    '"TODO: a property that every result must have"': "every result is finite",
    '"TODO: a question to begin with"': "What is 2 times 3?",
    '"TODO: where to look"': "Look at the first entry.",
    '"TODO: what to compare"': "Compare it with X.",
}


def test_what_is_written_is_named_and_loads(tiny: Any) -> None:
    written = scaffold(tiny.course(), "double")

    assert written == tuple(tiny.top / name for name in (NEW, SOLUTIONS, CONFIG))
    course = tiny.course()
    assert course.assignment.exercises == ("centre", "shrink", "double")
    assert course.exercises[-1].signature == "double(X)"


def test_lint_asks_for_every_todo_and_for_the_reference(tiny: Any) -> None:
    scaffold(tiny.course(), "double")

    findings = tiny.lint().findings

    todos = [finding for finding in findings if finding.rule == "todo"]
    assert {finding.place.file for finding in todos} == {NEW}
    assert len(todos) == len(WRITTEN)
    rest = [finding for finding in findings if finding.rule != "todo"]
    assert [(finding.place.file, finding.message) for finding in rest] == [
        (SOLUTIONS, "the reference is not written yet")
    ]


def test_filled_in_it_is_green(tiny: Any) -> None:
    scaffold(tiny.course(), "double")

    for todo, text in WRITTEN.items():
        tiny.replace(NEW, todo, text)
    tiny.replace(
        SOLUTIONS,
        'raise NotImplementedError("the reference of double is not written yet")',
        "return 2 * X",
    )

    assert tiny.lint(mutants=True).findings == ()


def test_the_config_keeps_every_other_byte(tiny: Any) -> None:
    before = (tiny.top / CONFIG).read_text()

    scaffold(tiny.course(), "double")

    assert (tiny.top / CONFIG).read_text() == before.replace("  - shrink\n", "  - shrink\n  - double\n")


@pytest.mark.parametrize(
    ("listed", "expected"),
    [
        ("exercises: [centre, shrink]\n", "exercises: [centre, shrink, double]\n"),
        ("exercises: [centre, 'shrink']  # two\n", "exercises: [centre, 'shrink', double]  # two\n"),
        (
            "exercises:\n- centre\n- shrink  # the last\n",
            "exercises:\n- centre\n- shrink  # the last\n- double\n",
        ),
        (
            "exercises:\r\n  - centre\r\n  - shrink\r\n",
            "exercises:\r\n  - centre\r\n  - shrink\r\n  - double\r\n",
        ),
    ],
)
def test_the_list_may_be_written_in_any_way(tiny: Any, listed: str, expected: str) -> None:
    path: Path = tiny.top / CONFIG
    text = path.read_text().replace("exercises:\n  - centre  # the first\n  - shrink\n", listed)
    path.write_bytes(text.encode())

    scaffold(tiny.course(), "double")

    assert expected in path.read_bytes().decode()
    assert tiny.course().assignment.exercises == ("centre", "shrink", "double")


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("centre", "there is an exercise 'centre' in exercises/tiny/01_centre.yaml"),
        ("np", "solutions/tiny.py has something named 'np'"),
        ("_squares", "'_squares' cannot name an exercise"),
        ("Double", "'Double' cannot name an exercise"),
        ("lambda", "'lambda' cannot name an exercise"),
        ("../double", "'../double' cannot name an exercise"),
        ("d" * 41, "cannot name an exercise"),
    ],
)
def test_a_name_that_is_taken_or_is_no_name_is_refused_and_nothing_is_written(
    tiny: Any, name: str, message: str
) -> None:
    before = contents(tiny.top)

    with pytest.raises(UsageError, match=message):
        scaffold(tiny.course(), name)

    assert contents(tiny.top) == before


def contents(folder: Path) -> dict[Path, bytes]:
    """All files and what they hold."""
    return {path: path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}
