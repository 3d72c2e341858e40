"""Who grades: root, or an ordinary user that the tests become; and a Python that this user can run."""

import os
import subprocess
import sys
import sysconfig
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

TOP = Path(__file__).parents[2]

#: A uid that no account has, and the one that a fork server started by root becomes.
ORDINARY, NOBODY = 61234, 65534
_NEEDED = "import autograder.cli.main, click, filelock, numpy, platformdirs, pydantic, rich, yaml"


@dataclass(frozen=True)
class User:
    """A user by name and uid, and how this user starts Python with the project on its path."""

    name: str
    uid: int
    python: str
    path: str

    def environment(self) -> dict[str, str]:
        """What the user's processes have for an environment."""
        return {
            "PATH": "/usr/bin:/bin",
            "PYTHONPATH": self.path,
            "PYTHONDONTWRITEBYTECODE": "1",
            "PYTHONUTF8": "1",
        }

    def identity(self) -> dict[str, object]:
        """The arguments of subprocess that make a process this user's."""
        if self.uid == os.getuid():
            return {}
        return {"user": self.uid, "group": self.uid, "extra_groups": []}

    @property
    def worker_uid(self) -> int:
        """The uid that a submission's process has in the end."""
        return NOBODY if self.uid == 0 else self.uid


def names() -> tuple[str, ...]:
    """The users that this machine offers: root can become an ordinary one, not the other way round."""
    return ("root", "ordinary") if os.getuid() == 0 else ("ordinary",)


@cache
def user(name: str) -> User | str:
    """The user of that name, or why there is none."""
    packages = sysconfig.get_path("purelib")
    path = os.pathsep.join([str(TOP), packages])
    if name == "root" or os.getuid() != 0:
        return User(name, os.getuid(), sys.executable, path)
    for python in _pythons():
        found = User(name, ORDINARY, python, path)
        if _works(found):
            return found
    version = f"{sys.version_info.major}.{sys.version_info.minor}"
    return f"no Python {version} and the project with it can be read by ordinary users"


def _pythons() -> Iterator[str]:
    """Interpreters whose compiled packages are those of this one."""
    version = f"{sys.version_info.major}.{sys.version_info.minor}"
    yield sys.executable
    yield f"/usr/bin/python{version}"
    yield f"/usr/local/bin/python{version}"


def _works(user: User) -> bool:
    try:
        command = [user.python, "-c", _NEEDED]
        run = subprocess.run(
            command, env=user.environment(), cwd="/", capture_output=True, check=False, **user.identity()
        )  # type: ignore[call-overload]
    except OSError:
        return False
    return bool(run.returncode == 0)
