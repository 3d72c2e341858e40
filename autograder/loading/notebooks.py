"""Notebooks read as submissions: the code of their cells, one after the other, with a map from line to cell.

Cells are numbered as people count them: the first code cell from the top is cell 1, whatever was run
when, and cells that are empty or left out count too. Nothing but the standard library is needed to read a
notebook of any format that was ever in use; outputs, widgets and other metadata are never looked at.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from typing import Any

from autograder.loading.notebook_code import Cells, LeftOut
from autograder.model.submission import Submission
from autograder.wording.say import say, where

#: The largest notebook that is read (its outputs may be large), and the most code that it may hold.
MOST_BYTES, MOST_CODE = 100 * 1024 * 1024, 2 * 1024 * 1024

#: The first line keeps an encoding cookie in the first cell from being one: the text is UTF-8 already.
_OPENING = "# The code of a notebook, cell by cell."
_CONFLICT = re.compile(rb"^(<{7}|>{7})( |\r?$)", re.MULTILINE)
_LINE_END = re.compile(r"\r\n?")
#: Kernels by the beginning of their names, where a notebook does not tell its language.
_KERNELS = {"ir": "R", "julia": "Julia", "octave": "Octave", "matlab": "MATLAB", "javascript": "JavaScript"}
_PYTHONS = ("python", "ipython")
#: Of so much that was left out it is told where; characters of its text.
_TOLD, _TOLD_CHARS, _LANGUAGE_CHARS = 5, 80, 40


class NoNotebookError(ValueError):
    """The bytes hold no notebook of Python; the message is one line that says why."""


def notebook_submission(student: str, file: str, content: bytes, notes: tuple[str, ...] = ()) -> Submission:
    """A notebook as a submission; NoNotebookError if it cannot be one."""
    source, cells, left = code_of(content)
    told = _notes(left)
    return Submission(
        student, file, content, source.encode("utf-8", "backslashreplace"), (*notes, *told), cells
    )


def code_of(content: bytes) -> tuple[str, tuple[int, ...], tuple[tuple[int, LeftOut], ...]]:
    """The code of a notebook, the lines at which its cells begin, and what was left out, by cell number.

    The text is empty if there is no code. NoNotebookError if the bytes are none.
    """
    texts = [_LINE_END.sub("\n", text) for text in _code_cells(_document(content))]
    size = sum(len(text.encode("utf-8", "backslashreplace")) for text in texts)
    if size > MOST_CODE:
        raise NoNotebookError(say("notebook.too_long", {"bytes": f"{size:,}", "limit": f"{MOST_CODE:,}"}))
    if not any(text.strip() for text in texts):
        return "", (), ()
    lines, starts, left = [_OPENING], [], []
    cells = Cells()
    for number, text in enumerate(texts, 1):
        plain, out = cells.plain(text)
        lines.append(f"# cell {number}")
        starts.append(len(lines) + 1)
        lines += plain.split("\n")
        left += [(number, one) for one in out]
    return "\n".join(lines) + "\n", tuple(starts), tuple(left)


def _document(content: bytes) -> dict[str, Any]:
    """The notebook's JSON; NoNotebookError, with what happened to it, if there is none."""
    if not content:
        raise NoNotebookError(say("notebook.empty"))
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise NoNotebookError(say("notebook.not_text")) from None
    if not text.strip():
        raise NoNotebookError(say("notebook.blank"))
    try:
        document = json.loads(text, object_hook=_without_outputs)
    except json.JSONDecodeError as error:
        raise NoNotebookError(_damage(content, text, error)) from None
    except (RecursionError, ValueError) as error:
        raise NoNotebookError(
            say("notebook.not_json", {"line": 1, "message": type(error).__name__})
        ) from None
    if not isinstance(document, dict):
        raise NoNotebookError(say("notebook.no_cells"))
    return document


def _without_outputs(item: dict[str, Any]) -> dict[str, Any]:
    """A JSON object as it is read, but for outputs, which may be large."""
    item.pop("outputs", None)
    return item


def _damage(content: bytes, text: str, error: json.JSONDecodeError) -> str:
    conflict = _CONFLICT.search(content)
    if conflict:
        return say("notebook.conflict", {"line": content.count(b"\n", 0, conflict.start()) + 1})
    rest = text[error.pos :].strip()
    cut_off = not rest or not text.rstrip().endswith("}") or error.msg.startswith("Unterminated string")
    if text.lstrip().startswith("{") and cut_off:
        return say("notebook.truncated", {"line": text.count("\n") + 1})
    return say("notebook.not_json", {"line": error.lineno, "message": error.msg})


def _code_cells(document: dict[str, Any]) -> list[str]:
    """The texts of the code cells in order; NoNotebookError if there are no cells, or not of Python."""
    cells = list(_cells(document))
    language = _language(document.get("metadata"), cells)
    if language.casefold() not in _PYTHONS:
        raise NoNotebookError(say("notebook.language", {"language": language[:_LANGUAGE_CHARS]}))
    return [_text(cell) for cell in cells if cell.get("cell_type") == "code"]


def _cells(document: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """All cells: those of the document, or (formats 2 and 3) of its worksheets."""
    worksheets = document.get("worksheets")
    lists = [document.get("cells")]
    if not isinstance(lists[0], list) and isinstance(worksheets, list):
        lists = [sheet.get("cells") for sheet in worksheets if isinstance(sheet, dict)]
    if not any(isinstance(cells, list) for cells in lists):
        raise NoNotebookError(say("notebook.no_cells"))
    for cells in lists:
        yield from (cell for cell in cells or () if isinstance(cell, dict))


def _text(cell: dict[str, Any]) -> str:
    """The source of a cell, as one text or a list of lines; formats 2 and 3 call it input."""
    source = cell.get("source", cell.get("input", ""))
    parts = source if isinstance(source, list) else [source]
    return "".join(part for part in parts if isinstance(part, str))


def _language(metadata: Any, cells: Sequence[dict[str, Any]]) -> str:
    """The language that a notebook says it is in; Python if it says nothing."""
    kernel, info = (_part(metadata, name) for name in ("kernelspec", "language_info"))
    for told in (kernel.get("language"), info.get("name")):
        if isinstance(told, str) and told.strip():
            return _PYTHONS[0] if re.fullmatch(r"i?python\d*", told.strip(), re.IGNORECASE) else told.strip()
    name = kernel.get("name")
    for beginning, language in _KERNELS.items():
        if isinstance(name, str) and re.match(rf"{beginning}(\W|\d|$)", name, re.IGNORECASE):
            return language
    of_cell = next((cell["language"] for cell in cells if isinstance(cell.get("language"), str)), "")
    return of_cell or _PYTHONS[0]


def _part(metadata: Any, name: str) -> dict[str, Any]:
    part = metadata.get(name) if isinstance(metadata, dict) else None
    return part if isinstance(part, dict) else {}


def _notes(left: Sequence[tuple[int, LeftOut]]) -> tuple[str, ...]:
    """What was not run, in words: the first few by cell and line, and how many more."""
    notes = []
    for cell, (line, text) in left[:_TOLD]:
        shown = text if len(text) <= _TOLD_CHARS else text[: _TOLD_CHARS - 1] + "…"
        if line is None:
            notes.append(say("notebook.left_out.cell", {"cell": cell, "text": shown}))
        else:
            notes.append(say("notebook.left_out", {"text": shown, "where": where(line, cell)}))
    more = len(left) - _TOLD
    return (*notes, say("notebook.left_out.more", {"count": more})) if more > 0 else tuple(notes)
