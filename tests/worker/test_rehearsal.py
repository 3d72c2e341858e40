"""The fork server's rehearsal settles what is slow at first use, and no child finds anything of it."""

from __future__ import annotations

from autograder.model.limits import Limits
from autograder.model.outcome import Returned
from autograder.worker.inside import rehearsal
from autograder.worker.interface import Workshop

LOOKS_ROUND = b"""
import linecache, sys

def left_over():
    modules = [name for name, module in sys.modules.items() if getattr(module, "__file__", "") == FILE]
    return ", ".join([*modules, *(name for name in linecache.cache if name == FILE)])
"""


def test_a_child_finds_nothing_of_the_rehearsal(workshop: Workshop) -> None:
    source = b"FILE = %r" % rehearsal.FILE + LOOKS_ROUND
    worker = workshop.start(source, "attention.py", Limits())
    try:
        outcome = worker.call("left_over", [])
    finally:
        worker.close()

    assert isinstance(outcome, Returned)
    assert outcome.value == ""


def test_the_rehearsed_submission_runs_as_meant() -> None:
    """It fails the fork server's start if one of its functions does not do what it says."""
    rehearsal.rehearse()
