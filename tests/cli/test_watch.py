"""`autograder check --watch`: a real process on a terminal of its own, a file saved in every way there is."""

import os
import pty
import select
import signal
import subprocess
import sys
import termios
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from autograder.cli.watch import in_hand
from autograder.model.result import CheckResult, ExerciseResult, Result
from tests.cli.small_course import RIGHT, TOP, write_course

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="a terminal of its own is made by pty")

HALF = RIGHT.replace("return S + S", "return S + 2")
NOT_BEGUN = (
    "def double(S):\n    raise NotImplementedError('exercise 1')\n\n\ndef total(S):\n    return S.sum()\n"
)
CLEARED = "\x1b[2J\x1b[H"
FOOT = "Ctrl-C ends it"
SECONDS = 60


class Watching:
    """`check --watch` in a terminal: what it has drawn, screen by screen."""

    def __init__(self, folder: Path, *arguments: str, terminal: bool = True) -> None:
        self._end, theirs = pty.openpty()
        self.before = termios.tcgetattr(self._end)
        kept = {name: value for name, value in os.environ.items() if name not in ("COLUMNS", "NO_COLOR")}
        output = theirs if terminal else subprocess.PIPE
        self._process = subprocess.Popen(
            [sys.executable, "-m", "autograder", "check", "--watch", *arguments],
            cwd=folder,
            env=kept | {"PYTHONPATH": str(TOP), "PYTHONUTF8": "1", "TERM": "xterm", "COLUMNS": "88"},
            stdin=theirs,
            stdout=output,
            stderr=output,
            start_new_session=True,
            preexec_fn=_own_terminal if terminal else _hears_ctrl_c,
        )
        os.close(theirs)
        self._source = self._end if terminal else self._process.stdout.fileno()
        self.text = ""

    def screen(self) -> str:
        """The next screen, once it is drawn to its last line."""
        end = time.monotonic() + SECONDS
        while FOOT not in self.text:
            assert self._read(end - time.monotonic()), f"nothing more was drawn after: {self.text}"
        drawn, _, self.text = self.text.partition(FOOT)
        return drawn.replace("\r\n", "\n")

    def screen_with(self, words: str) -> str:
        """The next screen that shows these words; others may come before, of a file that is half saved."""
        while words not in (drawn := self.screen()):
            pass
        return drawn

    def interrupt(self) -> int:
        """Press Ctrl-C; the exit code."""
        os.write(self._end, b"\x03")
        return self.wait()

    def wait(self) -> int:
        """The exit code, once it has ended."""
        while self._process.poll() is None and self._read(5):
            pass
        return self._process.wait(SECONDS)

    def settings(self) -> list[object]:
        """How the terminal is set."""
        return termios.tcgetattr(self._end)

    def children(self) -> list[int]:
        """The processes that it has started."""
        import psutil

        return [child.pid for child in psutil.Process(self._process.pid).children(recursive=True)]

    def signal(self, number: int) -> None:
        """Send it a signal."""
        self._process.send_signal(number)

    def close(self) -> None:
        """End it, if it has not ended."""
        if self._process.poll() is None:
            self._process.kill()
        self._process.wait()
        if self._process.stdout is not None:
            self._process.stdout.close()
        os.close(self._end)

    def _read(self, seconds: float) -> bool:
        if not select.select([self._source], [], [], max(seconds, 0))[0]:
            return False
        try:
            data = os.read(self._source, 1 << 16)
        except OSError:  # what Linux says of a terminal that nobody holds any more
            data = b""
        self.text += data.decode("utf-8", "replace")
        return bool(data)


def _hears_ctrl_c() -> None:
    """Also where the tests themselves are run in the background of a script, which does not."""
    signal.signal(signal.SIGINT, signal.default_int_handler)


def _own_terminal() -> None:
    import fcntl

    _hears_ctrl_c()
    fcntl.ioctl(0, termios.TIOCSCTTY, 0)


@pytest.fixture
def top(tmp_path: Path) -> Path:
    """The top of the small course, with a file that is half right."""
    write_course(tmp_path)
    (tmp_path / "attention.py").write_text(HALF)
    return tmp_path


@pytest.fixture
def watching(top: Path) -> Iterator[Watching]:
    """The watch on that file, with its first screen drawn and seen."""
    watch = Watching(top)
    try:
        assert "1 of 2 passed" in watch.screen()
        yield watch
    finally:
        watch.close()


def save(path: Path, text: str) -> None:
    """Save as most editors do: into the file itself."""
    path.write_text(text)


def save_by_renaming(path: Path, text: str) -> None:
    """Save as careful editors do: another file takes the place of the first."""
    fresh = path.with_name(".attention.py.swp")
    fresh.write_text(text)
    os.replace(fresh, path)


def save_by_moving_away(path: Path, text: str) -> None:
    """Save as those do that keep a backup: for a moment there is no file."""
    os.replace(path, path.with_name("attention.py~"))
    time.sleep(0.1)
    path.write_text(text)


def save_in_two_parts(path: Path, text: str) -> None:
    """An empty file first, then a half, then all of it."""
    with path.open("w") as file:
        file.flush()
        time.sleep(0.1)
        file.write(text[:20])
        file.flush()
        time.sleep(0.1)
        file.write(text[20:])


@pytest.mark.parametrize("way", [save, save_by_renaming, save_by_moving_away, save_in_two_parts])
def test_a_save_draws_the_new_feedback_over_the_old(way, watching: Watching, top: Path) -> None:
    way(top / "attention.py", RIGHT)
    drawn = watching.screen_with("2 of 2 passed")

    assert drawn.rpartition(CLEARED)[1] == CLEARED
    assert "4 of 4 marks" in drawn


