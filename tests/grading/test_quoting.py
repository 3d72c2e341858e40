"""The code that is quoted of an exercise: its function, what named lines stand in, and no more than is bearable."""

from autograder.grading.cells import in_cells
from autograder.grading.names import definitions
from autograder.grading.quoting import with_code
from autograder.model.result import CheckResult, Diagnosis, ExerciseResult, Result, Status
from autograder.model.submission import Submission
from tests.grading.in_process import submission

SOURCE = """import numpy as np

def helper(S):
    return S / 0


def softmax(S):
    e = np.exp(S)
    return helper(e)

x = 1
y = 2
z = 3
"""


def quoted(source: str, *lines: int, status: Status = "failed") -> ExerciseResult:
    """An exercise `softmax` whose evidence and diagnosis name these lines, with its code."""
    checks = tuple(
        CheckResult(f"c{line}", "value", status, 0.0, 1.0, evidence={"line": line}) for line in lines
    )
    diagnosis = (Diagnosis("softmax.columns", "…"),)
    result = ExerciseResult("softmax", "", "softmax", status, 0.0, 1.0, checks=checks, diagnosis=diagnosis)
    own = submission(source)
    return with_code(result, own, definitions(own))


def test_the_function_of_the_exercise_is_quoted() -> None:
    (excerpt,) = quoted(SOURCE).code

    assert (excerpt.line, excerpt.cell) == (7, None)
    assert excerpt.lines == ("def softmax(S):", "    e = np.exp(S)", "    return helper(e)")


def test_a_function_that_a_named_line_stands_in_is_quoted_too() -> None:
    own, helper = quoted(SOURCE, 4, 9).code

    assert own.line == 7
    assert helper.lines == ("def helper(S):", "    return S / 0")


def test_of_a_line_outside_all_functions_its_neighbours_are_quoted() -> None:
    assert quoted(SOURCE, 12).code[1].lines == ("", "x = 1", "y = 2", "z = 3", "")


def test_the_definition_that_counts_is_quoted() -> None:
    (excerpt,) = quoted("def softmax(S):\n    return 1\n\ndef softmax(S):\n    return 2\n").code

    assert (excerpt.line, excerpt.lines[1]) == (4, "    return 2")


def test_what_is_right_or_not_begun_is_not_quoted() -> None:
    for status in ("passed", "not_attempted", "missing", "skipped", "broken"):
        assert quoted(SOURCE, 4, status=status).code == ()  # type: ignore[arg-type]


def test_of_a_long_function_the_part_around_the_named_line_is_quoted() -> None:
    body = "".join(f"    x{n} = {n}\n" for n in range(200))
    (excerpt,) = quoted(f"def softmax(S):\n{body}", 150).code

    assert len(excerpt.lines) == 60
    assert excerpt.line <= 150 < excerpt.line + 60
    (beginning,) = quoted(f"def softmax(S):\n{body}").code
    assert beginning.line == 1
    (end,) = quoted(f"def softmax(S):\n{body}", 201).code
    assert end.lines[-1] == "    x199 = 199"


def test_a_long_line_is_cut_and_many_places_are_too() -> None:
    long = quoted(f"def softmax(S):\n    return '{'x' * 1000}'\n").code[0]
    assert max(map(len, long.lines)) == 200

    many = "".join(f"def f{n}(S):\n    return S\n" for n in range(9)) + "def softmax(S):\n    return S\n"
    assert len(quoted(many, *range(2, 19, 2)).code) == 3


def test_a_file_that_does_not_parse_is_quoted_at_the_lines_named() -> None:
    assert [excerpt.line for excerpt in quoted("def softmax(S:\n    x\n    y\n    z\n", 3).code] == [1]


def test_of_a_notebook_the_lines_are_those_of_the_cell() -> None:
    source = b"# cell 1\nimport numpy\n# cell 2\n\ndef softmax(S):\n    return S\n"
    own = Submission("ana", "attention.ipynb", source, source, cells=(2, 4))
    result = ExerciseResult("softmax", "", "softmax", "failed", 0.0, 1.0)
    made = with_code(result, own, definitions(own))
    whole = Result("qkv", "ana", own.file, "", "graded", 0.0, 1.0, (made,))

    (excerpt,) = in_cells(whole, own).exercises[0].code
    assert (excerpt.cell, excerpt.line) == (2, 2)
    assert excerpt.lines == ("def softmax(S):", "    return S")


def test_a_result_with_code_is_read_back_and_one_of_before_is_too() -> None:
    whole = Result("qkv", "ana", "attention.py", "", "graded", 0.0, 1.0, (quoted(SOURCE, 4),))
    data = whole.to_json()

    assert Result.from_json(data) == whole
    del data["exercises"][0]["code"]
    assert Result.from_json(data).exercises[0].code == ()
