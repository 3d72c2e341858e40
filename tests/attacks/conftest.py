"""Batches of attacks, each run once even where the tests run on several cores."""

import os
import shutil
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

import pytest
from filelock import FileLock

from tests.attacks.batches import Batch, read_batch, run_batch
from tests.attacks.pieces import Attack
from tests.attacks.users import User, user

#: Returns the batch of that name, run or read: name, attacks, user's name, level.
Graded = Callable[..., Batch]


@pytest.fixture(scope="session")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A folder for all processes of this test run, which other users can enter; the last one removes it."""
    base = tmp_path_factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        base = base.parent
    pointer, lock = base / "attacks.txt", FileLock(base / "attacks.lock")
    with lock:
        if not pointer.exists():
            folder = tempfile.mkdtemp(prefix="autograder-attacks-")
            os.chmod(folder, 0o755)
            pointer.write_text(f"{folder}\n")
        folder = pointer.read_text().split()[0]
        with pointer.open("a") as users:
            users.write(f"{os.getpid()}\n")
    yield Path(folder)
    with lock:
        others = [line for line in pointer.read_text().split()[1:] if line != str(os.getpid())]
        pointer.write_text("\n".join([folder, *others]) + "\n")
        if not others:
            shutil.rmtree(folder, ignore_errors=True)
            pointer.unlink()


@pytest.fixture(scope="session")
def graded(shared: Path) -> Graded:
    """Run a batch, or read it if another process has; skips where the user or the level cannot be had."""

    def run(
        name: str,
        attacks: Sequence[Attack],
        user_name: str,
        level: str,
        limits: Mapping[str, float] | None = None,
        kill_after: int = 0,
    ) -> Batch:
        who = user(user_name)
        if not isinstance(who, User):
            pytest.skip(who)
        folder = shared / f"{name}-{user_name}-{level}"
        # One at a time: each run uses two cores, and times are short.
        with FileLock(shared / "batches.lock"):
            if not (folder / "batch.json").exists():
                run_batch(folder, attacks, who, level, limits=limits, kill_after=kill_after)
        batch = read_batch(folder)
        if batch.unavailable:
            pytest.skip(batch.unavailable)
        return batch

    return run
