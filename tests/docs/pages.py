"""The pages of the documentation as data: headings, sections, fenced blocks, links, names in tables."""

import re
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

TOP = Path(__file__).resolve().parents[2]

_FENCE = re.compile(r"^```(?P<info>[^\n`]*)\n(?P<text>.*?)^```$", re.MULTILINE | re.DOTALL)
_HEADING = re.compile(r"^(?P<marks>#{1,6}) +(?P<title>.+?) *$", re.MULTILINE)
_LINK = re.compile(r"(?<!!)\[[^\]\n]*\]\((?P<target>[^)\s]+)\)")
_CODE = re.compile(r"`([^`\n]+)`")


@dataclass(frozen=True)
class Fence:
    """A fenced block: the language, `key="value"` words and the others after it, the text, where it begins."""

    info: str
    text: str
    start: int

    @property
    def language(self) -> str:
        """The first word."""
        return self.info.split()[0] if self.info.split() else ""

    @property
    def words(self) -> list[str]:
        """The words after the language that are no `key="value"`."""
        return [word for word in self.info.split()[1:] if "=" not in word]

    @property
    def title(self) -> str | None:
        """The file that the block is, if it says so."""
        found = re.search(r'title="([^"]+)"', self.info)
        return found[1] if found else None


@dataclass(frozen=True)
class Page:
    """One Markdown file."""

    path: Path

    @property
    def name(self) -> str:
        """The path from the project's top."""
        return self.path.relative_to(TOP).as_posix()

    @cached_property
    def text(self) -> str:
        """The file's text."""
        return self.path.read_text(encoding="utf-8")

    @cached_property
    def fences(self) -> list[Fence]:
        """The fenced blocks in order."""
        return [Fence(m["info"].strip(), m["text"], m.start("text")) for m in _FENCE.finditer(self.text)]

    @cached_property
    def prose(self) -> str:
        """The text without fenced blocks; every other character stays where it was."""
        return _FENCE.sub(lambda match: re.sub(r"[^\n]", " ", match[0]), self.text)

    @cached_property
    def headings(self) -> list[str]:
        """The titles, without marks of code."""
        return [m["title"].replace("`", "") for m in _HEADING.finditer(self.prose)]

    @cached_property
    def anchors(self) -> set[str]:
        """What a link may name after #, as GitHub makes it."""
        return {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in self.headings}

    @cached_property
    def links(self) -> list[str]:
        """The targets of all links in the prose."""
        return [m["target"] for m in _LINK.finditer(self.prose)]

    def section(self, title: str) -> str:
        """The text below a heading, down to the next one of its level; AssertionError if there is none."""
        found = list(_HEADING.finditer(self.prose))
        for index, match in enumerate(found):
            if match["title"].replace("`", "") == title:
                level = len(match["marks"])
                ends = [later.start() for later in found[index + 1 :] if len(later["marks"]) <= level]
                return self.text[match.end() : ends[0] if ends else None]
        raise AssertionError(f"{self.name} has no section {title!r}")

    def subsections(self, title: str) -> list[str]:
        """The titles of the headings right below a section's own level."""
        inner = list(_HEADING.finditer(_FENCE.sub("", self.section(title))))
        top = min((len(match["marks"]) for match in inner), default=0)
        return [m["title"].replace("`", "") for m in inner if len(m["marks"]) == top]


def names_in_tables(text: str) -> list[str]:
    """The names in the first column of a text's tables: what stands in `…` there, all of it."""
    rows = [line for line in text.splitlines() if line.startswith("|")]
    return [name for row in rows for name in _CODE.findall(row.split("|")[1])]


def code_in(text: str) -> list[str]:
    """All that stands between single backticks."""
    return _CODE.findall(_FENCE.sub("", text))


def page(name: str) -> Page:
    """The page of that path from the project's top."""
    return Page(TOP / name)


def pages() -> list[Page]:
    """The README, every page of docs, and the fragments of the changelog."""
    found = [TOP / "README.md", *(TOP / "docs").rglob("*.md"), *(TOP / "changelog.d").glob("*.md")]
    return [Page(path) for path in sorted(found)]
