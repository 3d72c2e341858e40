"""Whole runs: each folder of tests/golden is a situation, with commands and all that they print.

AUTOGRADER_UPDATE_GOLDEN=1 writes down what is printed now; the difference is then for reading, line by line.
"""

import os
import re
import shlex
import shutil
from pathlib import Path

import pytest

from tests.cli.small_course import TOP, in_process

GOLDEN = TOP / "tests/golden"
SITUATIONS = sorted(path.parent.name for path in GOLDEN.glob("*/command.txt"))
EXPECTED = ("stdout.txt", "stderr.txt", "exit.txt")
#: The last line of a report names versions and the level of isolation: the one thing that may differ.
_MADE_WITH = re.compile(r"^autograder \S+, python \S+, numpy \S+, isolation \S+$", re.MULTILINE)


def runs(situation: str, folder: Path) -> dict[str, str]:
    """What all commands of a situation print, one after the other, in a folder with a copy of its files."""
    for path in (GOLDEN / situation).iterdir():
        if path.name not in (*EXPECTED, "command.txt"):
            shutil.copy(path, folder)
    stdout, stderr, codes = [], [], []
    for line in (GOLDEN / situation / "command.txt").read_text(encoding="utf-8").splitlines():
        command = shlex.split(line)
        ran = in_process(
            "-C", str(TOP), *command, folder=folder, env={"XDG_STATE_HOME": str(folder / "state")}
        )
        stdout.append(ran.stdout.decode())
        stderr.append(ran.stderr.decode())
        codes.append(f"{ran.returncode}\n")
    made = ("\n".join(stdout), "".join(stderr), "".join(codes))
    return dict(zip(EXPECTED, (_MADE_WITH.sub("autograder …", text) for text in made), strict=True))


@pytest.mark.parametrize("situation", SITUATIONS)
def test_a_situation_gives_the_expected_output_and_exit_codes(situation: str, tmp_path: Path) -> None:
    actual = runs(situation, tmp_path)
    if os.environ.get("AUTOGRADER_UPDATE_GOLDEN") == "1":
        for name, text in actual.items():
            (GOLDEN / situation / name).write_text(text, encoding="utf-8", newline="")
    expected = {name: (GOLDEN / situation / name).read_text(encoding="utf-8") for name in EXPECTED}

    assert actual == expected
