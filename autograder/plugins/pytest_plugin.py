"""A plugin of pytest: exercises as files of tests, each check an item, for editors' test panels and CI.

    pytest exercises/qkv --submission attention.py

Without `--submission` it collects nothing and imports nothing of the rest.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

import pytest

if TYPE_CHECKING:
    from autograder.loading.assignment import Course
    from autograder.model.result import CheckResult, ExerciseResult, Result

#: The top of a course, and the name of its assignment.
_Key: TypeAlias = tuple[Path, str]
_DESK = pytest.StashKey["Desk"]()


class NotPassedError(Exception):
    """A check that the submission does not pass; its text is the feedback."""


class BrokenCheckError(Exception):
    """A check that could not be judged, by a fault of ours or of the exercise."""


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add `--submission`."""
    parser.getgroup("autograder", "autograder: check a file against its exercises").addoption(
        "--submission",
        metavar="FILE",
        help="Collect the exercise files given as tests of this file or notebook, one item for each check.",
    )


def pytest_configure(config: pytest.Config) -> None:
    """Find the submission, if one is named; a usage error if it is not there."""
    named = config.getoption("submission", None)
    if named is None:
        return
    path = Path(os.path.abspath(config.invocation_params.dir / named))
    if not path.is_file():
        raise pytest.UsageError(f"--submission: there is no file {path}; `autograder start` writes the stubs")
    config.option.submission = str(path)  # pytest-xdist hands it to processes of its own
    config.stash[_DESK] = Desk(path)


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> pytest.Collector | None:
    """An exercise file as a collector; nothing for any other file, nor without a submission."""
    desk = parent.config.stash.get(_DESK, None)
    if desk is None or file_path.suffix != ".yaml" or not desk.is_exercise(file_path):
        return None
    collector: ExerciseFile = ExerciseFile.from_parent(parent, path=file_path)
    return collector


def pytest_collection_finish(session: pytest.Session) -> None:
    """Note which exercises are wanted, so that no others are called."""
    desk = session.config.stash.get(_DESK, None)
    if desk is not None:
        desk.want([item for item in session.items if isinstance(item, CheckItem)])


class Desk:
    """What one process knows: the courses it has loaded, and the one result of the submission."""

    def __init__(self, submission: Path) -> None:
        self.submission = submission
        self._assignments: dict[Path, _Key | None] = {}
        self._courses: dict[_Key, Course] = {}
        self._results: dict[_Key, Result] = {}
        self._wanted: dict[_Key, list[str]] = {}

    def is_exercise(self, path: Path) -> bool:
        """Whether an assignment of the course around it names this file's folder as its own."""
        return self._assignment(path.parent) is not None

    def course_of(self, path: Path) -> Course:
        """The course that an exercise file belongs to; ExerciseError if it is not valid."""
        from autograder.loading.assignment import load_assignment

        key = self._assignment(path.parent)
        assert key is not None
        if key not in self._courses:
            self._courses[key] = load_assignment(*key)
        return self._courses[key]

    def want(self, items: Sequence[CheckItem]) -> None:
        """Restrict what is called to the exercises of these items and what they rest on."""
        self._wanted.clear()
        for item in items:
            self._wanted.setdefault(_key(item.course), []).append(item.exercise)

    def result(self, course: Course) -> Result:
        """The result of the submission, made once; UsageError if it cannot be read."""
        key = _key(course)
        if key not in self._results:
            self._results[key] = self._graded(course, self._wanted.get(key, []))
        return self._results[key]

    def _assignment(self, folder: Path) -> _Key | None:
        if folder not in self._assignments:
            self._assignments[folder] = _assignment_of(folder)
        return self._assignments[folder]

    def _graded(self, course: Course, wanted: Sequence[str]) -> Result:
        from autograder.errors import UsageError
        from autograder.grading.submission import Grader
        from autograder.loading.submissions import Unreadable, read_submission
        from autograder.worker.portable import PortableWorkshop, launch

        with PortableWorkshop(launch()) as workshop:
            submission = read_submission(self.submission.resolve())
            if isinstance(submission, Unreadable):
                raise UsageError(f"{self.submission} cannot be read: {submission.message}")
            return Grader(course, workshop).grade(submission, sorted(_with_used(course, wanted)))


def _key(course: Course) -> _Key:
    return course.top, course.assignment.name


def _assignment_of(folder: Path) -> _Key | None:
    """The top of the course around a folder, and the name of the assignment whose exercises lie in it."""
    from autograder.errors import AutograderError
    from autograder.loading.assignment import assignment_names, find_top
    from autograder.loading.yaml_strict import read_document

    try:
        top = find_top(folder)
    except AutograderError:
        return None
    for name in assignment_names(top):
        try:
            data = read_document(top / "config" / f"{name}.yaml", top).data
        except AutograderError:
            continue
        named = data.get("folder") if isinstance(data, dict) else None
        if isinstance(named, str) and (top / named).resolve() == folder.resolve():
            return top, name
    return None


