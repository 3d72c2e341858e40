"""YAML is read strictly, alike by both parsers, with the place of everything."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

from autograder.errors import ExerciseError
from autograder.loading.yaml_strict import Document, read_document
from autograder.model.place import Place

BOTH = pytest.mark.parametrize("pure", [False, True], ids=["library", "pure"])


def read(folder: Path, content: str | bytes, *, pure: bool = False) -> Document:
    path = folder / "file.yaml"
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return read_document(path, folder, pure=pure)


def complaint(folder: Path, content: str | bytes, *, pure: bool = False) -> str:
    """What is said of a file, whether or not the rest of it could be read."""
    try:
        problems = read(folder, content, pure=pure).problems
    except ExerciseError as error:
        problems = error.problems
    return "\n".join(map(str, problems))


@BOTH
@pytest.mark.parametrize(
    ("scalar", "expected"),
    [
        ("1e-9", 1e-9),
        ("1e-5", 1e-5),
        ("-2.5E+3", -2500.0),
        (".5", 0.5),
        ("3.", 3.0),
        ("0", 0),
        ("-17", -17),
        ("0x1F", 31),
        ("0o17", 15),
        ("1e999", math.inf),
        ("-.inf", -math.inf),
        ("true", True),
        ("False", False),
        ("null", None),
        ("~", None),
        ("", None),
        ("no", "no"),
        ("yes", "yes"),
        ("on", "on"),
        ("off", "off"),
        ("12:30:45", "12:30:45"),
        ("1_000", "1_000"),
        ("2026-03-01", "2026-03-01"),
        ("2026-03-01T10:00:00Z", "2026-03-01T10:00:00Z"),
        ("1e5x", "1e5x"),
        ("'1'", "1"),
        ('"true"', "true"),
        ("1.2.3", "1.2.3"),
    ],
)
def test_a_scalar_means_what_yaml_1_2_says(tmp_path: Path, scalar: str, expected: object, pure: bool) -> None:
    value = read(tmp_path, f"key: {scalar}\n", pure=pure).data["key"]

    assert (type(value), value) == (type(expected), expected)


@BOTH
def test_nan_is_read_as_a_number(tmp_path: Path, pure: bool) -> None:
    assert math.isnan(read(tmp_path, "key: .nan\n", pure=pure).data["key"])


TEXT = """\
# comment
título: "ação ↦ x"
cases:
  bank: {given: {S: [[1, 2], [3, 4]]}, on: yes}
  other:
    - a
    - {b: c}
