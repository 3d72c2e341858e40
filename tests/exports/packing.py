"""Zip files made for tests, those that no honest program would make among them."""

import stat
import struct
import zipfile
from collections.abc import Mapping
from pathlib import Path

RIGHT = b"def double(S):\n    return S + S\n"


def a_zip(path: Path, files: Mapping[str, bytes | str]) -> Path:
    """A zip file of these names and contents, written as they are."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(zipfile.ZipInfo(name), content, zipfile.ZIP_DEFLATED)
    return path


def zip_bytes(tmp_path: Path, files: Mapping[str, bytes | str]) -> bytes:
    """The bytes of a zip file, to be packed into another."""
    return a_zip(tmp_path / "inner.zip", files).read_bytes()


def add_link(path: Path, name: str, target: str) -> None:
    """Add a symbolic link to a zip file."""
    entry = zipfile.ZipInfo(name)
    entry.create_system = 3
    entry.external_attr = (stat.S_IFLNK | 0o777) << 16
    with zipfile.ZipFile(path, "a") as archive:
        archive.writestr(entry, target)


def mark_encrypted(path: Path, name: str) -> None:
    """Set the bit that says an entry is encrypted, in its header and in the list at the end."""
    content = bytearray(path.read_bytes())
    for signature, flags, length, start in ((b"PK\x03\x04", 6, 26, 30), (b"PK\x01\x02", 8, 28, 46)):
        at = -1
        while (at := content.find(signature, at + 1)) >= 0:
            (size,) = struct.unpack_from("<H", content, at + length)
            if content[at + start : at + start + size] == name.encode():
                content[at + flags] |= 1
    path.write_bytes(bytes(content))


def files_in(folder: Path, files: Mapping[str, bytes | str]) -> Path:
    """A folder that holds these files."""
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return folder
