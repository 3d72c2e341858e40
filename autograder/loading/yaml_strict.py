"""YAML files read strictly: plain values with the place of each, and no surprises of YAML 1.1.

Scalars follow YAML 1.2: `1e-9` is a number, `no` and `on` are texts, dates stay texts. Keys are texts and
occur once; tags are refused; aliases are followed within bounds.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

import yaml
from yaml.composer import Composer
from yaml.parser import Parser
from yaml.reader import Reader, ReaderError
from yaml.scanner import Scanner

from autograder.errors import ExerciseError, Problem
from autograder.model.place import Place

#: The way to a value: keys and indices, from the top of the file.
Way: TypeAlias = Sequence[str | int]

MAX_BYTES = 1_000_000
MAX_DEPTH = 40
#: Values a file may hold once its aliases are followed.
MAX_VALUES = 100_000

_PLAIN, _TEXT, _COLLECTION = "plain", "text", "collection"


class Places:
    """Where the keys and values of one file stand."""

    def __init__(self, file: str, root: yaml.Node) -> None:
        self.file = file
        self._root = root

    def key(self, path: Way) -> Place:
        """The place of the last key of the path; of an item of a list, the place of the item."""
        return self._place(self._find(path)[0])

    def value(self, path: Way) -> Place:
        """The place where the value at the path begins; of what is not there, that of its nearest holder."""
        return self._place(self._find(path)[1])

    def holds(self, path: Way) -> bool:
        """Whether the file has something at the path."""
        node = self._root
        for part in path:
            found = _step(node, part)
            if found is None:
                return False
            node = found[1]
        return True

    def _find(self, path: Way) -> tuple[yaml.Node, yaml.Node]:
        key = value = self._root
        for part in path:
            found = _step(value, part)
            if found is None:
                break
            key, value = found
        return key, value

    def _place(self, node: yaml.Node) -> Place:
        return Place(self.file, node.start_mark.line + 1, node.start_mark.column + 1)


def _step(node: yaml.Node, part: str | int) -> tuple[yaml.Node, yaml.Node] | None:
    if isinstance(node, yaml.MappingNode):
        return next(((key, value) for key, value in node.value if key.value == part), None)
    if isinstance(node, yaml.SequenceNode) and isinstance(part, int) and part < len(node.value):
        return node.value[part], node.value[part]
    return None


@dataclass(frozen=True)
class Document:
    """One YAML file: what it says, where, and what is wrong with it so far.

    `problems` are those that leave the rest readable, such as a repeated key (its first value counts).
    """

    path: Path
    file: str
    content: bytes
    data: Any
    places: Places
    problems: tuple[Problem, ...] = ()


def read_document(path: Path, top: Path, *, pure: bool = False) -> Document:
    """Read a YAML file; ExerciseError if it cannot be read at all. `pure` asks for the parser in Python."""
    file = shown_path(path, top)
    content = _read(path, file)
    text = _decode(content, file)
    root = _compose(text, file, pure=pure)
    if root is None:
        raise _failure(Place(file, 1, 1), "the file is empty", "fill it in, or remove it")
    values = _Values(file)
    data = values.of(root)
    return Document(path, file, content, data, Places(file, root), tuple(values.problems))


def shown_path(path: Path, top: Path) -> str:
    """The path as people read it: from the project's top, with slashes."""
    return path.relative_to(top).as_posix() if path.is_relative_to(top) else path.as_posix()


def _failure(place: Place, message: str, remedy: str) -> ExerciseError:
    return ExerciseError((Problem(place, message, remedy),))


def _read(path: Path, file: str) -> bytes:
    try:
        with path.open("rb") as stream:
            content = stream.read(MAX_BYTES + 1)
    except FileNotFoundError:
        raise _failure(
            Place(file, 1, 1), "there is no such file", "create it, or mend the name that leads here"
        ) from None
    except IsADirectoryError:
        raise _failure(Place(file, 1, 1), "this is a folder, not a file", "name a .yaml file") from None
    except OSError as error:
        reason = error.strerror or type(error).__name__
        raise _failure(
            Place(file, 1, 1), f"the file cannot be read: {reason}", "mend its permissions"
        ) from None
    if len(content) > MAX_BYTES:
        raise _failure(
            Place(file, 1, 1), f"the file is larger than {MAX_BYTES:,} bytes", "split it, or draw its numbers"
        )
    return content


def _decode(content: bytes, file: str) -> str:
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        # The marks do not count a byte order mark, so neither does this.
        before = content[: error.start].decode("utf-8-sig", "replace")
        place = Place(file, before.count("\n") + 1, len(before) - before.rfind("\n"))
        message = f"byte 0x{content[error.start]:02x} is not UTF-8"
        raise _failure(place, message, "save the file with the encoding UTF-8") from None


# Nodes


