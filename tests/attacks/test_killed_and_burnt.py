"""The two attacks that need a run of their own: the grader killed amid hostile calls, and all CPU burnt."""

import sys
from pathlib import Path

import pytest

from tests.attacks.conftest import Graded
from tests.attacks.pieces import FOLDER, attacks, read_attack
from tests.attacks.users import names

pytestmark = [
    pytest.mark.skipif(not sys.platform.startswith("linux"), reason="the walls are Linux's"),
    pytest.mark.slow,
]

WALLED = [
    pytest.param(user, level, id=f"{user}-{level}") for user in names() for level in ("sandbox", "no-open")
]
BUSY = ("ignores_signals", "blocks_signals", "holds_the_interpreter", "blocks_at_exit", "loops_in_call")


@pytest.mark.parametrize(("user", "level"), WALLED)
def test_a_killed_grader_leaves_no_process_behind(graded: Graded, user: str, level: str) -> None:
    busy = [attack for attack in attacks() if attack.name in BUSY]

    batch = graded(
        "killed", busy, user, level, limits={"call": 20, "load": 20, "submission": 60}, kill_after=1
    )

    assert batch.code == -9
    assert batch.left == []


@pytest.mark.parametrize(("user", "level"), WALLED)
def test_cpu_time_is_limited_where_the_call_has_more_time(graded: Graded, user: str, level: str) -> None:
    burns = read_attack(Path(FOLDER / "patient/burns_cpu.py"))

    batch = graded("burnt", [burns], user, level, limits={"call": 60, "load": 8, "submission": 1})

    softmax = next(e for e in batch.of("burns_cpu")["exercises"] if e["id"] == "softmax")
    assert softmax["status"] in burns.softmax
    assert softmax["checks"][0]["message"] == "softmax ended its process by SIGKILL"
    assert batch.left == []
