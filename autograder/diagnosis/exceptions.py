"""An exception of a submission in plain words: what its line asks, and what the shapes on it would need.

Of a hidden case no size, no shape and no text of the exception is used, but for words that stand in the
source line itself.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from autograder.diagnosis.exception_rules import RULES, Scene, is_kind_word
from autograder.diagnosis.sample import Idea
from autograder.diagnosis.sizes import agreed_sizes
from autograder.diagnosis.source_line import SourceLine
from autograder.model.exercise import Exercise
from autograder.model.outcome import Raised
from autograder.wording.say import has_text, say


def explain_exception(
    raised: Raised,
    exercise: Exercise,
    source_line: str | None,
    *,
    hidden: bool = False,
    sizes: Mapping[str, int] | None = None,
    known: Sequence[str] = (),
) -> Idea | None:
    """What the exception means, or None for one that no rule knows.

    `sizes` are the exercise's sizes in this call (`sizes.all_sizes`); `known` are the public names of the file.
    """
    shapes = {} if hidden else raised.shapes
    line = SourceLine(source_line or "", shapes)
    scene = Scene(
        raised, exercise, line, {} if hidden else sizes or _sizes_by_name(raised, exercise), tuple(known)
    )
    for types, pattern, explain in RULES:
        if types and raised.type_name not in types:
            continue
        match = re.search(pattern, scene.message)
        said = explain(scene, match) if match is not None else None
        if said is not None:
            return _idea(said, scene, hidden=hidden)
    return None


def _sizes_by_name(raised: Raised, exercise: Exercise) -> dict[str, int]:
    return agreed_sizes(exercise, raised.shapes)


def _idea(said: tuple[str, dict[str, Any]], scene: Scene, *, hidden: bool) -> Idea | None:
    """The idea in the first text that can be said: of a hidden case one that needs no number of it."""
    code, params = said
    parent = code.rpartition(".")[0]
    codes = [code]
    if hidden:
        params = {name: value for name, value in params.items() if _is_static(value, scene)}
        codes = [f"{code}.hidden", f"{parent}.hidden", code, parent]
    for one in codes:
        if has_text(one) and _is_sayable(one, params):
            return Idea("exception", one, params, line=scene.raised.line)
    return None


def _is_sayable(code: str, params: Mapping[str, Any]) -> bool:
    try:
        return bool(say(code, params))
    except KeyError:
        return False


def _is_static(value: Any, scene: Scene) -> bool:
    """Whether a parameter is text of the source line, the exercise or this program, and none of the call."""
    if isinstance(value, list | tuple):
        return all(_is_static(item, scene) for item in value)
    exercise = scene.exercise
    own = {exercise.function, exercise.signature, *exercise.parameters, *exercise.outputs, *exercise.uses}
    own |= {*scene.known, *_OWN_WORDS}
    written = isinstance(value, str) and value in scene.line.text and not value.isdigit()
    return isinstance(value, str) and (value in own or written or is_kind_word(value))


_OWN_WORDS = ("@", "dot", "matmul", "left", "right")