"""


@BOTH
def test_keys_and_values_have_places(tmp_path: Path, pure: bool) -> None:
    document = read(tmp_path, TEXT, pure=pure)
    places = document.places

    assert document.data["cases"]["bank"]["on"] == "yes"
    assert places.key(("título",)) == Place("file.yaml", 2, 1)
    assert places.value(("título",)) == Place("file.yaml", 2, 9)
    assert places.key(("cases", "bank", "given", "S")) == Place("file.yaml", 4, 18)
    assert places.value(("cases", "bank", "given", "S")) == Place("file.yaml", 4, 21)
    assert places.value(("cases", "bank", "given", "S", 1, 0)) == Place("file.yaml", 4, 31)
    assert places.value(("cases", "other", 1, "b")) == Place("file.yaml", 7, 11)


def test_of_what_is_not_there_the_nearest_holder_is_the_place(tmp_path: Path) -> None:
    places = read(tmp_path, TEXT).places

    assert places.value(("cases", "bank", "absent", 3)) == Place("file.yaml", 4, 9)
    assert places.holds(("cases", "other", 1))
    assert not places.holds(("cases", "other", 2))


def test_a_byte_order_mark_is_no_part_of_the_file(tmp_path: Path) -> None:
    assert read(tmp_path, b"\xef\xbb\xbfkey: 1\r\nother: 2\r\n").data == {"key": 1, "other": 2}


@BOTH
def test_an_alias_stands_for_its_anchor(tmp_path: Path, pure: bool) -> None:
    document = read(tmp_path, "a: &rows [[1, 2]]\nb: *rows\n", pure=pure)

    assert document.data == {"a": [[1, 2]], "b": [[1, 2]]}
    assert document.places.value(("b", 0)) == Place("file.yaml", 1, 11)


BOMB = "a: &a [x, x, x, x, x, x, x, x, x, x]\n" + "".join(
    f"{name}: &{name} [{', '.join([f'*{before}'] * 10)}]\n"
    for before, name in zip("abcdefgh", "bcdefghi", strict=True)
)


@BOTH
@pytest.mark.parametrize(
    ("content", "expected"),
    [
        pytest.param("", ":1:1: the file is empty; fill it in, or remove it", id="empty"),
        pytest.param("# one\n\n", ":1:1: the file is empty; fill it in, or remove it", id="only a comment"),
        pytest.param(
            "a: 1\nb: 2\na: 3\n",
            ":3:1: the key 'a' occurs twice; the first is at line 1; remove or rename one of them",
            id="a key twice",
        ),
        pytest.param(
            "a:\n  b: {c: 1, c: 1}\n",
            ":2:13: the key 'c' occurs twice; the first is at line 2; remove or rename one of them",
            id="a key twice on one line",
        ),
        pytest.param(
            "1: a\n", ":1:1: the key 1 is no text; put it in quotes, or use a name", id="number as key"
        ),
        pytest.param(
            "{true: a}",
            ":1:2: the key true is no text; put it in quotes, or use a name",
            id="truth value as key",
        ),
        pytest.param(
            "[a]: 1\n", ":1:1: a list or a mapping cannot be a key; use a text as the key", id="list as key"
        ),
        pytest.param(
            "a:\n\tb: 1\n", ":2:1: a tab where only spaces may stand; put spaces in the tab's place", id="tab"
        ),
        pytest.param(
            "a: b: c\n",
            ":1:5: a colon where no key can stand; put a text that holds a colon in quotes, "
            "or mend this line's indentation",
            id="two colons",
        ),
        pytest.param(
            "a: 1\nb\nc: 2\n",
            ":2:1: neither `key: value` nor `- item`; add the colon, "
            "or indent the line so that it belongs to the text above",
            id="no colon",
        ),
        pytest.param(
            "a:\n  - 1\n - 2\n",
            ":3:2: what begins here does not fit the lines above; "
            "align it with the keys or items that it belongs with",
            id="indentation",
        ),
        pytest.param(
            "a: [1, 2\nb: 3\n",
            ":2:2: a comma or a closing bracket is missing before this (the bracket opened at 1:4); add it",
            id="bracket",
        ),
        pytest.param("a: 'b\nc: d\n", ":1:4: a quote is opened here and never closed; close it", id="quote"),
        pytest.param(
            "a: @b\n", ":1:4: no value can begin with this character; put the value in quotes", id="reserved"
        ),
        pytest.param(
            'a: "\\d"\n', ":1:6: an unknown escape in double quotes; use single quotes instead", id="escape"
        ),
        pytest.param("a: *b\n", ":1:4: the alias names no anchor above; write the value out", id="alias"),
        pytest.param(
            "a: 1\n---\nb: 1\n", ":2:1: a second document begins here; remove this line", id="two documents"
        ),
        pytest.param(
            "a: !!python/name:os.system x\n",
            ":1:4: the tag !!python/name:os.system is not read here; remove it; quotes make a text",
            id="tag",
        ),
        pytest.param(
            "a: x\x07\n", ":1:5: the control character '\\x07' is not allowed; remove it", id="bell"
        ),
        pytest.param(
            "a: 010\n",
            ":1:4: the number 010 begins with 0, which some read as octal; drop the 0, or quote it",
            id="leading zero",
        ),
        pytest.param(
            f"a: {'9' * 5000}\n",
            ":1:4: a number of more digits than any computer keeps; round it",
            id="very long number",
        ),
        pytest.param(
            "a: &x {b: *x}\n",
            ":1:4: values are nested more than 40 deep, or an alias stands within its own anchor; "
            "write the value out flatter",
            id="alias within itself",
        ),
        pytest.param(
            BOMB,
            ":5:1: the file holds more than 100,000 values; draw numbers, or use fewer aliases",
            id="a billion laughs",
        ),
        pytest.param(
            b"a: 1\nb: caf\xe9\n",
            ":2:7: byte 0xe9 is not UTF-8; save the file with the encoding UTF-8",
            id="Latin-1",
        ),
        pytest.param(
            "a: 1\n".encode("utf-16"),
            ":1:1: byte 0xff is not UTF-8; save the file with the encoding UTF-8",
            id="UTF-16",
        ),
        pytest.param(
            b"a: " + b"x" * 1_000_000,
            ":1:1: the file is larger than 1,000,000 bytes; split it, or draw its numbers",
            id="huge",
        ),
    ],
)
def test_a_slip_is_told_with_place_and_remedy(
    tmp_path: Path, content: str | bytes, expected: str, pure: bool
) -> None:
    assert complaint(tmp_path, content, pure=pure) == f"file.yaml{expected}"


@BOTH
def test_brackets_nested_without_end_are_refused(tmp_path: Path, pure: bool) -> None:
    assert "nested more than 40 deep" in complaint(tmp_path, "a: " + "[" * 1200, pure=pure)


def test_several_slips_are_told_at_once_and_the_rest_is_read(tmp_path: Path) -> None:
    document = read(tmp_path, "a: 1\na: 2\n3: x\nb: !t y\n")

    assert document.data == {"a": 1, "b": "y"}
    assert [problem.place.line for problem in document.problems] == [2, 3, 4]


def test_a_file_that_is_not_there_is_told(tmp_path: Path) -> None:
    with pytest.raises(ExerciseError) as caught:
        read_document(tmp_path / "deep" / "no.yaml", tmp_path)

    expected = "deep/no.yaml:1:1: there is no such file; create it, or mend the name that leads here"
    assert str(caught.value) == expected


def test_a_folder_in_the_place_of_a_file_is_told(tmp_path: Path) -> None:
    (tmp_path / "a.yaml").mkdir()

    with pytest.raises(ExerciseError, match="a folder, not a file"):
        read_document(tmp_path / "a.yaml", tmp_path)


def test_both_parsers_read_the_projects_own_files_alike() -> None:
    top = Path(__file__).resolve().parents[2]
    files = sorted(top.glob("exercises/*/*.yaml"))
    assert files

    for path in files:
        fast, pure = read_document(path, top), read_document(path, top, pure=True)
        assert fast.data == pure.data
        assert _places(fast) == _places(pure)


def _places(document: Document) -> list[Place]:
    def walk(value: object, path: tuple[str | int, ...]) -> list[Place]:
        here = [document.places.key(path), document.places.value(path)]
        items = (
            value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
        )
        return here + [place for key, item in items for place in walk(item, (*path, key))]

    return walk(document.data, ())
