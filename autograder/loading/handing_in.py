"""When submissions were handed in and by whom, as nbgrader's timestamps and Gradescope's metadata tell it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta, timezone, tzinfo
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import yaml

from autograder.errors import UsageError
from autograder.model.submission import Origin

_MOST_BYTES = 64 * 1024 * 1024
_MOMENT = re.compile(
    r"(?P<day>\d{4}-\d\d-\d\d)[ T](?P<time>\d\d:\d\d:\d\d)(?:\.(?P<fraction>\d+))?\s*(?P<zone>\S*)"
)
_OFFSET = re.compile(r"([+-])(\d\d):?(\d\d)")


def moment(text: str) -> str | None:
    """A time with its zone as ISO 8601 with an offset; without a zone it is UTC. None if it is no time.

    >>> moment("2015-02-02 14:58:23.948203 America/Los_Angeles")
    '2015-02-02T14:58:23.948203-08:00'
    """
    match = _MOMENT.fullmatch(text.strip())
    zone = _zone(match["zone"]) if match else None
    if match is None or zone is None:
        return None
    fraction = (match["fraction"] or "")[:6].ljust(6, "0")
    try:
        when = datetime.fromisoformat(f"{match['day']}T{match['time']}.{fraction}")
    except ValueError:
        return None
    return when.replace(tzinfo=zone).isoformat()


def _zone(name: str) -> tzinfo | None:
    """A zone by its name or offset, or None if there is no such zone."""
    if name in ("", "Z", "UTC", "GMT"):
        return UTC
    offset = _OFFSET.fullmatch(name)
    if offset:
        minutes = int(offset[2]) * 60 + int(offset[3])
        minutes = -minutes if offset[1] == "-" else minutes
        return timezone(timedelta(minutes=minutes)) if abs(minutes) < 1440 else None
    if not re.fullmatch(r"[A-Za-z][\w+-]*(/[\w+-]+){0,2}", name):
        return None
    try:
        return ZoneInfo(name)
    except (OSError, ValueError, KeyError):  # a zone that is not known is a KeyError
        return None


def gradescope_submissions(path: Path) -> Mapping[str, list[tuple[str, Origin]]]:
    """By the folder of each submission, its students' names for us and where it came from.

    UsageError if the file is not what Gradescope writes.
    """
    documents = _read(path)
    return {name: _submitters(name, entry) for name, entry in documents.items() if isinstance(entry, dict)}


def _read(path: Path) -> Mapping[str, Any]:
    """The file as texts only: a student number such as 0123 or 1e5 stays what it is."""
    remedy = "download the export again"
    try:
        with path.open("rb") as file:
            content = file.read(_MOST_BYTES + 1)
        if len(content) > _MOST_BYTES:
            raise UsageError(f"{path.name} is larger than can be read", remedy=remedy)
        documents = yaml.load(content, Loader=getattr(yaml, "CBaseLoader", yaml.BaseLoader))
    except (OSError, yaml.YAMLError, ValueError, RecursionError) as error:
        why = " ".join(str(error).split())[:200]
        raise UsageError(f"{path.name} cannot be read: {why}", remedy=remedy) from None
    if not isinstance(documents, dict):
        raise UsageError(f"{path.name} lists no submissions", remedy=remedy)
    return {str(name): entry for name, entry in documents.items()}


def _submitters(folder: str, entry: Mapping[str, Any]) -> list[tuple[str, Origin]]:
    submitters = entry.get(":submitters")
    when = moment(_text(entry, ":created_at"))
    found = []
    for one in submitters if isinstance(submitters, list) else ():
        if isinstance(one, dict):
            name, sid, email = (_text(one, key) for key in (":name", ":sid", ":email"))
            origin = Origin("gradescope", sid, email=email, name=name, handed_in=when)
            # A name alone is no key: two students may bear it.
            found.append((sid or email or f"{name}_{folder}".strip("_"), origin))
    return found


def _text(entry: Mapping[str, Any], key: str) -> str:
    """A text of an entry; empty if it is absent, null or no text."""
    value = entry.get(key)
    return value.strip() if isinstance(value, str) and value.strip() not in ("null", "~") else ""
