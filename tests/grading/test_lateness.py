"""Late work: what a submission costs by when it came, in every zone and on the nights when the clocks change."""

from datetime import UTC, datetime, timedelta, timezone
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from autograder.errors import ExerciseError, UsageError
from autograder.grading.lateness import Deadlines, begun_units, charged, lateness, seconds_late
from autograder.loading.handing_times import (
    Extension,
    read_extensions,
    read_times,
    with_file_times,
    with_times,
)
from autograder.loading.submissions import Found
from autograder.model.late import Late
from autograder.model.result import Result
from autograder.model.submission import Origin

LISBON, KYIV, TOKYO = ZoneInfo("Europe/Lisbon"), ZoneInfo("Europe/Kyiv"), ZoneInfo("Asia/Tokyo")
BY_DAY = Late(per="day", fraction=0.1)
BY_HOUR = Late(per="hour", fraction=0.1)


def at(text: str, zone: ZoneInfo = LISBON, fold: int = 0) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=zone, fold=fold)


# The last second


@pytest.mark.parametrize(
    ("handed_in", "units"),
    [
        ("2027-03-26T23:59:58.999", 0),
        ("2027-03-26T23:59:59", 0),
        ("2027-03-26T23:59:59.9", 0),
        ("2027-03-26T23:59:59.999999", 0),
        ("2027-03-27T00:00:00", 1),
    ],
)
def test_a_due_time_of_23_59_59_holds_until_midnight(handed_in: str, units: int) -> None:
    assert begun_units(at(handed_in), at("2027-03-26T23:59:59"), BY_DAY) == units


@pytest.mark.parametrize(
    ("handed_in", "units"),
    [("2027-03-26T23:59:30", 0), ("2027-03-26T23:59:59.9", 0), ("2027-03-27T00:00:00", 1)],
)
def test_a_due_time_in_whole_minutes_includes_its_minute(handed_in: str, units: int) -> None:
    assert begun_units(at(handed_in), at("2027-03-26T23:59"), BY_DAY) == units


def test_a_day_or_an_hour_counts_once_it_is_begun() -> None:
    due = at("2027-05-10T12:00:00.000001")

    assert begun_units(at("2027-05-10T13:00:00.5"), due, BY_HOUR) == 1
    assert begun_units(at("2027-05-10T13:00:02"), due, BY_HOUR) == 2
    assert begun_units(at("2027-05-11T12:00:00.5"), due, BY_DAY) == 1
    assert begun_units(at("2027-05-11T12:00:02"), due, BY_DAY) == 2


# Zones and nights on which the clocks change


def test_the_same_moment_told_in_another_zone_costs_the_same() -> None:
    due = at("2027-03-26T23:59:59")

    assert begun_units(at("2027-03-27T08:59:59", TOKYO), due, BY_DAY) == 0
    assert begun_units(at("2027-03-27T09:00:00", TOKYO), due, BY_DAY) == 1
    assert begun_units(datetime(2027, 3, 26, 20, 0, tzinfo=timezone(timedelta(hours=-5))), due, BY_DAY) == 1


def test_a_day_across_the_short_night_ends_at_the_same_time_of_day() -> None:
    due = at("2027-03-27T23:59:59")  # the clocks go forward in the night after it

    assert begun_units(at("2027-03-28T23:59:59"), due, BY_DAY) == 1
    assert begun_units(at("2027-03-29T00:00:00"), due, BY_DAY) == 2


def test_a_day_across_the_long_night_ends_at_the_same_time_of_day() -> None:
    due = at("2027-10-30T23:59:59")  # the clocks go back in the night after it

    assert begun_units(at("2027-10-31T23:59:59"), due, BY_DAY) == 1
    assert begun_units(at("2027-11-01T00:00:00"), due, BY_DAY) == 2


def test_hours_are_hours_whatever_the_clocks_show() -> None:
    due = at("2027-03-28T00:30:00.5")

    assert seconds_late(at("2027-03-28T02:30:00.5"), due) == 3600
    assert begun_units(at("2027-03-28T02:30:01"), due, BY_HOUR) == 1
    assert begun_units(at("2027-03-28T02:30:02"), due, BY_HOUR) == 2


