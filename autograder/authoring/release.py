"""A student's kit: a course without what only its instructor may know, as a folder to check work in.

Of the exercises the visible cases stay, and the checks on them; of the references, their values on these.
Hidden cases, references, wrong functions, misconceptions and the assignment's seed stay behind.
"""

from __future__ import annotations

import json
import os
import shutil
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from autograder.authoring.bench import reference_of
from autograder.authoring.catalogues import kit_catalogue
from autograder.authoring.kit_readme import kit_readme
from autograder.authoring.stubs import stub_file
from autograder.authoring.student_notebook import student_notebook
from autograder.checks.trial import Trial, base_case
from autograder.errors import BrokenError, ExerciseError, Problem, UsageError
from autograder.grading.expectations import call_reference
from autograder.grading.plan import draw_trials
from autograder.loading.assignment import Course, load_assignment
from autograder.loading.kit import Stored, StoredCall, values_text
from autograder.loading.translations import catalogue_languages, catalogue_path, in_language, text_key
from autograder.loading.yaml_strict import plain_value, read_document
from autograder.model.check import CheckBase, InvariantCheck, RelationCheck, SameAnswerCheck, ValueCheck
from autograder.model.exercise import Exercise
from autograder.model.submission import notebook_name
from autograder.numeric.draw import Seed
from autograder.wording.languages import spoken

#: Keys of an exercise file that are the author's alone.
_LEFT_OUT = ("misconceptions", "equivalent_mutants")
#: Keys of the config that students' kits have too; `solutions` names the stored values there.
_CONFIG_KEYS = (
    *("name", "title", "about", "folder", "exercises", "points"),
    *("file", "tolerance", "limits", "due", "language", "feedback"),
)
#: Lists and mappings up to this length stay on one line.
_LINE = 90
_MADE = "# Made by `autograder release`: part of a student's kit.\n"


@dataclass(frozen=True)
class Kit:
    """The files of a kit by their paths in it; `work` are those that a student fills in."""

    files: Mapping[str, bytes]
    work: frozenset[str]


def make_kit(course: Course, *, seed: int = 0) -> Kit:
    """The kit of a course: the same course and seed give the same bytes.

    `seed` is the kit's own, from which its drawn cases are drawn once: the assignment's could be guessed and
    proved by numbers drawn from it. ExerciseError if an exercise has nothing to show.
    """
    assignment = course.assignment
    _refuse_all_hidden(course)
    values = f"values/{assignment.name}.json"
    files = {"README.md": kit_readme(course), f"config/{assignment.name}.yaml": _config_text(course, values)}
    for exercise in course.exercises:
        file = f"{assignment.folder}/{course.documents[exercise.id].path.name}"
        files[file] = _MADE + _yaml(_exercise_data(course, exercise))
    files[values] = values_text(assignment.name, stored_calls(course, seed))
    files |= _catalogues(course)
    work = {assignment.file: stub_file(course), notebook_name(assignment.file): student_notebook(course)}
    texts = files | work
    return Kit({name: text.encode() for name, text in texts.items()}, frozenset(work))


def _catalogues(course: Course) -> dict[str, str]:
    """The translations of what the kit's own files say; so of hidden cases and misconceptions none."""
    said = [course.config.data, *(_exercise_data(course, exercise) for exercise in course.exercises)]
    keys = {text_key(text) for data in said for text in _strings(data)}
    return {
        catalogue_path(course, language).relative_to(course.top).as_posix(): kit_catalogue(
            course, language, keys
        )
        for language in catalogue_languages(course)
    }


def _strings(data: Any) -> Iterator[str]:
    if isinstance(data, str):
        yield data
    elif isinstance(data, Mapping | list):
        for item in data.values() if isinstance(data, Mapping) else data:
            yield from _strings(item)


def stored_calls(course: Course, seed: int) -> Stored:
    """The draws of every visible case, with the outputs of every function that a check compares with."""
    reference = reference_of(course)
    stored: dict[str, dict[str, tuple[StoredCall, ...]]] = {}
    for exercise in course.exercises:
        functions = _functions(exercise)
        stored[exercise.id] = {
            name: tuple(
                _called(course, functions, trial)
                for trial in draw_trials(exercise, name, case, reference, Seed("kit", seed, exercise.id))
            )
            for name, case in exercise.cases.items()
            if not case.hidden
        }
    return stored


