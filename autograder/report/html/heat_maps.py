"""Heat maps as data: actual, expected and difference on one scale of colours, with the sums of the rows.

The templates draw them as SVG and, for those who do not see it, as tables.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from autograder.wording.say import number, place, say

Numbers = NDArray[np.float64]

#: Steps of colour on either side of 0.
STEPS = 6
_MOST_ENTRIES, _MOST_AXES = 400, 3
_CELL_HEIGHT, _CHARACTER, _PADDING, _GAP = 24, 7, 12, 10
#: A panel wider than this scrolls on a phone.
_NARROW = 250


@dataclass(frozen=True, slots=True)
class Cell:
    """One entry: where it is drawn, its step of colour, its text, whether it differs."""

    x: int
    level: str
    text: str
    far: bool


@dataclass(frozen=True, slots=True)
class Row:
    """One row: where it is drawn, its name, its entries, their sum as a text."""

    y: int
    name: str
    cells: tuple[Cell, ...]
    sum: str


@dataclass(frozen=True, slots=True)
class Panel:
    """One matrix. `left` is the width of the names, `side` where the sums stand (0 if there are none)."""

    title: str
    width: int
    height: int
    left: int
    cell: int
    side: int
    columns: tuple[tuple[int, str], ...]
    rows: tuple[Row, ...]

    @property
    def is_wide(self) -> bool:
        """Whether a phone has to scroll it."""
        return self.width > _NARROW


@dataclass(frozen=True, slots=True)
class Picture:
    """One output of one case: its panels, one line of them for each layer of a stack, and what they show."""

    case: str
    output: str
    summary: str
    layers: tuple[tuple[Panel, ...], ...]
    scale: tuple[tuple[str, str], ...]
    entries: int
    rows: int
    comparable: bool
    is_named: bool


def picture_of(evidence: Mapping[str, Any]) -> Picture | None:
    """The picture of a check's evidence; None if it holds no arrays, or damaged ones."""
    arrays = evidence.get("arrays")
    if not isinstance(arrays, dict):
        return None
    actual, expected = _array(arrays.get("actual")), _array(arrays.get("expected"))
    if actual is None or expected is None:
        return None
    far = _far(arrays.get("near"), actual, expected)
    tokens = [str(token) for token in arrays.get("tokens") or ()]
    difference = None if far is None else np.where(far, _minus(actual, expected), 0.0)
    most = _most([actual, expected, *([] if difference is None else [difference])])
    return Picture(
        case=str(evidence.get("case", "")),
        output=str(evidence.get("output") or ""),
        summary=_summary(actual, expected, far),
        layers=_layers(actual, expected, difference, far, tokens, most),
        scale=_scale(most),
        entries=actual.size,
        rows=actual.shape[-2] if actual.ndim > 1 else 1,
        comparable=far is not None,
        is_named=bool(tokens),
    )


def _array(value: Any) -> Numbers | None:
    """Nested lists of numbers as an array of one to three axes, or None if they are something else."""
    if not isinstance(value, list):
        return None
    try:
        array = np.asarray(_floats(value, _MOST_AXES), dtype=np.float64)
    except (ValueError, TypeError):
        return None
    return array if 0 < array.size <= _MOST_ENTRIES and 1 <= array.ndim <= _MOST_AXES else None


def _floats(value: Any, depth: int) -> Any:
    if isinstance(value, list) and depth:
        return [_floats(item, depth - 1) for item in value]
    return float(value)


def _far(near: Any, actual: Numbers, expected: Numbers) -> NDArray[np.bool_] | None:
    """Which entries differ; None if the shapes do."""
    if actual.shape != expected.shape:
        return None
    try:
        given = np.asarray(near, dtype=bool)
    except (ValueError, TypeError):
        given = np.zeros(0, dtype=bool)
    return ~given if given.shape == actual.shape else actual != expected


def _minus(actual: Numbers, expected: Numbers) -> Numbers:
    with np.errstate(all="ignore"):
        return actual - expected


def _most(arrays: Sequence[Numbers]) -> float:
    """The largest finite size of all: the scale reaches as far on either side of 0."""
    finite = [np.abs(array[np.isfinite(array)]) for array in arrays]
    return max((float(sizes.max()) for sizes in finite if sizes.size), default=0.0)


def _summary(actual: Numbers, expected: Numbers, far: NDArray[np.bool_] | None) -> str:
    if far is None:
        return say("figure.shapes", {"actual": actual.shape, "expected": expected.shape})
    if not far.any():
        return say("figure.same", {"count": int(far.size)})
    size = np.where(far, np.abs(_minus(actual, expected)), -1.0)
    worst = tuple(int(i) for i in np.unravel_index(int(np.nan_to_num(size, nan=np.inf).argmax()), size.shape))
    words = {"count": int(far.sum()), "total": int(far.size), "at": place(worst)}
    values = {"actual": number(float(actual[worst])), "expected": number(float(expected[worst]))}
    return say("figure.differs", words | values)


