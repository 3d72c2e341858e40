"""Zip files that no honest program makes: each refused in one line, nothing outside the folder touched."""

import contextlib
import random
import struct
import zipfile
from pathlib import Path

import pytest

from autograder.errors import UsageError
from autograder.loading.archives import BadArchiveError, Bounds, Item, unpack
from autograder.loading.downloads import open_download
from tests.exports.packing import a_zip, add_link, mark_encrypted

SMALL = Bounds(archive=200_000, directory=50_000, entries=40, entry=6_000_000, total=7_000_000)


def unpacked(archive: Path, bounds: Bounds = SMALL) -> dict[str, Item]:
    """The items by their names as paths."""
    folder = archive.parent / "out"
    folder.mkdir(exist_ok=True)
    items = unpack(archive, folder, bounds, lambda name: name.endswith(".py"))
    for item in items:
        assert item.path is None or item.path.resolve().is_relative_to(folder.resolve())
        assert item.problem is None or "\n" not in item.problem
    return {"/".join(item.parts): item for item in items}


@pytest.mark.parametrize(
    ("name", "problem"),
    [
        ("../evil.py", "has a path that climbs out of the zip file"),
        ("a/../../evil.py", "has a path that climbs out of the zip file"),
        ("..\\evil.py", "has a path that climbs out of the zip file"),
        ("/evil.py", "has an absolute path"),
        ("\\evil.py", "has an absolute path"),
        ("C:/evil.py", "has an absolute path"),
        ("c:evil.py", "has an absolute path"),
        ("/".join("abcdefghijklmnopqrstuvwxyz") + "/evil.py", "lies 27 folders deep"),
    ],
)
def test_a_path_that_leads_elsewhere_is_refused(tmp_path: Path, name: str, problem: str) -> None:
    items = unpacked(a_zip(tmp_path / "x.zip", {name: b"x", "good.py": b"g"}))
    (bad,) = (item for path, item in items.items() if path.endswith("evil.py"))

    assert bad.problem == problem
    assert items["good.py"].path is not None
    assert sorted(path.name for path in tmp_path.rglob("*.py")) == ["good.py"]


def test_a_link_is_refused_whatever_it_is_called(tmp_path: Path) -> None:
    archive = a_zip(tmp_path / "x.zip", {"good.py": b"g"})
    add_link(archive, "attention.py", "/etc/passwd")
    add_link(archive, "folder", "/")

    assert {name: item.problem for name, item in unpacked(archive).items()} == {
        "good.py": None,
        "attention.py": "is a link",
        "folder": "is a link",
    }


def test_an_encrypted_entry_is_refused_and_the_others_read(tmp_path: Path) -> None:
    archive = a_zip(tmp_path / "x.zip", {"secret.py": b"s", "good.py": b"g"})
    mark_encrypted(archive, "secret.py")
    items = unpacked(archive)

    assert items["secret.py"].problem == "is encrypted"
    assert items["good.py"].problem is None


def test_a_bomb_is_refused_by_what_it_says_and_never_unfolded(tmp_path: Path) -> None:
    items = unpacked(
        a_zip(tmp_path / "x.zip", {"bomb.py": bytes(5_000_000), "big.py": random.Random(1).randbytes(9)})
    )

    assert items["bomb.py"].problem is not None
    assert items["bomb.py"].problem.startswith("would unfold to 5,000,000 bytes, ")
    assert items["big.py"].problem is None


def test_an_entry_that_lies_about_its_size_is_cut_off(tmp_path: Path) -> None:
    archive = a_zip(tmp_path / "x.zip", {"liar.py": bytes(3_000_000)})
    content = bytearray(archive.read_bytes())
    struct.pack_into("<I", content, content.find(b"PK\x01\x02") + 24, 10)
    archive.write_bytes(bytes(content))
    item = unpacked(archive)["liar.py"]

    assert item.problem is not None
    assert item.problem.startswith("cannot be unpacked (")