class _Tags:
    """Marks nodes as plain, quoted or collections, in place of YAML 1.1's guesses."""

    def resolve(self, kind: type[yaml.Node], value: Any, implicit: Any) -> str:
        if kind is not yaml.ScalarNode:
            return _COLLECTION
        return _PLAIN if implicit[0] else _TEXT

    def descend_resolver(self, parent: Any, index: Any) -> None: ...

    def ascend_resolver(self) -> None: ...


class _PureLoader(_Tags, Reader, Scanner, Parser, Composer):
    def __init__(self, text: str) -> None:
        Reader.__init__(self, text)
        Scanner.__init__(self)
        Parser.__init__(self)
        Composer.__init__(self)


_FastLoader: Any = None
if yaml.__with_libyaml__:
    from yaml._yaml import CParser

    class _LibraryLoader(_Tags, CParser):
        def __init__(self, text: str) -> None:
            CParser.__init__(self, text)

    _FastLoader = _LibraryLoader


def _compose(text: str, file: str, *, pure: bool) -> yaml.Node | None:
    mark = None
    if _FastLoader is not None and not pure:
        try:
            return _FastLoader(text).get_single_node()  # type: ignore[no-any-return]
        except yaml.YAMLError as error:
            # The parser in Python says it again, in the same words on every machine.
            mark = getattr(error, "problem_mark", None)
    try:
        return _PureLoader(text).get_single_node()
    except yaml.YAMLError as error:
        raise ExerciseError((_syntax_problem(error, text, file),)) from None
    except RecursionError:
        raise _too_deep(_mark_place(mark, file)) from None


def _too_deep(place: Place) -> ExerciseError:
    return _failure(
        place,
        f"values are nested more than {MAX_DEPTH} deep, or an alias stands within its own anchor",
        "write the value out flatter",
    )


#: What the parser says, in parts that are looked for; where to point; what we say; what to do.
_SYNTAX = (
    ("'\\t'", "problem", "a tab where only spaces may stand", "put spaces in the tab's place"),
    (
        "mapping values are not allowed",
        "problem",
        "a colon where no key can stand",
        "put a text that holds a colon in quotes, or mend this line's indentation",
    ),
    (
        "could not find expected ':'",
        "context",
        "neither `key: value` nor `- item`",
        "add the colon, or indent the line so that it belongs to the text above",
    ),
    (
        "expected <block end>",
        "problem",
        "what begins here does not fit the lines above",
        "align it with the keys or items that it belongs with",
    ),
    ("expected ',' or", "problem", "a comma or a closing bracket is missing before this", "add it"),
    ("unexpected end of stream", "context", "a quote is opened here and never closed", "close it"),
    ("found unexpected document separator", "context", "a quote is opened here and never closed", "close it"),
    (
        "cannot start any token",
        "problem",
        "no value can begin with this character",
        "put the value in quotes",
    ),
    (
        "unknown escape character",
        "problem",
        "an unknown escape in double quotes",
        "use single quotes instead",
    ),
    ("found undefined alias", "problem", "the alias names no anchor above", "write the value out"),
    ("found duplicate anchor", "context", "this anchor's name is taken", "give it another name"),
    ("but found another document", "problem", "a second document begins here", "remove this line"),
)


def _syntax_problem(error: yaml.YAMLError, text: str, file: str) -> Problem:
    if isinstance(error, ReaderError):
        before = text[: error.position]
        place = Place(file, before.count("\n") + 1, len(before) - before.rfind("\n"))
        return Problem(place, f"the control character {text[error.position]!r} is not allowed", "remove it")
    assert isinstance(error, yaml.MarkedYAMLError)
    said = f"{error.context or ''} {error.problem or ''}"
    for part, where, message, remedy in _SYNTAX:
        if part in said:
            mark = error.context_mark if where == "context" and error.context_mark else error.problem_mark
            return Problem(_mark_place(mark, file), f"{message}{_opened(error, where)}", remedy)
    return Problem(
        _mark_place(error.problem_mark, file), f"no valid YAML: {said.strip()}", "mend the syntax here"
    )


def _mark_place(mark: Any, file: str) -> Place:
    return Place(file, 1, 1) if mark is None else Place(file, mark.line + 1, mark.column + 1)


def _opened(error: yaml.MarkedYAMLError, where: str) -> str:
    mark = error.context_mark
    if where == "context" or mark is None or "flow" not in (error.context or ""):
        return ""
    return f" (the bracket opened at {mark.line + 1}:{mark.column + 1})"


# Values

