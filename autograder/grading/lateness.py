"""What handing in late costs: pure functions of times, a rule and marks, and the due times of a class.

Times are compared as moments, whatever zones they are told in. Days are counted by the calendar of the due time's
zone, so that across a change of the clocks a day late still ends at the same time of day; hours are hours.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta

from autograder.loading.assignment import Course
from autograder.loading.handing_times import Extension, read_extensions
from autograder.loading.submissions import Found
from autograder.model.late import Late
from autograder.model.result import Lateness, Result
from autograder.model.submission import Origin

_DIGITS = 6
_DAY, _HOUR = timedelta(days=1), timedelta(hours=1)
#: Later than that is as late as that: no rule takes marks off for longer.
_LONGEST = timedelta(days=36_500)


def lateness(raw_marks: float, handed_in: datetime | None, due: datetime, rule: Late) -> Lateness:
    """What is taken off marks that were handed in then; nothing if it is not known when.

    Both times have their zone. Never a bonus, never less than the rule's floor, and later is never better.
    """
    units = begun_units(handed_in, due, rule) if handed_in is not None else 0
    price = rule.marks if rule.marks is not None else raw_marks * (rule.fraction or 0.0)
    most = raw_marks - raw_marks * rule.floor
    final = round(raw_marks - max(min(units * price, most), 0.0), _DIGITS)
    return Lateness(
        handed_in=None if handed_in is None else _in_zone_of(due, handed_in).isoformat(),
        due=due.isoformat(),
        seconds_late=0 if handed_in is None else seconds_late(handed_in, due),
        raw_marks=raw_marks,
        penalty=round(raw_marks - final, _DIGITS) if units else 0.0,
        final=final if units else raw_marks,
    )


def _in_zone_of(due: datetime, moment: datetime) -> datetime:
    try:
        return moment.astimezone(due.tzinfo)
    except OverflowError:  # at either end of the calendar
        return moment


def begun_units(handed_in: datetime, due: datetime, rule: Late) -> int:
    """How many of the rule's days or hours are begun after the due time; 0 in time and within the grace."""
    end, moment = _end(due, 0, rule), handed_in.astimezone(UTC)
    if moment < end + timedelta(minutes=rule.grace_minutes):
        return 0
    moment = min(moment, end + _LONGEST)
    whole = (moment - end) // (_DAY if rule.per == "day" else _HOUR)
    # A day of the calendar may have 23 or 25 hours, so one more or one less may be over.
    return 1 + max(
        (n for n in (whole - 1, whole, whole + 1) if n >= 0 and _end(due, n, rule) <= moment), default=0
    )


def seconds_late(handed_in: datetime, due: datetime) -> int:
    """Whole seconds after the due time; 0 in time."""
    moment = handed_in.astimezone(UTC)
    return 0 if moment < _last(due) + _unit(due) else int((moment - _last(due)).total_seconds())


def _end(due: datetime, units: int, rule: Late) -> datetime:
    """The moment from which something is late by more than so many days or hours."""
    if rule.per == "hour":
        return _last(due) + _unit(due) + units * _HOUR
    return _last(_shifted(due, units)) + _unit(due)


def _shifted(due: datetime, days: int) -> datetime:
    """The same time of day, days later."""
    return (due.replace(tzinfo=None) + timedelta(days=days)).replace(tzinfo=due.tzinfo)


def _last(local: datetime) -> datetime:
    """The moment a time means, the later one where clocks show it twice, or pass it by."""
    return max(local.replace(fold=fold).astimezone(UTC) for fold in (0, 1))


def _unit(due: datetime) -> timedelta:
    """What a due time includes: its whole second, and of 23:59 the whole minute, as people read a clock."""
    return timedelta(minutes=1) if due.second == 0 and due.microsecond == 0 else timedelta(seconds=1)


# A class


@dataclass(frozen=True)
class Deadlines:
    """The rule for late work of an assignment and who has more time."""

    due: datetime
    rule: Late
    extensions: Mapping[str, Extension]

    @classmethod
    def of(cls, course: Course) -> Deadlines | None:
        """Those of a course; None if it has no rule. ExerciseError if the file of extensions is not right."""
        assignment = course.assignment
        if assignment.late is None or assignment.due is None:
            return None
        path = assignment.late.extensions
        extensions = read_extensions(course.top / path, course.top) if path is not None else {}
        return cls(assignment.due, assignment.late, extensions)

    def due_for(self, student: str, origin: Origin) -> datetime:
        """A student's own due time: with the extension, if that is later."""
        extension = next((e for key in _keys(student, origin) if (e := self.extensions.get(key))), None)
        if extension is None:
            return self.due
        until = extension.until or _last_shifted(self.due, extension)
        until = until if until.tzinfo is not None else until.replace(tzinfo=self.due.tzinfo)
        return max(self.due, until, key=_last)

    def charge(self, result: Result) -> Result:
        """The result with its marks after what being late costs, reckoned anew from what the exercises came to."""
        raw = result.raw_marks
        due = self.due_for(result.student, result.origin)
        late = lateness(raw, _moment(result.origin.handed_in), due, self.rule)
        return replace(result, marks=late.final, late=late)

    def strangers(self, found: Iterable[Found]) -> tuple[str, ...]:
        """Whom an extension names and no submission comes from: a slip of the pen, or nothing handed in."""
        known = {key for one in found for key in _keys(one.student, one.origin)}
        return tuple(name for name in self.extensions if name not in known)


def charged(result: Result, deadlines: Deadlines | None) -> Result:
    """The result under a rule for late work; without one, nothing is taken off."""
    if deadlines is not None:
        return deadlines.charge(result)
    return result if result.late is None else replace(result, marks=result.raw_marks, late=None)


def _keys(student: str, origin: Origin) -> tuple[str, ...]:
    return tuple(key for key in (student, origin.id, origin.login, origin.email) if key)


def _last_shifted(due: datetime, extension: Extension) -> datetime:
    """The due time moved by days of the calendar, then by hours."""
    moved = _shifted(due, extension.days)
    return (_last(moved) + timedelta(hours=extension.hours)).astimezone(due.tzinfo)


def _moment(handed_in: str | None) -> datetime | None:
    """The time that a submission tells; None if it tells none with a zone."""
    try:
        moment = datetime.fromisoformat(handed_in) if handed_in is not None else None
        return moment if moment is not None and moment.tzinfo is not None and moment.astimezone(UTC) else None
    except (ValueError, OverflowError):
        return None
