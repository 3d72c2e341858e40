"""A crew of processes: every task is answered, a lost process is replaced, a task that kills is given up."""

import os
import signal
import time
from functools import partial
from pathlib import Path

import psutil
import pytest

from autograder.grading.crew import TRIES, Crew, Lost


def doubling():
    return _double


def _double(task):
    return 2 * task


def nothing():
    return _nothing


def _nothing(task):
    return None


def careful(folder):
    return partial(_careful, folder)


def _careful(folder, task):
    """What the task says: die always, die once, raise, or answer."""
    if task == "die":
        os.kill(os.getpid(), signal.SIGKILL)
    if task == "die once" and not (Path(folder) / "died").exists():
        (Path(folder) / "died").touch()
        os._exit(3)
    if task == "raise":
        raise ValueError("ours")
    return task, os.getpid()


def never_ready():
    os._exit(9)


def sleeper():
    return time.sleep


@pytest.fixture
def crew_of():
    made = []

    def make(prepare, size):
        made.append(Crew(prepare, size))
        return made[-1]

    yield make
    for crew in made:
        crew.close()


def test_every_task_is_answered_once(crew_of):
    answers = dict(crew_of(doubling, 2).map(list(range(10))))

    assert answers == {task: 2 * task for task in range(10)}


def test_no_task_needs_no_process(crew_of):
    crew = crew_of(never_ready, 4)

    assert list(crew.map([])) == []


def test_an_answer_of_none_is_an_answer(crew_of):
    assert list(crew_of(nothing, 1).map(["a", "b"])) == [("a", None), ("b", None)]


def test_a_process_that_is_killed_is_replaced_and_nothing_else_is_lost(crew_of, tmp_path):
    tasks = ["a", "die", "b", "die once", "raise", "c"]
    answers = dict(crew_of(partial(careful, str(tmp_path)), 2).map(tasks))

    assert sorted(answers) == sorted(tasks)
    assert {answers[task][0] for task in ("a", "b", "c", "die once")} == {"a", "b", "c", "die once"}
    assert isinstance(answers["die"], Lost)
    assert f"{TRIES} times" in answers["die"].why
    assert "-9" in answers["die"].why
    assert isinstance(answers["raise"], Lost)
    assert "ValueError: ours" in answers["raise"].why


def test_processes_that_never_get_ready_give_up_every_task(crew_of):
    answers = list(crew_of(never_ready, 2).map(["a", "b"]))

    assert sorted(task for task, _ in answers) == ["a", "b"]
    assert all(isinstance(answer, Lost) for _, answer in answers)


def test_closing_ends_busy_processes_too(crew_of):
    crew = crew_of(sleeper, 2)
    answers = crew.map([0, 600, 600])
    assert next(answers) == (0, None)
    members = [member.process.pid for member in crew._members]

    crew.close()

    assert not any(psutil.pid_exists(pid) for pid in members)
