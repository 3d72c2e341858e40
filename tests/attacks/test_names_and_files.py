"""What lies in a folder of submissions and how it is named: a row each, nothing followed, nothing obeyed."""

import contextlib
import csv
import json
import os
import pty
import socket
import subprocess
import sys
import unicodedata
import zipfile
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.attacks.course import write_course
from tests.attacks.pieces import RIGHT
from tests.attacks.users import TOP

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="names and files of POSIX")

#: Names that a terminal, a shell, a spreadsheet, a browser, a path or an encoding could take for more.
NAMES = (
    b"\x1b]0;owned\x07\x1b[2J\x1b[31mred",
    b"line\nfeed",
    b"carriage\rreturn",
    b"tab\tbell\x07back\x08\x08\x08",
    "right\u202eto\u2066left".encode(),
    "zero\u200bwidth\ufeff".encode(),
    "next\u0085line\u2028separator".encode(),
    ("z" + "\u0301" * 60).encode(),
    b"undecodable\xff\xfe\xed\xb0\x80",
    b"-rf",
    b"--out=elsewhere",
    b"~root",
    b"$(touch attack-shell)",
    b"`id`;id|id&",
    b"%s%n{0}{student}",
    b"=cmd|' C calc'!A0",
    b"@SUM(1+1)",
    b"+1+1",
    b"<img src=a onerror=alert(1)>",
    b'quote"comma,semicolon;',
    b"back\\slash",
    b"[red]markup[/red]",
    b"grades.csv",
    b"con",
    b"a" * 252,
    "\u00e9".encode(),
    "e\u0301".encode(),
    b"Upper",
    b"upper",
)


@dataclass(frozen=True)
class Graded:
    """What grading a folder said and left."""

    code: int
    screen: str
    stdout: bytes
    stderr: bytes
    results: Path
    rows: list[dict[str, str]]
    submissions: int


def command(*arguments: str) -> list[str]:
    return [sys.executable, "-m", "autograder", *arguments]


def environment(**more: str) -> dict[str, str]:
    kept = {
        name: value for name, value in os.environ.items() if name not in ("COLUMNS", "NO_COLOR", "LC_ALL")
    }
    return {**kept, "PYTHONPATH": str(TOP), "TERM": "xterm", **more}


def on_a_terminal(arguments: list[str], folder: Path) -> tuple[int, str]:
    """Run a command on a terminal of its own; its exit code and all that the terminal got."""
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        arguments, cwd=folder, env=environment(), stdin=theirs, stdout=theirs, stderr=theirs
    )
    os.close(theirs)
    got = b""
    with contextlib.suppress(OSError):  # the other end is closed
        while part := os.read(ours, 1 << 16):
            got += part
    os.close(ours)
    return process.wait(60), got.decode("utf-8", "replace")


