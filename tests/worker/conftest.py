"""Workshops of every level this machine offers, started once a run."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from autograder.model.limits import Limits
from autograder.worker.interface import Level, Worker, Workshop
from autograder.worker.levels import open_workshop, survey

OFFERED: list[Level] = [entry.level for entry in survey() if entry.available]

#: Short, so that a test that waits for a limit does not wait long.
QUICK = Limits(
    call_seconds=0.3, load_seconds=0.5, submission_seconds=20, memory_mb=512, output_chars=200, deaths=3
)


@pytest.fixture(scope="session", params=OFFERED)
def workshop(request: pytest.FixtureRequest) -> Iterator[Workshop]:
    """A workshop of one level; a test that uses it runs once for each."""
    with open_workshop(request.param) as workshop:
        yield workshop


Start = Callable[..., Worker]


@pytest.fixture
def start(workshop: Workshop) -> Iterator[Start]:
    """Starts workers on a source text and closes them after the test."""
    workers: list[Worker] = []

    def start(source: str | bytes, limits: Limits = QUICK, filename: str = "attention.py") -> Worker:
        content = source.encode() if isinstance(source, str) else source
        workers.append(workshop.start(content, filename, limits))
        return workers[-1]

    yield start
    for worker in workers:
        worker.close()
