"""The two levels that fork: "sandbox", a bubblewrap sandbox with nothing in it, and "no-open", without one.

Both filter system calls in the child. The sandbox has no /proc, no writable file, no device but /dev/null, no
network, an empty environment, and of the machine's files those of the interpreter and of numpy.
"""

from __future__ import annotations

import os
import shutil
import sysconfig
from collections.abc import Iterator

from autograder.errors import IsolationUnavailable
from autograder.worker import interpreter
from autograder.worker.forks import ForkWorkshop

#: Where our modules and numpy lie in the sandbox.
HOME = "/w"
INSIDE, SITE = f"{HOME}/inside", f"{HOME}/site"


def sandbox_workshop() -> ForkWorkshop:
    """Return the workshop of level "sandbox"; nothing is started yet."""
    return ForkWorkshop("sandbox", _sandbox_command)


def no_open_workshop() -> ForkWorkshop:
    """Return the workshop of level "no-open"; nothing is started yet."""
    return ForkWorkshop("no-open", _no_open_command)


def _no_open_command(descriptor: int) -> list[str]:
    return interpreter.command("fork", str(descriptor), interpreter.numpy_site(), "no-open")


def _sandbox_command(descriptor: int) -> list[str]:
    bwrap = shutil.which("bwrap")
    if bwrap is None:
        raise IsolationUnavailable("bubblewrap is not installed", remedy="install the package bubblewrap")
    return [
        *(bwrap, "--die-with-parent", "--new-session", "--cap-drop", "ALL"),
        *_namespaces(as_root=os.getuid() == 0),
        *_files(),
        *("--dev-bind", "/dev/null", "/dev/null", "--remount-ro", "/", "--chdir", "/", "--clearenv"),
        *(part for name, value in interpreter.ENVIRONMENT.items() for part in ("--setenv", name, value)),
        *("--", interpreter.executable(), *interpreter.FLAGS, f"{INSIDE}/start.py"),
        *("fork", str(descriptor), SITE, "files"),
    ]


def _namespaces(*, as_root: bool) -> list[str]:
    """Return what is unshared.

    A user namespace made by root keeps what host uid 0 may do outside, so root goes without one and the fork
    server gives the uid up for good.
    """
    if not as_root:
        return ["--unshare-all"]
    apart = ["--unshare-pid", "--unshare-net", "--unshare-ipc", "--unshare-uts", "--unshare-cgroup-try"]
    return [*apart, "--cap-add", "CAP_SETUID", "--cap-add", "CAP_SETGID"]


def _files() -> list[str]:
    """Return the arguments that lay out the sandbox's files. Parents first, masks last: the order matters."""
    binds = _binds()
    targets = [target for _, target in binds] + ["/dev/null", f"{INSIDE}/x", f"{SITE}/x"]
    arguments: list[str] = []
    for folder in sorted({parent for target in targets for parent in _parents(target)}):
        arguments += ["--perms", "0755", "--dir", folder]  # left to itself bwrap makes them 0700
    for source, target in binds:
        arguments += ["--ro-bind-try", source, target]
    for folder in _package_folders():  # the grader and its references may be installed there
        arguments += ["--tmpfs", folder, "--remount-ro", folder]
    return [*arguments, "--symlink", "usr/lib", "/lib", "--symlink", "usr/lib64", "/lib64"]


def _binds() -> list[tuple[str, str]]:
    """Return what is bound, path outside and path inside: interpreter, libraries, numpy, our modules."""
    numpy = os.path.join(interpreter.numpy_site(), "numpy")
    multiarch = f"/usr/lib/{sysconfig.get_config_var('MULTIARCH') or '-'}"
    system = multiarch if os.path.isdir(multiarch) else "/usr/lib"
    paths = [system, "/usr/lib64", "/usr/lib/ld-linux-aarch64.so.1", _stdlib(), interpreter.executable()]
    paths += [library for library in [_shared_library()] if library]
    if interpreter.numpy_site().startswith("/usr/lib/python3"):
        paths.append("/etc/alternatives")  # Debian's numpy finds its BLAS through these links
    binds = [(path, path) for path in paths if os.path.exists(path)]
    binds += [(numpy, f"{SITE}/numpy"), (f"{numpy}.libs", f"{SITE}/numpy.libs")]
    modules = sorted(name for name in os.listdir(interpreter.INSIDE) if name.endswith(".py"))
    return binds + [(os.path.join(interpreter.INSIDE, name), f"{INSIDE}/{name}") for name in modules]


def _stdlib() -> str:
    return sysconfig.get_path("stdlib", vars={})


def _shared_library() -> str | None:
    """Return the interpreter's own shared library, if it has one."""
    folder, name = sysconfig.get_config_var("LIBDIR"), sysconfig.get_config_var("INSTSONAME")
    if not folder or not name or ".so" not in name:
        return None
    path = os.path.join(folder, name)
    return path if os.path.isfile(path) else None


def _package_folders() -> list[str]:
    """Return the folders of installed packages that lie within what is bound."""
    return [
        folder
        for parent in (_stdlib(), "/usr/lib/python3")
        for folder in (os.path.join(parent, "site-packages"), os.path.join(parent, "dist-packages"))
        if os.path.isdir(folder) and any(_is_within(folder, source) for source, _ in _binds())
    ]


def _is_within(path: str, folder: str) -> bool:
    return os.path.commonpath([path, folder]) == folder


def _parents(path: str) -> Iterator[str]:
    while (path := os.path.dirname(path)) != "/":
        yield path