def test_the_hour_that_comes_twice_is_told_apart() -> None:
    due = at("2027-10-31T01:30:00", fold=1)

    assert seconds_late(at("2027-10-31T01:45:00", fold=0), due) == 0
    assert seconds_late(at("2027-10-31T01:45:00", fold=1), due) == 900


def test_a_day_after_which_the_clocks_skip_the_time_ends_after_the_gap() -> None:
    due = at("2027-03-27T03:30:00.5", KYIV)  # 03:30 is skipped there the next day

    assert begun_units(at("2027-03-28T04:30:01", KYIV), due, BY_DAY) == 1
    assert begun_units(at("2027-03-28T04:30:02", KYIV), due, BY_DAY) == 2


# What it costs


def test_marks_and_floor_are_reckoned_from_the_marks_earned() -> None:
    due = at("2027-05-10T12:00")
    rule = Late(per="day", fraction=0.1, floor=0.5)

    one = lateness(40.0, at("2027-05-11T11:00"), due, rule)
    many = lateness(40.0, at("2027-05-30T11:00"), due, rule)
    fixed = lateness(40.0, at("2027-05-12T11:00"), due, Late(per="day", marks=5))

    assert (one.penalty, one.final) == (4.0, 36.0)
    assert (many.penalty, many.final) == (20.0, 20.0)
    assert (fixed.penalty, fixed.final) == (10.0, 30.0)


def test_marks_never_fall_below_nothing() -> None:
    late = lateness(3.0, at("2027-05-12T11:00"), at("2027-05-10T12:00"), Late(per="day", marks=5))

    assert (late.raw_marks, late.penalty, late.final) == (3.0, 3.0, 0.0)


def test_an_unknown_time_costs_nothing() -> None:
    late = lateness(40.0, None, at("2027-05-10T12:00"), BY_DAY)

    assert (late.handed_in, late.seconds_late, late.penalty, late.final) == (None, 0, 0.0, 40.0)


moments = st.datetimes(
    datetime(2026, 1, 1), datetime(2028, 12, 31), timezones=st.sampled_from([LISBON, TOKYO, UTC])
)
marks = st.floats(0, 100).map(lambda number: round(number, 6))
rules = st.builds(
    Late,
    per=st.sampled_from(["day", "hour"]),
    fraction=st.floats(0.001, 1),
    grace_minutes=st.sampled_from([0, 5, 90, 3000]),
    floor=st.floats(0, 1),
) | st.builds(Late, per=st.sampled_from(["day", "hour"]), marks=st.floats(0.01, 50), floor=st.floats(0, 1))


@given(marks, moments, moments, rules)
def test_lateness_is_never_a_bonus_and_never_takes_what_the_floor_keeps(
    raw: float, handed_in: datetime, due: datetime, rule: Late
) -> None:
    late = lateness(raw, handed_in, due, rule)

    assert raw * rule.floor - 1e-6 <= late.final <= raw
    assert late.penalty == pytest.approx(raw - late.final, abs=1e-6)


@given(marks, moments, moments, moments, rules)
def test_later_is_never_better(raw: float, one: datetime, other: datetime, due: datetime, rule: Late) -> None:
    earlier, later = sorted((one, other), key=lambda moment: moment.astimezone(UTC))

    assert lateness(raw, later, due, rule).final <= lateness(raw, earlier, due, rule).final


@given(marks, moments, st.floats(0, 1, exclude_max=True), rules)
def test_within_the_grace_nothing_is_taken_off(raw: float, due: datetime, share: float, rule: Late) -> None:
    moment = due.astimezone(UTC) + share * timedelta(minutes=rule.grace_minutes)

    assert lateness(raw, moment, due, rule).final == raw


# A class


def result(marks: float = 40.0, handed_in: str | None = None, student: str = "ana") -> Result:
    origin = Origin("moodle", "0042", email="ana@example.org", handed_in=handed_in)
    return Result("mini", student, "a.py", "", "graded", marks, 50.0, (), origin=origin)