def _called(course: Course, functions: Sequence[str], trial: Trial) -> StoredCall:
    outputs = {name: call_reference(course.references, name, trial.arguments) for name in functions}
    return StoredCall(trial, outputs)


def _functions(exercise: Exercise) -> list[str]:
    others = [c.reference for c in _visible_checks(exercise) if isinstance(c, ValueCheck) and c.reference]
    return list(dict.fromkeys([exercise.function, *others]))


# What may be seen


def _refuse_all_hidden(course: Course) -> None:
    problems = [
        Problem(
            course.documents[exercise.id].places.key(("checks",)),
            f"no check of {exercise.id} is on a visible case, so that a student's kit has none",
            "add a visible case, and a check on it",
        )
        for exercise in course.exercises
        if not any(True for _ in _visible_checks(exercise))
    ]
    if problems:
        raise ExerciseError(tuple(problems))


def _visible_checks(exercise: Exercise) -> Iterator[CheckBase]:
    return (check for check in exercise.checks if _cases_of(check, exercise) != [])


def _cases_of(check: CheckBase, exercise: Exercise) -> list[str] | None:
    """The visible ones among the cases that a check names or starts from; None if it looks at every case."""
    if isinstance(check, ValueCheck):
        named = [check.value]
    elif isinstance(check, InvariantCheck) and check.on is not None:
        named = list(check.on)
    elif isinstance(check, RelationCheck):
        named = [base_case(check, exercise, check.on)]
    elif isinstance(check, SameAnswerCheck):
        named = [check.on or next(iter(exercise.cases))]
    else:
        named = list(exercise.cases)
        return None if any(not exercise.cases[name].hidden for name in named) else []
    return [name for name in named if not exercise.cases[name].hidden]


def _exercise_data(course: Course, exercise: Exercise) -> dict[str, Any]:
    """What the exercise's file says, without hidden cases, checks on them and the author's own keys."""
    said = course.documents[exercise.id].data
    data = {key: value for key, value in said.items() if key not in _LEFT_OUT}
    data["cases"] = {name: case for name, case in said["cases"].items() if not exercise.cases[name].hidden}
    data["checks"] = [
        _check_data(check, exercise, raw)
        for check, raw in zip(exercise.checks, said["checks"], strict=True)
        if _cases_of(check, exercise) != []
    ]
    return data


def _check_data(check: CheckBase, exercise: Exercise, raw: Mapping[str, Any]) -> dict[str, Any]:
    if isinstance(check, InvariantCheck) and check.on is not None:
        return {**raw, "on": _cases_of(check, exercise)}
    return dict(raw)


# The texts


def _config_text(course: Course, values: str) -> str:
    said = course.config.data
    data = {key: said[key] for key in _CONFIG_KEYS if key in said}
    note = "# `solutions` names the stored values of the visible cases: a kit has no reference functions.\n"
    return _MADE + note + _yaml({**data, "solutions": values})


class _Dumper(yaml.SafeDumper):
    """Writes YAML that the strict reader reads back as it was: no anchors, quotes where they are needed."""

    def ignore_aliases(self, data: Any) -> bool:
        return True


def _represent_text(dumper: yaml.SafeDumper, text: str) -> yaml.ScalarNode:
    plain = None if _is_read_as_text(text) else '"'
    style = "|" if "\n" in text else plain
    return dumper.represent_scalar("tag:yaml.org,2002:str", text, style=style)


def _is_read_as_text(text: str) -> bool:
    try:
        return isinstance(plain_value(text), str)
    except ValueError:
        return False


def _represent_list(dumper: yaml.SafeDumper, data: list[Any]) -> yaml.SequenceNode:
    return dumper.represent_sequence("tag:yaml.org,2002:seq", data, flow_style=_fits_a_line(data))


def _represent_mapping(dumper: yaml.SafeDumper, data: dict[str, Any]) -> yaml.MappingNode:
    return dumper.represent_mapping("tag:yaml.org,2002:map", data.items(), flow_style=_fits_a_line(data))