def test_a_save_while_a_check_runs_is_not_lost(watching: Watching, top: Path) -> None:
    for number in range(5):
        save(top / "attention.py", f"{HALF}\n# {number}\n")
        time.sleep(0.03)
    save(top / "attention.py", RIGHT)

    assert "4 of 4 marks" in watching.screen_with("2 of 2 passed")


def test_a_syntax_error_is_shown_and_what_was_reached_is_not_forgotten(watching: Watching, top: Path) -> None:
    save(top / "attention.py", "def double(S):\n    return (S\n")
    drawn = watching.screen()

    assert "not valid Python" in drawn
    assert "1 of 2 passed" in drawn

    save(top / "attention.py", RIGHT)
    assert "2 of 2 passed" in watching.screen()


def test_a_file_that_stays_away_or_empty_is_told_and_waited_for(watching: Watching, top: Path) -> None:
    (top / "attention.py").unlink()
    assert "there is no file attention.py at present" in watching.screen()

    save(top / "attention.py", "")
    assert "the file is empty" in watching.screen_with("empty")

    save(top / "attention.py", RIGHT)
    assert "2 of 2 passed" in watching.screen()


def test_a_file_that_ends_its_process_at_every_call_is_survived(watching: Watching, top: Path) -> None:
    save(
        top / "attention.py",
        "import os\n\n\ndef double(S):\n    os._exit(3)\n\n\ndef total(S):\n    return S.sum()\n",
    )
    assert "ended its process" in watching.screen()

    save(top / "attention.py", RIGHT)
    assert "2 of 2 passed" in watching.screen()


def test_ctrl_c_leaves_the_terminal_as_it_was_and_no_process(watching: Watching) -> None:
    import psutil

    deadline = time.monotonic() + 20  # the report is drawn before the next interpreters are started
    while not (pids := watching.children()) and time.monotonic() < deadline:
        time.sleep(0.05)
    children = [psutil.Process(pid) for pid in pids]
    code = watching.interrupt()

    assert code == 0
    assert "Traceback" not in watching.text
    assert watching.text.endswith("\r\n")
    assert watching.settings() == watching.before
    assert children
    _, left = psutil.wait_procs(children, timeout=3)  # whoever adopts them reaps them a moment later
    assert not [process for process in left if process.status() != "zombie"]


def test_the_waiting_process_may_be_ended_by_others(watching: Watching, top: Path) -> None:
    for pid in watching.children():
        os.kill(pid, signal.SIGKILL)
    save(top / "attention.py", RIGHT)

    assert "2 of 2 passed" in watching.screen()


def test_once_an_exercise_passes_the_next_is_shown(top: Path) -> None:
    save(top / "attention.py", NOT_BEGUN)
    watch = Watching(top)
    try:
        assert "write double in attention.py" in watch.screen()
        save(top / "attention.py", RIGHT.replace("return S.sum()", "return S.max()"))
        drawn = watch.screen()
        assert " 2 total" in drawn
        assert "autograder hint total" in drawn
        assert " 1 double" not in drawn
    finally:
        watch.close()


def test_exercises_asked_for_by_name_are_always_shown(top: Path) -> None:
    save(top / "attention.py", RIGHT)
    watch = Watching(top, "total")
    try:
        drawn = watch.screen()
        assert "1 of 1 passed" in drawn
        assert " 2 total  1/1" in drawn
    finally:
        watch.close()


def test_where_nothing_can_be_cleared_reports_follow_each_other(top: Path) -> None:
    watch = Watching(top, terminal=False)
    try:
        first = watch.screen()
        save(top / "attention.py", RIGHT)
        second = watch.screen()
        assert "1 of 2 passed" in first
        assert "2 of 2 passed" in second
        assert "\x1b" not in first + second
        watch.signal(signal.SIGINT)
        assert watch.wait() == 0
    finally:
        watch.close()


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("gone.py",), "there is no file gone.py"),
        (("--format", "json"), "shows its reports in a terminal only"),
    ],
)
def test_what_cannot_be_watched_is_misuse(top: Path, arguments: tuple[str, ...], said: str) -> None:
    watch = Watching(top, *arguments)
    try:
        assert watch.wait() == 2
        assert said in watch.text
    finally:
        watch.close()


# Which exercises are shown


def result(**statuses: str) -> Result:
    """A result with these exercises, each with one check of its status."""
    exercises = tuple(
        ExerciseResult(name, name, name, status, 0, 1, checks=(CheckResult("page", "value", status, 0, 1),))  # type: ignore[arg-type]
        for name, status in statuses.items()
    )
    return Result("mini", "ana", "attention.py", "", "graded", 0, 1, exercises)


SHOWN = [
    (
        "the first that has not passed, at the start",
        None,
        {"a": "passed", "b": "failed", "c": "failed"},
        ["b"],
    ),
    (
        "the one that the last save changed",
        {"a": "failed", "b": "failed"},
        {"a": "failed", "b": "raised"},
        ["b"],
    ),
    (
        "the first open one, if nothing changed",
        {"a": "failed", "b": "failed"},
        {"a": "failed", "b": "failed"},
        ["a"],
    ),
    (
        "the next, once one has passed",
        {"a": "failed", "b": "not_attempted"},
        {"a": "passed", "b": "not_attempted"},
        ["b"],
    ),
    ("three at most", dict.fromkeys("abcd", "passed"), dict.fromkeys("abcd", "failed"), ["a", "b", "c"]),
    ("none, once all have passed", {"a": "failed"}, {"a": "passed"}, []),
]


@pytest.mark.parametrize(("before", "now", "shown"), [s[1:] for s in SHOWN], ids=[s[0] for s in SHOWN])
def test_what_is_shown_in_full_is(before, now, shown) -> None:
    last = result(**before) if before is not None else None

    assert [exercise.id for exercise in in_hand(result(**now), last)] == shown
