"""Trace a failed call in the worker and the reference on the same arguments here, and match the two."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from types import CodeType, FrameType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from autograder.diagnosis.lines import Standing, Step, first_parting
from autograder.diagnosis.sample import Idea, Sample
from autograder.diagnosis.sizes import all_sizes, sizes_of
from autograder.grading.calls import Calling
from autograder.grading.expectations import own_copy
from autograder.grading.names import Definition
from autograder.loading.solutions import References
from autograder.model.exercise import Exercise
from autograder.model.outcome import Returned, Value

#: Steps of the reference that are kept, and bytes of one step.
_STEPS, _STEP_BYTES = 60, 1 << 16
#: Entries of all arguments together, above which a sample is not traced.
_ENTRIES = 2000
#: Numbers above this make exponentials that are all 0 or 1.
_LARGE = 50


def find_parting(
    session: Calling,
    exercise: Exercise,
    samples: Sequence[Sample],
    references: References,
    exercises: Sequence[Exercise],
    found: Sequence[Definition],
    passed: Collection[str] = (),
) -> Idea | None:
    """The first line that parts, from one traced call of the function and one of the reference.

    `found` are the functions of the source. `passed` are the ids of the exercises that passed: their functions
    are blamed for nothing. The session must have seen no hidden input, since what it says here is said of a
    visible sample.
    """
    sample = traced_sample(exercise, samples)
    if sample is None:
        return None
    outcome = session.call(exercise.function, tuple(sample.arguments.values()), trace=True)
    if not isinstance(outcome, Returned) or not outcome.trace:
        return None
    steps = reference_steps(references, exercise, sample.arguments, exercises)
    standing = standing_of(found, exercises, passed)
    others = tuple((other, all_sizes(exercise, other.arguments)) for other in samples if other is not sample)
    sizes = all_sizes(exercise, sample.arguments)
    return first_parting(outcome.trace, steps, sample, sizes, standing, others)


def standing_of(
    found: Sequence[Definition], exercises: Sequence[Exercise], passed: Collection[str]
) -> Standing:
    """The lines of the exercises' functions, by whether the exercise passed."""
    lines = function_lines(found)
    ids = {exercise.function: exercise.id for exercise in exercises}
    known = {name: its for name, its in lines.items() if name in ids}
    return Standing(
        passed={name: its for name, its in known.items() if ids[name] in passed},
        doubtful={name: its for name, its in known.items() if ids[name] not in passed},
    )


def function_lines(found: Sequence[Definition]) -> dict[str, range]:
    """The lines of every function that stands in nothing else, the last of each name."""
    return {
        one.name: range(one.line, max(one.line, one.end) + 1)
        for one in found
        if one.inside is None and not one.is_async
    }


def traced_sample(exercise: Exercise, samples: Sequence[Sample]) -> Sample | None:
    """The failed visible sample that tells most: an output off in value, sizes all different, few entries."""
    fit = [
        s for s in samples
        if not s.hidden and not s.right and s.outputs is not None and _entries(s) <= _ENTRIES
    ]  # fmt: skip
    return min(fit, key=lambda sample: _order(exercise, sample)) if fit else None


def _entries(sample: Sample) -> int:
    return sum(value.size for value in sample.arguments.values() if isinstance(value, np.ndarray))


def _order(exercise: Exercise, sample: Sample) -> tuple[bool, bool, bool, int]:
    """Lowest first: sizes all different and above 1, no huge numbers, hardly a number twice, few entries."""
    sizes = list(sizes_of(exercise, sample.arguments).values())
    arrays = [value for value in sample.arguments.values() if isinstance(value, np.ndarray)]
    numbers = np.concatenate([array.ravel() for array in arrays]) if arrays else np.zeros(0)
    repeated = len(np.unique(numbers)) < 0.9 * numbers.size
    alike = len(set(sizes)) < len(sizes) or 1 in sizes
    return alike, bool((np.abs(numbers) > _LARGE).any()), repeated, _entries(sample)


