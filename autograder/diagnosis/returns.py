"""What came back in place of the outputs: nothing, a print, a tuple, another count, a list, a text."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from autograder.diagnosis.exception_rules import Said
from autograder.diagnosis.sample import Idea, Sample, agrees
from autograder.model.exercise import Exercise
from autograder.model.outcome import Listed, Returned, Unsendable, Value
from autograder.numeric.compare import Expected, numbers_of


def explain_return(sample: Sample, exercise: Exercise) -> Idea | None:
    """What produces a value that is not what the exercise returns in kind or number; None if those fit.

    A right sample is never explained.
    """
    outcome = sample.outcome
    if not isinstance(outcome, Returned) or sample.right:
        return None
    said = _returned(outcome, sample, exercise)
    if said is None:
        return None
    code, params = said
    if sample.hidden and code in (
        "return.number",
        "return.kind",
    ):  # a shape, a name that the call may have made up
        return None
    return Idea("return", code, params)


def _returned(outcome: Returned, sample: Sample, exercise: Exercise) -> Said:
    value, outputs = outcome.value, exercise.outputs
    if value is None:
        return ("return.printed" if outcome.printed.strip() else "return.nothing"), {}
    if isinstance(value, str):
        return "return.text", {}
    if isinstance(value, Unsendable):
        return _of_unsendable(value, exercise)
    if len(outputs) == 1:
        return _in_place_of_one(value, sample, outputs[0])
    return _in_place_of_several(value, sample, outputs)


def _of_unsendable(value: Unsendable, exercise: Exercise) -> Said:
    name = value.type_name
    if name in ("function", "builtin_function_or_method", "method", "ufunc"):
        return "return.function", {}
    if name in ("coroutine", "generator"):
        return f"return.{name}", {}
    if name == "dict":
        return "return.mapping", {"outputs": list(exercise.outputs)}
    return "return.kind", {"type": name if name.isidentifier() else "object"}


def _in_place_of_one(value: Value, sample: Sample, output: str) -> Said:
    wanted = sample.expected[output]
    if isinstance(value, tuple):
        if len(value) == 1:
            return "return.comma", {"output": output}
        words = {"count": len(value), "output": output}
        holding = [place for place, item in enumerate(value, 1) if _holds(item, wanted)]
        if holding:
            return "return.tuple_for_one.holds", words | {"place": holding[0]}
        return "return.tuple_for_one", words
    return _list_or_number(value, output, wanted)


def _list_or_number(value: Value, output: str, wanted: Expected) -> Said:
    array = numbers_of(value)
    if isinstance(value, list) and array is None:
        return "return.ragged", {}
    if isinstance(value, Listed) and value.was == "list" and value.array.shape != wanted.array.shape:
        return "return.list", {}
    if array is not None and array.ndim == 0 and wanted.array.ndim and wanted.array.size > 1:
        return "return.number", {"output": output, "shape": wanted.array.shape}
    return None


def _in_place_of_several(value: Value, sample: Sample, outputs: Sequence[str]) -> Said:
    words: dict[str, Any] = {"count": len(outputs), "outputs": list(outputs)}
    if isinstance(value, tuple | list):
        if len(value) == len(outputs):
            return None
        missing = [n for n in outputs if not any(_holds(item, sample.expected[n]) for item in value)]
        words["actual"] = len(value)
        if len(missing) == 1 and len(value) == len(outputs) - 1:
            return "return.count.missing", words | {"missing": missing[0]}
        return "return.count", words
    if sample.outputs is not None:
        return None
    held = [name for name in outputs if _holds(value, sample.expected[name])]
    if held:
        return "return.one_for_several.holds", words | {"held": held[0]}
    return "return.one_for_several", words


def _holds(value: Value, wanted: Expected) -> bool:
    array = numbers_of(value)
    return array is not None and array.dtype.kind in "biuf" and agrees(array, replace(wanted, digits=None))
