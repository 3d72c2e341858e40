"""The package itself as a wheel, made from the files that are running: needs no network and no build tool.

The same files give the same bytes.
"""

from __future__ import annotations

import base64
import hashlib
import io
import re
import tomllib
import zipfile
from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path
from typing import Any

import autograder

NAME = "autograder"
_EPOCH = (1980, 1, 1, 0, 0, 0)
_REQUIREMENT = re.compile(r"\s*([A-Za-z0-9][\w.-]*)")
_LEFT_OUT = ("__pycache__", ".pyc", ".pyo")


@dataclass(frozen=True, slots=True)
class Facts:
    """What a wheel says of its package."""

    version: str
    requires_python: str
    dependencies: tuple[str, ...]
    entry_points: Mapping[str, Mapping[str, str]]


def package_facts() -> Facts:
    """From the project's own file where it lies beside the package, else from what is installed."""
    project = Path(autograder.__file__).resolve().parents[1] / "pyproject.toml"
    if project.is_file():
        said = tomllib.loads(project.read_text(encoding="utf-8")).get("project", {})
        if said.get("name") == NAME:
            return _of_project(said)
    return _of_installed()


def _of_project(said: Mapping[str, Any]) -> Facts:
    points = {"console_scripts": said.get("scripts", {}), **said.get("entry-points", {})}
    dependencies = tuple(said.get("dependencies", ()))
    return Facts(said["version"], said.get("requires-python", ">=3.11"), dependencies, points)


def _of_installed() -> Facts:
    installed = metadata.distribution(NAME)
    points: dict[str, dict[str, str]] = {}
    for point in installed.entry_points:
        points.setdefault(point.group, {})[point.name] = point.value
    needed = tuple(one for one in installed.requires or () if "extra ==" not in one)
    return Facts(installed.version, installed.metadata["Requires-Python"], needed, points)


def package_wheel() -> tuple[str, bytes]:
    """The wheel's file name and its bytes."""
    facts = package_facts()
    info = f"{NAME}-{facts.version}.dist-info"
    files = {**_package_files(), **{f"{info}/{name}": text.encode() for name, text in _info(facts).items()}}
    record = "".join(f"{name},{_digest(content)},{len(content)}\n" for name, content in sorted(files.items()))
    files[f"{info}/RECORD"] = f"{record}{info}/RECORD,,\n".encode()
    return f"{NAME}-{facts.version}-py3-none-any.whl", zip_of(files)


def _package_files() -> dict[str, bytes]:
    top = Path(autograder.__file__).resolve().parent
    paths = [path for path in sorted(top.rglob("*")) if path.is_file()]
    names = {path: path.relative_to(top.parent).as_posix() for path in paths}
    kept = {path: name for path, name in names.items() if not any(part in name for part in _LEFT_OUT)}
    return {name: path.read_bytes() for path, name in kept.items()}


def _info(facts: Facts) -> dict[str, str]:
    about = [f"Metadata-Version: 2.1\nName: {NAME}\nVersion: {facts.version}\n"]
    about += [f"Requires-Python: {facts.requires_python}\n"]
    about += [f"Requires-Dist: {dependency}\n" for dependency in facts.dependencies]
    points = [
        f"[{group}]\n" + "".join(f"{name} = {value}\n" for name, value in sorted(entries.items()))
        for group, entries in sorted(facts.entry_points.items())
        if entries
    ]
    wheel = f"Wheel-Version: 1.0\nGenerator: {NAME}\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
    return {"METADATA": "".join(about), "WHEEL": wheel, "entry_points.txt": "\n".join(points)}


def _digest(content: bytes) -> str:
    return "sha256=" + base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()


def zip_of(files: Mapping[str, bytes], *, executable: Sequence[str] = ()) -> bytes:
    """A zip file of these files, the same for the same files; those named may be executed."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in sorted(files.items()):
            entry = zipfile.ZipInfo(name, _EPOCH)
            entry.create_system = 3
            entry.external_attr = (0o100755 if name in executable else 0o100644) << 16
            archive.writestr(entry, content, zipfile.ZIP_DEFLATED)
    return out.getvalue()


def constraints() -> str:
    """The versions of all that the package needs, as installed here: the same grader gives the same marks."""
    pinned: dict[str, str] = {}
    waiting = deque(package_facts().dependencies)
    while waiting:
        match = _REQUIREMENT.match(waiting.popleft())
        name = re.sub(r"[-_.]+", "-", match[1]).lower() if match else ""
        if not name or name in pinned:
            continue
        try:
            found = metadata.distribution(name)
        except metadata.PackageNotFoundError:  # needed on other systems only
            continue
        pinned[name] = found.version
        waiting += [one for one in found.requires or () if "extra ==" not in one]
    return "".join(f"{name}=={version}\n" for name, version in sorted(pinned.items()))
