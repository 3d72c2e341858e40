"""Why an exercise failed: gathers what the diagnosis looks at, asks each of its rooms, keeps the best answers."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from autograder.checks.trial import Tried
from autograder.diagnosis.malrules import fit
from autograder.diagnosis.ranking import best, rank
from autograder.diagnosis.sample import Idea, Sample
from autograder.diagnosis.transforms import find_transforms
from autograder.grading.expectations import Expectations, own_copy
from autograder.grading.judging import Judged
from autograder.grading.looking import Scene, look
from autograder.loading.assignment import Course
from autograder.loading.solutions import References
from autograder.model.exercise import Exercise
from autograder.model.result import Diagnosis
from autograder.model.submission import Submission
from autograder.numeric.compare import Expected, numbers_of
from autograder.wording.say import say


def samples_of(judged: Judged, expected: Expectations) -> tuple[Sample, ...]:
    """The draws of an exercise's cases as a diagnosis sees them, expected at full precision."""
    function = judged.exercise.function
    return tuple(
        Sample(
            case=tried.trial.case,
            draw=tried.trial.draw,
            hidden=tried.trial.hidden,
            arguments=tried.trial.arguments,
            outcome=tried.outcome,
            outputs=_arrays(tried),
            expected=expected(tried.trial, function),
        )
        for tried in judged.tried
    )


def _arrays(tried: Tried) -> Mapping[str, NDArray[Any]] | None:
    if not isinstance(tried.outputs, Mapping):
        return None
    arrays = {name: numbers_of(value) for name, value in tried.outputs.items()}
    if any(array is None or array.dtype.kind not in "biuf" for array in arrays.values()):
        return None
    return arrays  # type: ignore[return-value]


def rebuilt_samples(
    exercise: Exercise, samples: Sequence[Sample], functions: Mapping[str, Callable[..., Any]]
) -> tuple[Sample, ...]:
    """The samples with what a right build on the student's own earlier functions gives as expected.

    Calls on which that build does not come back with finite numbers tell nothing of the exercise's own part and
    are left out; where the build gives one number on all calls, whatever comes in, none of them tells anything.
    """
    rebuilt = []
    for sample in samples:
        made = _predict(exercise, functions[exercise.function], sample)
        if isinstance(made, Mapping) and all(map(_is_finite, made.values())):
            tolerance = next(iter(sample.expected.values())).tolerance
            wanted = {name: Expected(array, tolerance) for name, array in made.items()}
            rebuilt.append(replace(sample, expected=wanted))
    return tuple(rebuilt) if all(_varies(rebuilt, output) for output in exercise.outputs) else ()


def _is_finite(array: NDArray[Any]) -> bool:
    return bool(array.dtype.kind in "biuf" and array.size and np.isfinite(array).all())


def _varies(samples: Sequence[Sample], output: str) -> bool:
    """Whether more than one number is expected of an output, over all calls."""
    numbers = [sample.expected[output].array.ravel() for sample in samples]
    return bool(numbers) and bool(np.ptp(np.concatenate(numbers)) > 1e-9)


class Explainer:
    """Explains failed exercises of one course."""

    def __init__(self, course: Course) -> None:
        self._course = course

    @cached_property
    def _malrules(self) -> References | None:
        """Loaded when a mistake is to be named: a right file needs none."""
        return self._course.malrules()

    def ideas(
        self,
        judged: Judged,
        expected: Expectations,
        functions: Mapping[str, Callable[..., Any]] | None = None,
        scene: Scene | None = None,
        *,
        own_part: bool = True,
    ) -> tuple[Idea, ...]:
        """Everything that explains the outcomes of an exercise; with a scene, further calls are made for it.

        `functions`, if given, are the references on the student's own earlier functions: what the exercise
        does wrong by itself shows against these. `own_part` is False where nothing of its own is known wrong.
        """
        as_called = samples_of(judged, expected)
        seen: Iterator[Idea] = iter(())
        if scene is not None:
            untold = functions is None and not own_part
            seen = look(judged, as_called, scene, own_part=own_part and functions is None, untold=untold)
        if functions is None:
            named = tuple(_misconceptions(self._malrules, judged.exercise, as_called))
            transforms = find_transforms(judged.exercise, as_called)
            if not own_part:  # what an earlier function hands on may be wrong for some inputs alone
                transforms = tuple(idea for idea in transforms if not idea.code.startswith("only."))
            return *named, *transforms, *_unsteady(judged), *seen
        samples = rebuilt_samples(judged.exercise, as_called, functions)
        named = tuple(_misconceptions(self._course.malrules_on(functions), judged.exercise, samples))
        # On other functions two ideas may come to the same: what cannot be told apart is not laid at one's door.
        named = named if len(named) == 1 else ()
        return *named, *find_transforms(judged.exercise, samples or as_called), *_unsteady(judged), *seen