def _fits_a_line(data: Any) -> bool:
    text = json.dumps(data, ensure_ascii=False)
    return len(text) <= _LINE and "\\n" not in text


_Dumper.add_representer(str, _represent_text)
_Dumper.add_representer(list, _represent_list)
_Dumper.add_representer(dict, _represent_mapping)


def _yaml(data: Any) -> str:
    text: str = yaml.dump(data, Dumper=_Dumper, sort_keys=False, allow_unicode=True, width=110)
    return text


# The folder


def write_kit(course: Course, folder: Path, kit: Kit, *, force: bool = False) -> tuple[Path, ...]:
    """Write a kit into a folder, once it is seen to load; return where files that differ are kept.

    UsageError, with nothing written, if the folder holds a course, or anything at all without `force`.
    """
    _refuse_course(course, folder)
    try:
        if not force and folder.is_dir() and any(folder.iterdir()):
            raise UsageError(
                f"{folder} is not empty",
                remedy="name a new folder; --force renews a kit, and keeps a student's files as .bak",
            )
        with tempfile.TemporaryDirectory(prefix="autograder-kit-") as name:
            _write_files(Path(name), kit.files)
            _prove(Path(name), course)
        return _replace(folder, course, kit)
    except OSError as error:
        message = f"{folder} cannot be written: {error.strerror}"
        raise UsageError(message, remedy="name another folder") from None


def _refuse_course(course: Course, folder: Path) -> None:
    """A kit never goes over a course: not over this one, nor one with solutions, nor into its folders."""
    place, top = folder.resolve(), course.top.resolve()
    own = [top / course.assignment.folder, top / course.assignment.solutions, top / "config"]
    inside = any(place.is_relative_to(path) for path in own)
    if inside or place == top or place in top.parents or _holds_course(place):
        raise UsageError(f"{folder} holds a course's own files", remedy="name a folder for the kit alone")


def _holds_course(folder: Path) -> bool:
    for path in (folder / "config").glob("*.yaml"):
        try:
            data = read_document(path, folder).data
        except ExerciseError:
            return True
        if not (isinstance(data, dict) and str(data.get("solutions", "")).endswith(".json")):
            return True
    return False


def _prove(folder: Path, course: Course) -> None:
    """Load the kit as a student will; BrokenError if it does not load as it should."""
    try:
        loaded = in_language(load_assignment(folder, course.assignment.name), spoken())
    except ExerciseError as error:
        raise BrokenError(f"the kit does not load: {error}", remedy="tell the autograder's makers") from error
    for exercise, before in zip(loaded.exercises, course.exercises, strict=True):
        hidden = [name for name, case in exercise.cases.items() if before.cases[name].hidden]
        if hidden or exercise.misconceptions or exercise.hints != before.hints:
            raise BrokenError(f"the kit of {exercise.id} is not what it should be", remedy="report this")


def _write_files(folder: Path, files: Mapping[str, bytes]) -> None:
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)


def _replace(folder: Path, course: Course, kit: Kit) -> tuple[Path, ...]:
    """Put the kit's files in place; exercises of an earlier kit that this one lacks go."""
    old = (folder / course.assignment.folder).glob("*.yaml")
    for path in old:
        if path.relative_to(folder).as_posix() not in kit.files:
            path.unlink()
    kept = _keep(folder, [name for name in kit.work if _differs(folder / name, kit.files[name])])
    _write_files(folder, kit.files)
    return kept


def _differs(path: Path, content: bytes) -> bool:
    if not os.path.lexists(path):
        return False
    return path.is_symlink() or not path.is_file() or path.read_bytes() != content


def _keep(folder: Path, names: Sequence[str]) -> tuple[Path, ...]:
    kept = []
    for name in sorted(names):
        path = folder / name
        number, beside = 1, path.with_name(f"{name}.bak")
        while os.path.lexists(beside):
            number += 1
            beside = path.with_name(f"{name}.bak{number}")
        shutil.move(path, beside)
        kept.append(beside)
    return tuple(kept)
