"""Rules on tolerances: none is looser than a thousandth of the values that are expected."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from autograder.authoring.bench import Bench
from autograder.authoring.findings import Finding, at, error
from autograder.loading.yaml_strict import Way
from autograder.model.check import ValueCheck
from autograder.numeric.compare import Expected
from autograder.wording.say import number

#: A tolerance may be this share of the expected values.
LOOSEST = 1e-3
#: What is smaller is 0 but for rounding, and has no size that a tolerance could be a share of.
_DUST = 1e-12


def tolerance_findings(benches: Sequence[Bench]) -> Iterator[Finding]:
    """No tolerance is looser than a thousandth of the largest value that is expected."""
    for index, check in enumerate(benches[0].exercise.checks):
        if not isinstance(check, ValueCheck):
            continue
        loose = [found for bench in benches if (found := _loosest(bench, check)) is not None]
        if loose:
            share, output, size = max(loose)
            yield _loose(
                benches[0], index, check, f"{number(100 * share)} % of {output}, which reaches {size:.3g}"
            )


def _loosest(bench: Bench, check: ValueCheck) -> tuple[float, str, float] | None:
    """The largest share that the tolerance has of an output's values, if too large, with output and size."""
    found = None
    for trial in bench.plan.draws:
        if trial.case != check.value:
            continue
        expected = bench.expected(trial, check.reference)
        for output in check.of or bench.exercise.outputs:
            size = _size(expected[output])
            tolerance = check.tolerance or expected[output].tolerance
            share = tolerance.atol / size + tolerance.rtol if size > _DUST else 0.0
            if share > LOOSEST and (found is None or share > found[0]):
                found = share, output, size
    return found


def _size(expected: Expected) -> float:
    """The largest expected value, printed figures left out: they are compared to their own digits."""
    array = np.abs(np.asarray(expected.array, dtype=float))
    if expected.digits is not None:
        array = array[expected.digits < 0]
    return float(array.max(initial=0.0))


def _loose(bench: Bench, index: int, check: ValueCheck, share: str) -> Finding:
    case = bench.exercise.cases[check.value]
    path: Way = ("checks", index)
    if check.tolerance is not None:
        path = ("checks", index, "tolerance")
    elif case.tolerance is not None:
        path = ("cases", check.value, "tolerance")
    message = f"the tolerance of {check.name!r} is {share}: more than a thousandth"
    place = at(bench.course, bench.exercise, path)
    return error(
        "tolerance", place, message, "give a smaller `tolerance: {atol: …, rtol: …}`, or larger inputs"
    )
