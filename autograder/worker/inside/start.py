"""The script a submission's interpreter runs: finds these modules and numpy, nothing else, and hands over.

start.py fork DESCRIPTOR SITE files|no-open     the fork server
start.py stdio SITE PARENT                      one submission on stdin and stdout
"""

from __future__ import annotations

import importlib
import os
import sys
import types
from importlib.machinery import ModuleSpec, PathFinder


class NumpyFinder:
    """Finds numpy in the folder it is installed in, and nothing that is installed beside it."""

    def __init__(self, site: str) -> None:
        self.site = [site]

    def find_spec(self, name: str, path: object = None, target: object = None) -> ModuleSpec | None:
        return PathFinder.find_spec(name, self.site) if name == "numpy" else None


def main(mode: str, *arguments: str) -> None:
    """Become what `mode` names; does not return."""
    package = types.ModuleType("inside")
    package.__path__ = [os.path.dirname(os.path.abspath(__file__))]
    sys.modules["inside"] = package
    if mode == "fork":
        descriptor, site, files = arguments
        sys.meta_path.append(NumpyFinder(site))
        importlib.import_module("inside.forkserver").main(int(descriptor), files=files == "files")
    else:
        site, parent = arguments
        sys.meta_path.append(NumpyFinder(site))
        importlib.import_module("inside.stdio").main(int(parent))


if __name__ == "__main__":
    main(*sys.argv[1:])
