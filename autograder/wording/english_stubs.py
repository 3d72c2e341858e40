"""The English texts of the files that students fill in: what stands around the author's own words."""

from __future__ import annotations

from collections.abc import Mapping

TEXTS: Mapping[str, str] = {
    "stub.title": "{title}: {count} functions to write, in this order",
    "stub.about": (
        "Each function begins as `raise NotImplementedError(…)`: write its lines in that place, "
        "and keep its name and its parameters"
    ),
    "stub.later": "A later function may call the earlier ones",
    "stub.check": "check this file, exercise by exercise",
    "stub.check_one": "check one exercise of it",
    "stub.hint": "the next hint for an exercise",
    "stub.list": "the exercises and the progress",
    "stub.parameters": "Parameters",
    "stub.returns": "Returns",
    "stub.kind.array": "an array",
    "stub.kind.integer": "a whole number",
    "stub.kind.number": "a number",
    "stub.kind.text": "a text",
    "stub.kind.function": "a function",
    "stub.not_begun": "exercise {number}, {exercise}: not begun",
    "stub.notebook.run": "Run the cell of a function, then the one below it, which checks it",
    "stub.notebook.kernel": "`check` calls the function in this notebook's own kernel",
    "stub.notebook.marks": (
        "For the marks, the cells run in a process of their own, from the top down, as *Restart and run all* does"
    ),
    "stub.points": "{points} marks",
    "stub.points.one": "1 mark",
}
