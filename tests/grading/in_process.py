"""Grading without processes: exercises made up for tests, and submissions that run where the test runs."""

from __future__ import annotations

import copy
import functools
import inspect
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from autograder.grading.calls import Calls
from autograder.grading.expectations import Expectations
from autograder.grading.judging import Judged, judge_exercise
from autograder.grading.plan import Plan, plan_exercise
from autograder.loading.assignment import Course, load_assignment
from autograder.model.check import Tolerance
from autograder.model.exercise import Exercise
from autograder.model.outcome import (
    FunctionArgument,
    Loaded,
    NameFound,
    NoFunction,
    Outcome,
    Raised,
    Returned,
    Value,
)
from autograder.model.submission import Submission
from autograder.worker.inside.failure import describe
from autograder.worker.inside.functions import build
from autograder.worker.inside.values import simplify
from autograder.worker.interface import Request
from autograder.worker.replies import value_from

TOP = Path(__file__).resolve().parents[2]
FILE = "attention.py"
TOLERANCE = Tolerance(atol=3e-6, rtol=2e-5)


@functools.cache
def course() -> Course:
    """The course that the project ships."""
    return load_assignment(TOP, "qkv")


def submission(source: str | bytes, student: str = "ana") -> Submission:
    """A submission of that source."""
    content = source.encode() if isinstance(source, str) else source
    return Submission(student, FILE, content, content)


class OneByOne:
    """Many calls, made as so many single ones."""

    def call(self, function: str, arguments: Sequence[Value], *, trace: bool = False) -> Outcome:
        """Call a function by name."""
        raise NotImplementedError

    def calls(self, requests: Sequence[Request], *, trace: bool = False) -> Iterator[Outcome]:
        """Make several calls one after the other."""
        return (self.call(function, arguments, trace=trace) for function, arguments in requests)


class Functions(OneByOne):
    """Functions called in this process: stands in for a session, a worker and a file of references.

    `said` gives outcomes in place of calls, by function, for what a test cannot do to itself.
    """

    alive = True

    def __init__(self, names: Mapping[str, Any], said: Mapping[str, Outcome] | None = None) -> None:
        self.names = names
        self.said = said or {}
        self.called: list[str] = []

    @classmethod
    def of_source(cls, source: str | bytes) -> Functions:
        """The functions that a source defines."""
        names: dict[str, Any] = {"__name__": "attention"}
        exec(compile(source, FILE, "exec"), names)
        return cls(names)

    @property
    def loaded(self) -> Loaded:
        """The names, as loading them reports them."""
        return Loaded(tuple(_found(n, v) for n, v in self.names.items() if not n.startswith("_")))

    def call(self, function: str, arguments: Sequence[Value], *, trace: bool = False) -> Outcome:
        """Call by position, on copies."""
        self.called.append(function)
        if function in self.said:
            return self.said[function]
        if function not in self.names:
            return NoFunction()
        own = [_own(argument) for argument in arguments]
        try:
            value = self.names[function](*own)
        except Exception as error:
            return _raised(error)
        changed = {i: a for i, (a, b) in enumerate(zip(own, arguments, strict=True)) if _differ(a, b)}
        return Returned(value_from(simplify(value)), changed)

    def close(self) -> None:
        """Nothing to end."""


class References:
    """References by name, called with arguments by name."""

    def __init__(self, **functions: Callable[..., Any]) -> None:
        self.functions = functions

    def call(self, function: str, arguments: Mapping[str, Any]) -> tuple[Any, ...]:
        """The outputs as a tuple."""
        outputs = self.functions[function](**arguments)
        return outputs if isinstance(outputs, tuple) else (outputs,)


class Workshop:
    """A workshop whose workers are `Functions` of the source."""

    level = "portable"

    def __init__(self) -> None:
        self.started: list[Functions] = []

    def start(self, source: bytes, filename: str, limits: Any, cells: Any = ()) -> Functions:
        """A worker, loaded."""
        self.started.append(Functions.of_source(source))
        return self.started[-1]

    def close(self) -> None:
        """Nothing to end."""

    def __enter__(self) -> Workshop:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()


