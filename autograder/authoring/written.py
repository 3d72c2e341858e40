"""Rules on what an exercise file says, before anything is run: texts, hints, checks, cases, file names."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator

from autograder.authoring.findings import Finding, at, error, warning
from autograder.checks.trial import base_case
from autograder.loading.assignment import Course
from autograder.loading.translations import LOCALE
from autograder.loading.yaml_strict import Way
from autograder.model.check import InvariantCheck, RelationCheck, SameAnswerCheck, ValueCheck
from autograder.model.exercise import Exercise, OneOf, Product
from autograder.model.place import Place

#: So many hints make a ladder.
HINTS = 3
_SCHEMA_LINE = re.compile(rb"# yaml-language-server: \$schema=(\S+)\s*")
_TODO = re.compile(r"\bTODO\b")
#: Sizes that something is divided by the root of.
_ROOTED = re.compile(r"(^|_)d_k$")


def written_findings(course: Course, exercise: Exercise) -> Iterator[Finding]:
    """Everything amiss in one exercise file that its text alone shows."""
    yield from _first_line(course, exercise)
    yield from _todos(course, exercise)
    yield from _texts(course, exercise)
    yield from _hints(course, exercise)
    yield from _kinds(course, exercise)
    yield from _unused_cases(course, exercise)
    yield from _inheritance(course, exercise)
    yield from _square_sizes(course, exercise)
    yield from _misconceptions(course, exercise)


def folder_findings(course: Course) -> Iterator[Finding]:
    """Files in the exercises' folder that do not belong there, and numbers that do not follow the order."""
    folder = course.top / course.assignment.folder
    known = {document.path.name for document in course.documents.values()}
    known |= {course.assignment.file, "README.md", LOCALE}
    for path in sorted(folder.iterdir()):
        if path.name not in known and not path.name.startswith((".", "__")):
            place = Place(f"{course.assignment.folder}/{path.name}")
            remedy = "move it away, or make it an exercise of the list"
            yield warning("stray-file", place, "this belongs to no exercise", remedy)
    before = ""
    for exercise in course.exercises:
        document = course.documents[exercise.id]
        if document.path.name[:2] <= before:
            message = f"the number {document.path.name[:2]} does not come after {before}"
            remedy = "number the files in the order of the config"
            yield warning("file-number", Place(document.file, 1, 1), message, remedy)
        before = document.path.name[:2]


# The file


def _first_line(course: Course, exercise: Exercise) -> Iterator[Finding]:
    document = course.documents[exercise.id]
    first = document.content.removeprefix(b"\xef\xbb\xbf").partition(b"\n")[0]
    found = _SCHEMA_LINE.fullmatch(first)
    place = Place(document.file, 1, 1)
    if found is None:
        remedy = "begin the file with `# yaml-language-server: $schema=../exercise.schema.json`"
        yield error("schema-line", place, "the first line names no schema for editors", remedy)
    elif not (document.path.parent / found[1].decode("utf-8", "replace")).is_file():
        message = f"there is no schema {found[1].decode('utf-8', 'replace')}"
        remedy = "write it there with `autograder schema > …`, or mend the path"
        yield warning("schema-line", place, message, remedy)


def _todos(course: Course, exercise: Exercise) -> Iterator[Finding]:
    document = course.documents[exercise.id]
    for number, line in enumerate(document.content.decode("utf-8-sig", "replace").splitlines(), 1):
        for found in _TODO.finditer(line):
            place = Place(document.file, number, found.start() + 1)
            yield error("todo", place, "this is still to be written", "write it, and take the TODO out")


# Texts


def _texts(course: Course, exercise: Exercise) -> Iterator[Finding]:
    blank = [*_blank_texts(exercise)]
    for path in blank:
        yield error(
            "text", at(course, exercise, path), "the text is empty", "say what a student needs to know"
        )
    if exercise.idea is None:
        message, remedy = "there is no `idea` for the stub", "add `idea: …`, the idea in one line"
        yield warning("text", at(course, exercise, ("title",), key=True), message, remedy)
    for name, case in exercise.cases.items():
        if case.about is None:
            message, remedy = f"the case {name!r} has no `about`", "say what a reader recognises it by"
            yield warning("text", at(course, exercise, ("cases", name), key=True), message, remedy)
    for index, check in enumerate(exercise.checks):
        if check.about is None and not isinstance(check, ValueCheck):
            message, remedy = f"the check {check.name!r} has no `about`", "add the claim in one line"
            yield warning("text", at(course, exercise, ("checks", index)), message, remedy)


