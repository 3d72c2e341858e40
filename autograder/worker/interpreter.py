"""The interpreter that submissions run in: which one, with which modules, in which environment."""

from __future__ import annotations

import os
import sys
from importlib.machinery import PathFinder

#: The folder of the modules that enter a submission's process.
INSIDE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "inside")
#: No script's folder on the path, no user's or site's packages: numpy is found by `inside/start.py`.
FLAGS = ("-P", "-s", "-S")
#: What every submission's process has for an environment until it clears it. The fixed hash seed makes the
#: order of sets the same in every run; one thread keeps a submission to one core.
ENVIRONMENT = {
    "PYTHONHASHSEED": "0",
    "OPENBLAS_NUM_THREADS": "1",
    "OMP_NUM_THREADS": "1",
    "MKL_NUM_THREADS": "1",
    "VECLIB_MAXIMUM_THREADS": "1",
}
#: What Windows and macOS need to start a process and find their libraries.
_SYSTEM = ("SYSTEMROOT", "PATH", "TEMP", "TMP", "DYLD_LIBRARY_PATH", "LD_LIBRARY_PATH")


def executable() -> str:
    """Return the real interpreter, which in a virtual environment is the one it was made from."""
    return os.path.realpath(getattr(sys, "_base_executable", None) or sys.executable)


def environment() -> dict[str, str]:
    """Return the environment of a process outside any sandbox."""
    return {name: os.environ[name] for name in _SYSTEM if name in os.environ} | ENVIRONMENT


def numpy_site() -> str:
    """Return the folder that numpy is installed in, without importing it; ImportError if there is none."""
    spec = PathFinder.find_spec("numpy")
    if spec is None or not spec.submodule_search_locations:
        raise ImportError("numpy is not installed")
    return os.path.dirname(os.path.abspath(spec.submodule_search_locations[0]))


def command(*arguments: str) -> list[str]:
    """Return the command that starts `inside/start.py` with these arguments."""
    return [executable(), *FLAGS, os.path.join(INSIDE, "start.py"), *arguments]