def _layers(
    actual: Numbers,
    expected: Numbers,
    difference: Numbers | None,
    far: NDArray[np.bool_] | None,
    tokens: Sequence[str],
    most: float,
) -> tuple[tuple[Panel, ...], ...]:
    """The panels beside each other, a line for each layer; of different shapes actual and expected alone."""
    nowhere = np.zeros(actual.shape, dtype=bool) if far is None else far
    told = [(say("figure.actual"), actual, nowhere)]
    told.append((say("figure.expected"), expected, np.zeros(expected.shape, dtype=bool)))
    if difference is not None:
        told.append((say("figure.difference"), difference, nowhere))
    lines: dict[str, list[Panel]] = {}
    for title, array, marked in told:
        signed = array is difference
        for name, matrix, differs in _matrices(array, marked):
            panel = _panel(f"{title}{name}", matrix, differs, tokens, most, signed=signed)
            lines.setdefault(name if far is not None else title, []).append(panel)
    return tuple(tuple(panels) for panels in lines.values())


def _matrices(array: Numbers, marked: NDArray[np.bool_]) -> list[tuple[str, Numbers, NDArray[np.bool_]]]:
    """The array as matrices: a row, itself, or the layers of a stack, each with its index."""
    if array.ndim <= 2:
        return [("", np.atleast_2d(array), np.atleast_2d(marked))]
    return [(f" {place([i])}", array[i], marked[i]) for i in range(len(array))]


def _panel(
    title: str,
    matrix: Numbers,
    marked: NDArray[np.bool_],
    tokens: Sequence[str],
    most: float,
    *,
    signed: bool,
) -> Panel:
    rows, columns = matrix.shape
    down, across = _names(tokens, rows), _names(tokens, columns)
    texts = [[_text(float(value), signed=signed) for value in row] for row in matrix]
    sums = [_sum_text(row, most, signed=signed) for row in matrix] if columns > 1 else []
    cell = _wide([*across, *(text for row in texts for text in row)])
    left = _wide(down)
    side = left + columns * cell + _GAP if sums else 0
    lines = tuple(
        Row(
            y=(i + 1) * _CELL_HEIGHT,
            name=down[i],
            cells=tuple(
                Cell(left + j * cell, level(float(matrix[i, j]), most), texts[i][j], bool(marked[i, j]))
                for j in range(columns)
            ),
            sum=sums[i] if sums else "",
        )
        for i in range(rows)
    )
    width = side + _wide([*sums, say("figure.sum")]) if sums else left + columns * cell + 2
    places = tuple((left + j * cell, name) for j, name in enumerate(across))
    return Panel(title, width, (rows + 1) * _CELL_HEIGHT + 2, left, cell, side, places, lines)


def _wide(texts: Sequence[str]) -> int:
    """The width of the widest of the texts, with room on both sides."""
    return max(len(text) for text in texts) * _CHARACTER + _PADDING


def _names(tokens: Sequence[str], count: int) -> list[str]:
    return [token[:12] for token in tokens] if len(tokens) == count else [str(i) for i in range(count)]


def _text(value: float, *, signed: bool) -> str:
    """An entry as a text; of a difference the sign, and a point where there is none."""
    if signed and value == 0:
        return "·"
    text = number(value, 3).replace("-", "−")
    return f"+{text}" if signed and value > 0 else text


def _sum_text(row: Numbers, most: float, *, signed: bool) -> str:
    with np.errstate(all="ignore"):
        total = float(row.sum())
    return _text(0.0 if abs(total) < 1e-6 * most else total, signed=signed)


def level(value: float, most: float) -> str:
    """The step of colour of a value: n6 to n1 below 0, z, p1 to p6 above; odd for what is not finite."""
    if not math.isfinite(value):
        return "odd"
    step = round(STEPS * min(abs(value) / most, 1.0)) if most > 0 else 0
    return "z" if step == 0 else f"{'p' if value > 0 else 'n'}{step}"


def _scale(most: float) -> tuple[tuple[str, str], ...]:
    """The legend: every step of colour, with the numbers at both ends and in the middle."""
    ends = {-STEPS: number(-most, 3).replace("-", "−"), 0: "0", STEPS: number(most, 3)}
    steps = range(-STEPS, STEPS + 1)
    return tuple((level(step / STEPS, 1.0), ends.get(step, "")) for step in steps)