def deadlines(due: str = "2027-05-10T12:00", **extensions: Extension) -> Deadlines:
    return Deadlines(at(due), BY_DAY, extensions)


def test_moving_the_date_and_charging_again_resets_the_penalty() -> None:
    late = charged(result(handed_in="2027-05-11T10:00:00+01:00"), deadlines())
    moved = charged(late, deadlines("2027-05-12T12:00"))

    assert (late.marks, late.raw_marks) == (36.0, 40.0)
    assert (moved.marks, moved.late.penalty) == (40.0, 0.0)
    assert charged(late, None) == result(handed_in="2027-05-11T10:00:00+01:00")


def test_charging_twice_takes_nothing_off_twice() -> None:
    late = charged(result(handed_in="2027-05-11T10:00:00+01:00"), deadlines())

    assert charged(late, deadlines()) == late


@pytest.mark.parametrize(
    ("extension", "marks"),
    [
        (Extension(days=1), 40.0),
        (Extension(hours=21), 36.0),
        (Extension(hours=22), 40.0),
        (Extension(until=datetime(2027, 5, 11, 10, 0)), 40.0),
        (Extension(until=datetime(2027, 5, 11, 9, 0, tzinfo=UTC)), 40.0),
        (Extension(until=datetime(2027, 5, 1, 9, 0)), 36.0),
    ],
)
def test_an_extension_moves_the_due_time_of_one_student_and_never_shortens_it(
    extension: Extension, marks: float
) -> None:
    late = charged(result(handed_in="2027-05-11T10:00:00+01:00"), deadlines(ana=extension))

    assert late.marks == marks


def test_an_extension_by_days_keeps_the_time_of_day_across_the_change_of_the_clocks() -> None:
    late = charged(
        result(handed_in="2027-03-28T23:59:59+01:00"), deadlines("2027-03-27T23:59:59", ana=Extension(days=1))
    )

    assert late.late.due == "2027-03-28T23:59:59+01:00"
    assert late.marks == 40.0


def test_a_student_of_a_platform_is_found_by_number_or_address_too() -> None:
    handed_in = "2027-05-11T10:00:00+01:00"
    for key in ("0042", "ana@example.org"):
        class_ = Deadlines(at("2027-05-10T12:00"), BY_DAY, {key: Extension(days=1)})
        assert charged(result(handed_in=handed_in, student="Ana Doe"), class_).marks == 40.0


def test_whom_an_extension_names_in_vain_is_told(tmp_path) -> None:
    found = [Found("ana", tmp_path / "ana.py")]

    assert deadlines(ana=Extension(days=1), anna=Extension(days=1)).strangers(found) == ("anna",)


# Tables


def test_extensions_are_read_as_spreadsheets_write_them(tmp_path) -> None:
    path = tmp_path / "extensions.csv"
    path.write_bytes("\ufeffStudent;Days;Until\r\nana;2;\r\n\r\nben;;2027-05-12T10:00\r\n".encode())

    assert read_extensions(path, tmp_path) == {
        "ana": Extension(days=2),
        "ben": Extension(until=datetime(2027, 5, 12, 10, 0)),
    }


def test_everything_wrong_in_a_table_of_extensions_is_told_with_its_line(tmp_path) -> None:
    path = tmp_path / "extensions.csv"
    path.write_text(
        "student,days,until\nana,2,\nana,3,\nben,1.5,\ncleo,,\n,1,\ndan,1,2027-05-12T10:00\neva,,tomorrow\n"
    )

    with pytest.raises(ExerciseError) as caught:
        read_extensions(path, tmp_path)

    assert [(problem.place.line, problem.message) for problem in caught.value.problems] == [
        (3, "'ana' is here twice"),
        (4, "found '1.5', expected a whole number of days"),
        (5, "until when is not said"),
        (6, "no student is named"),
        (7, "both a time and a length are said"),
        (8, "found 'tomorrow', expected a date and time"),
    ]


