"""Which language a command speaks: the one asked for, this terminal's, the course's, or English."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import click

from autograder.cli.options import Readers

if TYPE_CHECKING:
    from autograder.loading.assignment import Course
    from autograder.model.result import Result

_KEY = "autograder.language"


@dataclass(frozen=True, slots=True)
class Wish:
    """What was asked for on the command line, if anything, and who will read."""

    asked: str | None
    readers: Readers


def wish(context: click.Context, asked: str | None, readers: Readers) -> None:
    """Note what was asked for and speak it, or else this terminal's language; BadParameter for one that is none."""
    from autograder.wording.languages import known_language, languages, speaking

    language = known_language(asked) if asked is not None else None
    if asked is not None and language is None:
        raise click.BadParameter(f"there is no language {asked!r}; known: {', '.join(languages())}", context)
    context.meta[_KEY] = Wish(language, readers)
    context.with_resource(speaking(chosen(context.meta[_KEY], None, os.environ)))


def chosen(wish: Wish, course: str | None, environment: Mapping[str, str]) -> str:
    """The language for a wish, given what the course's config names and the locale variables.

    What one reads oneself is in the terminal's language before the course's; what a class reads the other way
    round, so that it does not hang on the machine that grades.
    """
    from autograder.wording.languages import ENGLISH, known_language, language_of

    own, given = language_of(environment), known_language(course) if course is not None else None
    order = (wish.asked, own, given) if wish.readers == "self" else (wish.asked, given, own)
    return next((language for language in order if language is not None), ENGLISH)


def translated(course: Course) -> Course:
    """The course in the language that is spoken from here on; as it is, if the command has no --lang."""
    from autograder.loading.translations import in_language
    from autograder.wording.languages import speaking

    context = click.get_current_context(silent=True)
    wished = context.meta.get(_KEY) if context is not None else None
    if context is None or wished is None:
        return course
    language = chosen(wished, course.assignment.language, os.environ)
    context.with_resource(speaking(language))
    return in_language(course, language)


def for_reader(result: Result) -> Result:
    """A result in the language asked for, this terminal's, or else its own, which is spoken from here on."""
    from autograder.report.rewording import reworded
    from autograder.wording.languages import language_of, speaking, spoken

    context = click.get_current_context(silent=True)
    wished = context.meta.get(_KEY) if context is not None else None
    if context is None or wished is None:
        return result
    language = wished.asked or language_of(os.environ) or result.language
    if language != spoken():
        context.with_resource(speaking(language))
    return reworded(result, language)
