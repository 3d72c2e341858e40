"""What was downloaded from a platform, read as submissions: whose each is, when it came, which file counts.

Canvas' submissions.zip, Moodle's folders, Gradescope's export and nbgrader's tree are known by their names,
zipped or unzipped; anything else is a folder of <student>.py, <student>/… and <student>.zip. Every student of
a download gets one `Found`, readable or not, under a name that stays when the student hands in again.
"""

from __future__ import annotations

import os
import re
import tempfile
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path
from typing import TypeAlias

from autograder.errors import UsageError
from autograder.loading import archives
from autograder.loading.archives import BadArchiveError, Item
from autograder.loading.handing_in import gradescope_submissions, moment
from autograder.loading.submissions import (
    LINK,
    Choice,
    Found,
    choose_file,
    distinct,
    find_submissions,
    is_ignored,
    shown_name,
)
from autograder.model.submission import Origin

METADATA, TIMESTAMP = "submission_metadata.yml", "timestamp.txt"
_MOST_FILES, _MOST_DEPTH = 100_000, 12
_SUBMITTED = "submitted"
_CODE = re.compile(r"\.(py|ipynb)$", re.IGNORECASE)
_ZIP = re.compile(r"\.zip$", re.IGNORECASE)

#: doejane_LATE_12345_67890_attention-1.py; of an anonymous assignment LATE_anon_x7Kq2_67890_attention.py.
_CANVAS_OWNER = r"(?:(?P<name>(?!LATE_)\w*?)_)?(?P<late>LATE_)?(?P<id>\d+|anon_[^\W_]{1,8})"
_CANVAS = re.compile(_CANVAS_OWNER + r"_(?P<number>\d+)_(?P<file>.+)", re.DOTALL)
#: What Canvas adds to the name of a file that is handed in again.
_AGAIN = re.compile(r"-\d+(?=\.\w+$)")
#: What a student types or links to in Canvas, which is no file: doejane_12345_text.html.
_CANVAS_TYPED = re.compile(_CANVAS_OWNER + r"_(?:text|link)\.html")
_MOODLE = re.compile(r"(?P<name>.+)_(?P<id>\d+)_assignsubmission_(?P<kind>[a-z]+)_?(?P<file>.*)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Download:
    """The submissions of a folder or zip file, by student, and the platform that laid it out, if any."""

    platform: str
    found: tuple[Found, ...]


@dataclass(frozen=True, slots=True)
class _Handed:
    """One file of a student's: what it is called there, and what tells the later of two."""

    item: Item
    name: str
    depth: int = 0
    order: tuple[int | str, ...] = ()


@dataclass(slots=True)
class _Owner:
    """One student of a download and the files that came from this student."""

    student: str
    origin: Origin
    handed: list[_Handed] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    submissions: int = 1


_Owners: TypeAlias = dict[str, _Owner]


@contextmanager
def open_download(path: Path, file: str = "attention.py", assignment: str = "") -> Iterator[Download]:
    """The submissions of a folder or a zip file, readable until the end of the block.

    `assignment` is the folder to take of nbgrader's tree. UsageError if there is nothing to take.
    """
    with tempfile.TemporaryDirectory(prefix="autograder-") as scratch:
        yield _Reading(path, file, assignment, Path(scratch)).download()


@contextmanager
def open_student_folder(path: Path, file: str, student: str, origin: Origin) -> Iterator[Found]:
    """The one submission in a folder that holds one student's files, readable until the end of the block."""
    with tempfile.TemporaryDirectory(prefix="autograder-") as scratch:
        items = _walk(path) if path.is_dir() else ()
        handed = [_Handed(item, item.name, len(item.parts)) for item in items]
        yield _Reading(path, file, "", Path(scratch)).found(_Owner(student, origin, handed))


class _Reading:
    """One download being read; what is unpacked of it goes into a folder of scratch."""

    def __init__(self, path: Path, file: str, assignment: str, scratch: Path) -> None:
        self._path = path
        self._file = file
        self._assignment = assignment
        self._scratch = scratch
        self._unpacked = 0

    def download(self) -> Download:
        """The submissions and whose layout they are in."""
        if self._path.is_dir():
            items, top = list(_walk(self._path)), self._path
        elif self._path.is_file():
            items, top = self._of_archive()
        else:
            raise UsageError(
                f"there is no {self._path}", remedy="name the folder or zip file of the submissions"
            )
        for platform, layout in LAYOUTS.items():
            owners = layout(items, self._path.name, self._assignment)
            if owners is not None:
                found = [self.found(owner) for owner in owners.values()]
                return Download(platform, _sorted(found))
        return Download("", self._plain(items, top))

    def _of_archive(self) -> tuple[list[Item], Path]:
        try:
            return self._unpack(self._path, archives.CLASS)
        except BadArchiveError as error:
            remedy = "download it again, or unpack it and name the folder"
            raise UsageError(f"{self._path} {error}", remedy=remedy) from None

    def _unpack(self, archive: Path, bounds: archives.Bounds) -> tuple[list[Item], Path]:
        self._unpacked += 1
        folder = self._scratch / str(self._unpacked)
        folder.mkdir()
        return archives.unpack(archive, folder, bounds, _is_wanted), folder

    # A folder as anyone might make it

    def _plain(self, items: list[Item], top: Path) -> tuple[Found, ...]:
        """What `find_submissions` finds, and for whom it finds no file, what lies deeper or is packed."""
        if top != self._path:
            items, wrapper = _without_wrapper(items, self._file)
            top = top / wrapper
        owners: _Owners = {}
        for item in items:
            student = shown_name(Path(item.name).stem if len(item.parts) == 1 else item.parts[0])
            if len(item.parts) > 1 or _is_wanted(item.name) or item.problem:
                owner = owners.setdefault(student, _Owner(student, Origin()))
                owner.handed.append(_Handed(item, item.name, len(item.parts)))
        more = {student: self.found(owner) for student, owner in owners.items()}
        try:
            found = list(find_submissions(top, self._file))
        except UsageError:
            if not more or not top.is_dir():
                raise UsageError(f"{self._path} holds no submissions", remedy=self._wanted_forms()) from None
            found = []
        known = {one.student for one in found}
        better = [more.get(one.student, one) if _is_vain(one) else one for one in found]
        return _sorted([*better, *(one for student, one in more.items() if student not in known)])

    def _wanted_forms(self) -> str:
        return (
            f"it may hold <student>.py, <student>.ipynb, <student>.zip or <student>/{self._file}, "
            "or be a download of Canvas, Moodle, Gradescope or nbgrader"
        )

    # One student's files

    def found(self, owner: _Owner) -> Found:
        """The file of a student's that counts, packed or not, or why there is none."""
        handed = owner.handed
        chosen, bad_zip = self._chosen(handed), None
        if chosen.name is None and any(one.item.path and _ZIP.search(one.name) for one in handed):
            handed, bad_zip = self._with_unpacked(handed)
            chosen = self._chosen(handed)
        refused = [one for one in handed if one.item.problem is not None]
        if chosen.name is None:
            why = _why(refused[0]) if refused else bad_zip or f"what was handed in {chosen.problem}"
            where = Path(handed[0].item.name if len(handed) == 1 else owner.student)
            return Found(owner.student, where, why, tuple(owner.notes), owner.origin)
        best = self._named(handed, chosen.name)
        one = best[0]
        notes = [*owner.notes, *chosen.notes]
        notes += [f"{_why(other)}; it was left out" for other in refused if other is not one]
        problem = _why(one) if one.item.problem is not None else None
        if len(best) > 1:
            problem = f"{_shown(one)} and {_shown(best[1])} may both be meant"
        path = one.item.path if one.item.path is not None else Path(one.name)
        return Found(owner.student, path, problem, tuple(notes), owner.origin)

    def _chosen(self, handed: Sequence[_Handed]) -> Choice:
        """The name that counts: of those at the same depth, and from the top; first names that fit."""
        code = [one for one in handed if _CODE.search(one.name)]
        names = {one.depth: sorted({o.name for o in code if o.depth == one.depth}) for one in code}
        stem = self._file.removesuffix(".py").casefold()
        some = [names[depth] for depth in sorted(names)]
        fitting = [each for each in some if any(stem in name.casefold() for name in each)]
        for each in (*fitting, *some):
            choice = choose_file(each, self._file)
            if choice.name is not None:
                return choice
        choice = choose_file(sorted({one.name for one in code}), self._file)
        return Choice(problem=choice.problem or "holds several files that may be meant")

    @staticmethod
    def _named(handed: Sequence[_Handed], name: str) -> list[_Handed]:
        """The files of that name that may count: those that can be had, nearest to the top, latest."""
        rank = {
            id(one): (one.item.problem is None, -one.depth, one.order) for one in handed if one.name == name
        }
        best = max(rank.values())
        return [one for one in handed if rank.get(id(one)) == best]

    def _with_unpacked(self, handed: Sequence[_Handed]) -> tuple[list[_Handed], str | None]:
        """The files, with those of the zip files among them; and what was wrong with the first bad one."""
        every, problem = list(handed), None
        for one in handed:
            if one.item.path is None or not _ZIP.search(one.name):
                continue
            try:
                items, _ = self._unpack(one.item.path, archives.STUDENT)
            except BadArchiveError as error:
                problem = problem or f"the zip file {_shown(one)} {error}"
                continue
            every += [_Handed(item, item.name, one.depth + len(item.parts), one.order) for item in items]
        return every, problem


def _shown(one: _Handed) -> str:
    return shown_name("/".join(one.item.parts)) if len(one.item.parts) > 1 else shown_name(one.name)


def _why(one: _Handed) -> str:
    """What is wrong with a file, in one line."""
    return LINK if one.item.problem == LINK else f"{_shown(one)} {one.item.problem}"


def _is_wanted(name: str) -> bool:
    """Whether a file has to be unpacked: code, a student's zip file, or what tells whose and when."""
    return bool(_CODE.search(name) or _ZIP.search(name)) or name in (METADATA, TIMESTAMP)


def _is_vain(found: Found) -> bool:
    """Whether nothing was found in a student's folder, so that it is worth looking deeper."""
    return found.problem is not None and found.path.is_dir() and not found.path.is_symlink()


def _sorted(found: Iterable[Found]) -> tuple[Found, ...]:
    return tuple(sorted(distinct(list(found)), key=lambda one: one.student))


def _walk(top: Path) -> Iterator[Item]:
    """Every file below a folder that counts, no link followed; UsageError if there are beyond all measure."""
    count = 0
    for folder, folders, files in os.walk(top):
        here = Path(folder)
        parts = here.relative_to(top).parts
        linked = [name for name in folders if (here / name).is_symlink()]
        folders[:] = sorted(name for name in folders if not is_ignored(name) and len(parts) < _MOST_DEPTH)
        for name in sorted([*files, *linked]):
            if is_ignored(name):
                continue
            count += 1
            if count > _MOST_FILES:
                remedy = "name the folder of the submissions alone"
                raise UsageError(f"{top} holds more than {_MOST_FILES:,} files", remedy=remedy)
            path = here / name
            yield Item((*parts, name), path, LINK if path.is_symlink() else None)


def _without_wrapper(items: list[Item], file: str) -> tuple[list[Item], str]:
    """The items below the one folder that holds them all, if it is not a student's; and its name."""
    inside = _below_one_folder(items)
    if inside is None:
        return items, ""
    names = [item.name for item in inside if len(item.parts) == 1]
    owners = {item.parts[0] for item in inside if len(item.parts) > 1 or _is_wanted(item.name)}
    stem = file.removesuffix(".py").casefold()
    if len(owners) < 2 or any(stem in name.casefold() and _CODE.search(name) for name in names):
        return items, ""
    return inside, items[0].parts[0]


def _below_one_folder(items: Sequence[Item]) -> list[Item] | None:
    """The items without the folder that all lie in, or None if there is no such folder."""
    if len({item.parts[0] for item in items}) != 1 or any(len(item.parts) < 2 for item in items):
        return None
    return [replace(item, parts=item.parts[1:]) for item in items]


# The layouts: each the owners of the items, or None if they are laid out otherwise.


def _canvas(items: Sequence[Item], name: str, assignment: str) -> _Owners | None:
    """Flat files that bear the student's name and number, LATE, and the file's number."""
    for some in (items, _below_one_folder(items) or ()):
        flat = [item for item in some if len(item.parts) == 1]
        fitting = sum(_canvas_match(item.name) is not None for item in flat)
        if fitting and 2 * fitting >= len(flat):
            return _canvas_owners(flat)
    return None


def _canvas_match(name: str) -> re.Match[str] | None:
    return _CANVAS.fullmatch(name) or _CANVAS_TYPED.fullmatch(name)


def _canvas_owners(flat: Sequence[Item]) -> _Owners:
    owners: _Owners = {}
    for item in flat:
        match = _canvas_match(item.name)
        if match is None:
            if _is_wanted(item.name) or item.problem:
                student = shown_name(Path(item.name).stem)
                owners.setdefault(student, _Owner(student, Origin())).handed.append(_Handed(item, item.name))
            continue
        name, number, late = match["name"] or "", match["id"], match["late"] is not None
        student = f"{name}_{number}" if name else number
        owner = owners.setdefault(student, _Owner(student, Origin("canvas", number, name=name, late=late)))
        parts = match.groupdict()
        order = (int(parts["number"]),) if "number" in parts else (0,)
        owner.handed.append(_Handed(item, parts.get("file") or item.name, order=order))
        if late and not owner.origin.late:
            owner.origin = replace(owner.origin, late=True)
    for owner in owners.values():
        _drop_earlier(owner)
    return owners


def _drop_earlier(owner: _Owner) -> None:
    """Of attention.py, attention-1.py, attention-2.py keep the one that Canvas numbered last, with a note."""
    latest: dict[str, _Handed] = {}
    for one in sorted(owner.handed, key=lambda one: one.order):
        name = _AGAIN.sub("", one.name)
        latest[name.casefold()] = replace(one, name=name)
    dropped = len(owner.handed) - len(latest)
    if dropped:
        told = f"the latest of {dropped + 1} files counts" if len(latest) == 1 else "the latest files count"
        owner.notes.append(told)
    owner.handed = list(latest.values())


def _moodle(items: Sequence[Item], name: str, assignment: str) -> _Owners | None:
    """A folder a student, or in older versions a prefix of the file's name, with the participant's number."""
    for some in (items, _below_one_folder(items) or ()):
        if any(_MOODLE.fullmatch(item.parts[0]) for item in some):
            return _moodle_owners(some)
    return None


def _moodle_owners(items: Sequence[Item]) -> _Owners:
    owners: _Owners = {}
    for item in items:
        match = _MOODLE.fullmatch(item.parts[0])
        if match is None:
            student = shown_name(item.parts[0] if len(item.parts) > 1 else Path(item.name).stem)
            if len(item.parts) == 1 and not _is_wanted(item.name) and not item.problem:
                continue
            owner = owners.setdefault(student, _Owner(student, Origin()))
            owner.handed.append(_Handed(item, item.name, len(item.parts)))
            continue
        name = shown_name(match["name"])
        student = f"{name}_{match['id']}"
        owner = owners.setdefault(student, _Owner(student, Origin("moodle", match["id"], name=name)))
        file = item.name if len(item.parts) > 1 else match["file"]
        owner.handed.append(_Handed(item, file, len(item.parts)))
    return owners


def _gradescope(items: Sequence[Item], name: str, assignment: str) -> _Owners | None:
    """A folder a submission, and a file that says whose each is; a group's counts for each of its members."""
    found = [item for item in items if item.name == METADATA and item.path is not None]
    if not found:
        return None
    metadata = min(found, key=lambda item: len(item.parts))
    above = metadata.parts[:-1]
    inside = [item for item in items if item.parts[: len(above)] == above]
    below = [replace(item, parts=item.parts[len(above) :]) for item in inside]
    folders: dict[str, list[Item]] = defaultdict(list)
    for item in below:
        if len(item.parts) > 1:
            folders[item.parts[0]].append(item)
    submissions = gradescope_submissions(metadata.path) if metadata.path is not None else {}
    owners: _Owners = {}
    for folder in sorted({*folders, *submissions}):
        for student, origin in submissions.get(folder) or ((shown_name(folder), Origin("gradescope")),):
            handed = [_Handed(item, item.name, len(item.parts)) for item in folders.get(folder, ())]
            _latest(owners, _Owner(student, origin, handed))
    return owners


def _latest(owners: _Owners, owner: _Owner) -> None:
    """Keep the later of two submissions of a student, by when they were handed in."""
    other = owners.get(owner.student)
    if other is None:
        owners[owner.student] = owner
        return
    later = owner if _when(owner) >= _when(other) else other
    later.submissions = owner.submissions + other.submissions
    later.notes = [f"the latest of {later.submissions} submissions counts"]
    owners[owner.student] = later


def _when(owner: _Owner) -> float:
    return datetime.fromisoformat(owner.origin.handed_in).timestamp() if owner.origin.handed_in else 0.0


def _nbgrader(items: Sequence[Item], name: str, assignment: str) -> _Owners | None:
    """submitted/<student>/<assignment>/…, with a timestamp.txt for when."""
    tree = _nbgrader_tree(items, name)
    if tree is None:
        return None
    assignments = sorted({item.parts[1] for item in tree})
    chosen = assignment if assignment in assignments else assignments[0] if len(assignments) == 1 else None
    if chosen is None:
        listed = ", ".join(shown_name(one) for one in assignments[:10])
        raise UsageError(
            f"the submissions are of {listed}; none is of {assignment or 'the assignment'}",
            remedy="name the folder of one assignment's submissions as the config names the assignment",
        )
    owners: _Owners = {}
    for item in tree:
        if item.parts[1] != chosen:
            continue
        student = shown_name(item.parts[0])
        owner = owners.setdefault(student, _Owner(student, Origin("nbgrader", login=student)))
        if item.parts[2:] == (TIMESTAMP,):
            _stamp(owner, item)
        else:
            owner.handed.append(_Handed(item, item.name, len(item.parts)))
    return owners


def _nbgrader_tree(items: Sequence[Item], name: str) -> list[Item] | None:
    """The items as (student, assignment, …), or None if it is no such tree."""
    inside = _below_one_folder(items)
    for some, called in ((items, name), (inside or (), items[0].parts[0] if items else "")):
        under = [replace(item, parts=item.parts[1:]) for item in some if item.parts[0] == _SUBMITTED]
        if any(len(item.parts) >= 3 for item in under):
            return [item for item in under if len(item.parts) >= 3]
        stamped = any(item.parts[2:] == (TIMESTAMP,) for item in some)
        if stamped or (called == _SUBMITTED and any(len(item.parts) >= 3 for item in some)):
            return [item for item in some if len(item.parts) >= 3]
    return None


def _stamp(owner: _Owner, item: Item) -> None:
    """Take over when a submission was handed in; a note if its file cannot be understood."""
    text = ""
    if item.path is not None and item.problem is None:
        with item.path.open("rb") as file:
            text = file.read(200).decode("utf-8", "replace").strip()
    when = moment(text)
    if when is None:
        owner.notes.append(f"{TIMESTAMP} does not tell when it was handed in")
    owner.origin = replace(owner.origin, handed_in=when)


#: In the order in which they are tried: the surest signs first.
LAYOUTS: dict[str, Callable[[Sequence[Item], str, str], _Owners | None]] = {
    "gradescope": _gradescope,
    "moodle": _moodle,
    "nbgrader": _nbgrader,
    "canvas": _canvas,
}
