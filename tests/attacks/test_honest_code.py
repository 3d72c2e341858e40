"""Honest code behaves at each level as it does in a plain process."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from autograder.errors import IsolationUnavailable
from autograder.model.limits import Limits
from autograder.model.outcome import Listed, Returned
from autograder.worker.interface import Worker, Workshop
from autograder.worker.levels import open_workshop

HONEST = Path(__file__).parent / "submissions/honest/honest.py"
LIMITS = Limits(
    call_seconds=20, load_seconds=20, submission_seconds=60, memory_mb=1024, output_chars=10_000, deaths=1
)

#: Runs the file as a plain process does and prints what it gives, arrays as nested lists of exact numbers.
PLAIN = """
import importlib.util, io, sys
import numpy as np
spec = importlib.util.spec_from_file_location("attention", sys.argv[1])
honest = importlib.util.module_from_spec(spec)
spec.loader.exec_module(honest)
told, sys.stdout = sys.stdout, io.StringIO()
answers = honest.answers() + honest.imports_late()
print([a.tolist() if isinstance(a, (np.ndarray, np.generic)) else a for a in answers], file=told)
"""


@pytest.fixture(scope="module")
def plain() -> list[Any]:
    """The answers of a plain process with an empty stdin, and numpy on one thread."""
    run = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", PLAIN, str(HONEST)],
        stdin=subprocess.DEVNULL,
        env={**os.environ, "OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"},
        capture_output=True,
        check=True,
        timeout=60,
    )
    answers = eval(run.stdout, {"nan": np.nan, "inf": np.inf})
    assert isinstance(answers, list)
    return answers


@pytest.fixture(scope="module", params=["sandbox", "no-open", "portable"])
def workshop(request: pytest.FixtureRequest) -> Iterator[Workshop]:
    """A workshop of each level that this machine offers."""
    try:
        opened = open_workshop(request.param)
    except IsolationUnavailable as error:
        pytest.skip(str(error))
    with opened:
        yield opened


@pytest.fixture
def worker(workshop: Workshop) -> Iterator[Worker]:
    """The honest file, loaded."""
    started = workshop.start(HONEST.read_bytes(), "attention.py", LIMITS)
    assert started.loaded.failure is None
    yield started
    started.close()


def told(outcome: object) -> list[Any]:
    """The values of a returned list, as plain as those of the plain process."""
    assert isinstance(outcome, Returned), outcome
    assert isinstance(outcome.value, list)
    plain = [value.array if isinstance(value, Listed) else value for value in outcome.value]
    return [value.tolist() if isinstance(value, np.ndarray | np.generic) else value for value in plain]


def test_every_value_is_that_of_a_plain_process(worker: Worker, plain: list[Any]) -> None:
    answers = told(worker.call("answers", [])) + told(worker.call("imports_late", []))

    assert len(answers) == len(plain)
    assert [
        (i, a, p) for i, (a, p) in enumerate(zip(answers, plain, strict=True)) if repr(a) != repr(p)
    ] == []


def test_what_is_printed_logged_and_warned_is_kept(worker: Worker) -> None:
    outcome = worker.call("answers", [])

    assert isinstance(outcome, Returned)
    for part in ("working (6, 6)\n", "on stderr\n", "a line", "careful", "name? "):
        assert part in outcome.printed


def test_there_is_nothing_to_read_and_it_is_at_its_end(worker: Worker) -> None:
    outcome = worker.call("asks", [])

    assert isinstance(outcome, Returned)
    assert outcome.value == ""
