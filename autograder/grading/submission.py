"""Grade one submission: plan, call, judge, mark, say. The same file always gets the same result."""

from __future__ import annotations

import platform
import traceback
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from importlib.metadata import PackageNotFoundError, version
from typing import Any

import numpy as np
from numpy.typing import NDArray

from autograder.checks.builtin import KINDS
from autograder.checks.trial import Tried, View
from autograder.grading.calls import Calls
from autograder.grading.cells import in_cells
from autograder.grading.expectations import Expectations, Known, call_reference
from autograder.grading.explain import Explainer, worded
from autograder.grading.feedback import Speaker, habit_notes
from autograder.grading.file_reports import load_reports
from autograder.grading.follow_through import FollowThrough, Inherited, SeenAtGrading
from autograder.grading.judging import Judged, judge_exercise
from autograder.grading.looking import Scene
from autograder.grading.marks import Marked, exercise_status, mark_checks, marks, total
from autograder.grading.names import Definition, Definitions, name_reports, reaches
from autograder.grading.plan import Fixed, Plan, plan_exercise
from autograder.grading.quoting import with_code
from autograder.loading.assignment import Course
from autograder.model.check import Check
from autograder.model.exercise import Assignment, Exercise
from autograder.model.outcome import Died, Loaded, Returned
from autograder.model.result import (
    CheckResult,
    Diagnosis,
    ExerciseResult,
    FileReport,
    Result,
    Status,
    SubmissionOutcome,
)
from autograder.model.submission import Submission, notebook_name
from autograder.wording.languages import spoken
from autograder.wording.say import say
from autograder.worker.interface import Workshop
from autograder.worker.session import Session

_PRINTED_CHARS = 2000
#: What is wrong in itself and so is explained.
_EXPLAINED = ("partly", "failed", "raised")


def environment(level: str) -> dict[str, str]:
    """What a result was made with."""
    try:
        own = version("autograder")
    except PackageNotFoundError:
        own = "uninstalled"
    return {
        "autograder": own,
        "python": platform.python_version(),
        "numpy": np.__version__,
        "isolation": level,
    }


