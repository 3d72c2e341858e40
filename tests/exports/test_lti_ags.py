"""LTI scores: JSON lines against a schema of the standard's fields, members from JSON and from CSV."""

import json
from dataclasses import replace

import pytest
from jsonschema import Draft202012Validator

from autograder.errors import UsageError
from autograder.model.submission import Origin
from autograder.report.exports.lti_ags import match_members, score_lines
from tests.exports.sample import a_class, a_result, hostile

#: The fields of a Score, as the standard (AGS 2.0, section 3.4) lists them.
SCORE = {
    "type": "object",
    "additionalProperties": False,
    "required": ["userId", "activityProgress", "gradingProgress", "timestamp", "scoreGiven", "scoreMaximum"],
    "properties": {
        "userId": {"type": "string", "minLength": 1},
        "scoreGiven": {"type": "number", "minimum": 0},
        "scoreMaximum": {"type": "number", "exclusiveMinimum": 0},
        "comment": {"type": "string", "maxLength": 4000},
        "timestamp": {"type": "string", "pattern": r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d+(Z|[+-]\d\d:\d\d)$"},
        "activityProgress": {"enum": ["Initialized", "Started", "InProgress", "Submitted", "Completed"]},
        "gradingProgress": {"enum": ["FullyGraded", "Pending", "PendingManual", "Failed", "NotReady"]},
        "submission": {"type": "object", "properties": {"submittedAt": {"type": "string"}}},
    },
}
NOW = "2027-03-27T10:00:00.250+00:00"


def members(*listed: dict[str, str]) -> bytes:
    """A membership container."""
    return json.dumps(
        {"id": "https://lms.invalid/members", "context": {"id": "1"}, "members": listed}
    ).encode()


def test_a_class_of_200_gives_a_valid_score_each() -> None:
    roster = members(
        *(
            {"user_id": f"u-{n}", "name": hostile(n), "lis_person_sourcedid": f"{1000 + n}"}
            for n in range(200)
        )
    )
    results = [replace(one, origin=replace(one.origin, platform="gradescope")) for one in a_class()]
    matching, users = match_members(roster, results, "members.json")
    lines = score_lines([(result, users[person.key]) for result, person in matching.pairs], NOW).splitlines()

    bodies = [json.loads(line) for line in lines]
    assert [body["userId"] for body in bodies] == [f"u-{n}" for n in range(200)]
    assert [body["scoreGiven"] for body in bodies] == [result.marks for result in results]
    for body in bodies:
        Draft202012Validator(SCORE).validate(body)


def test_a_fault_of_ours_leaves_the_grading_to_a_person() -> None:
    bodies = [json.loads(score_lines([(a_result(number), "u")], NOW)) for number in (4, 5)]

    assert [body["gradingProgress"] for body in bodies] == ["PendingManual", "FullyGraded"]


def test_the_time_of_handing_in_goes_along() -> None:
    result = a_result(5, origin=Origin("gradescope", handed_in="2027-03-26T23:59:59+01:00"))

    assert json.loads(score_lines([(result, "u")], NOW))["submission"] == {
        "submittedAt": "2027-03-26T23:59:59+01:00"
    }


@pytest.mark.parametrize("time", ["2027-03-27T10:00:00", "now", ""])
def test_a_time_without_a_zone_is_refused(time: str) -> None:
    with pytest.raises(UsageError, match="is no time with a zone"):
        score_lines([], time)


def test_members_may_come_as_a_table() -> None:
    roster = b"user_id,name,login,email\nu-1,Jane,jdoe,jane@example.org\nu-2,Ann,apoe,ann@example.org\n"
    results = [
        a_result(5, student="apoe"),
        a_result(5, student="JANE@example.org"),
        a_result(5, student="ghost"),
    ]
    matching, users = match_members(roster, results, "members.csv")

    assert {result.student: users[person.key] for result, person in matching.pairs} == {
        "JANE@example.org": "u-1",
        "apoe": "u-2",
    }
    assert [one.result.student for one in matching.unclear] == ["ghost"]


@pytest.mark.parametrize("roster", [b"{", b'{"members": 3}', b"name,email\nx,y\n", b"[" * 100_000])
def test_what_is_no_list_of_members_is_refused(roster: bytes) -> None:
    with pytest.raises(UsageError):
        match_members(roster, [], "members")
