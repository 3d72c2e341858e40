"""The levels prove themselves, or are refused in words."""

from __future__ import annotations

import os

import pytest

from autograder.errors import IsolationUnavailable
from autograder.worker import levels, sandbox
from autograder.worker.interface import Level, Workshop
from autograder.worker.portable import PortableWorkshop
from tests.worker.conftest import OFFERED


def test_the_canary_gets_nothing_out_of_a_level_with_walls(workshop: Workshop) -> None:
    if workshop.level == "portable":
        pytest.skip("has no walls")

    assert levels.self_test(workshop) == ()


@pytest.mark.skipif(not hasattr(os, "fork"), reason="the probes are those of POSIX")
def test_the_canary_gets_at_things_where_there_are_no_walls() -> None:
    with PortableWorkshop() as workshop:
        got = levels.self_test(workshop)

    assert {
        "read",
        "list",
        "stat",
        "write",
        "unlink",
        "fork",
        "thread",
        "spawn",
        "pipe",
        "socket",
        "kill",
    } <= set(got)
    assert got[-1] == "exec"


def test_auto_takes_the_strongest_level_there_is() -> None:
    with levels.open_workshop("auto") as workshop:
        assert workshop.level == OFFERED[0]


def test_the_survey_names_every_level_strongest_first() -> None:
    assert [entry.level for entry in levels.survey()] == ["sandbox", "no-open", "portable"]


@pytest.fixture
def no_bubblewrap(monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine on which bubblewrap is not installed."""
    monkeypatch.setenv("PATH", "/nowhere")


def forkable() -> bool:
    return "no-open" in OFFERED


@pytest.mark.skipif(not forkable(), reason="needs Linux")
@pytest.mark.usefixtures("no_bubblewrap")
def test_without_bubblewrap_the_sandbox_is_refused_with_what_to_install() -> None:
    with pytest.raises(IsolationUnavailable) as refusal:
        levels.open_workshop("sandbox")

    assert refusal.value.message == "isolation 'sandbox' needs bubblewrap, which is not installed"
    assert "apt-get install bubblewrap" in refusal.value.remedy


@pytest.mark.skipif(not forkable(), reason="needs Linux")
@pytest.mark.usefixtures("no_bubblewrap")
def test_without_bubblewrap_auto_takes_the_next_level_and_says_so() -> None:
    with levels.open_workshop("auto") as workshop:
        assert workshop.level == "no-open"


@pytest.mark.skipif("sandbox" not in OFFERED, reason="needs bubblewrap")
def test_a_sandbox_that_cannot_be_made_is_refused_with_its_reason(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sandbox, "_namespaces", lambda as_root: ["--no-such-option"])

    with pytest.raises(IsolationUnavailable, match="no-such-option"):
        levels.open_workshop("sandbox")


@pytest.mark.parametrize("level", ["sandbox", "no-open"])
def test_other_systems_are_refused_what_they_cannot_have(
    level: Level, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(levels.platform, "machine", lambda: "riscv64")

    with pytest.raises(IsolationUnavailable, match="needs Linux on x86-64 or aarch64"):
        levels.open_workshop(level)


def test_a_level_whose_walls_let_something_through_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    if not forkable():
        pytest.skip("needs Linux")
    monkeypatch.setattr(
        levels, "CANARY", b"def probe(*a): return 'read,socket'\ndef replace(): raise OSError\n"
    )

    with pytest.raises(IsolationUnavailable, match="a trial submission got through to read, socket"):
        levels.open_workshop("no-open")
