"""Where in a notebook the lines of a result are: cell and line in it, not a line of the whole source.

Everything before this counts lines of `Submission.source`; a result tells what people see in the notebook.
"""

from __future__ import annotations

import re
import string
from dataclasses import replace
from typing import Any, TypeVar

from autograder.model.result import CheckResult, Diagnosis, Excerpt, ExerciseResult, FileReport, Result
from autograder.model.submission import Submission
from autograder.wording.say import say, text_of, where

Told = TypeVar("Told", Diagnosis, FileReport)

#: Codes whose sentences name lines, and nothing else that reads like one: identifiers and our own words.
_NAMING_LINES = ("line.", "file.twice", "file.inside")


def in_cells(result: Result, submission: Submission) -> Result:
    """The result of a notebook with every line told as cell and line; of a file, the result as it is."""
    if not submission.cells:
        return result
    return replace(
        result,
        exercises=tuple(_exercise(exercise, submission) for exercise in result.exercises),
        file_reports=tuple(_told(report, submission) for report in result.file_reports),
    )


def _exercise(exercise: ExerciseResult, submission: Submission) -> ExerciseResult:
    # What is said of a missing function may be where it stands.
    message = in_words(exercise.message, submission) if exercise.status == "missing" else exercise.message
    return replace(
        exercise,
        message=message,
        checks=tuple(_check(check, submission) for check in exercise.checks),
        diagnosis=tuple(_told(diagnosis, submission) for diagnosis in exercise.diagnosis),
        further=tuple(_told(diagnosis, submission) for diagnosis in exercise.further),
        code=tuple(_excerpt(excerpt, submission) for excerpt in exercise.code),
    )


def _excerpt(excerpt: Excerpt, submission: Submission) -> Excerpt:
    cell, line = submission.place(excerpt.line)
    return replace(excerpt, line=line, cell=cell)


def _told(told: Told, submission: Submission) -> Told:
    message = told.message
    if told.code.startswith(_NAMING_LINES):
        message = in_words(message, submission)
    if told.line is None:
        return replace(told, message=message)
    cell, line = submission.place(told.line)
    return replace(told, message=message, line=line, cell=cell)


def _check(check: CheckResult, submission: Submission) -> CheckResult:
    line, source = check.evidence.get("line"), check.evidence.get("source")
    if type(line) is not int:
        return check
    cell, within = submission.place(line)
    evidence: dict[str, Any] = {**check.evidence, "line": within, "cell": cell}
    old, new = (
        say("stopped.at_line", {"what": "", "where": place, "source": source})
        for place in (where(line), where(within, cell))
    )
    return replace(check, message=check.message.replace(old, new), evidence=evidence)


def in_words(message: str, submission: Submission) -> str:
    """A sentence that names lines of the source, naming cells and their lines."""

    def one(match: re.Match[str]) -> str:
        cell, line = submission.place(int(match[1]))
        return where(line, cell)

    def several(match: re.Match[str]) -> str:
        (cell, first), (_, last) = (submission.place(int(number)) for number in match.groups())
        return say("report.cell_lines", {"cell": cell, "first": first, "last": last})

    return _naming("report.line").sub(one, _naming("report.lines").sub(several, message))


def _naming(code: str) -> re.Pattern[str]:
    """What the words of a code look like in a sentence, its places being numbers: line 14, lines 3 to 5."""
    words = (re.escape(part[0]) for part in string.Formatter().parse(text_of(code)) if part[0])
    number = r"(\d+)"
    return re.compile(rf"\b{number.join(words)}{number}\b")
