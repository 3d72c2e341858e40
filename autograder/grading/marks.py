"""From verdicts to marks and statuses: pure, and the only place where marks are reckoned."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from autograder.model.check import CheckBase
from autograder.model.result import Status

_DIGITS = 6


class Marked(NamedTuple):
    """The status of one check and the share of the exercise's weight it earns."""

    status: Status
    earned: float


def mark_checks(
    checks: Sequence[CheckBase],
    statuses: Mapping[str, Status],
    *,
    tells: Callable[[str], bool] = lambda name: True,
) -> dict[str, Marked]:
    """Each check's final status and the weight it earns.

    A claim that a stock answer fulfils (arguments left alone, no negative entry) counts once a value check
    of the exercise has passed that tells a right function from it, by `tells` of the check's name; or once
    all have. `broken` is our fault or the author's: its weight is given.
    """
    values = [check.name for check in checks if check.kind == "value"]  # type: ignore[attr-defined]
    good = [name for name in values if statuses[name] in ("passed", "broken")]
    grounded = (bool(values) and good == values) or any(map(tells, good))
    marked = {}
    for check in checks:
        status = statuses[check.name]  # type: ignore[attr-defined]
        if status == "passed" and check.kind != "value" and not grounded:  # type: ignore[attr-defined]
            status = "skipped"
        earned = check.weight if status in ("passed", "broken") else 0.0
        marked[check.name] = Marked(status, earned)  # type: ignore[attr-defined]
    return marked


@lru_cache(maxsize=4096, typed=True)
def marks(points: float, earned: float, total: float) -> float:
    """Points × earned weight ÷ whole weight, exactly the points if all is earned."""
    return points if earned >= total else round(points * earned / total, _DIGITS)


def total(parts: Sequence[float]) -> float:
    """The sum of marks, without the dust of binary fractions."""
    return round(sum(parts), _DIGITS)


def exercise_status(statuses: Sequence[Status]) -> Status:
    """The status of an exercise from those of its checks; never empty.

    All passed (or given): passed. Some: partly. None: what stopped the calls if one thing did, else failed.
    """
    kinds = set(statuses)
    if "broken" in kinds and kinds <= {"passed", "broken"}:
        return "broken"
    if kinds == {"passed"}:
        return "passed"
    if kinds & {"passed", "broken"}:
        return "partly"
    lost = kinds - {"skipped"}
    if len(lost) == 1:
        return lost.pop()
    if not lost:
        return "skipped"
    for status in ("failed", "timed_out", "crashed", "raised", "missing"):
        if status in lost:
            return status
    return "failed"
