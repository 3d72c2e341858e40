"""A class in figures: marks, exercises as items, misconceptions, checks, and who needs a person.

Figures of exercises and checks rest on the submissions that could be called (outcome `graded`); a figure that
nothing defines is None.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from math import floor, fsum, sqrt
from statistics import median

from autograder.model.result import CheckResult, ExerciseResult, Result, Status

#: Of fewer submissions, a correlation says nothing: through two points there is always a line.
FEWEST = 3
BINS = 10
_OPEN: tuple[Status, ...] = ("not_attempted", "missing", "skipped", "broken")
_UNJUDGED: tuple[Status, ...] = ("skipped", "broken", "not_attempted", "missing")
#: Diagnoses that say where, or that nothing could be said: no ideas that a class may share.
_NO_IDEA = ("line.", "smallest.", "diagnosis.broken")


@dataclass(frozen=True, slots=True)
class Piece:
    """One exercise of one submission, as much as the figures need of it."""

    id: str
    title: str
    status: Status
    marks: float
    max_marks: float
    follow_through: bool
    passed: tuple[str, ...]
    failed: tuple[str, ...]
    ideas: tuple[tuple[str, str], ...]

    @classmethod
    def of(cls, exercise: ExerciseResult) -> Piece:
        """The piece of an exercise's result; of one that was not begun no check counts."""
        judged = [] if exercise.status in _OPEN else exercise.checks
        return cls(
            exercise.id,
            exercise.title,
            exercise.status,
            exercise.marks,
            exercise.max_marks,
            exercise.follow_through,
            tuple(check.id for check in judged if check.status == "passed"),
            tuple(check.id for check in judged if check.status not in ("passed", *_UNJUDGED)),
            tuple((d.code, d.message) for d in exercise.diagnosis if not d.code.startswith(_NO_IDEA)),
        )

    @property
    def is_wrong(self) -> bool:
        """Whether it was begun and is not right."""
        return self.status != "passed" and self.status not in _OPEN


@dataclass(frozen=True, slots=True)
class Entry:
    """One submission, as much as the figures need of it. Results that say the same have equal `likeness`."""

    student: str
    outcome: str
    marks: float
    max_marks: float
    sha256: str
    pieces: tuple[Piece, ...]
    problem: str
    broken: tuple[str, ...]
    likeness: str

    @classmethod
    def of(cls, result: Result) -> Entry:
        """The entry of a result."""
        reports = [report for report in result.file_reports if report.code != "file.note"]
        return cls(
            student=result.student,
            outcome=result.outcome,
            marks=result.marks,
            max_marks=result.max_marks,
            sha256=result.sha256,
            pieces=tuple(map(Piece.of, result.exercises)),
            problem=reports[0].message if reports and result.outcome != "graded" else "",
            broken=tuple(exercise.id for exercise in result.exercises if _is_broken(exercise)),
            likeness=_likeness(result),
        )

    @property
    def wrong(self) -> tuple[str, ...]:
        """The exercises that were begun and are not right."""
        return tuple(piece.id for piece in self.pieces if piece.is_wrong)

    @property
    def is_begun(self) -> bool:
        """Whether anything was done."""
        return self.outcome != "graded" or any(piece.status != "not_attempted" for piece in self.pieces)


def entries_of(results: Iterable[Result]) -> list[Entry]:
    """The entries of results, which are read one at a time; pieces that are alike are held once.

    Of a class of thousands nearly all are.
    """
    known: dict[Piece, Piece] = {}

    def shared(entry: Entry) -> Entry:
        return replace(entry, pieces=tuple(known.setdefault(piece, piece) for piece in entry.pieces))

    return [shared(Entry.of(result)) for result in results]


def _is_broken(exercise: ExerciseResult) -> bool:
    statuses = {exercise.status, *(check.status for check in exercise.checks)}
    return "broken" in statuses or any(d.code == "diagnosis.broken" for d in exercise.diagnosis)


def _likeness(result: Result) -> str:
    """A digest of how every exercise came out, and of all that is said of those that are not right."""
    said = [
        (e.id, e.status, [_said(check) for check in e.checks], [(d.code, d.message) for d in e.diagnosis])
        for e in result.exercises
    ]
    return hashlib.sha256(json.dumps(said).encode()).hexdigest()


def _said(check: CheckResult) -> tuple[str, str, str]:
    return check.id, check.status, "" if check.status == "passed" else check.message


@dataclass(frozen=True, slots=True)
class Marks:
    """The distribution of the marks; `bins` are (from, to, how many), the last one with its end."""

    count: int
    max_marks: float
    mean: float | None
    median: float | None
    deviation: float | None
    lowest: float | None
    highest: float | None
    bins: tuple[tuple[float, float, int], ...]


