"""Zip files unpacked as if an enemy had made them: what is wanted of one, within bounds, none outside.

Entries are read one by one, as streams that are cut at a bound, never all at once; names are taken apart and
put together again, so that none leads out of the folder; links, devices and encrypted entries are refused.
"""

from __future__ import annotations

import contextlib
import hashlib
import re
import stat
import struct
import zipfile
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import BinaryIO

from autograder.loading.submissions import is_ignored, shown_name

_MB = 1024 * 1024
_CHUNK = 256 * 1024
#: What is small is no bomb, however much it shrank.
_HARMLESS = 4 * _MB
_MOST_DEPTH, _MOST_NAME = 20, 120
_ENCRYPTED, _UTF8 = 0x1, 0x800
_UNSAFE = re.compile(r'[\x00-\x1f\x7f<>:"|?*]|[. ]\Z')


class BadArchiveError(ValueError):
    """The file is no zip file that can be taken; the message is one line that follows its name."""


@dataclass(frozen=True, slots=True)
class Bounds:
    """How much an archive may be, hold and unfold to."""

    archive: int
    directory: int
    entries: int
    entry: int
    total: int
    ratio: int = 250


#: Of a class's download, and of what one student packed.
CLASS = Bounds(4096 * _MB, 32 * _MB, 50_000, 256 * _MB, 2048 * _MB)
STUDENT = Bounds(256 * _MB, 1 * _MB, 5_000, 128 * _MB, 256 * _MB)


@dataclass(frozen=True, slots=True)
class Item:
    """One file as its platform named it, part by part; where it lies now, or why it cannot be had.

    A file that nobody wants has neither.
    """

    parts: tuple[str, ...]
    path: Path | None = None
    problem: str | None = None

    @property
    def name(self) -> str:
        """The file's own name."""
        return self.parts[-1]


def unpack(archive: Path, folder: Path, bounds: Bounds, wanted: Callable[[str], bool]) -> list[Item]:
    """Write the wanted files of an archive into a folder and return an item for every entry that counts.

    BadArchiveError if the archive as a whole cannot be taken; an entry that cannot has its problem.
    """
    try:
        with archive.open("rb") as file:
            _look_over(file, bounds)
            with zipfile.ZipFile(file) as opened:
                return _Unpacking(opened, folder, bounds, wanted).items()
    except BadArchiveError:
        raise
    except OSError as error:
        raise BadArchiveError(f"cannot be read: {error.strerror or error}") from None
    except Exception as error:  # a damaged archive raises whatever its damage leads to
        raise BadArchiveError(f"is damaged or no zip file ({_said(error)})") from None


def _look_over(file: BinaryIO, bounds: Bounds) -> None:
    """Refuse what is too large to be opened at all: the list of entries is read whole."""
    size = file.seek(0, 2)
    if size > bounds.archive:
        raise BadArchiveError(f"has {size:,} bytes, more than the limit of {bounds.archive:,}")
    directory = _directory_bytes(file, size)
    if directory > bounds.directory:
        raise BadArchiveError(f"lists more entries than can be looked at ({directory:,} bytes of names)")
    file.seek(0)


def _directory_bytes(file: BinaryIO, size: int) -> int:
    """How long an archive says that its list of entries is; its end has a record of that."""
    start = max(size - 65_600, 0)
    file.seek(start)
    tail = file.read()
    at = tail.rfind(b"PK\x05\x06")
    if at < 0 or len(tail) < at + 22:
        raise BadArchiveError("is damaged or no zip file (it has no end)")
    (length,) = struct.unpack_from("<I", tail, at + 12)
    large = tail.rfind(b"PK\x06\x06", 0, at)
    if large >= 0 and len(tail) >= large + 56:
        length = max(struct.unpack_from("<Q", tail, large + 40)[0], length if length != 0xFFFFFFFF else 0)
    return int(length)


