"""A figure as HTML: actual, expected and difference as heat maps that are tables of numbers.

Tables and inline styles are all that is used: they pass a notebook's sanitiser, and are read aloud as they
are.
"""

from __future__ import annotations

import html
import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from autograder.notebook.figures import Figure
from autograder.report.safe_text import visible
from autograder.wording.say import number, place, say

#: Rows and columns shown of one matrix; matrices shown of a stack.
_MOST_ROWS, _MOST_COLUMNS, _MOST_LAYERS = 12, 12, 4
#: Light to dark, for values; towards below and above, for differences.
_LIGHT, _DARK = (247, 251, 255), (8, 64, 129)
_BELOW, _ABOVE, _NEUTRAL = (5, 98, 140), (166, 54, 3), (250, 250, 250)
_CELL = "padding:2px 6px;text-align:right;border:1px solid rgba(128,128,128,.35);"
_HEAD = "padding:2px 6px;text-align:center;font-weight:normal;opacity:.7;"


def figure_html(figure: Figure) -> str:
    """One output of one case: its panels side by side, with what they show in words."""
    panels = [
        _panel(say("figure.actual"), figure.actual, _scale(figure), figure),
        _panel(say("figure.expected"), figure.expected, _scale(figure), figure),
    ]
    if figure.near is not None:
        with np.errstate(invalid="ignore"):
            difference = np.where(figure.near, 0.0, figure.actual - figure.expected)
        panels.append(_panel(say("figure.difference"), difference, _spread(difference), figure, signed=True))
    body = "".join(
        f'<div style="display:inline-block;margin:0 1.5em .5em 0;vertical-align:top">{p}</div>'
        for p in panels
    )
    text = html.escape(described(figure))
    return (
        f'<figure role="group" aria-label="{text}" style="margin:.6em 0;overflow-x:auto">'
        f'<figcaption style="margin-bottom:.2em">{text}</figcaption>{body}</figure>'
    )


def described(figure: Figure) -> str:
    """What a figure shows, in a sentence: how many entries differ, and where most."""
    words = {"output": figure.output, "case": visible(figure.case.replace("-", " "))}
    return f"{say('figure.caption', words)}: {_summary(figure)}"


def _summary(figure: Figure) -> str:
    if figure.near is None:
        shapes = {"actual": figure.actual.shape, "expected": figure.expected.shape}
        return say("figure.shapes", shapes)
    off = ~figure.near
    if not off.any():
        return say("figure.same", {"count": int(off.size)})
    with np.errstate(invalid="ignore"):
        size = np.where(off, np.abs(figure.actual - figure.expected), -1.0)
    size = np.where(np.isnan(size), np.inf, size)
    worst = tuple(int(i) for i in np.unravel_index(int(size.argmax()), size.shape))
    words = {"count": int(off.sum()), "total": int(off.size), "at": place(worst)}
    values = {
        "actual": number(float(figure.actual[worst])),
        "expected": number(float(figure.expected[worst])),
    }
    return say("figure.differs", words | values)


def _scale(figure: Figure) -> tuple[float, float]:
    """The smallest and largest finite value of both: they share their colours."""
    values = np.concatenate([figure.actual.ravel(), figure.expected.ravel()])
    values = values[np.isfinite(values)]
    return (float(values.min()), float(values.max())) if values.size else (0.0, 1.0)


def _spread(difference: NDArray[np.float64]) -> tuple[float, float]:
    finite = np.abs(difference[np.isfinite(difference)])
    most = float(finite.max()) if finite.size else 0.0
    return -most, most


def _panel(
    title: str,
    array: NDArray[np.float64],
    scale: tuple[float, float],
    figure: Figure,
    *,
    signed: bool = False,
) -> str:
    tables = [
        _table(f"{title}{name}", matrix, scale, figure.tokens, signed=signed)
        for name, matrix in _matrices(array)
    ]
    return "".join(tables)


def _matrices(array: NDArray[np.float64]) -> list[tuple[str, NDArray[np.float64]]]:
    """The array as matrices: a row, itself, or the layers of a stack, each with what to call it."""
    if array.ndim <= 2:
        return [("", np.atleast_2d(array))]
    layers = array.reshape(-1, *array.shape[-2:])
    named = [(f" [{index}]", layer) for index, layer in enumerate(layers[:_MOST_LAYERS])]
    if len(layers) > _MOST_LAYERS:
        named[-1] = (f"{named[-1][0]} {say('figure.of', {'count': len(layers)})}", named[-1][1])
    return named


def _table(
    title: str,
    matrix: NDArray[np.float64],
    scale: tuple[float, float],
    tokens: Sequence[str],
    *,
    signed: bool,
) -> str:
    rows, columns = matrix.shape
    shown = matrix[:_MOST_ROWS, :_MOST_COLUMNS]
    cut = say("figure.cut", {"shape": (rows, columns)}) if shown.shape != matrix.shape else ""
    across, down = _names(tokens, columns), _names(tokens, rows)
    head = "".join(f'<th scope="col" style="{_HEAD}">{name}</th>' for name in across[: shown.shape[1]])
    lines = [f'<tr><td style="{_HEAD}"></td>{head}</tr>']
    for name, row in zip(down, shown, strict=False):
        cells = "".join(_entry(float(value), scale, signed=signed) for value in row)
        lines.append(f'<tr><th scope="row" style="{_HEAD}">{name}</th>{cells}</tr>')
    caption = html.escape(f"{title} {cut}".strip())
    above = f'<caption style="caption-side:top;text-align:left">{caption}</caption>'
    return f'<table style="border-collapse:collapse;font-size:90%">{above}{"".join(lines)}</table>'


def _names(tokens: Sequence[str], count: int) -> list[str]:
    names = tokens if len(tokens) == count else [str(index) for index in range(count)]
    return [html.escape(visible(name, 20)) for name in names]


def _entry(value: float, scale: tuple[float, float], *, signed: bool) -> str:
    colour = _colour(value, scale, signed=signed)
    ink = "#000" if _is_light(colour) else "#fff"
    text = "·" if signed and value == 0 else _short(value, signed=signed)
    told = f' aria-label="{say("figure.no_difference")}"' if text == "·" else ""
    return f'<td{told} style="{_CELL}background:rgb{colour};color:{ink}">{html.escape(text)}</td>'


def _short(value: float, *, signed: bool) -> str:
    text = number(value, 3).replace("-", "−")
    return f"+{text}" if signed and value > 0 else text


def _colour(value: float, scale: tuple[float, float], *, signed: bool) -> tuple[int, int, int]:
    low, high = scale
    if not math.isfinite(value):
        return (120, 0, 60)
    if signed:
        share = abs(value) / high if high > 0 else 0.0
        return _between(_NEUTRAL, _ABOVE if value > 0 else _BELOW, share)
    share = (value - low) / (high - low) if high > low else 0.5
    return _between(_LIGHT, _DARK, share)


def _between(start: tuple[int, int, int], end: tuple[int, int, int], share: float) -> tuple[int, int, int]:
    share = min(max(share, 0.0), 1.0)
    red, green, blue = (round(a + (b - a) * share) for a, b in zip(start, end, strict=True))
    return red, green, blue


def _is_light(colour: tuple[int, int, int]) -> bool:
    return 0.299 * colour[0] + 0.587 * colour[1] + 0.114 * colour[2] > 140