@dataclass(frozen=True, slots=True)
class Item:
    """One exercise: facility, discrimination, and shares of the submissions that could be called."""

    id: str
    title: str
    max_marks: float
    count: int
    facility: float | None
    discrimination: float | None
    passed: float | None
    not_begun: float | None
    missing: float | None
    following: float | None


@dataclass(frozen=True, slots=True)
class SharedIdea:
    """One explanation of one exercise, and whom it was given to."""

    exercise: str
    code: str
    message: str
    students: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class NeverFails:
    """A check that no submission fails, of how many."""

    exercise: str
    check: str
    judged: int


@dataclass(frozen=True, slots=True)
class Together:
    """Checks, as (exercise, check), that the same students fail, two at least."""

    checks: tuple[tuple[str, str], ...]
    students: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ForAPerson:
    """A submission that a person should look at: its outcome, what was said, exercises broken or crashed."""

    student: str
    outcome: str
    problem: str
    broken: tuple[str, ...]
    crashed: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Alike:
    """Submissions of one content (`same_file`), or whose results say the same of what is `wrong`."""

    students: tuple[str, ...]
    wrong: tuple[str, ...]
    same_file: bool


@dataclass(frozen=True, slots=True)
class ClassFigures:
    """All figures of a class, from which the page and the table are made."""

    entries: tuple[Entry, ...]
    outcomes: tuple[tuple[str, int], ...]
    marks: Marks
    graded: int
    items: tuple[Item, ...]
    ideas: tuple[SharedIdea, ...]
    never_fail: tuple[NeverFails, ...]
    together: tuple[Together, ...]
    for_a_person: tuple[ForAPerson, ...]
    alike: tuple[Alike, ...]


_OUTCOMES = ("graded", "not_loadable", "timed_out", "crashed", "broken")


def class_figures(entries: Iterable[Entry]) -> ClassFigures:
    """The figures of a class, of any size down to none."""
    ordered = tuple(sorted(entries, key=lambda entry: entry.student))
    graded = [entry for entry in ordered if entry.outcome == "graded"]
    counts = Counter(entry.outcome for entry in ordered)
    return ClassFigures(
        entries=ordered,
        outcomes=tuple((outcome, counts[outcome]) for outcome in _OUTCOMES if counts[outcome]),
        marks=_marks([entry for entry in ordered if entry.outcome != "broken"]),
        graded=len(graded),
        items=tuple(_items(ordered, graded)),
        ideas=_ideas(ordered),
        never_fail=tuple(_never_fail(graded)),
        together=_together(graded),
        for_a_person=tuple(_for_a_person(ordered)),
        alike=_alike(ordered),
    )


# Marks


def _marks(entries: Sequence[Entry]) -> Marks:
    marks = [entry.marks for entry in entries]
    most = max((entry.max_marks for entry in entries), default=0.0)
    mean = fsum(marks) / len(marks) if marks else None
    deviation = None
    if mean is not None and len(marks) > 1:
        deviation = sqrt(fsum((mark - mean) ** 2 for mark in marks) / (len(marks) - 1))
    return Marks(
        count=len(marks),
        max_marks=most,
        mean=mean,
        median=median(marks) if marks else None,
        deviation=deviation,
        lowest=min(marks, default=None),
        highest=max(marks, default=None),
        bins=_bins(entries, most),
    )


def _bins(entries: Sequence[Entry], most: float) -> tuple[tuple[float, float, int], ...]:
    """As many marks as there are in each tenth of what can be had."""
    if most <= 0:
        return ()
    shares = [entry.marks / entry.max_marks if entry.max_marks > 0 else 0.0 for entry in entries]
    counts = Counter(min(max(floor(share * BINS + 1e-9), 0), BINS - 1) for share in shares)
    return tuple((most * n / BINS, most * (n + 1) / BINS, counts[n]) for n in range(BINS))


# Items


def _items(entries: Sequence[Entry], graded: Sequence[Entry]) -> Iterator[Item]:
    known = {piece.id: piece for entry in entries for piece in entry.pieces}
    for id, last in known.items():
        got = list(_with_the_rest(graded, id))
        pieces = [piece for piece, _ in got]
        most = max((piece.max_marks for piece in pieces), default=last.max_marks)
        shares = [piece.marks / piece.max_marks for piece in pieces if piece.max_marks > 0]
        yield Item(
            id=id,
            title=last.title,
            max_marks=most,
            count=len(pieces),
            facility=fsum(shares) / len(shares) if shares else None,
            discrimination=correlation([piece.marks for piece in pieces], [rest for _, rest in got]),
            passed=_share(piece.status == "passed" for piece in pieces),
            not_begun=_share(piece.status == "not_attempted" for piece in pieces),
            missing=_share(piece.status == "missing" for piece in pieces),
            following=_share(piece.follow_through for piece in pieces),
        )


