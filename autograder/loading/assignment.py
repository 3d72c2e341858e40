"""Assignments: a config with its exercises and references, loaded together and checked against each other."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import Any

from autograder.errors import ExerciseError, Problem, UsageError
from autograder.loading.exercises import ExerciseFile, read_exercise
from autograder.loading.findings import Finding, known_names, nearest, sorted_problems
from autograder.loading.kit import StoredValues, load_values
from autograder.loading.solutions import References, load_malrules, load_references
from autograder.loading.validation import validate
from autograder.loading.yaml_strict import Document, read_document
from autograder.model.check import ValueCheck
from autograder.model.exercise import Assignment, Exercise
from autograder.model.given import FromReference


@dataclass(frozen=True)
class Course:
    """An assignment with all it names: exercises in its order, with its points, and what gives expected values.

    That is the reference functions; in a student's kit, which has none, it is the stored values.
    """

    top: Path
    assignment: Assignment
    exercises: tuple[Exercise, ...]
    expected_from: References | StoredValues
    config: Document = field(repr=False)
    documents: Mapping[str, Document] = field(repr=False)
    sha256: str

    @property
    def stored(self) -> StoredValues | None:
        """The stored values of a student's kit; None in a course with references."""
        return self.expected_from if isinstance(self.expected_from, StoredValues) else None

    @property
    def references(self) -> References:
        """The reference functions; UsageError in a student's kit."""
        if isinstance(self.expected_from, StoredValues):
            raise UsageError(
                f"{self.top} is a student's kit, which holds no reference functions",
                remedy="this needs the course's own folder",
            )
        return self.expected_from

    def files(self) -> dict[str, bytes]:
        """All files that say what is asked and what is right: contents by path from the top."""
        return _contents(self.top, self.assignment, self.config, self.documents, self.expected_from)

    def exercise(self, name: str) -> Exercise:
        """The exercise of that id (or function, or number in order); UsageError if there is none."""
        for number, exercise in enumerate(self.exercises, 1):
            if name in (exercise.id, exercise.function, str(number)):
                return exercise
        ids = [exercise.id for exercise in self.exercises]
        raise UsageError(f"there is no exercise {name!r}", remedy=known_names(name, ids))

    def malrules(self) -> References | None:
        """The wrong functions, run anew; None if the config names no file of them."""
        if self.assignment.malrules is None:
            return None
        return load_malrules(self.top / self.assignment.malrules, self.references, self.top)

    def malrules_on(self, functions: Mapping[str, Callable[..., Any]]) -> References | None:
        """The wrong functions, run anew on these functions in place of the references."""
        if self.assignment.malrules is None:
            return None
        path = self.top / self.assignment.malrules
        return load_malrules(path, self.references.standing_for(functions), self.top)


def find_top(start: Path) -> Path:
    """The nearest folder at or above `start` that holds config/ and exercises/."""
    start = start.resolve()
    for folder in (start, *start.parents):
        if (folder / "config").is_dir() and (folder / "exercises").is_dir():
            return folder
    raise UsageError(
        f"no folder at or above {start} holds config/ and exercises/",
        remedy="run this in the course's folder",
    )


def assignment_names(top: Path) -> list[str]:
    """The names of the configs, sorted."""
    return sorted(path.stem for path in (top / "config").glob("*.yaml"))


def load_assignment(top: Path, name: str | None = None) -> Course:
    """The assignment of that name, or the only one; ExerciseError with every problem of all its files."""
    config = read_document(top / "config" / f"{_choose(top, name)}.yaml", top)
    assignment, findings = validate(Assignment, config)
    problems = [*config.problems, *(finding.problem(config) for finding in findings)]
    if assignment is None or problems:
        raise ExerciseError(sorted_problems(problems))
    problems += [finding.problem(config) for finding in _paths(top, config, assignment)]
    files = _read_folder(top / assignment.folder, top)
    problems += [problem for file in files for problem in file.problems]
    problems += [finding.problem(config) for finding in _order(assignment, files)]
    expected_from = _expected_from(top, assignment, problems)
    exercises = _in_order(assignment, files)
    documents = {
        file.id: file.document for file in files if file.id is not None and file.document is not None
    }
    for exercise in exercises:
        for finding in _uses(exercise, exercises, assignment):
            problems.append(finding.problem(documents[exercise.id]))
        for finding in _without_values(exercise, exercises, expected_from):
            problems.append(finding.problem(documents[exercise.id]))
    if problems or expected_from is None:
        raise ExerciseError(sorted_problems(problems))
    digest = files_digest(_contents(top, assignment, config, documents, expected_from))
    return Course(top, assignment, tuple(exercises), expected_from, config, documents, digest)