class Grader:
    """Grades submissions of one course in one workshop."""

    def __init__(
        self,
        course: Course,
        workshop: Workshop,
        on_judged: Callable[[Judged, Expectations], None] = lambda judged, expected: None,
    ) -> None:
        """`on_judged` is told of each exercise's outcomes and expected values, for those who picture them."""
        self.course = course
        self._on_judged = on_judged
        self.workshop = workshop
        self.environment = environment(workshop.level)
        self._explainer = Explainer(course)
        stored = course.stored
        self._fixed_trials: dict[str, Fixed] = {
            exercise.id: stored.trials(exercise.id) if stored else {} for exercise in course.exercises
        }
        self._fixed_values: dict[str, Known] = {exercise.id: {} for exercise in course.exercises}
        self._hidden: dict[tuple[str, str], bool] = {}
        self._by_function = {exercise.function: exercise for exercise in course.exercises}

    def grade(self, submission: Submission, only: Sequence[str] = ()) -> Result:
        """The result of a submission; `only` restricts it to some exercises by id."""
        chosen = [e for e in self.course.exercises if not only or e.id in only]
        limits = self.course.assignment.limits
        with self._session(submission) as session:
            loaded = session.loaded
            reports = load_reports(loaded, submission, limits) + _notes(submission)
            if loaded.failure is not None and not loaded.names:
                return self._not_loaded(submission, chosen, loaded, reports)
            found = Definitions(submission)
            exercises = self._exercises(chosen, submission, session, found)
        if loaded.failure is not None:
            exercises = tuple(_not_reached(exercise, found) for exercise in exercises)
        reports += name_reports(chosen, loaded, found)
        return self._result(submission, "graded", exercises, reports, loaded.printed)

    def _exercises(
        self,
        chosen: Sequence[Exercise],
        submission: Submission,
        session: Session,
        found: Sequence[Definition],
    ) -> tuple[ExerciseResult, ...]:
        plans = {exercise.id: self._plan(exercise, submission) for exercise in chosen}
        calls = Calls(session)
        calls.run([plan for plan in plans.values() if isinstance(plan, Plan)])
        session.close()  # what is asked from here on is asked of a process that has seen no input yet
        follow = self._follow_through(chosen, session, found)
        results: list[ExerciseResult] = []
        faulty: list[str] = []
        # Sees no hidden input, not even through follow-through.
        with self._session(submission, after=session) as looking:
            for exercise in chosen:
                scene = self._scene(submission, found, looking, chosen, session.loaded, results)
                result = self._exercise(exercise, plans[exercise.id], calls, follow, faulty, scene, found)
                if result.status not in ("passed", "missing", "not_attempted", "broken"):
                    faulty.append(exercise.id)
                results.append(with_code(result, submission, found))
        return tuple(results)

    def _exercise(
        self,
        exercise: Exercise,
        plan: Plan | str,
        calls: Calls,
        follow: FollowThrough | SeenAtGrading,
        faulty: Sequence[str],
        scene: Scene,
        found: Sequence[Definition],
    ) -> ExerciseResult:
        """Judge, mark and explain one exercise whose calls are made."""
        if not isinstance(plan, Plan):
            return self._broken(exercise, plan)
        try:
            judged, expected = self._judge(plan, calls)
            self._on_judged(judged, expected)
            inherited = _inherited(follow, judged, faulty)
            result = self._report(judged, inherited, scene.submission, found)
        except Exception:  # a fault of ours: `broken`, never the student's loss, nor the class's
            return self._broken(exercise, traceback.format_exc())
        if result.status in _EXPLAINED and self.course.assignment.feedback.diagnosis:
            diagnosis, further = self._diagnosis(judged, expected, follow, inherited, scene)
            return replace(result, diagnosis=diagnosis, further=further)
        return result

    def _session(self, submission: Submission, after: Session | None = None) -> Session:
        """A session on the submission; its process starts when it is first asked."""
        name = file_of(submission, self.course.assignment)
        limits = self.course.assignment.limits
        return Session(self.workshop, submission.source, name, limits, submission.cells, after)

    def _follow_through(
        self, chosen: Sequence[Exercise], session: Session, found: Sequence[Definition]
    ) -> FollowThrough | SeenAtGrading:
        by_id = {exercise.id: exercise for exercise in chosen}
        if self.course.stored is not None:
            return SeenAtGrading(by_id)
        tolerance = self.course.assignment.tolerance
        names = partial(reaches, found)
        return FollowThrough(
            self.course.references, session, by_id, tolerance, afresh=session.close, names=names
        )

    def _diagnosis(
        self,
        judged: Judged,
        expected: Expectations,
        follow: FollowThrough | SeenAtGrading,
        inherited: Inherited,
        scene: Scene,
    ) -> tuple[tuple[Diagnosis, ...], tuple[Diagnosis, ...]]:
        """Why an exercise failed. The marks are known before: odd values that trip this up change none."""
        try:
            own = None
            if isinstance(follow, FollowThrough) and inherited.own_fault_too:
                own = follow.replaced(inherited.sources)
            own_part = not inherited.sources
            ideas = self._explainer.ideas(judged, expected, own, scene, own_part=own_part)
            return worded(ideas, scene.submission)
        except Exception:
            fault = {"fault": traceback.format_exc()}
            return (Diagnosis("diagnosis.broken", say("diagnosis.broken"), evidence=fault),), ()

    def _scene(
        self,
        submission: Submission,
        found: Sequence[Definition],
        looking: Session,
        chosen: Sequence[Exercise],
        loaded: Loaded,
        results: Sequence[ExerciseResult],
    ) -> Scene:
        """Where to look for why: the first failed exercise gets the thorough search, the others the quick one."""
        return Scene(
            submission,
            found,
            looking,
            chosen,
            None if self.course.stored is not None else self.course.references,
            self.course.assignment.tolerance,
            tuple(name.name for name in loaded.names),
            tuple(result.id for result in results if result.status == "passed"),
            thorough=not any(result.diagnosis for result in results),
            afresh=looking.close,
        )

    def _plan(self, exercise: Exercise, submission: Submission) -> Plan | str:
        """The plan of an exercise, or the traceback of the fault that kept it from being made."""
        try:
            seed = self.course.assignment.seed
            fixed = self._fixed_trials[exercise.id]
            return plan_exercise(exercise, self._reference, seed, submission.code_sha256, fixed=fixed)
        except Exception:
            return traceback.format_exc()

    def _reference(self, function: str, arguments: Mapping[str, object]) -> dict[str, NDArray[Any]]:
        exercise = self._by_function[function]
        own = {name: arguments[name] for name in exercise.parameters if name in arguments}
        outputs = call_reference(self.course.references, function, own)  # type: ignore[arg-type]
        return dict(zip(exercise.outputs, outputs, strict=True))

    def _judge(self, plan: Plan, calls: Calls) -> tuple[Judged, Expectations]:
        tolerance = self.course.assignment.tolerance
        fixed = self._fixed_values[plan.exercise.id]
        expected = Expectations(plan.exercise, self.course.expected_from, tolerance, fixed=fixed)
        return judge_exercise(plan, calls, expected, tolerance), expected

    def _report(
        self, judged: Judged, inherited: Inherited, submission: Submission, found: Sequence[Definition]
    ) -> ExerciseResult:
        exercise, assignment = judged.exercise, self.course.assignment
        statuses: dict[str, Status] = {
            name: "passed" if name in inherited.checks else verdict.status
            for name, verdict in judged.verdicts.items()
        }
        if _is_empty(exercise, judged, found):
            statuses = dict.fromkeys(statuses, "not_attempted")
        marked = mark_checks(exercise.checks, statuses, tells=judged.tells)
        speaker = Speaker(exercise, submission, assignment.limits, assignment.feedback)
        status = exercise_status([mark.status for mark in marked.values()])
        checks = tuple(
            self._check(
                check, judged, inherited, marked[check.name], speaker, begun=status != "not_attempted"
            )
            for check in exercise.checks
        )
        earned = sum(mark.earned for mark in marked.values())
        message, following = _exercise_words(exercise, status, file_of(submission, assignment))
        if inherited.sources and status not in ("not_attempted", "missing"):
            message = say(_inheritance_code(inherited), {"exercise": list(inherited.sources)})
        return ExerciseResult(
            id=exercise.id,
            title=exercise.title,
            function=exercise.function,
            status=status,
            marks=marks(exercise.points, earned, exercise.total_weight),
            max_marks=exercise.points,
            follow_through=bool(inherited.checks),
            message=message,
            checks=checks,
            notes=habit_notes(judged.tried),
            printed=_printed(judged.tried) if assignment.feedback.printed else "",
            next=following,
        )

    def _check(
        self,
        check: Check,
        judged: Judged,
        inherited: Inherited,
        marked: Marked,
        speaker: Speaker,
        *,
        begun: bool,
    ) -> CheckResult:
        exercise, status, name = judged.exercise, marked.status, check.name
        sources = list(inherited.sources) if name in inherited.checks else []
        verdict, view = judged.verdicts[name], judged.view
        evidence: dict[str, Any]
        if status == "broken":
            message, evidence = say("check.broken"), {"code": "check.broken", "fault": judged.faults[name]}
        elif status == "not_attempted" and not begun:
            message, evidence = "", {}
        elif sources and status == "passed":
            message = say("check.follow_through", {"exercise": sources})
            evidence = {"code": "check.follow_through", "exercises": sources}
        elif status == "skipped" and verdict.status == "passed":
            message, evidence = say("check.waits"), {"code": "check.waits"}
        else:
            message, evidence = speaker.of_verdict(check, verdict, view)
        return CheckResult(
            id=name,
            kind=check.kind,
            status=status,
            marks=marks(exercise.points, marked.earned, exercise.total_weight),
            max_marks=marks(exercise.points, check.weight, exercise.total_weight),
            hidden=self._is_hidden(check, view),
            message=message,
            evidence=evidence,
            follow_through=", ".join(sources) if sources and status == "passed" else None,
        )

    def _is_hidden(self, check: Check, view: View) -> bool:
        """Whether a check looks at hidden calls alone, which is the same for every submission."""
        key = (view.exercise.id, check.name)
        if key not in self._hidden:
            subjects = KINDS[check.kind].subjects(check, view)
            self._hidden[key] = bool(subjects) and all(tried.trial.hidden for tried in subjects)
        return self._hidden[key]

    def _broken(self, exercise: Exercise, fault: str) -> ExerciseResult:
        """An exercise whose inputs could not be made: our fault or the author's, its marks are given."""
        words = say("check.broken")
        checks = tuple(
            CheckResult(
                id=check.name,
                kind=check.kind,
                status="broken",
                marks=marks(exercise.points, check.weight, exercise.total_weight),
                max_marks=marks(exercise.points, check.weight, exercise.total_weight),
                message=words,
                evidence={"code": "check.broken", "fault": fault},
            )
            for check in exercise.checks
        )
        points = exercise.points
        return ExerciseResult(
            exercise.id,
            exercise.title,
            exercise.function,
            "broken",
            points,
            points,
            message=words,
            checks=checks,
        )

    def _not_loaded(
        self,
        submission: Submission,
        chosen: Sequence[Exercise],
        loaded: Loaded,
        reports: tuple[FileReport, ...],
    ) -> Result:
        outcome: SubmissionOutcome = "not_loadable"
        if isinstance(loaded.failure, Died):
            outcome = "timed_out" if loaded.failure.how == "timed_out" else "crashed"
        words = say("exercise.not_loaded")
        exercises = tuple(
            ExerciseResult(e.id, e.title, e.function, "skipped", 0.0, e.points, message=words) for e in chosen
        )
        return self._result(submission, outcome, exercises, reports, loaded.printed)

    def _result(
        self,
        submission: Submission,
        outcome: SubmissionOutcome,
        exercises: tuple[ExerciseResult, ...],
        reports: tuple[FileReport, ...],
        printed: str,
    ) -> Result:
        if any(exercise.status == "broken" or _has_broken(exercise) for exercise in exercises):
            outcome = "broken"
        result = Result(
            assignment=self.course.assignment.name,
            student=submission.student,
            file=submission.file,
            sha256=submission.sha256,
            outcome=outcome,
            marks=total([exercise.marks for exercise in exercises]),
            max_marks=total([exercise.max_marks for exercise in exercises]),
            exercises=exercises,
            file_reports=reports,
            printed=shortened_print(printed) if self.course.assignment.feedback.printed else "",
            environment=self.environment,
            exercises_sha256=self.course.sha256,
            seed=self.course.assignment.seed,
            language=spoken(),
        )
        return in_cells(result, submission)


