"""Stored values: what a student's kit has in place of references, the visible cases' calls and their outputs.

The file is JSON, written by `autograder release` and read here: of every exercise and visible case the
arguments of each draw and, by function, the outputs at full precision. Nothing in it is run or unpickled.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from autograder.checks.trial import Trial
from autograder.errors import BrokenError, ExerciseError, Problem
from autograder.loading.findings import Finding
from autograder.loading.yaml_strict import shown_path
from autograder.model.check import ValueCheck
from autograder.model.exercise import Exercise
from autograder.model.outcome import FunctionArgument, Value
from autograder.model.place import Place

FORMAT = "autograder-values/1"
MAX_BYTES = 50_000_000

Outputs: TypeAlias = Mapping[str, tuple[NDArray[Any], ...]]

_DTYPES = frozenset(
    {"bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"}
    | {"float16", "float32", "float64"}
)
_REMEDY = "take the file from the kit again"


@dataclass(frozen=True, slots=True)
class StoredCall:
    """One draw of a visible case, and what each function that an exercise compares with gives on it."""

    trial: Trial
    outputs: Outputs


#: The draws of each case, by exercise and case.
Stored: TypeAlias = Mapping[str, Mapping[str, tuple[StoredCall, ...]]]


@dataclass(frozen=True)
class StoredValues:
    """The values of one file: they stand where a course has its reference functions."""

    file: str
    content: bytes
    calls: Stored

    def trials(self, exercise: str) -> dict[str, tuple[Trial, ...]]:
        """The draws of an exercise's cases, by case."""
        stored = self.calls.get(exercise, {})
        return {case: tuple(call.trial for call in draws) for case, draws in stored.items()}

    def outputs(self, exercise: str, trial: Trial, function: str) -> tuple[NDArray[Any], ...]:
        """The outputs of a function on a stored draw. BrokenError for a call that is not stored."""
        draws = self.calls.get(exercise, {}).get(trial.case, ())
        if trial.check is None and trial.draw < len(draws) and function in draws[trial.draw].outputs:
            return draws[trial.draw].outputs[function]
        message = f"{self.file} holds no value of {function} on {exercise}/{trial.case}"
        raise BrokenError(message, remedy=_REMEDY)

    def lacking(self, exercise: Exercise) -> Iterator[Finding]:
        """Every case of an exercise whose calls or values are not all here."""
        stored = self.calls.get(exercise.id, {})
        others = {c.reference for c in exercise.checks if isinstance(c, ValueCheck) and c.reference}
        for name, case in exercise.cases.items():
            draws = stored.get(name, ())
            whole = len(draws) == case.draws and all(
                {exercise.function, *others} <= draw.outputs.keys()
                and set(case.given) <= draw.trial.arguments.keys() <= set(exercise.parameters)
                and all(len(outputs) == len(exercise.outputs) for outputs in draw.outputs.values())
                for draw in draws
            )
            if not whole:
                message = f"{self.file} does not hold the values of this case"
                yield Finding(("cases", name), message, "take both files from the kit again", at_key=True)


# Reading


def load_values(path: Path, top: Path) -> StoredValues:
    """Read a file of stored values; ExerciseError with its place if it cannot be used."""
    file = shown_path(path, top)
    try:
        with path.open("rb") as stream:
            content = stream.read(MAX_BYTES + 1)
    except OSError as error:
        raise _damaged(file, f"cannot be read: {error.strerror}") from None
    if len(content) > MAX_BYTES:
        raise _damaged(file, f"holds more than {MAX_BYTES:,} bytes")
    try:
        data = json.loads(content)
        found = data["format"] if isinstance(data, dict) and "format" in data else "no format"
        if found != FORMAT:
            raise _damaged(file, f"found {str(found)[:40]!r}, expected {FORMAT!r}")
        return StoredValues(file, content, _stored(data["exercises"]))
    except json.JSONDecodeError as error:
        raise _damaged(file, f"not JSON: {error.msg}", error.lineno, error.colno) from None
    except (KeyError, TypeError, ValueError, AttributeError, RecursionError, OverflowError) as error:
        raise _damaged(file, f"damaged: {type(error).__name__}: {str(error)[:200]}") from None


