"""The submissions of this folder as the tests use them: headers read, pieces put in, places filled in."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

FOLDER = Path(__file__).parent / "submissions"

#: Right functions; a file's own ones come after them.
RIGHT = """
import numpy as np


def scores(Q, K):
    return Q @ K.T


def scale(S, d_k):
    return S / np.sqrt(d_k)


def softmax(S):
    E = np.exp(S - S.max(axis=1, keepdims=True))
    return E / E.sum(axis=1, keepdims=True)


def mix(A, V):
    return A @ V


def attention(Q, K, V):
    S = Q @ K.T / np.sqrt(K.shape[1])
    E = np.exp(S - S.max(axis=1, keepdims=True))
    A = E / E.sum(axis=1, keepdims=True)
    return A @ V, A


def numerical_gradient(f, M, h=1e-6):
    M = np.array(M, dtype=float)
    G = np.zeros(M.shape)
    for place in np.ndindex(*M.shape):
        up, down = M.copy(), M.copy()
        up[place] += h
        down[place] -= h
        G[place] = (f(up) - f(down)) / (2 * h)
    return G

"""

#: What an attack tries step by step, told by the file's printed text: `tried` how many, `got` which.
PROBES = """
import ctypes as _ctypes
import errno as _errno

_tried, _got = [], []


def attempt(name, act):
    _tried.append(name)
    try:
        act()
    except BaseException:
        return
    _got.append(name)


def checked(number, *arguments):
    \"\"\"Make a system call; OSError if it is kept from the kernel, not if the kernel refuses it.\"\"\"
    libc = _ctypes.CDLL(None, use_errno=True)
    result = libc.syscall(number, *arguments)
    if result < 0 and _ctypes.get_errno() in (_errno.EPERM, _errno.ENOSYS):
        raise OSError
    return result


def report(brief=False):
    print(f"tried {len(_tried)}" if brief else f"tried {' '.join(_tried)}"[:1500])
    print("got " + "; ".join(_got)[:400])

"""


#: The wire format, and the object that answers the grader, for those who answer in its place.
TALKS = """
import sys

wire = sys.modules["inside.wire"]


def child():
    \"\"\"The object that talks to the grader, and the number of its request.\"\"\"
    frame = sys._getframe(1)
    while frame is not None:
        held = frame.f_locals
        if hasattr(held.get("self"), "write_fd") and "sequence" in held:
            return held["self"], held["sequence"]
        frame = frame.f_back
    raise LookupError
"""


@dataclass(frozen=True)
class Attack:
    """One submission: what its header promises, and its source with the pieces in it.

    `softmax` are the statuses that its softmax may end with, `others` that of all other exercises ("any": not
    said), `wrong` the exercises that must not earn a thing.
    """

    name: str
    tries: str
    must_not: str
    walled: bool
    outcome: str
    softmax: frozenset[str]
    others: str
    wrong: tuple[str, ...]
    source: str

    def filled_in(self, places: Mapping[str, str]) -> str:
        """The source with each @PLACE@ filled in."""
        source = self.source
        for name, text in places.items():
            source = source.replace(f"@{name}@", text)
        return source

    @property
    def probes(self) -> bool:
        """Whether the file tells what it got."""
        return "report(" in self.source


def attacks() -> tuple[Attack, ...]:
    """All attacks in the order of their names."""
    return tuple(read_attack(path) for path in sorted(FOLDER.glob("*.py")))


def read_attack(path: Path) -> Attack:
    """One attack, its header understood."""
    text = path.read_text(encoding="utf-8")
    header = dict(_header(text))
    unknown = header.keys() - {"Tries", "Must not happen", "Levels", "Outcome", "Softmax", "Others", "Wrong"}
    assert not unknown, f"{path.name}: {unknown}"
    softmax = frozenset(header["Softmax"].split("|"))
    return Attack(
        name=path.stem,
        tries=header["Tries"],
        must_not=header["Must not happen"],
        walled=header.get("Levels", "all") == "walled",
        outcome=header.get("Outcome", "graded"),
        softmax=softmax,
        others=header.get("Others", "passed"),
        wrong=tuple(header.get("Wrong", "" if "passed" in softmax else "softmax").split()),
        source=text.replace("#: right\n", RIGHT).replace("#: probes\n", PROBES).replace("#: talks\n", TALKS),
    )


def _header(text: str) -> Iterator[tuple[str, str]]:
    for line in text.splitlines():
        if not line.startswith("# "):
            return
        name, _, value = line[2:].partition(": ")
        yield name, value