def missing_malrules(course: Course, malrules: References) -> tuple[Problem, ...]:
    """A problem for every misconception whose wrong function is not there, or that fits another exercise."""
    problems = []
    for exercise in course.exercises:
        document = course.documents[exercise.id]
        for index, misconception in enumerate(exercise.misconceptions):
            if misconception.malrule not in malrules.functions:
                message = f"{malrules.file} has no function {misconception.malrule!r}"
                remedy = known_names(misconception.malrule, malrules.functions)
                path = ("misconceptions", index, "malrule")
                problems.append(Finding(path, message, remedy).problem(document))
    return sorted_problems(problems)


def _choose(top: Path, name: str | None) -> str:
    names = assignment_names(top)
    if name is None and len(names) == 1:
        return names[0]
    if name is None and not names:
        raise UsageError("config/ holds no assignment", remedy="write config/<name>.yaml")
    if name is None:
        raise UsageError(f"there are {len(names)} assignments: {', '.join(names)}", remedy="name one of them")
    if name not in names:
        raise UsageError(f"there is no assignment {name!r}", remedy=known_names(name, names))
    return name


# The config


def _paths(top: Path, config: Document, assignment: Assignment) -> Iterator[Finding]:
    if assignment.name != config.path.stem:
        message = f"found {assignment.name!r} in a file named {config.path.name}"
        yield Finding(("name",), message, f"rename the file to {assignment.name}.yaml, or mend the name")
    for key, is_there in (("folder", Path.is_dir), ("solutions", Path.is_file), ("malrules", Path.is_file)):
        named = getattr(assignment, key)
        if named is not None:
            yield from _path(top, (key,), named, is_there)
    late = assignment.late
    if late is not None and late.extensions is not None:
        yield from _path(top, ("late", "extensions"), late.extensions, Path.is_file)
    if late is not None and assignment.due is None:
        yield Finding(("late",), "there is no `due` to be late for", "add `due: …`", at_key=True)
    if assignment.due is not None and assignment.due.tzinfo is None:
        message = f"the time {assignment.due.isoformat()} has no time zone"
        yield Finding(("due",), message, f"write {assignment.due.isoformat()}+00:00, or another offset")


def _path(top: Path, key: tuple[str, ...], named: str, is_there: Callable[[Path], bool]) -> Iterator[Finding]:
    parts = PurePosixPath(named.replace("\\", "/")).parts
    if ".." in parts or Path(named).is_absolute() or named.startswith("/"):
        yield Finding(key, f"{named!r} leads out of the project", "write the path from the project's top")
    elif not is_there(top / named):
        what = "folder" if key == ("folder",) else "file"
        yield Finding(
            key, f"there is no {what} {named}", f"create it, or mend the path; {_beside(top, named)}"
        )


def _beside(top: Path, named: str) -> str:
    folder = (top / named).parent
    if not folder.is_dir():
        return f"{folder.relative_to(top).as_posix()}/ is not there either"
    names = sorted(path.name for path in folder.iterdir() if not path.name.startswith((".", "__")))
    near = nearest(Path(named).name, names)
    return (
        f"did you mean {near!r}?"
        if near
        else f"in {folder.relative_to(top).as_posix()}/: {', '.join(names) or 'nothing'}"
    )


def _read_folder(folder: Path, top: Path) -> list[ExerciseFile]:
    if not folder.is_dir() or not folder.resolve().is_relative_to(top.resolve()):
        return []
    return [read_exercise(path, top) for path in sorted(folder.glob("*.yaml"))]


def _order(assignment: Assignment, files: list[ExerciseFile]) -> Iterator[Finding]:
    """The config names every exercise of the folder once, and no other."""
    ids = [file.id for file in files if file.id is not None]
    for index, name in enumerate(assignment.exercises):
        if files and name not in ids:
            yield Finding(("exercises", index), f"unknown exercise {name!r}", known_names(name, ids))
        elif name in assignment.exercises[:index]:
            yield Finding(
                ("exercises", index), f"the exercise {name!r} is listed twice", "remove one of them"
            )
    for file in files:
        if file.id is not None and file.id not in assignment.exercises:
            remedy = f"add {file.id!r} to the list, or move the file away"
            yield Finding(("exercises",), f"{file.file} is not in the list", remedy, at_key=True)
    for index, file in enumerate(files):
        if file.id is not None and file.id in ids[:index] and file.exercise is not None:
            message = f"two files define the exercise {file.id!r}: {file.file} is the second"
            yield Finding(("exercises",), message, "rename or remove one of them", at_key=True)
    for name in assignment.points:
        if name not in assignment.exercises:
            remedy = known_names(name, assignment.exercises)
            yield Finding(("points", name), f"unknown exercise {name!r}", remedy, at_key=True, within=True)


def _in_order(assignment: Assignment, files: list[ExerciseFile]) -> list[Exercise]:
    by_id = {file.exercise.id: file.exercise for file in reversed(files) if file.exercise is not None}
    listed = dict.fromkeys(name for name in assignment.exercises if name in by_id)
    return [_with_points(by_id[name], assignment.points.get(name)) for name in listed]


def _with_points(exercise: Exercise, points: float | None) -> Exercise:
    return exercise if points is None else exercise.model_copy(update={"points": points})


