"""How a page is made: templates that escape whatever they get, one style sheet, a strict policy."""

from __future__ import annotations

import base64
import hashlib
from functools import cache
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from autograder.report.late_work import late_words
from autograder.report.layout import MARKS, marks_text
from autograder.report.safe_text import source_line, spelt_out, visible, visible_lines
from autograder.wording.languages import spoken
from autograder.wording.say import number, say, where

_POLICY = (
    "default-src 'none'; style-src 'sha256-{digest}'; img-src data:; base-uri 'none'; form-action 'none'"
)


#: So many pieces of a page are put together at a time; kept till the end they take ten times the size of the page.
_TOGETHER = 1000


def page(template: str, **content: Any) -> str:
    """A template filled in. Everything that is put in is text, whatever it contains."""
    pieces = _environment().get_template(template).stream(content)
    pieces.enable_buffering(_TOGETHER)
    return "".join(pieces)


def _as_text(value: Any) -> Any:
    """What a template puts out: a text with all that is unprintable spelt out, markup of our own as it is."""
    return spelt_out(value) if isinstance(value, str) and not hasattr(value, "__html__") else value


@cache
def _environment() -> Environment:
    made = Environment(
        loader=PackageLoader("autograder.report.html"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=_as_text,
    )
    assert made.loader is not None
    style = made.loader.get_source(made, "style.css")[0]
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    made.globals |= {"style": Markup(style), "policy": _POLICY.format(digest=digest)}
    made.globals |= {"say": say, "where": where, "language": spoken, "late_words": late_words}
    made.filters |= {
        "visible": visible,
        "visible_lines": _lines,
        "source_line": source_line,
        "marks": marks_text,
        "number": number,
        "percent": percent,
        "sign": lambda status: MARKS[status][0],
        "kind": lambda status: MARKS[status][2],
        "spaced": lambda name: name.replace("-", " "),
    }
    return made


def _lines(text: str, lines: int, chars: int) -> tuple[str, ...]:
    return visible_lines(text, lines=lines, chars=chars)


def percent(share: float | None) -> str:
    """A share in per cent, rounded down, so that nearly all is never all; of nothing it is undefined."""
    return say("page.undefined") if share is None else f"{int(share * 100 + 1e-9)} %"
