"""The public names are those that are listed, and they grade a file as the command does."""

from pathlib import Path

from autograder import api

TOP = Path(__file__).parents[1]


def test_what_is_listed_is_what_there_is() -> None:
    public = {name for name in vars(api) if name[0].isalpha()} - {"annotations"}

    assert sorted(public) == api.__all__


def test_the_example_of_the_docstring_grades_a_file() -> None:
    course = api.load_assignment(TOP, "qkv")
    submission = api.read_submission(TOP / "tests/sample_class/ana.py")
    assert isinstance(submission, api.Submission)

    with api.open_workshop("portable") as workshop:
        result = api.Grader(course, workshop).grade(submission, ["softmax"])

    assert (result.marks, result.max_marks) == (4.0, 4.0)