def exercise(**parts: Any) -> Exercise:
    """An exercise: the softmax of a row, unless `parts` say otherwise."""
    data: dict[str, Any] = {
        "id": "softmax",
        "title": "Softmax",
        "about": "weights",
        "function": "softmax",
        "parameters": {"S": {"shape": ("n", "m"), "about": "scores"}},
        "returns": {"A": {"shape": ("n", "m"), "about": "weights"}},
        "points": 4,
        "sizes": {"n": (2, 5), "m": (2, 6)},
        "cases": {"drawn": {"given": {"S": {"normal": ("n", "m")}}}},
        "checks": ({"value": "drawn"},),
        "hints": ("think",),
    }
    return Exercise.model_validate({**data, **parts})


def softmax(S: Any) -> Any:
    """The reference of `exercise()`."""
    E = np.exp(S - S.max(axis=1, keepdims=True))
    return E / E.sum(axis=1, keepdims=True)


def plan_of(asked: Exercise, references: Any, seed: object = 0) -> Plan:
    """The plan of an exercise whose recipes may call these references."""

    def reference(function: str, arguments: Mapping[str, Value]) -> Mapping[str, Any]:
        names = inspect.signature(references.functions[function]).parameters
        outputs = references.call(function, {name: arguments[name] for name in names if name in arguments})
        return dict(zip(names_of[function], outputs, strict=True))

    names_of = {one.function: one.outputs for one in (*course().exercises, asked)}
    return plan_exercise(asked, reference, "seed", seed)


def judged(
    asked: Exercise,
    answer: Any,
    *,
    references: Any = None,
    seed: object = 0,
    tolerance: Tolerance = TOLERANCE,
) -> Judged:
    """An exercise judged on an answer: a function, or a session."""
    references = references or References(softmax=softmax)
    plan = plan_of(asked, references, seed)
    calls = Calls(answer if hasattr(answer, "call") else Functions({asked.function: answer}))
    calls.run([plan])
    return judge_exercise(plan, calls, Expectations(asked, references, tolerance), tolerance)


def statuses(asked: Exercise, answer: Any, **options: Any) -> dict[str, str]:
    """The statuses of the checks by name; a fault of ours fails the test."""
    result = judged(asked, answer, **options)
    assert not result.faults, result.faults
    return {name: verdict.status for name, verdict in result.verdicts.items()}


def _raised(error: Exception) -> Raised:
    name, message, line, function, frames, shapes = describe(error, FILE)
    own = tuple((str(frame), int(number)) for frame, number in frames)
    sizes = {array: tuple(shape.tolist()) for array, shape in shapes}
    return Raised(name, str(message), line if line > 0 else None, function, own, sizes)


def _own(argument: Value) -> Any:
    if isinstance(argument, FunctionArgument):
        return build(argument.family, argument.parameters)
    return copy.deepcopy(argument)


def _differ(after: Any, before: Value) -> bool:
    return isinstance(before, np.ndarray) and after.tobytes() != before.tobytes()


def _found(name: str, value: Any) -> NameFound:
    kind = "class" if inspect.isclass(value) else "function" if callable(value) else "value"
    if not inspect.isfunction(value):
        return NameFound(name, kind)  # type: ignore[arg-type]
    parameters = inspect.signature(value).parameters.values()
    required = sum(p.default is p.empty and p.kind < p.VAR_POSITIONAL for p in parameters)
    unlimited = any(p.kind is p.VAR_POSITIONAL for p in parameters)
    accepted = None if unlimited else sum(p.kind < p.VAR_POSITIONAL for p in parameters)
    return NameFound(name, "function", required, accepted, value.__code__.co_firstlineno)
