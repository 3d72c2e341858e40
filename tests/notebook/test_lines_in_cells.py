"""Lines of the whole source become cells and lines, in fields and in our own sentences, and nowhere else."""

from dataclasses import replace

from autograder.grading.cells import in_cells, in_words
from autograder.model.result import CheckResult, Diagnosis, ExerciseResult, FileReport, Result
from autograder.model.submission import Submission
from autograder.wording.say import say, where

SOURCE = b"# head\n# cell 1\na = 1\nb = 2\n# cell 2\nc = 3\nd = 4\n"
NOTEBOOK = Submission("ana", "ana.ipynb", SOURCE, SOURCE, cells=(3, 6))
FILE = Submission("ana", "ana.py", SOURCE, SOURCE)


def result(check: CheckResult, diagnosis: Diagnosis, report: FileReport) -> Result:
    """A result of one exercise."""
    exercise = ExerciseResult(
        "double", "Double", "double", "failed", 0.0, 1.0, checks=(check,), diagnosis=(diagnosis,)
    )
    return Result("mini", "ana", "ana.ipynb", "", "graded", 0.0, 1.0, (exercise,), (report,))


MESSAGE = say("stopped.at_line", {"what": "ValueError: line 7 is odd", "where": where(7), "source": "d = 4"})
RESULT = result(
    CheckResult("a", "value", "raised", 0.0, 1.0, message=MESSAGE, evidence={"line": 7, "source": "d = 4"}),
    Diagnosis("line.wrong", "line 3, `a`: equals S. line 7, `d`: differs", line=7, source="d = 4"),
    FileReport("file.twice", "double is defined 2 times; the last definition counts (line 6)", 6),
)


def test_fields_name_the_cell_and_the_line_in_it() -> None:
    told = in_cells(RESULT, NOTEBOOK)
    exercise = told.exercises[0]

    assert (exercise.diagnosis[0].cell, exercise.diagnosis[0].line) == (2, 2)
    assert (told.file_reports[0].cell, told.file_reports[0].line) == (2, 1)
    assert (exercise.checks[0].evidence["cell"], exercise.checks[0].evidence["line"]) == (2, 2)


def test_our_sentences_name_cells_and_the_submissions_words_stay() -> None:
    told = in_cells(RESULT, NOTEBOOK)

    assert told.exercises[0].checks[0].message == "ValueError: line 7 is odd (cell 2, line 2: d = 4)"
    assert told.exercises[0].diagnosis[0].message == (
        "cell 1, line 1, `a`: equals S. cell 2, line 2, `d`: differs"
    )
    assert told.file_reports[0].message.endswith("(cell 2, line 1)")


def test_a_note_of_what_the_submission_wrote_is_left_alone() -> None:
    note = FileReport("file.note", "not run: print('line 3')")
    told = in_cells(replace(RESULT, file_reports=(note,)), NOTEBOOK)

    assert told.file_reports == (note,)


def test_several_lines_are_told_of_one_cell() -> None:
    assert in_words("the cause lies in lines 6 to 7", NOTEBOOK) == "the cause lies in cell 2, lines 1 to 2"


def test_a_file_keeps_its_lines() -> None:
    assert in_cells(RESULT, FILE) == RESULT


def test_a_result_of_a_notebook_is_read_back_as_it_was_written() -> None:
    told = in_cells(RESULT, NOTEBOOK)

    assert Result.from_json(told.to_json()) == told
