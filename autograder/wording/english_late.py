"""The English texts of late work: when something was handed in and what that costs."""

from __future__ import annotations

from collections.abc import Mapping

TEXTS: Mapping[str, str] = {
    "late.penalty": (
        "handed in {handed_in}, {late} after {due}: {raw_marks} marks less {penalty} for lateness make {final}"
    ),
    "late.grace": "handed in {handed_in}, {late} after {due}: within the time of grace, nothing is taken off",
    "late.unknown": "when this was handed in is not known: nothing is taken off for lateness",
    "late.short": "{penalty} taken off for lateness",
}
