"""Every attack at every level there is, by root and an ordinary user: contained, and nobody else harmed."""

import re
import sys
from collections.abc import Sequence
from typing import Any

import pytest

from tests.attacks.batches import Batch, class_of
from tests.attacks.conftest import Graded
from tests.attacks.generated import generated
from tests.attacks.pieces import Attack, attacks
from tests.attacks.users import names

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="the walls are Linux's")

Result = dict[str, Any]

READ = attacks()
#: What the level without walls, which is for trusted files, is not shown; and what it is.
WALLED = [attack for attack in READ if attack.walled]
HARMLESS = [attack for attack in READ if not attack.walled]

#: The first two are the quick run; CI makes the others too. Who grades makes no difference without walls.
BEHIND_WALLS = [
    pytest.param((user, level), id=f"{user}-{level}", marks=[pytest.mark.slow] if slow else [])
    for user in names()
    for level, slow in (("sandbox", user != names()[0]), ("no-open", user != names()[-1]))
]
WITHOUT = [pytest.param((names()[-1], "portable"), id=f"{names()[-1]}-portable", marks=pytest.mark.slow)]


def shown(user: str, level: str) -> Sequence[Attack]:
    """The attacks of one batch; sources that are hard to read concern the grader, so that once is enough."""
    attacks = HARMLESS if level == "portable" else READ
    return [*attacks, *generated()] if (user, level) == (names()[-1], "no-open") else attacks


def exercise(result: Result, name: str) -> Result:
    """One exercise of a result."""
    return next(exercise for exercise in result["exercises"] if exercise["id"] == name)


def statuses(result: Result) -> set[str]:
    """The statuses of all exercises and checks of a result."""
    return {one["status"] for e in result["exercises"] for one in (e, *e["checks"])}


@pytest.fixture(params=[*BEHIND_WALLS, *WITHOUT])
def case(request: pytest.FixtureRequest) -> tuple[str, str]:
    """Each user with each level in turn."""
    user, level = request.param
    return user, level


@pytest.fixture
def batch(case: tuple[str, str], graded: Graded) -> Batch:
    """The batch of that case."""
    return graded("attacks", shown(*case), *case)


@pytest.fixture(params=BEHIND_WALLS)
def walled(request: pytest.FixtureRequest, graded: Graded) -> Batch:
    """Each batch behind walls in turn."""
    return graded("attacks", shown(*request.param), *request.param)


def test_every_submission_has_a_result_and_the_grader_ends_well(case: tuple[str, str], batch: Batch) -> None:
    assert batch.code == 0, batch.stderr
    assert sorted(batch.results) == sorted(class_of(shown(*case)))


def test_honest_siblings_between_and_after_have_full_marks(batch: Batch) -> None:
    lost = {
        student: result["marks"]
        for student, result in batch.honest().items()
        if result["marks"] < result["max_marks"]
    }

    assert batch.honest()
    assert lost == {}


def test_no_process_is_left(batch: Batch) -> None:
    assert batch.left == []


def test_nothing_outside_was_touched(walled: Batch) -> None:
    assert walled.touched == []


def test_nothing_is_broken(batch: Batch) -> None:
    broken = [
        student
        for student, result in batch.results.items()
        if "broken" in (result["outcome"], *statuses(result))
    ]

    assert broken == []


def test_a_wrong_function_earns_nothing(batch: Batch) -> None:
    earned = {
        (attack.name, name): marks
        for attack in HARMLESS
        for name in attack.wrong
        if (marks := exercise(batch.of(attack.name), name)["marks"])
    }

    assert earned == {}


def test_the_reference_is_nowhere_to_be_found(walled: Batch) -> None:
    checks = exercise(walled.of("looks_for_the_answer"), "softmax")["checks"]

    assert checks[0]["message"].startswith("RuntimeError: found (")


def test_no_result_grows_with_what_a_submission_says(batch: Batch) -> None:
    large = {
        student: len(str(result)) for student, result in batch.results.items() if len(str(result)) > 150_000
    }

    assert large == {}


@pytest.mark.parametrize("attack", [a for a in WALLED if a.probes], ids=lambda attack: attack.name)
def test_an_attack_gets_nothing(walled: Batch, attack: Attack) -> None:
    printed = walled.of(attack.name)["printed"]

    assert re.search(r"^tried .", printed), "the attack has not been made"
    assert re.findall(r"^got ?(.*)$", printed, re.MULTILINE) == [""]


@pytest.mark.parametrize("attack", HARMLESS, ids=lambda attack: attack.name)
def test_an_attack_ends_as_it_should_and_costs_only_what_it_spoils(batch: Batch, attack: Attack) -> None:
    result = batch.of(attack.name)
    others = {e["id"]: e["status"] for e in result["exercises"] if e["id"] != "softmax"}

    assert result["outcome"] == attack.outcome
    assert exercise(result, "softmax")["status"] in attack.softmax
    if attack.others != "any":
        assert set(others.values()) == {attack.others}


@pytest.mark.parametrize("attack", WALLED, ids=lambda attack: attack.name)
def test_an_attack_on_the_walls_ends_as_it_should(walled: Batch, attack: Attack) -> None:
    result = walled.of(attack.name)

    assert result["outcome"] == attack.outcome
    assert exercise(result, "softmax")["status"] in attack.softmax
    assert {e["status"] for e in result["exercises"] if e["id"] != "softmax"} == {"passed"}
