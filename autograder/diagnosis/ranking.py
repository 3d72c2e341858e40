"""Which explanations are shown, and in which order: one pure function with its reasons."""

from __future__ import annotations

from collections.abc import Sequence

from autograder.diagnosis.sample import Idea

#: At most so many are shown unless all are asked for.
SHOWN = 3

#: A lower number comes first.
_KINDS = {
    "return": 0,  # nothing came back as asked: no number can be looked at before that
    "exception": 1,  # the call stopped on a line: the line is the nearest thing to mend
    "malrule": 2,  # an idea that produces exactly these numbers
    "arguments": 3,  # the work is done in the caller's array
    "transform": 4,  # a relation to the right numbers, without the idea behind it
    "line": 5,  # where to look
    "smallest": 6,  # what to try by hand
}

#: A place that is the whole function, and so no place: it comes last, and is left out beside a named idea.
_SAYS_LITTLE = frozenset({"line.whole"})


def rank(ideas: Sequence[Idea]) -> tuple[Idea, ...]:
    """All ideas, the most useful first.

    A relation says less than the idea that explains it, so with a mal-rule the transforms go last; between
    ideas of a kind the one that more calls speak for comes first.
    """
    named = any(idea.kind == "malrule" for idea in ideas)
    return tuple(sorted(ideas, key=lambda idea: (named and idea.kind == "transform", *_key(idea))))


def _key(idea: Idea) -> tuple[int, int, str]:
    agreeing = idea.agrees[0] if idea.agrees is not None else 0
    last = idea.code in _SAYS_LITTLE
    return _KINDS[idea.kind] + len(_KINDS) * last, -agreeing, idea.code


def best(ideas: Sequence[Idea]) -> tuple[Idea, ...]:
    """Those that are shown: three at most, and of one kind two at most, so that a place to look is among them.

    Where an idea is named, the relations that follow from it are left out: they would say it again.
    """
    chosen: list[Idea] = []
    named = any(idea.kind == "malrule" for idea in ideas)
    for idea in rank(ideas):
        if named and (idea.kind == "transform" or idea.code in _SAYS_LITTLE):
            continue
        if len(chosen) < SHOWN and sum(other.kind == idea.kind for other in chosen) < 2:
            chosen.append(idea)
    return tuple(chosen)
