"""Results as Score bodies of LTI's Assignment and Grade Services 2.0, one JSON object a line.

The program that holds the platform's keys posts each to the line item's /scores; nothing is sent from here.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any

from autograder.errors import UsageError
from autograder.model.result import Result
from autograder.report.exports.feedback import result_feedback
from autograder.report.exports.roster import Matching, Person, match
from autograder.report.exports.tables import column_of, read_table

_REMEDY = "give the membership list of the platform (JSON), or a CSV file with a column user_id"
_COMMENT = 4000


def score_lines(pairs: Iterable[tuple[Result, str]], timestamp: str) -> str:
    """The scores of (result, user id) as JSON lines; `timestamp` is to be later than that of earlier ones."""
    moment = _timestamp(timestamp)
    bodies = (score(result, user, moment) for result, user in pairs)
    return "".join(json.dumps(body, ensure_ascii=False) + "\n" for body in bodies)


def score(result: Result, user: str, timestamp: str) -> dict[str, Any]:
    """The Score of one result; a fault of ours leaves the grading to a person."""
    body: dict[str, Any] = {
        "userId": user,
        "scoreGiven": result.marks,
        "scoreMaximum": result.max_marks,
        "comment": result_feedback(result, _COMMENT).encode("utf-8", "backslashreplace").decode(),
        "timestamp": timestamp,
        "activityProgress": "Submitted",
        "gradingProgress": "PendingManual" if result.outcome == "broken" else "FullyGraded",
    }
    if result.origin.handed_in:
        body["submission"] = {"submittedAt": result.origin.handed_in}
    return body


def _timestamp(text: str) -> str:
    """A time with its zone and fractions of a second, as the standard asks."""
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        moment = None
    if moment is None or moment.tzinfo is None:
        raise UsageError(
            f"{text!r} is no time with a zone", remedy="write it as 2027-03-26T23:59:59.000+00:00"
        )
    return moment.isoformat(timespec="milliseconds")


def match_members(content: bytes, results: Iterable[Result], name: str) -> tuple[Matching, dict[int, str]]:
    """The results with the members they belong to, and the user id of each row."""
    people = read_members(content, name)
    return match(results, people, "lti"), {person.key: person.own for person in people}


def read_members(content: bytes, name: str = "the list of members") -> list[Person]:
    """The members of a context: a membership container as the platform's service gives it, or a CSV file."""
    if content.lstrip(b"\xef\xbb\xbf \t\r\n")[:1] in (b"{", b"["):
        return _of_json(content, name)
    table = read_table(content, name, lambda header: column_of(header, "user_id", "userId") is not None)
    columns = [column_of(table.header, *names) for names in _COLUMNS]
    people = []
    for row in range(1, len(table.lines)):
        user, name_, official, login, email = (table.cell(row, at).strip() for at in columns)
        if user:
            people.append(Person(row, name_ or user, user, (official,) if official else (), login, email))
    return people


_COLUMNS: Sequence[tuple[str, ...]] = (
    ("user_id", "userId"),
    ("name", "Full name"),
    ("lis_person_sourcedid", "sis_id", "ID number"),
    ("login", "username"),
    ("email", "Email address"),
)


def _of_json(content: bytes, name: str) -> list[Person]:
    try:
        data = json.loads(content.decode("utf-8-sig"))
    except (ValueError, RecursionError):
        raise UsageError(f"{name} is no JSON", remedy=_REMEDY) from None
    members = data.get("members") if isinstance(data, dict) else data
    if not isinstance(members, list):
        raise UsageError(f"{name} lists no members", remedy=_REMEDY)
    people = []
    for row, member in enumerate(members):
        if isinstance(member, dict) and (user := _text(member, "user_id")):
            official = _text(member, "lis_person_sourcedid")
            login = _text(member, "ext_user_username") or _text(member, "login")
            shown = _text(member, "name") or user
            people.append(
                Person(row, shown, user, (official,) if official else (), login, _text(member, "email"))
            )
    return people


def _text(member: dict[str, Any], key: str) -> str:
    value = member.get(key)
    return value.strip() if isinstance(value, str) else str(value) if isinstance(value, int) else ""