def reference_steps(
    references: References, exercise: Exercise, arguments: Mapping[str, Value], exercises: Sequence[Exercise]
) -> tuple[Step, ...]:
    """The values that the reference makes on its way, in order: locals and results of its file's functions.

    Names are those of the exercises' own outputs and arguments; a value without one is unnamed.
    """
    recorder = _Recorder(references.functions[exercise.function].__code__.co_filename)
    with np.errstate(all="ignore"):
        recorder.run(references.functions[exercise.function], own_copy(arguments))
    by_function = {other.function: other for other in exercises} | {exercise.function: exercise}
    about = _about(exercise, exercises)
    steps: list[Step] = []
    own = exercise.function
    given = [value for value in arguments.values() if isinstance(value, np.ndarray)]
    for function, name, value in recorder.values:
        for step in _steps(by_function.get(function), name, value, about):
            if step.array.nbytes <= _STEP_BYTES and not any(_equal(step.array, other) for other in given):
                _add(steps, step, own=function == own and name == _RESULT)
    return tuple(steps[:_STEPS])


def _add(steps: list[Step], step: Step, *, own: bool) -> None:
    """Add a step, or give its name to the same value before it: an own output's name, or the first one."""
    for place, other in enumerate(steps):
        if _equal(other.array, step.array):
            if step.about and (own or not other.about):
                steps[place] = replace(step, function=other.function or step.function)
            return
    steps.append(step)


def _equal(left: NDArray[Any], right: NDArray[Any]) -> bool:
    return left.shape == right.shape and bool(np.array_equal(left, right))


def _steps(exercise: Exercise | None, name: str, value: Any, about: Mapping[str, str]) -> list[Step]:
    """The steps that one recorded value is: a local, or the outputs of a function."""
    if name != _RESULT:
        return [Step(name, about.get(name, ""), value)] if isinstance(value, np.ndarray) else []
    if exercise is None:
        return []
    values = value if isinstance(value, tuple) else (value,)
    return [
        Step(output, short(exercise.returns[output].about), array, exercise.function)
        for output, array in zip(exercise.outputs, values, strict=False)
        if isinstance(array, np.ndarray)
    ]


def _about(exercise: Exercise, exercises: Sequence[Exercise]) -> dict[str, str]:
    """What the exercises say of a name, the exercise itself first: as an output, before as an argument."""
    found: dict[str, str] = {}
    for one in (exercise, *exercises):
        for name, output in one.returns.items():
            found.setdefault(name, short(output.about))
    for one in (exercise, *exercises):
        for name, parameter in one.parameters.items():
            found.setdefault(name, short(parameter.about))
    return found


def short(about: str) -> str:
    """The first clause of an `about`: "weights, every row sums to 1" is "weights"."""
    for mark in (",", ";", ":", "."):
        about = about.partition(mark)[0]
    return about.strip()


#: In place of a local's name: the result of a function, and one of a call within itself.
_RESULT, _PART = "", "·"


class _Recorder:
    """Collects (function, name, array) in the functions of one file: locals as they change, and results."""

    def __init__(self, filename: str) -> None:
        self.values: list[tuple[str, str, Any]] = []
        self._filename = filename
        self._known: dict[FrameType, dict[str, int]] = {}
        self._active: Counter[str] = Counter()

    def run(self, function: Callable[..., Any], arguments: Mapping[str, Any]) -> None:
        """Call the function; a tracer that is already at work gets its place back."""
        before = sys.gettrace()
        sys.settrace(self._enter)
        try:
            function(**arguments)
        finally:
            sys.settrace(before)
            self._known.clear()

    def _enter(self, frame: FrameType, event: str, argument: Any) -> Any:
        code: CodeType = frame.f_code
        if code.co_filename != self._filename or len(self.values) >= 4 * _STEPS:
            return None
        self._active[code.co_name] += 1
        self._known[frame] = {name: id(value) for name, value in frame.f_locals.items()}
        return self._follow

    def _follow(self, frame: FrameType, event: str, argument: Any) -> Any:
        known = self._known[frame]
        for name, value in list(frame.f_locals.items()):
            if isinstance(value, np.ndarray) and known.get(name) != id(value):
                known[name] = id(value)
                self._note(frame, name, value)
        if event == "return":
            self._active[frame.f_code.co_name] -= 1
            inner = (
                self._active[frame.f_code.co_name] > 0
            )  # a function within itself: its result is a part only
            self._note(frame, _PART if inner else _RESULT, argument)
            del self._known[frame]
        return self._follow if len(self.values) < 4 * _STEPS else None

    def _note(self, frame: FrameType, name: str, value: Any) -> None:
        kept = value.copy() if isinstance(value, np.ndarray) else value
        self.values.append((frame.f_code.co_name, name, kept))
