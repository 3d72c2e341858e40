"""What came of one call of a submission's function: arrays, or how it failed. Never a verdict.

All texts in here (messages, names, printed output) are the submission's word: escape before showing.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

Array: TypeAlias = NDArray[np.generic]


@dataclass(frozen=True, slots=True)
class FunctionArgument:
    """A function handed to the submission, built in its process from a small named family.

    `family` is one of `autograder.worker.inside.functions.FAMILIES`; `parameters` are its arrays.
    """

    family: str
    parameters: Mapping[str, Array] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Unsendable:
    """A returned value that is no number, array or sequence of them: only its type's name arrives."""

    type_name: str


#: What a worker may be sent, and what it may return: arrays, numpy scalars, plain scalars, text, None,
#: tuples and lists of these. A list of numbers (however nested) arrives as a `Listed` array.
Value: TypeAlias = (
    "Array | np.generic | float | int | bool | str | tuple[Value, ...] | list[Value] | Listed | Unsendable"
    " | FunctionArgument | None"
)


@dataclass(frozen=True, slots=True)
class Listed:
    """Numbers that came as (nested) lists or tuples, or as an np.matrix, and were turned into an array."""

    array: Array
    was: Literal["list", "tuple", "matrix"]


@dataclass(frozen=True, slots=True)
class Returned:
    """The call returned. `changed` holds the arguments whose contents differ after the call, by index."""

    value: Value
    changed: Mapping[int, Value] = field(default_factory=dict)
    printed: str = ""
    trace: tuple[Assigned, ...] = ()


@dataclass(frozen=True, slots=True)
class Raised:
    """The call raised. `line` is the deepest line of the submission's own file in the traceback.

    `frames` are (function, line) of the submission's file, outermost first. `shapes` are the names and
    shapes of the arrays in the frame of that line.
    """

    type_name: str
    message: str
    line: int | None = None
    function: str | None = None
    frames: tuple[tuple[str, int], ...] = ()
    shapes: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    printed: str = ""
    trace: tuple[Assigned, ...] = ()


@dataclass(frozen=True, slots=True)
class Died:
    """The worker ended, or had to be ended, during the call.

    how: "timed_out" (limit in `seconds`), "exited" (os._exit or the like), "killed" (signal, named in
    `detail`), "memory" (the memory limit), "protocol" (said something that is no reply).
    """

    how: Literal["timed_out", "exited", "killed", "memory", "protocol"]
    detail: str = ""
    seconds: float | None = None


@dataclass(frozen=True, slots=True)
class NoFunction:
    """There is nothing callable of that name. `found` names the type of what bears the name, if anything."""

    found: str | None = None


@dataclass(frozen=True, slots=True)
class NotCalled:
    """The call was not made: the function, or the submission, had used up its deaths, or the time was over."""

    reason: Literal["function", "deaths", "time"]


Outcome: TypeAlias = Returned | Raised | Died | NoFunction | NotCalled


@dataclass(frozen=True, slots=True)
class Assigned:
    """One assignment seen under trace: the line, the name, and a copy of the array (or number) assigned."""

    line: int
    name: str
    value: Value


@dataclass(frozen=True, slots=True)
class NameFound:
    """A public name of a loaded submission.

    kind: "function" (anything callable but a class), "class", "value". `required` and `accepted` are
    the counts of positional parameters it needs and takes at most (None: unknown or unlimited).
    """

    name: str
    kind: Literal["function", "class", "value"]
    required: int | None = None
    accepted: int | None = None
    line: int | None = None


@dataclass(frozen=True, slots=True)
class Loaded:
    """How loading the file went: `failure` is None, or how it stopped; `names` are what exists after it.

    Of a notebook each cell may stop: `failures` are all of them (a bounded number) that raised, in order.
    """

    names: tuple[NameFound, ...] = ()
    failure: Raised | Died | None = None
    printed: str = ""
    failures: tuple[Raised, ...] = ()