class _Unpacking:
    """One archive on its way into a folder, with the bytes that it may still unfold to."""

    def __init__(
        self, opened: zipfile.ZipFile, folder: Path, bounds: Bounds, wanted: Callable[[str], bool]
    ) -> None:
        self._opened = opened
        self._folder = folder
        self._bounds = bounds
        self._wanted = wanted
        self._left = bounds.total

    def items(self) -> list[Item]:
        """An item for every entry but folders and what systems leave behind."""
        entries = self._opened.infolist()
        if len(entries) > self._bounds.entries:
            count = f"{len(entries):,} entries, more than the limit of {self._bounds.entries:,}"
            raise BadArchiveError(f"holds {count}")
        items = (self._item(entry) for entry in entries)
        return [item for item in items if item is not None]

    def _item(self, entry: zipfile.ZipInfo) -> Item | None:
        name = _name(entry)
        every = name.replace("\\", "/").split("/")
        parts = tuple(part for part in every if part not in ("", ".", ".."))
        if not parts or any(is_ignored(part) for part in parts):
            return None
        item = Item(parts)
        problem = _refusal(entry, every)
        if problem is not None:
            return replace(item, problem=problem)
        if entry.is_dir() or every[-1] == "" or not self._wanted(parts[-1]):
            return None if entry.is_dir() or every[-1] == "" else item
        problem = self._too_much(entry)
        if problem is not None:
            return replace(item, problem=problem)
        return self._written(entry, item)

    def _too_much(self, entry: zipfile.ZipInfo) -> str | None:
        size, packed = entry.file_size, max(entry.compress_size, 1)
        if size > _HARMLESS and size > self._bounds.ratio * packed:
            return f"would unfold to {size:,} bytes, {size // packed:,} times what it takes in the zip file"
        if size > self._bounds.entry:
            return f"has {size:,} bytes, more than the limit of {self._bounds.entry:,}"
        if size > self._left:
            return f"is past the limit of {self._bounds.total:,} bytes that a zip file may unfold to"
        return None

    def _written(self, entry: zipfile.ZipInfo, item: Item) -> Item:
        path = self._folder.joinpath(*map(_safe, item.parts))
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            with path.open("xb") as file:
                self._copy(entry, file)
        except FileExistsError:
            return replace(item, problem="is in the zip file twice")
        except BadArchiveError as error:
            return replace(item, problem=str(error))
        except Exception as error:  # a damaged entry raises whatever its damage leads to
            return replace(item, problem=f"cannot be unpacked ({_said(error)})")
        return replace(item, path=path)

    def _copy(self, entry: zipfile.ZipInfo, file: BinaryIO) -> None:
        """Copy an entry, whose sizes may be lies, and no more than is allowed."""
        most = min(self._bounds.entry, self._left)
        with self._opened.open(entry) as stream:
            while chunk := stream.read(_CHUNK):
                self._left -= len(chunk)
                most -= len(chunk)
                if most < 0:
                    raise BadArchiveError("unfolds to more bytes than allowed")
                file.write(chunk)


def _refusal(entry: zipfile.ZipInfo, parts: list[str]) -> str | None:
    """Why an entry is not so much as looked into."""
    kind = stat.S_IFMT(entry.external_attr >> 16)
    if parts[0] == "" or re.match(r"[A-Za-z]:", parts[0]):
        return "has an absolute path"
    if ".." in parts:
        return "has a path that climbs out of the zip file"
    if kind == stat.S_IFLNK:
        return "is a link"
    if kind not in (0, stat.S_IFREG, stat.S_IFDIR):
        return "is no ordinary file"
    if entry.flag_bits & _ENCRYPTED:
        return "is encrypted"
    if len(parts) > _MOST_DEPTH:
        return f"lies {len(parts)} folders deep"
    return None


def _name(entry: zipfile.ZipInfo) -> str:
    """The name of an entry; some systems write UTF-8 and do not say so."""
    name = entry.orig_filename
    if not entry.flag_bits & _UTF8:
        with contextlib.suppress(UnicodeError):
            name = name.encode("cp437").decode("utf-8")
    return name.partition("\0")[0]


def _safe(part: str) -> str:
    """A part of a path as a file name that every system takes: what one may refuse is escaped."""
    name = _UNSAFE.sub(lambda match: f"%{ord(match.group()):02X}", shown_name(part).replace("/", "%2F"))
    if len(name.encode()) > _MOST_NAME:
        stem, dot, ending = name.rpartition(".")
        ending = dot + ending if stem and len(ending) <= 10 else ""
        digest = hashlib.sha256(part.encode("utf-8", "surrogatepass")).hexdigest()[:16]
        name = name.encode()[: _MOST_NAME - 30].decode("utf-8", "ignore") + "~" + digest + ending
    return name


def _said(error: Exception) -> str:
    text = " ".join(str(error).split())
    return shown_name(text if len(text) <= 100 else text[:99] + "…") or type(error).__name__
