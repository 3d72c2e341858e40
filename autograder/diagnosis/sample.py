"""What a diagnosis looks at: one call's inputs, what came back, and what should have."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from autograder.model.outcome import Outcome, Value
from autograder.numeric.compare import Expected


@dataclass(frozen=True)
class Sample:
    """One call of an exercise's function. `outputs` is None if it raised or gave nothing usable.

    Numbers of a hidden sample may be compared, never shown.
    """

    case: str
    draw: int
    hidden: bool
    arguments: Mapping[str, Value]
    outcome: Outcome
    outputs: Mapping[str, NDArray[Any]] | None
    expected: Mapping[str, Expected]

    @cached_property
    def right(self) -> bool:
        """Whether every output is as expected."""
        return self.outputs is not None and all(
            agrees(self.outputs[name], wanted) for name, wanted in self.expected.items()
        )


def agrees(actual: NDArray[Any], wanted: Expected) -> bool:
    """Whether an array is as expected, NaN equal to NaN: a wrong function may give NaN, and then so must its twin."""
    if actual.shape != wanted.array.shape:
        return False
    with np.errstate(all="ignore"):
        # Around infinity the margin is infinite too: nothing is near it but itself.
        near = (np.abs(actual - wanted.array) <= wanted.margin(actual)) & np.isfinite(wanted.array)
        alike = (actual == wanted.array) | (np.isnan(actual) & np.isnan(wanted.array))
    return bool((near | alike).all())


@dataclass(frozen=True, slots=True)
class Idea:
    """One explanation of what an exercise's outputs are: a code, what its sentence needs, and its standing.

    kind: "malrule", "arguments", "transform", "exception", "return", "line", "smallest". `agrees` counts the calls that
    the explanation fits, of those it speaks of. `text` is set where the author wrote the sentence.
    """

    kind: str
    code: str
    params: Mapping[str, Any] = field(default_factory=dict)
    agrees: tuple[int, int] | None = None
    line: int | None = None
    text: str = ""
    hint: str = ""
