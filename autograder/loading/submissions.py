"""Find what students handed in, and read it: files, notebooks, folders, names in other case or with "(1)".

Every entry of the folder that could be a submission gives one `Found`, readable or not: N in, N out.
"""

from __future__ import annotations

import os
import re
import stat
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from autograder.errors import UsageError
from autograder.loading import notebooks
from autograder.model.submission import NOWHERE, Origin, Submission, notebook_name
from autograder.wording.say import say

#: The largest Python file that is read; a file of functions has a few kilobytes.
MOST_BYTES = 2 * 1024 * 1024

#: Why a link is no submission.
LINK = "a link is not followed; the file itself is needed"

_IGNORED = re.compile(r"^(\.|__MACOSX$|__pycache__$|Thumbs\.db$|desktop\.ini$)", re.IGNORECASE)
_PYTHON = re.compile(r"\.py$", re.IGNORECASE)
_NOTEBOOK = re.compile(r"\.ipynb$", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Found:
    """A place where a submission lies. `problem` says why it cannot be taken, if so."""

    student: str
    path: Path
    problem: str | None = None
    notes: tuple[str, ...] = ()
    origin: Origin = NOWHERE


@dataclass(frozen=True, slots=True)
class Choice:
    """Which of a student's files is the submission, with notes on its name; or the problem if none is."""

    name: str | None = None
    notes: tuple[str, ...] = ()
    problem: str | None = None


@dataclass(frozen=True, slots=True)
class Unreadable:
    """A submission that could not be read, and why, in one line."""

    student: str
    file: str
    message: str


def find_submissions(folder: Path, file: str = "attention.py") -> tuple[Found, ...]:
    """The submissions of a folder in the order of their students' names.

    UsageError if the folder is not there or holds none.
    """
    if not folder.is_dir():
        raise UsageError(
            f"{folder} is not a folder", remedy="name the folder that holds <student>.py files or notebooks"
        )
    entries = sorted(os.scandir(folder), key=lambda entry: entry.name)
    found = [one for entry in entries if not is_ignored(entry.name) if (one := _found(entry, file))]
    if not found:
        raise UsageError(
            f"{folder} holds no submissions",
            remedy=f"they are named <student>.py, <student>.ipynb, <student>/{file} or "
            f"<student>/{notebook_name(file)}",
        )
    return tuple(sorted(distinct(_without_doubles(found)), key=lambda one: one.student))


def _found(entry: os.DirEntry[str], file: str) -> Found | None:
    path = Path(entry.path)
    if entry.is_symlink():
        return Found(shown_name(path.stem), path, LINK)
    if entry.is_dir(follow_symlinks=False):
        return _in_folder(path, file)
    if _PYTHON.search(entry.name) or _NOTEBOOK.search(entry.name):
        return Found(shown_name(path.stem), path)
    return None


def _without_doubles(found: list[Found]) -> list[Found]:
    """One for each student who has a .py file and a notebook of one name: the .py file, with a note."""
    python = {one.student: one for one in found if _PYTHON.search(one.path.name)}
    beside = {
        one.student: one
        for one in found
        if _NOTEBOOK.search(one.path.name) and one.path.is_file() and one.student in python
    }
    kept = []
    for one in found:
        other = beside.get(one.student)
        if one is other:
            continue
        if other is not None and one is python[one.student]:
            one = replace(one, notes=(*one.notes, _beside(one.path.name, other.path.name)))
        kept.append(one)
    return kept


def _beside(file: str, other: str) -> str:
    return say("notebook.beside", {"file": shown_name(file), "other": shown_name(other)})


def _in_folder(folder: Path, file: str) -> Found:
    student = shown_name(folder.name)
    try:
        names = sorted(entry.name for entry in os.scandir(folder) if not is_ignored(entry.name))
    except OSError as error:
        return Found(student, folder, f"the folder cannot be read: {error.strerror}")
    choice = choose_file(names, file)
    if choice.name is None:
        return Found(student, folder, f"the folder {choice.problem}")
    path = folder / choice.name
    problem = LINK if path.is_symlink() else None
    return Found(student, path, problem, choice.notes)


def choose_file(names: Sequence[str], file: str) -> Choice:
    """The one of these names that is meant for `file` or its notebook; the .py file if both are there."""
    files = [name for name in names if _PYTHON.search(name)]
    noted = [name for name in names if _NOTEBOOK.search(name)]
    notebook = notebook_name(file)
    chosen = _choose(files, file, last=not noted) or _choose(noted, notebook) or _choose(files, file)
    if chosen is None:
        return Choice(problem=_what_it_holds(files, noted, file))
    wanted = file if chosen in files else notebook
    notes = () if chosen == wanted else (say("file.named", {"found": shown_name(chosen), "wanted": wanted}),)
    other = _choose(noted, notebook, last=False) if chosen in files else None
    if other is not None:
        notes = (*notes, _beside(chosen, other))
    return Choice(chosen, notes)


def is_ignored(name: str) -> bool:
    """Whether a name is one that systems leave behind, such as __MACOSX or .DS_Store."""
    return _IGNORED.match(name) is not None


def _what_it_holds(files: list[str], noted: list[str], file: str) -> str:
    if not files and not noted:
        return "holds no Python file and no notebook"
    if not noted:
        return f"holds {len(files)} Python files and none is named {file}"
    if not files:
        return f"holds {len(noted)} notebooks and none is named {notebook_name(file)}"
    return f"holds {len(files)} Python files and {len(noted)} notebooks, and none is named {file}"


def _choose(names: list[str], file: str, *, last: bool = True) -> str | None:
    """The name asked for; or in other case; or with additions such as "(1)"; or (`last`) the only one."""
    stem, ending = os.path.splitext(file.casefold())
    for fits in (
        lambda name: name == file,
        lambda name: name.casefold() == file.casefold(),
        lambda name: (
            re.fullmatch(rf"{re.escape(stem)}\W*(\(?\d+\)?|copy|final)?{re.escape(ending)}", name.casefold())
            is not None
        ),
        lambda name: stem in name.casefold(),
        lambda name: last,
    ):
        fitting = [name for name in names if fits(name)]
        if len(fitting) == 1 or (fitting and fitting[0] == file):
            return fitting[0]
        if fitting:
            return None if len({name.casefold() for name in fitting}) > 1 else fitting[0]
    return None


def shown_name(name: str) -> str:
    """A file name as text that every encoding can write: undecodable bytes as \\xNN."""
    return os.fsencode(name).decode("utf-8", "backslashreplace")


def distinct(found: list[Found]) -> list[Found]:
    """Two submissions of one name keep both rows: each then bears its path, and a number if need be."""
    counts = Counter(one.student for one in found)
    taken = {name for name, count in counts.items() if count == 1}
    apart = []
    for one in found:
        name = one.student
        if counts[name] > 1:
            wanted = f"{name} ({shown_name(one.path.name)})"
            name = next(
                n for n in (wanted, *(f"{wanted} {i}" for i in range(2, len(found) + 3))) if n not in taken
            )
            taken.add(name)
        apart.append(replace(one, student=name))
    return apart


def read_submission(
    path: Path,
    student: str | None = None,
    *,
    notes: tuple[str, ...] = (),
    origin: Origin = NOWHERE,
) -> Submission | Unreadable:
    """Read a file, never following a link, waiting on a pipe or taking a file beyond all measure."""
    student = student if student is not None else shown_name(path.stem)
    name = shown_name(path.name)
    is_notebook = _NOTEBOOK.search(path.name) is not None
    try:
        content = _read_regular(path, notebooks.MOST_BYTES if is_notebook else MOST_BYTES)
        if is_notebook:
            return replace(notebooks.notebook_submission(student, name, content, notes), origin=origin)
    except OSError as error:
        return Unreadable(student, name, error.strerror or str(error))
    except notebooks.NoNotebookError as error:
        return Unreadable(student, name, str(error))
    return Submission(student, name, content, content, notes, origin=origin)


def _read_regular(path: Path, most: int) -> bytes:
    flags = (
        os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
    )
    descriptor = os.open(path, flags | getattr(os, "O_CLOEXEC", 0))
    with os.fdopen(descriptor, "rb") as file:
        facts = os.fstat(file.fileno())
        if not stat.S_ISREG(facts.st_mode):
            raise OSError(0, "it is no ordinary file")
        if facts.st_size > most:
            raise OSError(0, f"it has {facts.st_size:,} bytes, more than the limit of {most:,}")
        content = file.read(most + 1)
    if len(content) > most:
        raise OSError(0, f"it has more bytes than the limit of {most:,}")
    return content
