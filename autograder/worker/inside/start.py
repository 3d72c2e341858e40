"""The script a submission's interpreter runs: finds these modules and numpy, nothing else, and hands over.

start.py fork DESCRIPTOR SITE files|no-open     the fork server
start.py stdio SITE PARENT                      one submission on stdin and stdout
"""

import os
import sys
import types
from importlib.machinery import PathFinder


class NumpyFinder:
    """Finds numpy in the folder it is installed in, and nothing that is installed beside it."""

    def __init__(self, site):  # type: ignore[no-untyped-def]
        self.site = [site]

    def find_spec(self, name, path=None, target=None):  # type: ignore[no-untyped-def]
        return PathFinder.find_spec(name, self.site) if name == "numpy" else None


def main(mode, *arguments):  # type: ignore[no-untyped-def]
    package = types.ModuleType("inside")
    package.__path__ = [os.path.dirname(os.path.abspath(__file__))]
    sys.modules["inside"] = package
    if mode == "fork":
        descriptor, site, files = arguments
        sys.meta_path.append(NumpyFinder(site))
        from inside import forkserver

        forkserver.main(int(descriptor), files=files == "files")
    else:
        site, parent = arguments
        sys.meta_path.append(NumpyFinder(site))
        from inside import stdio

        stdio.main(int(parent))


if __name__ == "__main__":
    main(*sys.argv[1:])
