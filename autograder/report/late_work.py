"""Late work in words: when a submission came, when it was due, and what that made of its marks."""

from __future__ import annotations

from datetime import datetime

from autograder.model.result import Result
from autograder.report.layout import marks_text
from autograder.wording.say import say


def late_words(result: Result) -> str:
    """One sentence on raw marks, penalty and final marks; nothing if it came in time or no rule asks when."""
    late = result.late
    if late is None:
        return ""
    if late.handed_in is None:
        return say("late.unknown")
    if not late.seconds_late:
        return ""
    words = {
        "handed_in": _clock(late.handed_in),
        "late": duration(late.seconds_late),
        "due": _clock(late.due),
        "raw_marks": marks_text(late.raw_marks),
        "penalty": marks_text(late.penalty),
        "final": marks_text(late.final),
    }
    return say("late.penalty" if late.penalty else "late.grace", words)


def duration(seconds: int) -> str:
    """A length of time in its two largest units: 2 d 3 h, 45 min, 8 s."""
    units = (("d", 86_400), ("h", 3600), ("min", 60), ("s", 1))
    parts: list[str] = []
    for name, size in units:
        count, seconds = divmod(seconds, size)
        if count or parts:
            parts.append(f"{count} {name}")
    return " ".join(part for part in parts[:2] if not part.startswith("0 ")) or "0 s"


def _clock(time: str) -> str:
    return datetime.fromisoformat(time).isoformat(sep=" ", timespec="seconds")
