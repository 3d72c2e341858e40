"""Checking in a notebook's own kernel: `check(softmax)`, or `%autograder softmax`.

The magic is there after `%load_ext autograder.notebook`. Nothing is started for a check and nothing keeps a
call apart: it is for one's own functions, between two edits. Marks come from `autograder grade`, which runs
the same notebook in a process of its own.
"""

from __future__ import annotations

from typing import Any

from autograder.notebook.checking import check
from autograder.notebook.graded_cells import marks

__all__ = ["check", "load_ipython_extension", "marks"]


def load_ipython_extension(shell: Any) -> None:
    """Give a running IPython the line magic `%autograder`: what `%load_ext autograder.notebook` calls."""
    from autograder.notebook.checking import check_by_name

    shell.register_magic_function(check_by_name, "line", "autograder")