def _blank_texts(exercise: Exercise) -> Iterator[Way]:
    texts: dict[tuple[str | int, ...], str | None] = {
        ("title",): exercise.title,
        ("about",): exercise.about,
        ("idea",): exercise.idea,
    }
    texts |= {("parameters", name, "about"): p.about for name, p in exercise.parameters.items()}
    texts |= {("returns", name, "about"): output.about for name, output in exercise.returns.items()}
    texts |= {("cases", name, "about"): case.about for name, case in exercise.cases.items()}
    texts |= {("checks", index, "about"): check.about for index, check in enumerate(exercise.checks)}
    texts |= {("hints", index): hint for index, hint in enumerate(exercise.hints)}
    for index, misconception in enumerate(exercise.misconceptions):
        texts[("misconceptions", index, "text")] = misconception.text
        texts[("misconceptions", index, "hint")] = misconception.hint
    for index, accepted in enumerate(exercise.equivalent_mutants):
        texts[("equivalent_mutants", index, "reason")] = accepted.reason
    return (path for path, text in texts.items() if text is not None and not text.strip())


def _hints(course: Course, exercise: Exercise) -> Iterator[Finding]:
    if len(exercise.hints) < HINTS:
        count = len(exercise.hints)
        message = f"{count} {'hint' if count == 1 else 'hints'}, where a ladder has {HINTS} or more"
        remedy = "add hints between the gentle and the plain one, without the solution"
        yield warning("hints", at(course, exercise, ("hints",), key=True), message, remedy)


def _misconceptions(course: Course, exercise: Exercise) -> Iterator[Finding]:
    for index, misconception in enumerate(exercise.misconceptions):
        here = ("misconceptions", index)
        if misconception.hint is None:
            message = f"the misconception {misconception.code!r} has no hint"
            remedy = "add `hint: …`, a question that leads away from it"
            yield warning("text", at(course, exercise, here), message, remedy)
        if misconception.code.partition(".")[0] != exercise.id:
            message = f"the code {misconception.code!r} does not begin with the exercise's id"
            remedy = f"name it {exercise.id}.{misconception.code.partition('.')[2]}"
            yield warning("code", at(course, exercise, (*here, "code")), message, remedy)


# Checks and cases


def _kinds(course: Course, exercise: Exercise) -> Iterator[Finding]:
    place = at(course, exercise, ("checks",), key=True)
    if not any(isinstance(check, ValueCheck) for check in exercise.checks):
        message, remedy = "no check compares values", "add `- {value: …}` with a case"
        yield error("kinds", place, message, remedy)
    if not any(isinstance(check, InvariantCheck | RelationCheck) for check in exercise.checks):
        message = "no check is an invariant or a relation"
        remedy = "add `- {invariant: …, of: …}` or `- {relation: …}`: what must hold whatever the numbers"
        yield error("kinds", place, message, remedy)


def _inheritance(course: Course, exercise: Exercise) -> Iterator[Finding]:
    """Follow-through needs two drawn calls that tell a right build from an answer known beforehand."""
    compared = {check.value for check in exercise.checks if isinstance(check, ValueCheck)}
    drawn = sum(case.draws for name, case in exercise.cases.items() if name in compared and case.drawn)
    if exercise.uses and drawn < 2:
        message = "fewer than two drawn calls are compared by value: a mistake in what it uses costs here too"
        remedy = "give a value check a drawn case with `draws: 2` and `same_sizes: true`"
        yield warning("inheritance", at(course, exercise, ("uses",), key=True), message, remedy)


def _unused_cases(course: Course, exercise: Exercise) -> Iterator[Finding]:
    used = {name for check in exercise.checks for name in _cases_of(check, exercise)}
    for name in exercise.cases:
        if name not in used:
            message = f"no check names the case {name!r}"
            remedy = f"add `- {{value: {name}}}`, name it in the `on` of a check, or drop it"
            yield warning("unused-case", at(course, exercise, ("cases", name), key=True), message, remedy)


def _cases_of(check: object, exercise: Exercise) -> tuple[str, ...]:
    """The cases that a check is about by name; what looks at all cases is about none in particular."""
    match check:
        case ValueCheck(value=case):
            return (case,)
        case InvariantCheck(on=cases):
            return cases or ()
        case RelationCheck(on=on):
            return (base_case(check, exercise, on),)
        case SameAnswerCheck(on=on):
            return (on or next(iter(exercise.cases)),)
    return ()


def _square_sizes(course: Course, exercise: Exercise) -> Iterator[Finding]:
    for name, size in exercise.sizes.items():
        if isinstance(size, Product) or not _ROOTED.search(name):
            continue
        values = size.one_of if isinstance(size, OneOf) else range(size[0], size[1] + 1)
        squares = [str(value) for value in values if math.isqrt(value) ** 2 == value]
        if squares:
            message = f"{name} may be {', '.join(squares)}: the root of a square hides a wrong root"
            remedy = "choose from a list without squares: {one_of: [2, 3, 5, 6, 7]}"
            yield warning("square-size", at(course, exercise, ("sizes", name)), message, remedy)
