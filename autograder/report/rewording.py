"""A result told in another language: its messages taken apart by the texts they were made of, and made anew.

A result stores what was said when it was graded. Whose code is known is said again; what the author or the submission
said, and what fits no text, stays as it is.
"""

from __future__ import annotations

import re
import string
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache

from autograder.model.result import CheckResult, Diagnosis, ExerciseResult, FileReport, Result
from autograder.wording.english import TEXTS
from autograder.wording.say import text_of

#: Places that hold names or the submission's own words, which are nobody's to translate.
_AS_THEY_ARE = frozenset(
    {"source", "message", "type", "function", "file", "found", "name", "wanted", "inputs", "text"}
)
#: Places that hold names joined by a word.
_NAMES = frozenset(
    {"outputs", "arguments", "argument", "exercise", "functions", "names", "missing", "right", "wrong"}
)
#: What stands in the places of other texts.
_PARTS = ("came.", "told.", "kind.", "size.", "count.", "side.", "report.line", "report.cell_line")
_CHECKS = ("hidden.", "check.", "stopped.", "exercise.")
_DEEPEST = 4


@dataclass(frozen=True, slots=True)
class _Turn:
    """From one language to another."""

    old: str
    new: str

    def __call__(self, message: str, families: Sequence[str], depth: int = 0) -> str:
        """A message of one of some families of codes said anew, or as it is if it fits no text of theirs."""
        if not message or depth > _DEEPEST:
            return message
        for code in _codes(tuple(families), self.old):
            match = _pattern(code, self.old).fullmatch(message)
            if match is not None:
                words = {
                    name: self._place(name, text, code, depth) for name, text in match.groupdict().items()
                }
                return text_of(code, self.new).format_map(words)
        return message

    def _place(self, name: str, text: str, code: str, depth: int) -> str:
        if name in _AS_THEY_ARE:
            return text
        families = (
            (*_PARTS, "line.", "stopped.") if code.startswith(("line.", "stopped.", "hidden.")) else _PARTS
        )
        families = (*families, "names.last") if name in _NAMES else families
        return self(text, families, depth + 1)


@cache
def _codes(families: tuple[str, ...], language: str) -> tuple[str, ...]:
    """The codes that begin so, those with the most words of their own first; none that is only places."""

    def own_words(code: str) -> int:
        return sum(len(part[0]) for part in string.Formatter().parse(text_of(code, language)))

    codes = [code for code in TEXTS if code.startswith(families) and own_words(code)]
    return tuple(sorted(codes, key=own_words, reverse=True))


@cache
def _pattern(code: str, language: str) -> re.Pattern[str]:
    pattern, seen = "", set[str]()
    for words, name, _, _ in string.Formatter().parse(text_of(code, language)):
        pattern += re.escape(words)
        if name is not None:
            pattern += f"(?P={name})" if name in seen else f"(?P<{name}>.*?)"
            seen.add(name)
    return re.compile(pattern, re.DOTALL)


def reworded(result: Result, language: str) -> Result:
    """The result with its messages in a language, as far as their codes are known."""
    if result.language == language:
        return result
    turn = _Turn(result.language, language)
    return replace(
        result,
        exercises=tuple(_exercise(exercise, turn) for exercise in result.exercises),
        file_reports=tuple(_report(report, turn) for report in result.file_reports),
        language=language,
    )


def _exercise(exercise: ExerciseResult, turn: _Turn) -> ExerciseResult:
    return replace(
        exercise,
        message=turn(exercise.message, ("exercise.", "check.broken")),
        checks=tuple(_check(check, turn) for check in exercise.checks),
        diagnosis=tuple(_diagnosis(diagnosis, turn) for diagnosis in exercise.diagnosis),
        further=tuple(_diagnosis(diagnosis, turn) for diagnosis in exercise.further),
        notes=tuple(turn(note, ("note.",)) for note in exercise.notes),
        next=turn(exercise.next, ("next.",)),
    )


def _check(check: CheckResult, turn: _Turn) -> CheckResult:
    families = _families(check.evidence) + _CHECKS
    message = turn(check.message, families)
    output = check.evidence.get("output")
    if message == check.message and isinstance(output, str) and message.startswith(f"{output}: "):
        message = f"{output}: {turn(message.removeprefix(f'{output}: '), families)}"
    return replace(check, message=message)


def _families(evidence: Mapping[str, object]) -> tuple[str, ...]:
    code = evidence.get("code")
    return (code,) if isinstance(code, str) and code else ()


def _diagnosis(diagnosis: Diagnosis, turn: _Turn) -> Diagnosis:
    message = turn(diagnosis.message, (diagnosis.code,))
    if message == diagnosis.message and diagnosis.code.startswith("line."):
        message = turn(message, ("line.wrong", "line.right"))
    return replace(diagnosis, message=message)


def _report(report: FileReport, turn: _Turn) -> FileReport:
    families = ("file.named", "notebook.") if report.code == "file.note" else (report.code,)
    return replace(report, message=turn(report.message, families))