def file_of(submission: Submission, assignment: Assignment) -> str:
    """What the file is called where students write it: attention.py, or of a notebook attention.ipynb."""
    return notebook_name(assignment.file) if submission.is_notebook else assignment.file


def _inherited(follow: FollowThrough | SeenAtGrading, judged: Judged, faulty: Sequence[str]) -> Inherited:
    """What an exercise inherits; nothing where the submission's own values make the rerun fail."""
    try:
        return follow.of(judged, faulty)
    except Exception:  # marks are given for a build that was seen to be right, never for one that breaks ours
        return Inherited(own_fault_too=None)


def _has_broken(exercise: ExerciseResult) -> bool:
    return any(check.status == "broken" for check in exercise.checks)


def _notes(submission: Submission) -> tuple[FileReport, ...]:
    return tuple(FileReport("file.note", note) for note in submission.notes)


def _is_empty(exercise: Exercise, judged: Judged, found: Sequence[Definition]) -> bool:
    """Whether the function is there but has no statements, so that it returns None: not begun."""
    if not all(isinstance(t.outcome, Returned) and t.outcome.value is None for t in judged.tried):
        return False
    last = [d for d in found if d.name == exercise.function and d.inside is None]
    return bool(last) and last[-1].empty


def _exercise_words(exercise: Exercise, status: Status, file: str) -> tuple[str, str]:
    """The exercise's own message, and what to do next."""
    match status:
        case "passed":
            return "", ""
        case "not_attempted":
            words = {"function": exercise.function, "file": file}
            return say("exercise.not_begun"), say("next.write", words)
        case "missing":
            words = {"function": exercise.function, "file": file}
            return say("exercise.missing", words), say("next.write", words)
    return "", say("next.hint", {"exercise": exercise.id})


def _not_reached(exercise: ExerciseResult, found: Sequence[Definition]) -> ExerciseResult:
    """A function that stands in the file below the line where loading stopped: it is not missing."""
    lines = [d.line for d in found if d.name == exercise.function and d.inside is None]
    if exercise.status != "missing" or not lines:
        return exercise
    words = {"function": exercise.function, "line": lines[-1]}
    return replace(exercise, message=say("exercise.not_reached", words), next="")


def _inheritance_code(inherited: Inherited) -> str:
    if inherited.seen_at_grading:
        return "exercise.seen_at_grading"
    if inherited.own_fault_too is None:
        return "exercise.rests_on"
    return "exercise.own_fault_too" if inherited.own_fault_too else "exercise.follow_through"


def _printed(tried: Sequence[Tried]) -> str:
    """What the calls on visible cases printed: the first that printed something."""
    for one in tried:
        outcome = one.outcome
        if not one.trial.hidden and hasattr(outcome, "printed") and outcome.printed.strip():
            return shortened_print(outcome.printed)
    return ""


def shortened_print(text: str) -> str:
    """Printed output, cut with a mark, its lines kept."""
    return text if len(text) <= _PRINTED_CHARS else text[:_PRINTED_CHARS] + "\n…"
