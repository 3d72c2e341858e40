"""Turn a code and its numbers into a sentence."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from autograder.wording.english import TEXTS
from autograder.wording.languages import in_language, spoken


def say(code: str, params: Mapping[str, Any] | None = None, language: str | None = None) -> str:
    """The sentence of a code, in the language that is spoken unless another is named.

    KeyError for a code without a text: a fault of ours, found by the tests.
    """
    words = {name: in_words(value, language) for name, value in (params or {}).items()}
    return text_of(code, language).format_map(words)


def text_of(code: str, language: str | None = None) -> str:
    """The text of a code with its places open."""
    return in_language(code, TEXTS[code], language if language is not None else spoken())


def has_text(code: str) -> bool:
    """Whether the catalogue has this code."""
    return code in TEXTS


def in_words(value: Any, language: str | None = None) -> str:
    """A parameter as text: numbers short, shapes as tuples, names joined."""
    if isinstance(value, bool) or value is None:
        return str(value)
    if isinstance(value, float):
        return number(value)
    if isinstance(value, list | tuple):
        if value and all(isinstance(item, str) for item in value):
            return _joined(value, language)
        inner = ", ".join(in_words(item, language) for item in value)
        return f"({inner},)" if len(value) == 1 else f"({inner})"
    return str(value)


def _joined(names: Sequence[str], language: str | None) -> str:
    if len(names) == 1:
        return names[0]
    return text_of("names.last", language).format(others=", ".join(names[:-1]), last=names[-1])


def number(value: float, digits: int = 4) -> str:
    """A number in at most `digits` significant digits, without needless zeros."""
    if not math.isfinite(value):
        return str(value)
    if value == int(value) and abs(value) < 1e6:
        return str(int(value))
    return f"{value:.{digits}g}"


def pair(actual: Any, expected: Any, printed_digits: int | None = None) -> tuple[str, str]:
    """Actual and expected with as many digits as it takes to see that they differ."""
    if printed_digits is not None:
        texts = tuple(
            f"{v:.{printed_digits}f}" if isinstance(v, float) else str(v) for v in (actual, expected)
        )
        if texts[0] != texts[1]:
            return texts[0], texts[1]
    for digits in (4, 7, 10, 17):
        left, right = (number(v, digits) if isinstance(v, float) else str(v) for v in (actual, expected))
        if left != right:
            return left, right
    return left, right


def where(line: int, cell: int | None = None) -> str:
    """A line as people find it: line 14, or of a notebook cell 4, line 2."""
    return say("report.line" if cell is None else "report.cell_line", {"line": line, "cell": cell})


def place(index: Sequence[int]) -> str:
    """An index as people write it: [0, 1]."""
    return "[" + ", ".join(str(i) for i in index) + "]"