def _damaged(file: str, message: str, line: int | None = None, column: int | None = None) -> ExerciseError:
    return ExerciseError((Problem(Place(file, line, column), message, _REMEDY),))


def _stored(exercises: Mapping[str, Any]) -> Stored:
    return {
        exercise: {case: _draws(case, draws) for case, draws in cases.items()}
        for exercise, cases in exercises.items()
    }


def _draws(case: str, draws: Sequence[Mapping[str, Any]]) -> tuple[StoredCall, ...]:
    return tuple(
        StoredCall(
            Trial(case, number, False, {name: _value(v) for name, v in draw["arguments"].items()}),
            {function: tuple(map(_array, outputs)) for function, outputs in draw["outputs"].items()},
        )
        for number, draw in enumerate(draws)
    )


def _value(data: Any) -> Value:
    if isinstance(data, str | int | float):
        return data
    if "function" in data:
        return FunctionArgument(str(data["function"]), {n: _array(v) for n, v in data["parameters"].items()})
    return _array(data)


def _array(data: Mapping[str, Any]) -> NDArray[Any]:
    if data["dtype"] not in _DTYPES:
        raise ValueError(f"the type {data['dtype']!r} is not read")
    array = np.array(data["entries"], dtype=data["dtype"])
    shape = tuple(data["shape"])
    return array.reshape(shape) if array.size == 0 else _of_shape(array, shape)


def _of_shape(array: NDArray[Any], shape: tuple[int, ...]) -> NDArray[Any]:
    if array.shape != shape:
        raise ValueError(f"entries of shape {array.shape} where {shape} is said")
    return array


# Writing


def values_text(assignment: str, stored: Stored) -> str:
    """The text of a file of stored values: one line a call's arguments or outputs, the same each time.

    ValueError for a value that has no place in it.
    """
    head = f' "format": {_text(FORMAT)},\n "assignment": {_text(assignment)},\n "exercises": {{\n'
    exercises = ",\n".join(f"  {_text(name)}: {{\n{_cases(cases)}\n  }}" for name, cases in stored.items())
    return f"{{\n{head}{exercises}\n }}\n}}\n"


def _cases(cases: Mapping[str, tuple[StoredCall, ...]]) -> str:
    return ",\n".join(
        f"   {_text(case)}: [\n" + ",\n".join(map(_call, draws)) + "\n   ]" for case, draws in cases.items()
    )


def _call(call: StoredCall) -> str:
    arguments = {name: _written(value) for name, value in call.trial.arguments.items()}
    outputs = {function: [_written(array) for array in arrays] for function, arrays in call.outputs.items()}
    return f'    {{"arguments": {_text(arguments)},\n     "outputs": {_text(outputs)}}}'


def _text(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, allow_nan=False)


def _written(value: Value) -> Any:
    if isinstance(value, np.ndarray):
        if value.dtype.name not in _DTYPES:
            raise ValueError(f"an array of type {value.dtype} cannot be stored")
        return {"dtype": value.dtype.name, "shape": list(value.shape), "entries": _entries(value.tolist())}
    if isinstance(value, FunctionArgument):
        return {"function": value.family, "parameters": {n: _written(a) for n, a in value.parameters.items()}}
    if isinstance(value, np.generic):
        return value.item()
    if isinstance(value, str | int | float):
        return value
    raise ValueError(f"a value of type {type(value).__name__} cannot be stored")


def _entries(entries: Any) -> Any:
    """Nested lists as JSON has them: what is not finite as a text that numpy reads back."""
    if isinstance(entries, list):
        return [_entries(entry) for entry in entries]
    return entries if not isinstance(entries, float) or np.isfinite(entries) else str(entries)
