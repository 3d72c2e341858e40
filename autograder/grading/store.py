"""The results folder: one file a student, written whole or not at all, one grader at a time, and grades.csv."""

from __future__ import annotations

import csv
import hashlib
import io
import json
import math
import os
import re
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

from filelock import FileLock, Timeout

from autograder.errors import ResultsUnavailable
from autograder.model.result import STATUSES, CheckResult, ExerciseResult, Lateness, Result
from autograder.wording.cells import no_formula
from autograder.wording.say import where

#: The table of late work.
LATE = "late.csv"
_UNSAFE = re.compile(r'[\x00-\x1f\x7f<>:"/\\|?*%\ud800-\udfff]|^[. ]|[. ]\Z')
_MOST_NAME_BYTES = 200
_RESERVED = re.compile(r"(con|prn|aux|nul|com\d|lpt\d)(\.|\Z)", re.IGNORECASE)


#: What each exercise of a submission came to: (id, status, marks, max_marks).
Exercises: TypeAlias = tuple[tuple[str, str, float, float], ...]


@dataclass(frozen=True, slots=True)
class Row:
    """One line of grades.csv, and what a summary needs."""

    student: str
    marks: float
    max_marks: float
    outcome: str
    exercises: Exercises
    problem: str = ""
    unchanged: bool = False
    late: Lateness | None = None

    @classmethod
    def of(cls, result: Result, *, unchanged: bool = False) -> Row:
        """The row of a result."""
        exercises = tuple((e.id, e.status, e.marks, e.max_marks) for e in result.exercises)
        loading = [report for report in result.file_reports if not report.code.startswith("file.note")]
        problem = loading[0].message if loading and result.outcome != "graded" else ""
        if problem and loading[0].line is not None:
            problem = f"{where(loading[0].line, loading[0].cell)}: {problem}"
        marks = (result.marks, result.max_marks)
        return cls(result.student, *marks, result.outcome, exercises, problem, unchanged, result.late)


def file_name(student: str) -> str:
    """The result file of a student: the name itself, with what a file system may refuse percent-encoded."""
    name = _UNSAFE.sub(lambda match: f"%{ord(match.group()):02X}", student) or "%"
    if _RESERVED.match(name):
        name = f"%{ord(name[0]):02X}{name[1:]}"
    if len(name.encode("utf-8", "surrogatepass")) > _MOST_NAME_BYTES:
        digest = hashlib.sha256(student.encode("utf-8", "surrogatepass")).hexdigest()[:16]
        name = (
            name.encode("utf-8", "surrogatepass")[: _MOST_NAME_BYTES - 20].decode("utf-8", "ignore")
            + "~"
            + digest
        )
    return name + ".json"


def result_text(result: Result) -> str:
    """A result as the text of its file: the same result always gives the same bytes.

    A line for each value, for whoever reads or compares it; not indented, which takes ten times as long.
    """
    text = json.dumps(result.to_json(), ensure_ascii=False, separators=(",\n", ": "), allow_nan=False)
    return text + "\n"


def write_atomically(path: Path, text: str) -> None:
    """Write a file whole or not at all. OSError if it cannot be written."""
    descriptor, temporary = tempfile.mkstemp(prefix=".writing-", suffix=".tmp", dir=path.parent)
    try:
        with os.fdopen(descriptor, "w", encoding="utf-8", errors="backslashreplace", newline="") as file:
            file.write(text)
        os.chmod(temporary, 0o644)
        os.replace(temporary, path)
    except BaseException:
        with suppress(FileNotFoundError):
            os.unlink(temporary)
        raise


def read_result(path: Path) -> Result | None:
    """The result in a file, or None if there is none or it is damaged: it is then made again."""
    try:
        result = Result.from_json(json.loads(path.read_text(encoding="utf-8")))
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return None
    return result if _is_sound(result) else None


def _is_sound(result: Result) -> bool:
    """Whether what goes into a table is of the right types, as no damaged or edited file is sure to be."""
    checks = [check for exercise in result.exercises for check in exercise.checks]
    marked: list[ExerciseResult | CheckResult] = [*result.exercises, *checks]
    late = result.late
    numbers = [] if late is None else [late.raw_marks, late.penalty, late.final]
    numbers += [result.marks, result.max_marks, *(n for one in marked for n in (one.marks, one.max_marks))]
    texts = [
        result.student,
        result.outcome,
        *(one.id for one in marked),
        *(r.message for r in result.file_reports),
    ]
    return (
        all(type(number) in (int, float) and math.isfinite(number) for number in numbers)
        and all(isinstance(text, str) for text in texts)
        and all(one.status in STATUSES for one in marked)
    )


@contextmanager
def results_folder(folder: Path) -> Iterator[Path]:
    """Make and hold the folder for one grader. ResultsUnavailable if that cannot be."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        lock = FileLock(folder / ".lock", timeout=0)
        lock.acquire()
    except Timeout:
        raise ResultsUnavailable(
            f"another grader is at work in {folder}",
            remedy="wait for it to end, or name another folder with --out",
        ) from None
    except OSError as error:
        raise ResultsUnavailable(
            f"{folder} cannot be written: {error.strerror}", remedy="name another folder with --out"
        ) from None
    try:
        for leftover in folder.glob(".writing-*.tmp"):
            leftover.unlink(missing_ok=True)
        yield folder
    finally:
        lock.release()


def grades_csv(rows: Iterable[Row], exercises: Sequence[str]) -> str:
    """The text of grades.csv: student,marks,max_marks,outcome, then a column an exercise."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(["student", "marks", "max_marks", "outcome", *exercises])
    for row in sorted(rows, key=lambda row: row.student):
        by_id = {name: got for name, _, got, _ in row.exercises}
        cells = [_plain(by_id.get(name, 0.0)) for name in exercises]
        writer.writerow(
            [
                no_formula(_one_line(row.student)),
                _plain(row.marks),
                _plain(row.max_marks),
                row.outcome,
                *cells,
            ]
        )
    return out.getvalue()


def late_csv(rows: Iterable[Row]) -> str:
    """The text of late.csv: when each was handed in, when it was due, and what that comes to."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(["student", "handed_in", "due", "seconds_late", "raw_marks", "penalty", "marks"])
    for row in sorted(rows, key=lambda row: row.student):
        if row.late is None:
            continue
        marks = (_plain(number) for number in (row.late.raw_marks, row.late.penalty, row.late.final))
        when = (row.late.handed_in or "", row.late.due, row.late.seconds_late)
        writer.writerow([no_formula(_one_line(row.student)), *when, *marks])
    return out.getvalue()


def _one_line(text: str) -> str:
    """A name with its control characters as escapes: a row is a line, for every reader."""
    return re.sub(r"[\x00-\x1f\x7f\x85\u2028\u2029]", lambda match: f"\\x{ord(match.group()):02x}", text)


def _plain(number: float) -> str:
    return f"{number:.6f}".rstrip("0").rstrip(".")
