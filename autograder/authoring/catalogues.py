"""Catalogues for translators, written and renewed: every English text once, with what is translated so far."""

from __future__ import annotations

import io
from collections.abc import Collection, Iterable, Iterator
from pathlib import Path
from typing import Any

from autograder.authoring.findings import Finding, warning
from autograder.loading.assignment import Course
from autograder.loading.translations import (
    catalogue_entries,
    catalogue_languages,
    catalogue_path,
    course_texts,
    text_key,
    translations,
)
from autograder.model.place import Place
from autograder.wording.english import TEXTS
from autograder.wording.languages import (
    ENGLISH,
    Entry,
    feedback_entries,
    fits,
    languages,
    own_catalogue,
    read_catalogue,
    read_set_aside,
)

_HEADER = "# {what} in {language}: msgid is the English text, msgstr the translation. An empty msgstr stays English."
_WIDTH = 100
#: So many places of texts are named in one finding.
_NAMED = 4


def renewed_course_catalogue(course: Course, language: str) -> str:
    """The catalogue of a course's texts, with what is translated so far."""
    texts: dict[str, tuple[str, list[str]]] = {}
    for where, text in course_texts(course):
        texts.setdefault(text_key(text), (text, []))[1].append(where)
    items = [("", text, places) for text, places in texts.values()]
    what = f"Texts of the exercises in {course.assignment.folder}/"
    path = catalogue_path(course, language)
    before = (read_set_aside(path) if path.is_file() else ()) + catalogue_entries(course, language)
    return _renewed(items, before, language, what)


def kit_catalogue(course: Course, language: str, keys: Collection[str]) -> str:
    """The finished translations of the texts with these keys, for a student's kit."""
    entries = [one for one in catalogue_entries(course, language) if one.translation and not one.fuzzy]
    kept = tuple(one for one in entries if text_key(one.text) in keys)
    items = [("", one.text, list[str]()) for one in kept]
    return _renewed(items, kept, language, f"Texts of the exercises in {course.assignment.folder}/")


def renewed_feedback_catalogue(language: str) -> str:
    """The catalogue of the feedback's texts, with what is translated so far; msgctxt is the code."""
    path = own_catalogue(language)
    old = (*read_set_aside(path), *read_catalogue(path)) if path.is_file() else ()
    items = [(code, text, list[str]()) for code, text in TEXTS.items()]
    return _renewed(items, old, language, "Texts of the feedback")


def _renewed(
    items: Iterable[tuple[str, str, list[str]]], old: tuple[Entry, ...], language: str, what: str
) -> str:
    from babel.messages.catalog import Catalog
    from babel.messages.pofile import write_po

    made = Catalog(locale=language, header_comment=_HEADER.format(what=what, language=language), fuzzy=False)
    finished = {(one.context, text_key(one.text)): one for one in old}
    for context, text, places in items:
        before = finished.pop((context, text_key(text)), None)
        _add(made, context, text, before, places)
    _set_aside(made, finished.values())
    out = io.BytesIO()
    write_po(out, made, width=_WIDTH, sort_output=False, omit_header=False)
    lines = out.getvalue().decode().split("\n")
    return "\n".join(line for line in lines if not line.startswith(_CHANGING))


#: Lines of a header that tell a date or a program: the same texts give the same file.
_CHANGING = tuple(
    f'"{name}:'
    for name in (
        "Project-Id-Version",
        "Report-Msgid-Bugs-To",
        "POT-Creation-Date",
        "PO-Revision-Date",
        "Last-Translator",
        "Language-Team",
        "Generated-By",
        "Plural-Forms",
    )
)


def _add(made: Any, context: str, text: str, before: Entry | None, places: list[str]) -> None:
    flags = ["fuzzy"] if before is not None and before.fuzzy else []
    translation = before.translation if before is not None else ""
    made.add(text, translation, context=context or None, user_comments=(), auto_comments=places, flags=flags)


def _set_aside(made: Any, gone: Iterable[Entry]) -> None:
    """Keep a translation whose English text is gone as a comment; of a code whose text changed, as a fuzzy one."""
    from babel.messages.catalog import Message

    for entry in gone:
        if not entry.translation:
            continue
        current = made.get(TEXTS[entry.context], entry.context) if entry.context in TEXTS else None
        if current is not None and not current.string:
            current.string = entry.translation
            current.flags.add("fuzzy")
        else:
            key = (entry.text, entry.context) if entry.context else entry.text
            made.obsolete[key] = Message(entry.text, entry.translation, context=entry.context or None)


# Lint


def translation_findings(course: Course) -> Iterator[Finding]:
    """What a language's catalogue lacks, and what it translates that no file says any more."""
    wanted = {
        *catalogue_languages(course),
        *([course.assignment.language] if course.assignment.language else ()),
    }
    for language in sorted(wanted - {ENGLISH}):
        yield from _of_course(course, language)
        if language in languages():
            yield from _of_feedback(language)
        else:
            place = Place(_shown(course, catalogue_path(course, language)))
            message = f"there is no feedback in {language!r}; known: {', '.join(languages())}"
            yield warning("translation", place, message, "name the file by a language that is known")


def _of_course(course: Course, language: str) -> Iterator[Finding]:
    place = Place(_shown(course, catalogue_path(course, language)))
    entries = catalogue_entries(course, language)
    known = translations(entries)
    said = {text_key(text): where for where, text in reversed(list(course_texts(course)))}
    missing = [where for key, where in reversed(said.items()) if key not in known]
    remedy = f"`autograder translate {language}` writes what is missing into it, to be filled in"
    if missing:
        message = f"{_count(missing)} not translated and stay English: {_listed(missing)}"
        yield warning("translation-missing", place, message, remedy)
    for entry in entries:
        if text_key(entry.text) not in said:
            message = f"no file says this any more: {_cut(entry.text)}"
            yield warning("translation-stale", Place(place.file, entry.line), message, remedy)


def _of_feedback(language: str) -> Iterator[Finding]:
    entries = feedback_entries(language)
    missing = [code for code, text in TEXTS.items() if code not in entries or not fits(entries[code], text)]
    if missing:
        message = f"feedback: {_count(missing)} not translated and stay English: {_listed(missing)}"
        remedy = f"`autograder translate {language} --feedback` writes what is missing into it"
        yield warning("translation-missing", Place(f"autograder/wording/locale/{language}"), message, remedy)


def _shown(course: Course, path: Path) -> str:
    return path.relative_to(course.top).as_posix()


def _count(missing: list[str]) -> str:
    return "1 text is" if len(missing) == 1 else f"{len(missing)} texts are"


def _listed(names: list[str]) -> str:
    return ", ".join(names[:_NAMED]) + (", …" if len(names) > _NAMED else "")


def _cut(text: str) -> str:
    flat = text_key(text)
    return repr(flat if len(flat) <= 60 else flat[:59] + "…")