# Exercises beside each other


def _uses(exercise: Exercise, exercises: list[Exercise], assignment: Assignment) -> Iterator[Finding]:
    order = list(assignment.exercises)
    earlier = order[: order.index(exercise.id)]
    for index, name in enumerate(exercise.uses):
        here = ("uses", index)
        if name == exercise.id:
            yield Finding(here, f"{name!r} uses itself", "remove it; `uses` names earlier exercises")
        elif name not in order:
            yield Finding(here, f"unknown exercise {name!r}", known_names(name, earlier))
        elif circle := _way(exercises, name, exercise.id):
            listed = " → ".join([exercise.id, *circle])
            yield Finding(
                here, f"the exercises use each other in a circle: {listed}", "remove one of these uses"
            )
        elif name not in earlier:
            remedy = f"put {name!r} before {exercise.id!r} in the config, or remove it here"
            yield Finding(here, f"the exercise {name!r} comes later", remedy)


def _way(
    exercises: list[Exercise], start: str, goal: str, seen: frozenset[str] = frozenset()
) -> list[str] | None:
    """The ids from one exercise to another along `uses`, both included."""
    if start == goal:
        return [start]
    found = next((exercise for exercise in exercises if exercise.id == start), None)
    if found is None or start in seen:
        return None
    ways = (_way(exercises, name, goal, seen | {start}) for name in found.uses)
    way = next((way for way in ways if way), None)
    return [start, *way] if way else None


def _without_values(
    exercise: Exercise, exercises: list[Exercise], expected_from: References | StoredValues | None
) -> Iterator[Finding]:
    """Everything in an exercise for which no expected value can be had."""
    if isinstance(expected_from, StoredValues):
        yield from expected_from.lacking(exercise)
    elif expected_from is not None:
        yield from _functions(exercise, exercises, expected_from)


def _functions(exercise: Exercise, exercises: list[Exercise], references: References) -> Iterator[Finding]:
    """Every function that an exercise names is among the references, and gives what is asked of it."""
    known = references.functions
    if exercise.function not in known:
        message = f"{references.file} has no function {exercise.function!r}"
        yield Finding(("function",), message, _define(exercise.function, references))
    for index, check in enumerate(exercise.checks):
        if isinstance(check, ValueCheck) and check.reference is not None and check.reference not in known:
            message = f"{references.file} has no function {check.reference!r}"
            yield Finding(("checks", index, "reference"), message, _define(check.reference, references))
    for name, case in exercise.cases.items():
        for parameter, value in case.given.items():
            if isinstance(value, FromReference):
                path = ("cases", name, "given", parameter)
                yield from _from_reference(path, value, list(case.given), exercises, references)


def _define(function: str, references: References) -> str:
    near = nearest(function, references.functions)
    return (
        f"did you mean {near!r}? Otherwise define it there" if near else "define it there, or mend the name"
    )


def _from_reference(
    path: tuple[str, ...],
    value: FromReference,
    given: list[str],
    exercises: list[Exercise],
    references: References,
) -> Iterator[Finding]:
    if value.reference not in references.functions:
        message = f"{references.file} has no function {value.reference!r}"
        yield Finding((*path, "reference"), message, _define(value.reference, references))
    made = next((exercise for exercise in exercises if exercise.function == value.reference), None)
    if made is None:
        return
    if value.output not in made.returns:
        message = f"{value.reference} has no output {value.output!r}"
        yield Finding((*path, "output"), message, known_names(value.output, made.returns))
    for parameter, declared in made.parameters.items():
        if declared.default is None and (parameter not in given or parameter == path[-1]):
            message = f"{value.reference} needs {parameter!r}, which this case does not give"
            yield Finding((*path, "reference"), message, f"give {parameter!r} in this case")


# References and digest


def _expected_from(
    top: Path, assignment: Assignment, problems: list[Problem]
) -> References | StoredValues | None:
    path = top / assignment.solutions
    if not path.is_file() or not path.resolve().is_relative_to(top.resolve()):
        return None
    try:
        return load_values(path, top) if path.suffix == ".json" else load_references(path, top)
    except ExerciseError as error:
        problems += error.problems
        return None


def _contents(
    top: Path,
    assignment: Assignment,
    config: Document,
    documents: Mapping[str, Document],
    expected_from: References | StoredValues,
) -> dict[str, bytes]:
    """Names and contents of all files that say what is asked and what is right."""
    contents = {config.file: config.content, expected_from.file: expected_from.content}
    contents |= {document.file: document.content for document in documents.values()}
    if assignment.malrules is not None:
        contents[assignment.malrules] = (top / assignment.malrules).read_bytes()
    return contents


def files_digest(contents: Mapping[str, bytes]) -> str:
    """One digest over names and contents."""
    digest = hashlib.sha256()
    for file in sorted(contents):
        digest.update(f"{file}\0{len(contents[file])}\0".encode())
        digest.update(contents[file])
    return digest.hexdigest()