def test_all_entries_together_stay_within_the_bound(tmp_path: Path) -> None:
    files = {f"{i}.py": random.Random(i).randbytes(30_000) for i in range(5)}
    bounds = Bounds(archive=200_000, directory=50_000, entries=40, entry=40_000, total=100_000)
    items = unpacked(a_zip(tmp_path / "x.zip", files), bounds)

    assert [item.problem is None for item in items.values()] == [True, True, True, False, False]
    assert items["4.py"].problem == "is past the limit of 100,000 bytes that a zip file may unfold to"


def test_too_many_entries_and_too_large_a_file_are_refused_as_a_whole(tmp_path: Path) -> None:
    many = a_zip(tmp_path / "many.zip", {f"{i}.py": b"" for i in range(50)})
    with pytest.raises(BadArchiveError, match="holds 50 entries, more than the limit of 40"):
        unpacked(many)
    with pytest.raises(BadArchiveError, match="lists more entries than can be looked at"):
        unpacked(many, Bounds(200_000, 500, 100, 100, 100))
    with pytest.raises(BadArchiveError, match="more than the limit of 10"):
        unpacked(many, Bounds(10, 500, 100, 100, 100))


def test_one_name_twice_counts_once(tmp_path: Path) -> None:
    archive = a_zip(tmp_path / "x.zip", {"a.py": b"first"})
    with pytest.warns(UserWarning, match="Duplicate"), zipfile.ZipFile(archive, "a") as more:
        more.writestr("a.py", b"second")
    items = unpack(archive, tmp_path, SMALL, lambda name: True)

    assert [item.problem for item in items] == [None, "is in the zip file twice"]
    assert (tmp_path / "a.py").read_bytes() == b"first"


def test_a_file_where_a_folder_should_be_is_told(tmp_path: Path) -> None:
    items = unpacked(a_zip(tmp_path / "x.zip", {"a.py": b"1", "a.py/b.py": b"2"}))

    assert items["a.py"].problem is None
    assert items["a.py/b.py"].problem is not None


@pytest.mark.parametrize("name", ["x" * 250 + ".py", "é" * 130 + ".py", 'a\n<b>|"c".py', "con .py. .py"])
def test_names_that_file_systems_refuse_are_taken_all_the_same(tmp_path: Path, name: str) -> None:
    (item,) = unpacked(a_zip(tmp_path / "x.zip", {name: b"g"})).values()

    assert item.problem is None
    assert item.path is not None
    assert item.path.suffix == ".py"
    assert item.path.read_bytes() == b"g"


def test_names_in_utf8_that_are_not_marked_as_such_are_read_as_utf8(tmp_path: Path) -> None:
    archive = a_zip(tmp_path / "x.zip", {"Zoë.py": b"z"})
    content = bytearray(archive.read_bytes())
    for signature, flags in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        struct.pack_into("<H", content, content.find(signature) + flags, 0)
    archive.write_bytes(bytes(content))

    assert list(unpacked(archive)) == ["Zoë.py"]


@pytest.mark.parametrize("cut", [0, 1, 10, 30, 60, 100])
def test_a_damaged_zip_file_is_one_line(tmp_path: Path, cut: int) -> None:
    whole = a_zip(tmp_path / "x.zip", {"a.py": b"x = 1\n" * 20, "b.py": b"y"}).read_bytes()
    broken = tmp_path / "broken.zip"
    broken.write_bytes(whole[:cut])
    with pytest.raises(UsageError) as caught, open_download(broken):
        pass

    assert "\n" not in str(caught.value)
    assert "is damaged or no zip file" in str(caught.value)


def test_any_single_damaged_byte_gives_items_or_the_one_error(tmp_path: Path) -> None:
    whole = a_zip(tmp_path / "x.zip", {"a.py": b"x = 1\n" * 20, "b.py": b"y"}).read_bytes()
    for at in range(0, len(whole), 3):
        content = bytearray(whole)
        content[at] ^= 0xFF
        archive = tmp_path / f"{at}" / "x.zip"
        archive.parent.mkdir()
        archive.write_bytes(bytes(content))
        with contextlib.suppress(BadArchiveError):
            unpacked(archive)
