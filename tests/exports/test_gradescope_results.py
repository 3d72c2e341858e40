"""results.json against a schema of Gradescope's published fields; hidden checks never hide the total."""

import json
from dataclasses import replace

import pytest
from jsonschema import Draft202012Validator

from autograder.report.exports.gradescope import HiddenChecks, gradescope_results
from tests.exports.sample import SECRET, a_class, a_result, exercises

VISIBILITY = {"enum": ["hidden", "after_due_date", "after_published", "visible"]}
FORMAT = {"enum": ["text", "html", "simple_format", "md", "ansi"]}
#: The fields that Gradescope's specification of results.json lists.
RESULTS = {
    "type": "object",
    "additionalProperties": False,
    "properties": {
        "score": {"type": "number"},
        "execution_time": {"type": "number"},
        "output": {"type": "string"},
        "output_format": FORMAT,
        "test_output_format": FORMAT,
        "test_name_format": FORMAT,
        "visibility": VISIBILITY,
        "stdout_visibility": VISIBILITY,
        "extra_data": {"type": "object"},
        "leaderboard": {"type": "array"},
        "tests": {
            "type": "array",
            "items": {
                "type": "object",
                "additionalProperties": False,
                "required": ["name", "score", "max_score", "status", "output", "output_format", "visibility"],
                "properties": {
                    "score": {"type": "number", "minimum": 0},
                    "max_score": {"type": "number", "minimum": 0},
                    "status": {"enum": ["passed", "failed"]},
                    "name": {"type": "string", "minLength": 1},
                    "name_format": FORMAT,
                    "number": {"type": "string"},
                    "output": {"type": "string"},
                    "output_format": FORMAT,
                    "tags": {"type": "array", "items": {"type": "string"}},
                    "visibility": VISIBILITY,
                    "extra_data": {"type": "object"},
                },
            },
        },
    },
}
POLICIES: tuple[HiddenChecks, ...] = ("visible", "after_due_date", "after_published", "hidden")


@pytest.mark.parametrize("policy", POLICIES)
def test_a_class_of_200_gives_valid_results_whose_scores_add_up(policy: HiddenChecks) -> None:
    for result in a_class():
        written = gradescope_results(result, hidden_checks=policy, seconds=1.5)
        read = json.loads(json.dumps(written, ensure_ascii=True))

        Draft202012Validator(RESULTS).validate(read)
        assert read["score"] == pytest.approx(result.marks)
        assert sum(test["score"] for test in read["tests"]) == pytest.approx(result.marks)
        assert sum(test["max_score"] for test in read["tests"]) == pytest.approx(result.max_marks)
        formats = [
            value for one in (read, *read["tests"]) for key, value in one.items() if key.endswith("_format")
        ]
        assert set(formats) == {"text"}


def test_no_test_is_hidden_so_that_the_total_shows_and_no_number_of_a_hidden_check_does() -> None:
    for result in a_class(count=20):
        results = gradescope_results(result)

        assert {test["visibility"] for test in results["tests"]} == {"visible"}
        assert SECRET not in json.dumps(results)
        assert "random" not in json.dumps(results["tests"])


def test_the_folded_line_says_whether_the_hidden_checks_hold() -> None:
    outputs = [gradescope_results(a_result(number))["tests"][0]["output"] for number in (2, 3)]

    assert "hidden cases: not all hold" in outputs[0]
    assert "hidden cases: all hold" in outputs[1]


@pytest.mark.parametrize("policy", POLICIES[1:])
def test_hidden_checks_may_be_tests_of_their_own_that_show_later(policy: HiddenChecks) -> None:
    tests = gradescope_results(a_result(2), hidden_checks=policy)["tests"]

    assert [(test["number"], test["visibility"]) for test in tests] == [
        ("1", "visible"),
        ("1.1", policy),
        ("2", "visible"),
    ]
    assert SECRET in tests[1]["output"]
    assert "hidden" not in tests[0]["output"]


def test_what_explains_a_failure_is_in_the_output() -> None:
    output = gradescope_results(a_result(2))["tests"][0]["output"].split("\n")

    assert output == [
        "partly passed, 0 of 1 checks",
        "five tokens: 3 of 4",
        "hidden cases: not all hold",
        "Each column is normalised 3 of 4",
        "line 14: return e / e.sum(axis=0)",
        "next: autograder hint softmax",
    ]


def test_a_file_that_cannot_be_loaded_says_why_on_top() -> None:
    results = gradescope_results(a_result(7, text="bad"))

    assert results["score"] == 0
    assert results["output"] == "not loadable: 0 of 4 marks\nnot valid Python: bad (line 2)\n    bad"


def test_a_fault_of_ours_is_told_without_its_traceback() -> None:
    softmax, mix = exercises(4)
    mix = replace(mix, checks=(replace(mix.checks[0], evidence={"fault": "Traceback: /secret/path"}),))
    results = json.dumps(gradescope_results(replace(a_result(4), exercises=(softmax, mix))))

    assert "a fault of the exercise kept something from being checked" in results
    assert "/secret/path" not in results
