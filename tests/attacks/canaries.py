"""What an attack would reach if it could: a folder, sockets, a sibling process; and whether it did."""

import contextlib
import os
import secrets
import socket
import subprocess
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

SECRET = "not for submissions"


@dataclass
class Canaries:
    """The places that attacks are told, and what was touched in the end."""

    places: Mapping[str, str]
    environment: Mapping[str, str]
    touched: list[str] = field(default_factory=list)


@contextlib.contextmanager
def canaries(folder: Path, worker_uid: int) -> Iterator[Canaries]:
    """Set the traps in a new folder; at the end `touched` tells which went off."""
    folder.mkdir()
    folder.chmod(0o777)
    for name in ("secret", "spare"):
        (folder / name).write_text(SECRET)
        (folder / name).chmod(0o666)
    abstract, token = f"attacked-{secrets.token_hex(4)}", secrets.token_hex(8)
    with contextlib.ExitStack() as stack:
        listeners = _listeners(folder, abstract, stack)
        sibling = _sibling(worker_uid)
        stack.callback(_end, sibling)
        before = _state(folder)
        port = listeners["tcp"].getsockname()[1]
        places = {"FOLDER": str(folder), "PORT": str(port), "ABSTRACT": abstract, "SIBLING": str(sibling.pid)}
        traps = Canaries({**places, "ENVIRON": token}, {"ATTACKED": token})
        yield traps
        if _state(folder) != before:
            traps.touched.append(f"the folder: {sorted(_state(folder).items() ^ before.items())}")
        if sibling.poll() is not None:
            traps.touched.append(f"the sibling process, which ended with {sibling.poll()}")
        traps.touched += [f"the {name} socket" for name, listener in listeners.items() if _reached(listener)]


def _listeners(folder: Path, abstract: str, stack: contextlib.ExitStack) -> dict[str, socket.socket]:
    tcp = stack.enter_context(socket.create_server(("127.0.0.1", 0)))
    udp = stack.enter_context(socket.socket(socket.AF_INET, socket.SOCK_DGRAM))
    udp.bind(tcp.getsockname())
    named = stack.enter_context(socket.socket(socket.AF_UNIX))
    named.bind(str(folder / "socket"))
    (folder / "socket").chmod(0o777)
    nameless = stack.enter_context(socket.socket(socket.AF_UNIX))
    nameless.bind("\0" + abstract)
    for listener in (named, nameless):
        listener.listen()
    every = {"tcp": tcp, "udp": udp, "named": named, "abstract": nameless}
    for listener in every.values():
        listener.setblocking(False)
    return every


def _reached(listener: socket.socket) -> bool:
    with contextlib.suppress(BlockingIOError):
        if listener.type == socket.SOCK_DGRAM:
            listener.recv(10)
        else:
            listener.accept()[0].close()
        return True
    return False


def _sibling(uid: int) -> subprocess.Popen[bytes]:
    """A process of the user that submissions run as: a signal that can be sent reaches it."""
    identity = {} if os.getuid() == uid else {"user": uid, "group": uid, "extra_groups": []}
    sleep = "/bin/sleep" if os.path.exists("/bin/sleep") else sys.executable
    arguments = ["300"] if sleep == "/bin/sleep" else ["-c", "import time; time.sleep(300)"]
    return subprocess.Popen([sleep, *arguments], cwd="/", start_new_session=True, **identity)  # type: ignore[call-overload,no-any-return]


def _end(process: subprocess.Popen[bytes]) -> None:
    process.kill()
    process.wait()


def _state(folder: Path) -> dict[str, tuple[object, ...]]:
    """Names, modes, sizes, times and short contents in the folder."""
    state: dict[str, tuple[object, ...]] = {}
    for path in sorted(folder.rglob("*")):
        facts = path.lstat()
        text = path.read_bytes()[:100] if path.is_file() and facts.st_size < 1000 else b""
        state[path.name] = (facts.st_mode, facts.st_size, facts.st_mtime_ns, facts.st_nlink, text)
    return state
