"""Tables of times: who has until when (extensions), and who handed in when. CSV files, as spreadsheets write them."""

from __future__ import annotations

import csv
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, tzinfo
from pathlib import Path
from typing import TypeVar

from autograder.errors import ExerciseError, Problem, UsageError
from autograder.loading.submissions import Found
from autograder.loading.yaml_strict import shown_path
from autograder.model.place import Place

Value = TypeVar("Value")
_MOST_BYTES = 16 * 1024 * 1024
_MOST_DAYS = 3650


@dataclass(frozen=True, slots=True)
class Extension:
    """More time for one student: until a time (without a zone: in the due time's), or days and hours more."""

    until: datetime | None = None
    days: int = 0
    hours: float = 0.0


@dataclass(frozen=True, slots=True)
class _Row:
    line: int
    cells: Mapping[str, str]


class _BadTableError(ValueError):
    """A table is not as it should be: the line and why."""

    def __init__(self, line: int, message: str) -> None:
        super().__init__(message)
        self.line = line


def read_extensions(path: Path, top: Path) -> dict[str, Extension]:
    """The extensions of a file by student. ExerciseError with every line that is not right."""
    extensions: dict[str, Extension] = {}
    problems: list[Problem] = []
    file = shown_path(path, top)

    def tell(error: _BadTableError) -> None:
        remedy = "write student,until or student,days or student,hours, such as ana,2027-03-28T12:00"
        problems.append(Problem(Place(file, error.line), str(error), remedy))

    try:
        for row in _rows(path, ("student",), ("until", "days", "hours")):
            try:
                _add(extensions, row, _extension)
            except _BadTableError as error:
                tell(error)
    except _BadTableError as error:
        tell(error)
    if problems:
        raise ExerciseError(tuple(problems))
    return extensions


def read_times(path: Path) -> dict[str, datetime]:
    """When each student handed in, by a table student,handed_in. UsageError if it is not right."""
    times: dict[str, datetime] = {}
    try:
        for row in _rows(path, ("student", "handed_in"), ()):
            _add(times, row, lambda row: _time(row, "handed_in"))
    except _BadTableError as error:
        remedy = "write student,handed_in and times such as 2027-03-26T22:10:00+00:00"
        raise UsageError(f"{path}:{error.line}: {error}", remedy=remedy) from None
    return times


def with_times(found: Sequence[Found], times: Mapping[str, datetime], zone: tzinfo) -> tuple[Found, ...]:
    """The submissions with the times of a table, which win; one without a zone is in `zone`."""
    timed = []
    for one in found:
        keys = (one.student, one.origin.id, one.origin.login, one.origin.email)
        time = next((times[key] for key in keys if key and key in times), None)
        if time is not None:
            time = time if time.tzinfo is not None else time.replace(tzinfo=zone)
            one = replace(one, origin=replace(one.origin, handed_in=time.isoformat()))
        timed.append(one)
    return tuple(timed)


def with_file_times(found: Sequence[Found]) -> tuple[Found, ...]:
    """The submissions with the times at which their files were last changed, where nothing else tells."""
    return tuple(one if one.origin.handed_in is not None else _with_file_time(one) for one in found)


def _with_file_time(one: Found) -> Found:
    try:
        changed = datetime.fromtimestamp(one.path.lstat().st_mtime, UTC)
    except (OSError, OverflowError, ValueError):
        return one
    return replace(one, origin=replace(one.origin, handed_in=changed.isoformat()))


def _rows(path: Path, needed: Sequence[str], some: Sequence[str]) -> list[_Row]:
    """The rows of a table that are not blank, by the names of its columns."""
    try:
        content = path.read_bytes()
        text = content[: _MOST_BYTES + 1].decode("utf-8-sig")
    except OSError as error:
        raise _BadTableError(1, f"the file cannot be read: {error.strerror}") from None
    except UnicodeDecodeError:
        raise _BadTableError(1, "the file is not in UTF-8") from None
    if len(content) > _MOST_BYTES:
        raise _BadTableError(1, "the file is larger than can be read")
    first = text.partition("\n")[0]
    reader = csv.reader(text.splitlines(keepends=True), delimiter=max(",;\t", key=first.count))
    try:
        header = [name.strip().casefold() for name in next(reader, [])]
        missing = [name for name in needed if name not in header]
        if missing or (some and not any(name in header for name in some)):
            wanted = " and ".join([*needed, *([" or ".join(some)] if some else [])])
            raise _BadTableError(1, f"the first line names no columns {wanted}")
        return [
            _Row(reader.line_num, {name: cell.strip() for name, cell in zip(header, cells, strict=False)})
            for cells in reader
            if any(cell.strip() for cell in cells)
        ]
    except csv.Error as error:
        raise _BadTableError(reader.line_num, str(error)) from None


def _add(table: dict[str, Value], row: _Row, read: Callable[[_Row], Value]) -> None:
    student = row.cells.get("student", "")
    if not student:
        raise _BadTableError(row.line, "no student is named")
    if student in table:
        raise _BadTableError(row.line, f"{student!r} is here twice")
    table[student] = read(row)


def _extension(row: _Row) -> Extension:
    given = [name for name in ("until", "days", "hours") if row.cells.get(name)]
    if given == ["until"]:
        return Extension(until=_time(row, "until"))
    if not given or "until" in given:
        raise _BadTableError(
            row.line, "until when is not said" if not given else "both a time and a length are said"
        )
    return Extension(days=int(_length(row, "days")), hours=_length(row, "hours"))


def _length(row: _Row, name: str) -> float:
    text = row.cells.get(name) or "0"
    try:
        length = float(text.replace(",", "."))
    except ValueError:
        length = -1.0
    most = _MOST_DAYS if name == "days" else _MOST_DAYS * 24
    if not 0 <= length <= most or (name == "days" and length != int(length)):
        what = "a whole number of days" if name == "days" else "a number of hours"
        raise _BadTableError(row.line, f"found {text!r}, expected {what}")
    return length


def _time(row: _Row, name: str) -> datetime:
    text = row.cells.get(name, "")
    try:
        if len(text) > len("2027-03-26"):
            time = datetime.fromisoformat(text)
            if 1900 < time.year < 9000:
                return time
    except ValueError:
        pass
    raise _BadTableError(row.line, f"found {text!r}, expected a date and time")
