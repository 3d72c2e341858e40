"""Notebooks as bytes, written by hand."""

import json
from typing import Any

PYTHON = {"kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"}}


def cell(source: Any, **more: Any) -> dict[str, Any]:
    """A code cell of format 4."""
    return {
        "cell_type": "code",
        "execution_count": None,
        "metadata": {},
        "outputs": [],
        "source": source,
    } | more


def notebook(*sources: Any, metadata: Any = PYTHON, **more: Any) -> bytes:
    """A notebook of format 4 with these code cells (or cells, where a dict is given)."""
    cells = [source if isinstance(source, dict) else cell(source) for source in sources]
    return json.dumps(
        {"cells": cells, "metadata": metadata, "nbformat": 4, "nbformat_minor": 5} | more
    ).encode()
