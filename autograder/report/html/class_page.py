"""A class as a page: who needs a person, marks, exercises as items, misconceptions, checks, everybody."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from autograder.report.html.pages import page
from autograder.report.html.statistics import ClassFigures, Entry, Piece
from autograder.report.layout import marks_text

#: A discrimination below this deserves a look at the exercise.
LOW = 0.2
_BAR_WIDTH, _BAR_GAP, _PLOT_HEIGHT = 52, 6, 130


@dataclass(frozen=True, slots=True)
class Bar:
    """One bar of the distribution: its place, its height, where its marks begin, how many got them."""

    x: int
    width: int
    height: float
    low: str
    label: str
    count: int


@dataclass(frozen=True, slots=True)
class Square:
    """One exercise of one submission in the table of everybody: its marks, and a colour for the share."""

    text: str
    level: str
    status: str


def render_class_page(
    figures: ClassFigures, *, title: str = "", link: Callable[[str], str | None] = lambda student: None
) -> str:
    """The page of a class. `link` leads from a student's name to the report, or to nothing."""
    ids = [item.id for item in figures.items]
    links = {entry.student: link(entry.student) or "" for entry in figures.entries}
    return page(
        "class.html.jinja",
        figures=figures,
        title=title,
        links=links,
        bars=bars(figures),
        plot_height=_PLOT_HEIGHT,
        squares=lambda entry: _squares(entry, ids),
        low=LOW,
    )


def bars(figures: ClassFigures) -> tuple[Bar, ...]:
    """The distribution of the marks, the highest bar being as high as the plot."""
    most = max((count for _, _, count in figures.marks.bins), default=0)
    return tuple(
        Bar(
            x=number * (_BAR_WIDTH + _BAR_GAP),
            width=_BAR_WIDTH,
            height=round(_PLOT_HEIGHT * count / most, 1) if most else 0.0,
            low=marks_text(low),
            label=f"{marks_text(low)}–{marks_text(high)}",
            count=count,
        )
        for number, (low, high, count) in enumerate(figures.marks.bins)
    )


def _squares(entry: Entry, ids: Sequence[str]) -> tuple[Square, ...]:
    pieces = {piece.id: piece for piece in entry.pieces}
    return tuple(_square(pieces.get(id)) for id in ids)


def _square(piece: Piece | None) -> Square:
    if piece is None:
        return Square("", "none", "skipped")
    if piece.status in ("not_attempted", "missing", "skipped"):
        return Square("–", "none", piece.status)
    share = piece.marks / piece.max_marks if piece.max_marks > 0 else 0.0
    level = (
        "full" if piece.status == "passed" else "most" if share >= 0.5 else "some" if share > 0 else "zero"
    )
    return Square(marks_text(piece.marks), "broken" if piece.status == "broken" else level, piece.status)