_INTEGER = re.compile(r"[-+]?(0|[1-9][0-9]*)")
_LEADING_ZERO = re.compile(r"[-+]?0[0-9]+")
_BASED = re.compile(r"0x[0-9a-fA-F]+|0o[0-7]+")
_FLOAT = re.compile(r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?")
_INFINITE = re.compile(r"([-+]?)\.(inf|Inf|INF)")
_WORDS = {
    **dict.fromkeys(("", "~", "null", "Null", "NULL")),
    **dict.fromkeys(("true", "True", "TRUE"), True),
    **dict.fromkeys(("false", "False", "FALSE"), False),
    **dict.fromkeys((".nan", ".NaN", ".NAN"), float("nan")),
}
_NUMBER_STARTS = frozenset("-+.0123456789")
_MAX_DIGITS = 400


class _UnreadableError(ValueError):
    """A plain scalar that reads two ways, or in none: message, remedy, and what stands in for it."""


def plain_value(text: str) -> Any:
    """What an unquoted scalar means; `_UnreadableError` with message and remedy if that is not clear."""
    if text in _WORDS:
        return _WORDS[text]
    if text[0] not in _NUMBER_STARTS:
        return text
    if len(text) > _MAX_DIGITS and (_INTEGER.fullmatch(text) or _FLOAT.fullmatch(text)):
        raise _UnreadableError("a number of more digits than any computer keeps", "round it", 1)
    if _INTEGER.fullmatch(text):
        return int(text)
    if _LEADING_ZERO.fullmatch(text):
        raise _UnreadableError(
            f"the number {text} begins with 0, which some read as octal", "drop the 0, or quote it", int(text)
        )
    if _BASED.fullmatch(text):
        return int(text, 0)
    if _FLOAT.fullmatch(text):
        return float(text)
    if infinite := _INFINITE.fullmatch(text):
        return float(infinite[1] + "inf")
    return text


class _Values:
    """Builds plain values of nodes, and gathers what is wrong on the way."""

    def __init__(self, file: str) -> None:
        self.file = file
        self.problems: list[Problem] = []
        self._count = 0
        self._entry: yaml.Node | None = None

    def of(self, node: yaml.Node, depth: int = 0) -> Any:
        self._count += 1
        if self._count > MAX_VALUES:
            # The entry at the top, not the node: that may stand far away, at the end of a chain of aliases.
            place = _mark_place((self._entry or node).start_mark, self.file)
            raise _failure(
                place, f"the file holds more than {MAX_VALUES:,} values", "draw numbers, or use fewer aliases"
            )
        if node.tag == _PLAIN:
            return self._plain(node)
        if node.tag == _TEXT:
            return self._text(node)
        if depth >= MAX_DEPTH:
            raise _too_deep(_mark_place(node.start_mark, self.file))
        if node.tag != _COLLECTION:
            self._note(
                node, f"the tag {_shown_tag(node.tag)} is not read here", "remove it; quotes make a text"
            )
        if isinstance(node, yaml.MappingNode):
            return self._mapping(node, depth)
        if isinstance(node, yaml.SequenceNode):
            return [self.of(item, depth + 1) for item in node.value]
        return node.value

    def _text(self, node: yaml.Node) -> str:
        text: str = node.value
        if not text.isascii() and any("\ud800" <= character <= "\udfff" for character in text):
            self._note(node, "an escape that is half of a character", "write the character itself")
            return ""
        return text

    def _plain(self, node: yaml.Node) -> Any:
        try:
            return plain_value(node.value)
        except _UnreadableError as error:
            message, remedy, stand_in = error.args
            self._note(node, message, remedy)
            return stand_in

    def _mapping(self, node: yaml.MappingNode, depth: int) -> dict[str, Any]:
        mapping: dict[str, Any] = {}
        lines: dict[str, int] = {}
        for key_node, value_node in node.value:
            key = self._key(key_node)
            if key is None:
                continue
            if key in mapping:
                first = f"the first is at line {lines[key]}"
                self._note(key_node, f"the key {key!r} occurs twice; {first}", "remove or rename one of them")
                continue
            if depth == 0:
                self._entry = key_node
            mapping[key] = self.of(value_node, depth + 1)
            lines[key] = key_node.start_mark.line + 1
        return mapping

    def _key(self, node: yaml.Node) -> str | None:
        if not isinstance(node, yaml.ScalarNode):
            self._note(node, "a list or a mapping cannot be a key", "use a text as the key")
            return None
        if node.tag == _TEXT or isinstance(_or_none(node.value), str):
            return str(node.value)
        self._note(node, f"the key {node.value or 'nothing'} is no text", "put it in quotes, or use a name")
        return None

    def _note(self, node: yaml.Node, message: str, remedy: str) -> None:
        self.problems.append(Problem(_mark_place(node.start_mark, self.file), message, remedy))


def _or_none(text: str) -> Any:
    try:
        return plain_value(text)
    except _UnreadableError:
        return None


def _shown_tag(tag: str) -> str:
    return tag.replace("tag:yaml.org,2002:", "!!")