@pytest.fixture(scope="module")
def top(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The attacked course."""
    return write_course(tmp_path_factory.mktemp("names") / "course", call=5, load=20, submission=60)


def grade(top: Path, folder: Path) -> Graded:
    """Grade a folder, first to a pipe in an ASCII world, then again on a terminal."""
    out = folder.parent / "out"
    arguments = command(
        "grade", folder.name, "--out", str(out), "--isolation", "portable", "--jobs", "1", "-C", str(top)
    )
    ascii_only = environment(PYTHONIOENCODING="ascii")
    run = subprocess.run(
        arguments, cwd=folder.parent, env=ascii_only, capture_output=True, check=False, timeout=100
    )
    code, screen = on_a_terminal(arguments, folder.parent)
    assert code == run.returncode, screen
    with (out / "grades.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    return Graded(code, screen, run.stdout, run.stderr, out, rows, len(os.listdir(folder)))


@pytest.fixture(scope="module")
def named(top: Path, tmp_path_factory: pytest.TempPathFactory) -> Graded:
    """A class of right files with the names above."""
    folder = tmp_path_factory.mktemp("named") / "in"
    folder.mkdir()
    for name in NAMES:
        path = os.fsencode(folder) + b"/" + name + b".py"
        with contextlib.suppress(OSError), open(path, "w") as file:  # a file system may refuse some
            file.write(RIGHT)
    (folder / "folder\nname").mkdir()
    (folder / "folder\nname" / "\x1b[31mattention.py").write_text(
        "raise ValueError('\\x1b]0;owned\\x07\\u202e\\ud800')"
    )
    return grade(top, folder)


def test_every_name_has_its_row_and_its_result(named: Graded) -> None:
    results = [json.loads(path.read_text(encoding="utf-8")) for path in named.results.glob("*.json")]

    assert named.code == 0, named.stderr
    assert len(named.rows) == named.submissions == len(results)
    assert {row["marks"] for row in named.rows} == {"22", "0"}
    assert len({result["submission"]["student"] for result in results}) == len(results)


def test_no_name_writes_outside_the_results(named: Graded) -> None:
    assert sorted(path.name for path in named.results.parent.iterdir()) == ["in", "out"]
    assert all(path.is_file() for path in named.results.iterdir())


def test_a_terminal_gets_no_control_of_a_submission(named: Graded) -> None:
    pieces = named.screen.split("\x1b")

    assert "owned" in named.screen
    assert not any(piece.startswith("]") or "31mred" in piece[:8] for piece in pieces[1:])
    shown = "".join(piece.partition("m")[2] if piece.startswith("[") else piece for piece in pieces)
    hidden = {c for c in shown if unicodedata.category(c) in ("Cc", "Cf", "Zl", "Zp", "Cs")} - set("\r\n")
    assert hidden == set()


def test_a_pipe_gets_no_control_either_and_only_what_its_encoding_has(named: Graded) -> None:
    assert named.stdout.isascii()
    assert not set(named.stdout + named.stderr) & (set(range(32)) - {ord("\n")})


def test_no_cell_of_the_table_is_a_formula_or_breaks_its_row(named: Graded) -> None:
    text = (named.results / "grades.csv").read_text(encoding="utf-8")

    assert not [
        row["student"] for row in named.rows if row["student"][:1] in ("=", "+", "-", "@", "\t", "\r")
    ]
    assert len(text.splitlines()) == 1 + named.submissions
    assert all(None not in row and None not in row.values() for row in named.rows)


@pytest.fixture(scope="module")
def strewn(top: Path, tmp_path_factory: pytest.TempPathFactory) -> Graded:
    """A folder of links, pipes, sockets, giants and other things that are no submissions, and one that is."""
    folder = tmp_path_factory.mktemp("strewn") / "in"
    folder.mkdir()
    (folder / "honest.py").write_text(RIGHT)
    outside = folder.parent / "outside.py"
    outside.write_text(RIGHT)
    links = {
        "to_file": outside,
        "to_passwd": "/etc/passwd",
        "to_itself": "to_itself.py",
        "to_nothing": "/nothing",
    }
    for name, target in {**links, "to_zero": "/dev/zero", "to_stdin": "/dev/stdin"}.items():
        (folder / f"{name}.py").symlink_to(target)
    (folder / "to_folder").symlink_to(folder)
    (folder / "to_etc").symlink_to("/etc")
    (folder / "holds_link").mkdir()
    (folder / "holds_link/attention.py").symlink_to("/etc/passwd")
    os.mkfifo(folder / "pipe.py")
    (folder / "holds_pipe").mkdir()
    os.mkfifo(folder / "holds_pipe/attention.py")
    with contextlib.chdir(folder), socket.socket(socket.AF_UNIX) as listener:
        listener.bind("socket.py")
    with (folder / "giant.py").open("wb") as file:
        file.truncate(2 << 30)
    (folder / "folder.py").mkdir()
    (folder / "no_rights.py").write_text(RIGHT)
    (folder / "no_rights.py").chmod(0)
    if os.getuid() == 0:
        os.mknod(folder / "device.py", 0o600 | 0o020000, os.makedev(1, 5))
    for number in range(200):
        (folder / f"empty_{number:03}").mkdir()
    with zipfile.ZipFile(folder / "packed.py", "w") as packed:
        packed.writestr("attention.py", RIGHT)
    (folder / "deep.ipynb").write_text("[" * 200_000)
    (folder / "deep_cells.ipynb").write_text('{"cells": ' + "[" * 900 + "]" * 900 + "}")
    (folder / "odd_cells.ipynb").write_text(
        '{"nbformat": 4, "cells": [{"cell_type": "code", "source": {"a": 1e999}}, 7]}'
    )
    (folder / "number.ipynb").write_text("1" * 100_000)
    return grade(top, folder)


def test_everything_in_the_folder_has_a_row_and_only_the_honest_file_has_marks(strewn: Graded) -> None:
    marks = {row["student"]: row["marks"] for row in strewn.rows}

    assert strewn.code == 0, strewn.stderr
    assert len(strewn.rows) == strewn.submissions
    right = ["honest"] + (["no_rights"] if os.getuid() == 0 else [])
    assert sorted(student for student, got in marks.items() if got != "0") == right
    assert {marks[student] for student in right} == {"22"}


def test_nothing_behind_a_link_is_quoted(strewn: Graded) -> None:
    told = "".join(path.read_text(encoding="utf-8") for path in strewn.results.iterdir() if path.is_file())

    assert "root:x:0" not in told + strewn.screen
    assert "a link is not followed" in told