def _with_the_rest(entries: Sequence[Entry], id: str) -> Iterator[tuple[Piece, float]]:
    """The pieces of one exercise, each with the marks that its submission has for all others."""
    for entry in entries:
        for place, piece in enumerate(entry.pieces):
            if piece.id == id:
                others = (other.marks for other in (*entry.pieces[:place], *entry.pieces[place + 1 :]))
                yield piece, fsum(others)


def _share(held: Iterable[bool]) -> float | None:
    every = list(held)
    return sum(every) / len(every) if every else None


def correlation(left: Sequence[float], right: Sequence[float]) -> float | None:
    """Pearson's correlation; None of fewer than three pairs, or if one side is always the same."""
    if len(left) < FEWEST:
        return None
    a, b = _centred(left), _centred(right)
    if a is None or b is None:
        return None
    together = fsum(x * y for x, y in zip(a, b, strict=True))
    return max(-1.0, min(1.0, together / sqrt(fsum(x * x for x in a) * fsum(y * y for y in b))))


def _centred(values: Sequence[float]) -> list[float] | None:
    """The values less their mean; None if they differ by no more than rounding does."""
    if max(values) - min(values) <= 1e-9 * max(1.0, *map(abs, values)):
        return None
    mean = fsum(values) / len(values)
    return [value - mean for value in values]


# Misconceptions and checks


def _ideas(entries: Sequence[Entry]) -> tuple[SharedIdea, ...]:
    """Every explanation with its students, the commonest first; the words are those said most often."""
    students: dict[tuple[str, str], dict[str, None]] = {}
    words: dict[tuple[str, str], Counter[str]] = {}
    for entry in entries:
        for piece in entry.pieces:
            for code, message in piece.ideas:
                students.setdefault((piece.id, code), {})[entry.student] = None
                words.setdefault((piece.id, code), Counter())[message] += 1
    ideas = [
        SharedIdea(exercise, code, words[exercise, code].most_common(1)[0][0], tuple(names))
        for (exercise, code), names in students.items()
    ]
    return tuple(sorted(ideas, key=lambda idea: (-len(idea.students), idea.exercise, idea.code)))


def _never_fail(graded: Sequence[Entry]) -> Iterator[NeverFails]:
    passed: Counter[tuple[str, str]] = Counter()
    failed: set[tuple[str, str]] = set()
    for entry in graded:
        for piece in entry.pieces:
            passed.update((piece.id, check) for check in piece.passed)
            failed.update((piece.id, check) for check in piece.failed)
    for (exercise, check), count in passed.items():
        if (exercise, check) not in failed:
            yield NeverFails(exercise, check, count)


def _together(graded: Sequence[Entry]) -> tuple[Together, ...]:
    """Checks of one exercise that fail for the same students: one of them would tell as much as all."""
    students: dict[tuple[str, str], list[str]] = {}
    for entry in graded:
        for piece in entry.pieces:
            for check in piece.failed:
                students.setdefault((piece.id, check), []).append(entry.student)
    groups: dict[tuple[str, tuple[str, ...]], list[tuple[str, str]]] = {}
    for (exercise, check), names in students.items():
        groups.setdefault((exercise, tuple(names)), []).append((exercise, check))
    found = [
        Together(tuple(checks), names)
        for (_, names), checks in groups.items()
        if len(checks) > 1 and len(names) > 1
    ]
    return tuple(sorted(found, key=lambda group: (-len(group.students), group.checks)))


# Who needs a person


def _for_a_person(entries: Sequence[Entry]) -> Iterator[ForAPerson]:
    for entry in entries:
        crashed = tuple(piece.id for piece in entry.pieces if piece.status == "crashed")
        if entry.outcome != "graded" or entry.broken or crashed:
            yield ForAPerson(entry.student, entry.outcome, entry.problem, entry.broken, crashed)


def _alike(entries: Sequence[Entry]) -> tuple[Alike, ...]:
    """Submissions of one content; then results that say the same, the more they say the sooner."""
    files: dict[str, list[Entry]] = {}
    results: dict[str, list[Entry]] = {}
    for entry in entries:
        if entry.sha256 and entry.is_begun:
            files.setdefault(entry.sha256, []).append(entry)
        if entry.outcome == "graded" and entry.wrong:
            results.setdefault(entry.likeness, []).append(entry)
    same = [_group(group, same_file=True) for group in files.values() if len(group) > 1]
    told = {group.students for group in same}
    near = [_group(group, same_file=False) for group in results.values() if len(group) > 1]
    found = [*same, *(group for group in near if group.students not in told)]
    return tuple(sorted(found, key=lambda group: (not group.same_file, -len(group.wrong), group.students)))


def _group(entries: Sequence[Entry], *, same_file: bool) -> Alike:
    return Alike(tuple(entry.student for entry in entries), entries[0].wrong, same_file)
