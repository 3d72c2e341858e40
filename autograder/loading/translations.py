"""The author's own texts in another language: gettext catalogues beside the exercises, keyed by the English text.

`exercises/<set>/locale/<language>.po` holds an entry for every text that a student may read. What is absent, fuzzy or
of another English text stays English.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import TypeAlias, TypeVar

from pydantic import BaseModel

from autograder.errors import ExerciseError, Problem
from autograder.loading.assignment import Course
from autograder.model.exercise import Exercise
from autograder.model.place import Place
from autograder.wording.languages import ENGLISH, BadCatalogueError, Entry, read_catalogue

LOCALE = "locale"
#: The texts of a model that a student may read; `equivalent_mutants` are the author's alone.
_TEXTS = frozenset({"title", "about", "idea", "text", "hint", "hints"})
_PARTS = ("parameters", "returns", "cases", "checks", "misconceptions")

#: What becomes of a text.
Turn: TypeAlias = Callable[[str], str]
Model = TypeVar("Model", bound=BaseModel)


def catalogue_path(course: Course, language: str) -> Path:
    """Where the catalogue of a language is, or would be."""
    return course.top / course.assignment.folder / LOCALE / f"{language}.po"


def catalogue_languages(course: Course) -> tuple[str, ...]:
    """The languages that there are catalogues of, sorted."""
    return tuple(sorted(path.stem for path in (course.top / course.assignment.folder / LOCALE).glob("*.po")))


def catalogue_entries(course: Course, language: str) -> tuple[Entry, ...]:
    """The entries of a language's catalogue, none if there is no file. ExerciseError if it is no catalogue."""
    path = catalogue_path(course, language)
    if not path.exists():
        return ()
    try:
        return read_catalogue(path)
    except (BadCatalogueError, OSError) as error:
        place = Place(path.relative_to(course.top).as_posix())
        message = f"this is no gettext catalogue: {error}"
        remedy = f"mend it, or write it anew with `autograder translate {language}`"
        raise ExerciseError((Problem(place, message, remedy),)) from None


def in_language(course: Course, language: str) -> Course:
    """The course with its texts in a language, as far as they are translated; all else is the same.

    Its documents and its digest stay those of the files: a language changes no mark.
    """
    if language == ENGLISH:
        return course
    known = translations(catalogue_entries(course, language))
    if not known:
        return course

    def turn(text: str) -> str:
        return known.get(text_key(text), text)

    return replace(
        course,
        assignment=_turned(course.assignment, turn),
        exercises=tuple(_exercise(exercise, turn) for exercise in course.exercises),
    )


def translations(entries: tuple[Entry, ...]) -> Mapping[str, str]:
    """The finished translations by the key of their English text."""
    return {text_key(one.text): one.translation for one in entries if one.translation and not one.fuzzy}


def text_key(text: str) -> str:
    """What a text is found by: its words, wherever its lines end."""
    return " ".join(text.split())


def course_texts(course: Course) -> Iterator[tuple[str, str]]:
    """Every text of the files, with where it is: ("softmax.hints", "Each row becomes …")."""
    yield from _texts(course.assignment, course.assignment.name)
    for exercise in course.exercises:
        yield from exercise_texts(exercise)


def exercise_texts(exercise: Exercise) -> Iterator[tuple[str, str]]:
    """Every text of an exercise that a student may read, with where it is."""
    yield from _texts(exercise, exercise.id)
    for part in _PARTS:
        held = getattr(exercise, part)
        for name, model in held.items() if isinstance(held, Mapping) else enumerate(held):
            named = getattr(model, "code", None) or getattr(model, "name", name)
            yield from _texts(model, f"{exercise.id}.{part}.{named}")


def _texts(model: BaseModel, where: str) -> Iterator[tuple[str, str]]:
    for name in type(model).model_fields:
        value = getattr(model, name)
        if name in _TEXTS and value:
            for text in value if isinstance(value, tuple) else (value,):
                yield f"{where}.{name}", text.strip()


def _exercise(exercise: Exercise, turn: Turn) -> Exercise:
    parts: dict[str, object] = {}
    for part in _PARTS:
        held = getattr(exercise, part)
        if isinstance(held, Mapping):
            parts[part] = {name: _turned(model, turn) for name, model in held.items()}
        else:
            parts[part] = tuple(_turned(model, turn) for model in held)
    return _turned(exercise, turn).model_copy(update=parts)


def _turned(model: Model, turn: Turn) -> Model:
    """The model with its own texts turned; its parts are left as they are."""
    turned: dict[str, object] = {}
    for name in type(model).model_fields:
        value = getattr(model, name)
        if name in _TEXTS and value:
            turned[name] = tuple(map(turn, value)) if isinstance(value, tuple) else turn(value)
    return model.model_copy(update=turned)
