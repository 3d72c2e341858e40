"""Text for a cell of a table that no spreadsheet takes for a formula, however it splits the line."""

from __future__ import annotations

import re

#: What a cell begins with that a spreadsheet may run: also as full-width letters.
_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")
_NUMBER = r"[+-]?\d+(?:[.,]\d+)*"
#: Where another program may begin a cell: after any separator, since each knows others, and a quote.
_BEGINNING = re.compile(rf'(^|[,;\t\r\n])([\s"]*)(?=[=+\-@＝＋－＠])(?!{_NUMBER}(?:[\s,;"]|$))')


def no_formula(text: str) -> str:
    """A cell that no spreadsheet takes for a formula."""
    return "'" + text if text.startswith(_FORMULA) else text


def guarded(text: str) -> str:
    """A cell of a table that is opened elsewhere; plain numbers, ids and a lone - for nothing stay.

    >>> guarded("=1+1"), guarded("-12.5"), guarded("0042"), guarded('Doe;=HYPERLINK("x")')
    ("'=1+1", '-12.5', '0042', 'Doe;\\'=HYPERLINK("x")')
    """
    if text == "-" or re.fullmatch(_NUMBER, text):
        return text
    return no_formula(_BEGINNING.sub(lambda match: f"{match[1]}{match[2]}'", text))