def _with_used(course: Course, wanted: Sequence[str]) -> set[str]:
    """These exercises and all that they rest on, so that what is inherited shows as in a whole check."""
    uses = {exercise.id: exercise.uses for exercise in course.exercises}
    found: set[str] = set()
    queue = list(wanted)
    while queue:
        name = queue.pop()
        if name not in found:
            found.add(name)
            queue.extend(uses.get(name, ()))
    return found


class ExerciseFile(pytest.File):
    """One exercise file: an item for each of its checks, in their order."""

    def collect(self) -> Iterator[pytest.Item]:
        """The checks; a course that is not valid is an error of collecting, in our words."""
        from autograder.errors import AutograderError

        try:
            course = self.config.stash[_DESK].course_of(self.path)
        except AutograderError as error:
            raise self.CollectError(str(error)) from None
        for exercise in course.exercises:
            document = course.documents[exercise.id]
            if document.path.resolve() != self.path.resolve():
                continue
            for index, check in enumerate(exercise.checks):
                line = document.places.key(("checks", index)).line or 1
                item: CheckItem = CheckItem.from_parent(
                    self, name=check.name, course=course, exercise=exercise.id, line=line
                )
                yield item


class CheckItem(pytest.Item):
    """One check of one exercise."""

    def __init__(self, *, course: Course, exercise: str, line: int, **extra: Any) -> None:
        super().__init__(**extra)
        self.course = course
        self.exercise = exercise
        self._line = line

    def setup(self) -> None:
        """Grade, if this process has not yet; note the marks. A check that broke is an error, no failure."""
        desk = self.config.stash[_DESK]
        result = desk.result(self.course)
        _, check = self._found(result)
        marks, most = (check.marks, check.max_marks) if check is not None else (0.0, 0.0)
        self.user_properties += [("exercise", self.exercise), ("marks", marks), ("max_marks", most)]
        if check is not None and check.status == "broken":
            raise BrokenCheckError(f"{check.message}\n{check.evidence.get('fault', '')}".rstrip())

    def runtest(self) -> None:
        """Pass, skip what is not begun or waits for another check, or fail with the feedback."""
        result = self.config.stash[_DESK].result(self.course)
        exercise, check = self._found(result)
        if check is None:
            raise NotPassedError("\n".join(_file_lines(result)) or exercise.message)
        if exercise.status == "not_attempted":
            pytest.skip(f"{exercise.message}: {exercise.next}")
        if check.status == "skipped":
            pytest.skip(check.message or exercise.message)
        if check.status != "passed":
            about_file = _file_lines(result) if exercise.status == "missing" else ()
            raise NotPassedError("\n".join([feedback(exercise, check), *about_file]))

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        """Our feedback in place of a traceback of ours."""
        from autograder.errors import AutograderError

        if isinstance(excinfo.value, NotPassedError | BrokenCheckError | AutograderError):
            return str(excinfo.value)
        return super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[os.PathLike[str] | str, int | None, str]:
        """The check's line in the exercise file, and its name in reports."""
        return self.path, self._line - 1, f"{self.exercise}: {self.name}"

    def _found(self, result: Result) -> tuple[ExerciseResult, CheckResult | None]:
        """This check's result, or None if the file could not be loaded."""
        exercise = next(one for one in result.exercises if one.id == self.exercise)
        return exercise, next((check for check in exercise.checks if check.id == self.name), None)


# What a failure says


def feedback(exercise: ExerciseResult, check: CheckResult) -> str:
    """A failed check in words: the evidence, what explains it, the line, what was printed, what is next."""
    from autograder.report.safe_text import visible, visible_lines
    from autograder.wording.say import say, where

    lines = [f"{exercise.function}, {check.id.replace('-', ' ')}: {visible(check.message)}".rstrip(": ")]
    if exercise.message and exercise.message != check.message:
        lines.append(visible(exercise.message))
    for diagnosis in exercise.diagnosis:
        agreeing = ""
        if diagnosis.agrees is not None:
            words = {"agreeing": diagnosis.agrees[0], "cases": diagnosis.agrees[1]}
            agreeing = f" ({say('report.agrees', words)})"
        lines.append(visible(diagnosis.message) + agreeing)
        if diagnosis.line is not None:
            lines.append(f"{where(diagnosis.line, diagnosis.cell)}: {visible(diagnosis.source or '')}")
    if exercise.printed.strip():
        printed = visible_lines(exercise.printed, lines=8, chars=400)
        lines += [say("report.printed"), *(f"| {line}" for line in printed)]
    if exercise.next:
        lines.append(f"{say('report.next')}: {visible(exercise.next)}")
    return "\n".join(lines)


def _file_lines(result: Result) -> Iterator[str]:
    """What is to be said of a file that could not be loaded."""
    from autograder.report.safe_text import visible
    from autograder.wording.say import where

    for report in result.file_reports:
        yield visible(report.message)
        if report.line is not None:
            yield f"{where(report.line, report.cell)}: {visible(report.source or '')}".rstrip(": ")