def test_times_of_a_table_win_and_are_in_the_due_times_zone_unless_they_say_another(tmp_path) -> None:
    path = tmp_path / "times.csv"
    path.write_text("student,handed_in\nana,2027-03-28 10:00\nben,2027-03-28T10:00:00+09:00\n")
    found = [
        Found(name, tmp_path / name, origin=Origin(handed_in="2027-01-01T00:00:00+00:00"))
        for name in ("ana", "ben", "eva")
    ]
    timed = with_times(found, read_times(path), LISBON)

    assert [one.origin.handed_in for one in timed] == [
        "2027-03-28T10:00:00+01:00",
        "2027-03-28T10:00:00+09:00",
        "2027-01-01T00:00:00+00:00",
    ]


def test_a_table_of_times_that_is_none_is_misuse(tmp_path) -> None:
    path = tmp_path / "times.csv"
    path.write_text("name,when\nana,2027-03-28 10:00\n")

    with pytest.raises(
        UsageError, match=r"times.csv:1: the first line names no columns student and handed_in"
    ):
        read_times(path)


def test_the_time_of_a_file_counts_where_nothing_else_tells(tmp_path) -> None:
    import os

    path = tmp_path / "ana.py"
    path.write_text("")
    os.utime(path, (1_800_000_000, 1_800_000_000))
    known = Found("ben", path, origin=Origin(handed_in="2027-01-01T00:00:00+00:00"))
    gone = Found("eva", tmp_path / "eva.py")
    timed = with_file_times([Found("ana", path), known, gone])

    assert [one.origin.handed_in for one in timed] == [
        "2027-01-15T08:00:00+00:00",
        "2027-01-01T00:00:00+00:00",
        None,
    ]


# The config


def small_config(top, more: str) -> Deadlines | None:
    from autograder.loading.assignment import load_assignment
    from tests.cli.small_course import CONFIG, write_course

    write_course(top)
    (top / "config/mini.yaml").write_text(CONFIG + more)
    return Deadlines.of(load_assignment(top))


def test_a_due_time_in_a_named_zone_has_the_offset_of_its_day(tmp_path) -> None:
    made = small_config(
        tmp_path, "due: {at: 2027-03-28T02:30:00, zone: Europe/Lisbon}\nlate: {per: hour, marks: 1}\n"
    )

    assert made is not None
    assert made.due.isoformat() == "2027-03-28T02:30:00+01:00"


def test_without_a_rule_nothing_is_late(tmp_path) -> None:
    assert small_config(tmp_path, "due: 2027-03-28T02:30:00+01:00\n") is None


@pytest.mark.parametrize(
    ("more", "message"),
    [
        ("due: {at: 2027-03-28T01:30, zone: Europe/Lisbon}", "go forward over 2027-03-28T01:30"),
        ("due: {at: 2027-03-28T01:30, zone: Europe/Lisboa}", "there is no zone 'Europe/Lisboa'"),
        ("due: {at: 2027-03-28T01:30}", "a time in a zone is written {at: "),
        ("due: {at: 2027-03-28T01:30+01:00, zone: Europe/Lisbon}", "has an offset of its own"),
        ("due: 2027-03-28", "expected a date and time"),
        ("late: {per: day, marks: 1}", "there is no `due` to be late for"),
        ("due: 2027-03-28T01:30+00:00\nlate: {per: day}", "one of `fraction` and `marks`"),
        (
            "due: 2027-03-28T01:30+00:00\nlate: {per: week, marks: 1}",
            "found 'week', expected one of day, hour",
        ),
        (
            "due: 2027-03-28T01:30+00:00\nlate: {per: day, marks: 1, extensions: x.csv}",
            "there is no file x.csv",
        ),
    ],
)
def test_a_rule_that_is_not_right_is_told_with_its_place(tmp_path, more: str, message: str) -> None:
    with pytest.raises(ExerciseError) as caught:
        small_config(tmp_path, more + "\n")

    assert message in str(caught.value)
    assert str(caught.value).startswith("config/mini.yaml:")
