"""A class graded again after something changed: what would come of it, through which checks, and what was before.

Whatever was is kept: RESULTS/history/<student>/<n>.json holds the n-th result that another one took the place of.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from autograder.errors import UsageError
from autograder.grading.store import file_name, read_result, result_text, write_atomically
from autograder.model.result import CheckResult, ExerciseResult, Result

HISTORY = "history"
_BATCH, _FORMAT = ".batch", "autograder-batch/1"
_CLOSE = 5e-7


# What a batch was made from


@dataclass(frozen=True, slots=True)
class Batch:
    """Where a folder of results came from: the submissions and the table of times, as paths from that folder."""

    submissions: str
    assignment: str
    times: str | None = None

    @classmethod
    def of(cls, results: Path, submissions: Path, assignment: str, times: str | None) -> Batch:
        """What `grade` was told, with its paths made to hold from the folder of results."""
        table = times if times in (None, "mtime") else _from(results, Path(times))
        return cls(_from(results, submissions), assignment, table)

    def submissions_from(self, results: Path) -> Path:
        """The path of the submissions from here."""
        return Path(os.path.normpath(results / self.submissions))

    def times_from(self, results: Path) -> str | None:
        """The table of times from here, or "mtime"."""
        return self.times if self.times in (None, "mtime") else os.path.normpath(results / str(self.times))


def _from(results: Path, path: Path) -> str:
    try:
        return Path(os.path.relpath(path.resolve(), results.resolve())).as_posix()
    except ValueError:  # on another drive
        return str(path.resolve())


def remember(results: Path, batch: Batch) -> None:
    """Write down what the results came from, for `regrade`."""
    data = {
        "format": _FORMAT,
        "submissions": batch.submissions,
        "assignment": batch.assignment,
        "times": batch.times,
    }
    write_atomically(results / _BATCH, json.dumps(data, ensure_ascii=False, indent=1) + "\n")


def recall(results: Path) -> Batch | None:
    """What the results came from, if that was written down and can be read."""
    try:
        data = json.loads((results / _BATCH).read_text(encoding="utf-8"))
        texts = (data["submissions"], data["assignment"], data["times"] or "")
        if data["format"] == _FORMAT and all(isinstance(text, str) for text in texts):
            return Batch(data["submissions"], data["assignment"], data["times"])
    except (OSError, ValueError, KeyError, TypeError):
        pass
    return None


# What would change


@dataclass(frozen=True, slots=True)
class Through:
    """One reason for other marks: a check of an exercise (or an exercise, or lateness), and what it does to them."""

    where: str
    before: str
    after: str
    marks: float


@dataclass(frozen=True, slots=True)
class Change:
    """What regrading makes of one student's marks; `before` is None if there was no result, `after` if none comes."""

    student: str
    before: float | None
    after: float | None
    through: tuple[Through, ...] = ()
    another_file: bool = False

    @property
    def difference(self) -> float:
        """By how much the marks change."""
        return round((self.after or 0.0) - (self.before or 0.0), 6)


def change(before: Result | None, after: Result | None) -> Change | None:
    """What regrading makes of a result; None if the marks stay the same, whatever else does not."""
    result = after or before
    if result is None:
        return None
    if before is None or after is None:
        return Change(result.student, before.marks if before else None, after.marks if after else None)
    if abs(before.marks - after.marks) < _CLOSE:
        return None
    through = (*_exercises(before, after), *_lateness(before, after))
    another = before.sha256 != after.sha256
    return Change(after.student, before.marks, after.marks, tuple(through), another)


def _exercises(before: Result, after: Result) -> Iterator[Through]:
    old = {exercise.id: exercise for exercise in before.exercises}
    new = {exercise.id: exercise for exercise in after.exercises}
    for name in dict.fromkeys((*old, *new)):
        yield from _exercise(name, old.get(name), new.get(name))


def _exercise(name: str, old: ExerciseResult | None, new: ExerciseResult | None) -> Iterator[Through]:
    difference = (new.marks if new else 0.0) - (old.marks if old else 0.0)
    if abs(difference) < _CLOSE:
        return
    if old is None or new is None or not old.checks or not new.checks:
        yield Through(name, _status(old), _status(new), round(difference, 6))
        return
    yield from _checks(name, old.checks, new.checks)


def _checks(exercise: str, old: Sequence[CheckResult], new: Sequence[CheckResult]) -> Iterator[Through]:
    """The checks that earn more or less: by another status, by another weight, or since they came or went."""
    before, after = ({check.id: check for check in checks} for checks in (old, new))
    for name in dict.fromkeys((*before, *after)):
        one, other = before.get(name), after.get(name)
        difference = (other.marks if other else 0.0) - (one.marks if one else 0.0)
        if abs(difference) >= _CLOSE:
            yield Through(f"{exercise}/{name}", _status(one), _status(other), round(difference, 6))


def _status(one: ExerciseResult | CheckResult | None) -> str:
    return "none" if one is None else one.status


def _lateness(before: Result, after: Result) -> Iterator[Through]:
    old, new = (result.late.penalty if result.late is not None else 0.0 for result in (before, after))
    if abs(old - new) >= _CLOSE:
        yield Through("late work", f"{old:g} off", f"{new:g} off", round(old - new, 6))


def compare_folders(before: Path, after: Path) -> tuple[Change, ...]:
    """What changes for whom between two folders of results, in the order of the students' names."""
    old, new = _results(before), _results(after)
    found = (change(old.get(name), new.get(name)) for name in sorted(old.keys() | new.keys()))
    return tuple(one for one in found if one is not None)


def _results(folder: Path) -> Mapping[str, Result]:
    results = (read_result(path) for path in sorted(folder.glob("[!.]*.json")))
    return {result.student: result for result in results if result is not None}


# Taking it over


def take_over(fresh: Path, results: Path) -> int:
    """Put the fresh results in the place of the old ones, which are kept; return how many were other than before.

    UsageError if something cannot be written; what was done by then is done, and nothing is lost.
    """
    count = 0
    try:
        for path in sorted(fresh.glob("[!.]*.json")):
            place = results / path.name
            if place.is_file():
                if place.read_bytes() == path.read_bytes():
                    continue
                keep(place)
            write_atomically(place, path.read_text(encoding="utf-8"))
            count += 1
    except OSError as error:
        raise UsageError(
            f"{results} cannot be written: {error.strerror}", remedy="mend that and apply again"
        ) from None
    return count


def keep(place: Path) -> Path:
    """Keep a result as the next one of its student's history, before another takes its place."""
    folder = place.parent / HISTORY / place.name.removesuffix(".json")
    folder.mkdir(parents=True, exist_ok=True)
    numbers = [int(path.stem) for path in folder.glob("*.json") if path.stem.isdigit()]
    kept = folder / f"{max(numbers, default=0) + 1}.json"
    kept.write_bytes(place.read_bytes())
    return kept


def copy_results(results: Path, folder: Path) -> None:
    """Copy the results that are sound into another folder, so that what is unchanged is not graded again."""
    for result in _results(results).values():
        write_atomically(folder / file_name(result.student), result_text(result))
