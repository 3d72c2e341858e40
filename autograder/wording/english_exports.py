"""English texts of what is handed on to learning platforms."""

from __future__ import annotations

from collections.abc import Mapping

TEXTS: Mapping[str, str] = {
    "export.hidden.passed": "hidden cases: all hold",
    "export.hidden.failed": "hidden cases: not all hold",
    "export.hidden_name": "{exercise}: hidden cases",
    "export.broken": "a fault of the exercise kept something from being checked; its marks are given",
    "export.more_checks": "{count} more checks did not pass",
    "export.more_exercises": "{count} more exercises did not pass; the summary lists all of them",
    "export.cut": "the rest is left out: there is no room for it",
    "export.exercise": "exercise",
    "export.marks": "marks",
    "export.status": "status",
}