def _misconceptions(
    malrules: References | None, exercise: Exercise, samples: Sequence[Sample]
) -> Iterator[Idea]:
    if malrules is None or all(sample.right for sample in samples):
        return
    for misconception in exercise.misconceptions:
        function = malrules.functions[misconception.malrule]
        agreeing = fit(samples, lambda sample, f=function: _predict(exercise, f, sample))  # type: ignore[misc]
        if agreeing is not None:
            yield Idea(
                "malrule",
                misconception.code,
                agrees=agreeing,
                text=misconception.text.strip(),
                hint=(misconception.hint or "").strip(),
            )


def _predict(
    exercise: Exercise, function: Any, sample: Sample
) -> Mapping[str, NDArray[Any]] | NDArray[Any] | None:
    """What a wrong function gives on a sample's arguments: by output, one array for several, None if it raises."""
    try:
        with np.errstate(all="ignore"), warnings.catch_warnings(action="ignore"):
            value = function(**own_copy(sample.arguments))
    except Exception:  # a wrong function may raise, as the mistake does
        return None
    outputs = value if isinstance(value, tuple) else (value,)
    # With the student's own functions in it, it may give anything: what is no numbers explains nothing.
    arrays = [numbers_of(output) for output in outputs]
    if len(arrays) == 1 < len(exercise.outputs):
        return arrays[0]
    if len(arrays) != len(exercise.outputs):
        return None
    named = {name: array for name, array in zip(exercise.outputs, arrays, strict=True) if array is not None}
    return named if len(named) == len(arrays) else None


def _unsteady(judged: Judged) -> Iterator[Idea]:
    """What repetition and the arguments show, beside the values."""
    mismatches = [mismatch for verdict in judged.verdicts.values() for mismatch in verdict.mismatches]
    codes = {mismatch.code for mismatch in mismatches}
    changed = {name for m in mismatches if m.code == "arguments.changed" for name in m.params["arguments"]}
    if changed:
        yield Idea("arguments", "idea.works_in_place", {"arguments": sorted(changed)})
    if "same_answer.twice" in codes:
        yield Idea("transform", "transform.varies")
    elif "same_answer.after_other_calls" in codes:
        yield Idea("transform", "transform.history")


def worded(
    ideas: Sequence[Idea], submission: Submission
) -> tuple[tuple[Diagnosis, ...], tuple[Diagnosis, ...]]:
    """The best of the ideas in words, and the rest. An idea without a place of its own gets that of the line."""
    shown = best(ideas)
    place = next((idea.line for idea in shown if idea.kind == "line"), None)
    rest = [idea for idea in rank(ideas) if idea not in shown]
    placed = [
        replace(idea, line=place) if idea.kind == "malrule" and idea.line is None else idea for idea in shown
    ]
    return (
        tuple(_diagnosis(idea, submission) for idea in placed),
        tuple(_diagnosis(idea, submission) for idea in rest),
    )


def _diagnosis(idea: Idea, submission: Submission) -> Diagnosis:
    evidence: dict[str, Any] = {"kind": idea.kind}
    if idea.hint:
        evidence["hint"] = idea.hint
    return Diagnosis(
        code=idea.code,
        message=idea.text or say(idea.code, idea.params),
        line=idea.line,
        source=submission.line(idea.line),
        agrees=idea.agrees,
        evidence=evidence,
    )
