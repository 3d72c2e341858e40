"""The first line of a submission that parts from the right path, by the values it assigns.

The values that a traced call assigns are matched with the named steps of the reference on the same arguments.
Only visible samples are traced; a value that fits by accident (one number, all entries alike) is no match.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import permutations
from math import sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

from autograder.diagnosis.sample import Idea, Sample, agrees
from autograder.model.outcome import Assigned
from autograder.numeric.compare import numbers_of
from autograder.wording.say import say

RETURN = "return"
_RTOL, _ATOL = 1e-6, 1e-9
#: A longer word on a step is left out; a longer name of the submission's is cut.
_ABOUT_CHARS, _NAME_CHARS = 40, 40
#: A whole number up to this may be a plain number of the submission's rather than a size.
_SMALL = 4


@dataclass(frozen=True, slots=True)
class Step:
    """One value on the right path: what the exercises call it and say of it; both empty for an unnamed one.

    `function` is the one that returns it, if it is a result.
    """

    name: str
    about: str
    array: NDArray[Any]
    function: str = ""

    @property
    def words(self) -> str:
        """The step as a sentence names it: A (weights)."""
        if not self.about or len(self.about) > _ABOUT_CHARS:
            return self.name
        return say("line.step", {"name": self.name, "about": self.about})


@dataclass(frozen=True, slots=True)
class _Seen:
    """One assigned array, in order of execution; of a filled array only the last state."""

    line: int
    name: str
    array: NDArray[Any]


@dataclass(frozen=True, slots=True)
class Standing:
    """Where the functions of a file stand: those that passed by themselves are blamed for nothing.

    Ranges of lines by the name of the function: the exercise's own one and others that failed in `doubtful`.
    """

    passed: Mapping[str, range]
    doubtful: Mapping[str, range]

    def blameless(self, line: int) -> bool:
        """Whether the line belongs to a function that is right by itself."""
        return any(line in lines for lines in self.passed.values())

    def doubted(self, line: int) -> str | None:
        """The function that the line belongs to, if that one is not right by itself."""
        return next((name for name, lines in self.doubtful.items() if line in lines), None)


def first_parting(
    assigned: Sequence[Assigned],
    steps: Sequence[Step],
    sample: Sample,
    sizes: Mapping[str, int],
    standing: Standing,
    others: Sequence[tuple[Sample, Mapping[str, int]]] = (),
) -> Idea | None:
    """The last assigned value that is on the right path and the first that is not; None if neither shows.

    `steps` are in the order of the reference, the outputs among them. `others` are further samples with their
    sizes, which a factor must fit as well before it is named.
    """
    if sample.right or sample.hidden or sample.outputs is None:
        return None
    path = _Path(tuple(step for step in steps if _speaks(step.array)), factors_of(sizes), tuple(others))
    seen = tuple(_arrays(assigned))
    born = _births(seen, sample, standing)
    if born is None:
        return None
    return _told(seen, *born, path, sample, standing)


# What was assigned, and where the wrong output came to be.


def _arrays(assigned: Sequence[Assigned]) -> Iterator[_Seen]:
    """The arrays of more than one entry; a tuple is its parts, and a filled array counts once it is full."""
    items = [
        _Seen(one.line, one.name, array)
        for one in assigned
        for value in (one.value if isinstance(one.value, tuple) else (one.value,))
        if (array := numbers_of(value)) is not None and array.size > 1 and array.dtype.kind in "biuf"
    ]
    for place, item in enumerate(items):
        later = next((o for o in items[place + 1 :] if (o.line, o.name) == (item.line, item.name)), None)
        if item.name == RETURN or later is None or not _fills(item.array, later.array):
            yield item


def _fills(earlier: NDArray[Any], later: NDArray[Any]) -> bool:
    """Whether the later state is the earlier one with more of it written: some entries kept, some not."""
    if earlier.shape != later.shape:
        return False
    kept = np.isclose(earlier, later, rtol=0, atol=0, equal_nan=True)
    return bool(kept.any() and not kept.all())


def _births(seen: Sequence[_Seen], sample: Sample, standing: Standing) -> tuple[int, str] | None:
    """The place in `seen` where the first wrong output came to be, and that output's name."""
    assert sample.outputs is not None
    wrong = [name for name, wanted in sample.expected.items() if not agrees(sample.outputs[name], wanted)]
    places = []
    for name in wrong:
        actual = sample.outputs[name]
        found = [
            i
            for i, one in enumerate(seen)
            if _same_array(one.array, actual) and not standing.blameless(one.line)
        ]
        if found:
            places.append((found[0], name))
    return min(places) if places else None


def _same_array(left: NDArray[Any], right: NDArray[Any]) -> bool:
    return left.shape == right.shape and bool(np.isclose(left, right, rtol=0, atol=0, equal_nan=True).all())


# The right path.


@dataclass(frozen=True, slots=True)
class _Path:
    """The steps of the reference that can be recognised, and the factors that have a name."""

    steps: tuple[Step, ...]
    factors: Mapping[str, float]
    others: tuple[tuple[Sample, Mapping[str, int]], ...]

    def holds_elsewhere(self, output: str, factor: str, *, inverse: bool) -> bool:
        """Whether an output is that factor off in every other sample where it is off."""
        return all(
            _is_off_by(
                sample.outputs[output], sample.expected[output].array, factors_of(sizes).get(factor), inverse
            )
            for sample, sizes in self.others
            if sample.outputs is not None and not agrees(sample.outputs[output], sample.expected[output])
        )

    def position(self, array: NDArray[Any]) -> int | None:
        """Which step an array equals; the last one, where several are alike."""
        found = [i for i, step in enumerate(self.steps) if _close(array, step.array)]
        return found[-1] if found else None

    def next_named(self, position: int) -> Step | None:
        """The next step with a name after a position, that is not the same value once more."""
        here = self.steps[position].array if position >= 0 else None
        for step in self.steps[position + 1 :]:
            if step.about and not (here is not None and _close(step.array, here)):
                return step
        return None

    def named(self, name: str) -> Step | None:
        """The step of that name."""
        return next((step for step in reversed(self.steps) if step.name == name and step.about), None)


def factors_of(sizes: Mapping[str, int]) -> dict[str, float]:
    """Sizes, their roots and the roots of their ratios by name; a figure that two names share is left out."""
    large = {name: float(size) for name, size in sizes.items() if size > 1}
    named = {f"√{name}": sqrt(size) for name, size in large.items()} | large
    for above, below in permutations(large, 2):
        if large[above] > large[below]:
            named[f"√({above}/{below})"] = sqrt(large[above] / large[below])
    figures = Counter(round(figure, 9) for figure in named.values())
    return {name: figure for name, figure in named.items() if figures[round(figure, 9)] == 1}


def _is_off_by(actual: NDArray[Any], wanted: NDArray[Any], figure: float | None, inverse: bool) -> bool:
    if figure is None or actual.shape != wanted.shape:
        return figure is None
    return _close(actual, wanted / figure if inverse else wanted * figure)


def _speaks(array: NDArray[Any]) -> bool:
    """Whether equality with it means anything: several finite entries, not all alike."""
    return bool(
        array.size > 1 and np.isfinite(array).all() and np.ptp(array) > 1e-6 * np.abs(array).max() > 0
    )


def _close(left: NDArray[Any], right: NDArray[Any]) -> bool:
    if left.shape != right.shape:
        return False
    scale = float(np.abs(right).max())
    tolerance = 1e-4 if left.dtype == np.float32 else _RTOL
    with np.errstate(all="ignore"):
        return bool(
            (
                np.abs(left - right) <= _ATOL * scale + tolerance * np.maximum(np.abs(right), 1e-3 * scale)
            ).all()
        )


# What is told.


def _told(
    seen: Sequence[_Seen], born: int, output: str, path: _Path, sample: Sample, standing: Standing
) -> Idea | None:
    aim = path.named(output)
    twin = path.position(seen[born].array)
    if twin is not None:
        return _misplaced(seen, output, path.steps[twin], aim, sample)
    at = [path.position(one.array) for one in seen[:born]]
    right = max((i for i, position in enumerate(at) if position is not None), default=None)
    place, finding = _parting(seen, 0 if right is None else right + 1, born, path, aim, standing)
    if finding is None and right is None and _is_whole(seen, born):
        return Idea("line", "line.whole", {"line": seen[born].line}, line=seen[born].line)
    plain = finding is None
    if finding is None:
        finding = say("line.finding.differs", {"step": aim.words if aim else output})
    params: dict[str, Any] = {"wrong": _line("line.wrong", seen[place], finding=finding)}
    if right is None:
        return Idea("line", "line.parts.first", params, line=seen[place].line)
    params["right"] = _right(seen[right], path.steps[at[right]])  # type: ignore[index]
    between = [one.line for one in seen[right + 1 : place] if not standing.blameless(one.line)]
    following = path.next_named(max(p for p in at if p is not None))
    if (
        plain
        and between
        and min(between) < seen[place].line
        and _neighbours(min(between), place, seen, standing)
    ):
        params |= {"first": min(between), "line": seen[place].line}
        return Idea("line", "line.parts.between", params, line=seen[place].line)
    if following is None or following.words in finding:
        return Idea("line", "line.parts.last", params, line=seen[place].line)
    params["next"] = say("line.next", {"step": following.words})
    return Idea("line", "line.parts", params, line=seen[place].line)


def _neighbours(first: int, place: int, seen: Sequence[_Seen], standing: Standing) -> bool:
    """Whether two lines stand in one function, so that "lines 4 to 7" means something."""
    function = standing.doubted(first)
    return function is not None and function == standing.doubted(seen[place].line)


def _is_whole(seen: Sequence[_Seen], born: int) -> bool:
    """Whether the output comes out of one line alone, with nothing assigned before or beside it."""
    return seen[born].name == RETURN and len({one.line for one in seen}) == 1


def _misplaced(
    seen: Sequence[_Seen], output: str, step: Step, aim: Step | None, sample: Sample
) -> Idea | None:
    """A wrong output that is the right value of another step; outputs in another order are told elsewhere."""
    assert sample.outputs is not None
    if not step.about or any(_close(step.array, wanted.array) for wanted in sample.expected.values()):
        return None
    actual = sample.outputs[output]
    alike = [one for one in seen if _same_array(one.array, actual)]
    one = next((o for o in alike if o.name == output), alike[-1])
    words = {"step": step.words, "output": aim.words if aim else output}
    wrong = _line("line.wrong", one, finding=say("line.finding.in_place_of", words))
    return Idea("line", "line.parts.first", {"wrong": wrong}, line=one.line)


def _right(one: _Seen, step: Step) -> str:
    if step.about:
        return _line("line.right", one, step=step.words)
    return _line("line.right.unnamed", one)


def _line(code: str, one: _Seen, **words: Any) -> str:
    if one.name == RETURN:
        return say(f"{code}.returned", {"line": one.line, **words})
    return say(code, {"line": one.line, "name": one.name[:_NAME_CHARS], **words})


def _parting(
    seen: Sequence[_Seen], first: int, born: int, path: _Path, aim: Step | None, standing: Standing
) -> tuple[int, str | None]:
    """The first value from `first` on that is recognisably off a step, else the wrong output itself."""
    for place in range(first, born):
        one = seen[place]
        if not standing.blameless(one.line) and not _is_unfilled(seen, place):
            finding = _off(one.array, path) or _result_off(one, path, standing)
            if finding is not None:
                return place, finding
    array = seen[born].array
    own = _relation(array, aim, path, output=aim.name) if aim is not None else None
    return born, own or _off(array, path, but=aim)


def _is_unfilled(seen: Sequence[_Seen], place: int) -> bool:
    """Whether an array that is not finite is written into later: the numbers that `empty` gives have no meaning."""
    one = seen[place]
    if one.name == RETURN or np.isfinite(one.array).all():
        return False
    later = [o.array for o in seen[place + 1 :] if o.name == one.name and o.array.shape == one.array.shape]
    return bool(later) and (_fills(one.array, later[0]) or bool(np.isfinite(later[-1]).all()))


def _result_off(one: _Seen, path: _Path, standing: Standing) -> str | None:
    """Of what a doubtful function of an earlier exercise returned: that it is not that function's step."""
    function = standing.doubted(one.line) if one.name == RETURN else None
    step = next((s for s in path.steps if function is not None and s.function == function), None)
    if step is None or step.array.shape != one.array.shape:
        return None
    return say("line.finding.differs", {"step": step.words})


def _off(array: NDArray[Any], path: _Path, *, but: Step | None = None) -> str | None:
    """How an array is off some step of the path but one, or None."""
    if not np.isfinite(array).all():
        return say("line.finding.not_finite")
    for step in path.steps:
        if step is not but and step.about and (finding := _relation(array, step, path)) is not None:
            return finding
    return None


def _relation(array: NDArray[Any], step: Step, path: _Path, *, output: str | None = None) -> str | None:
    """How an array comes from a step: transposed, negated, times a named factor, normalised another way."""
    if not np.isfinite(array).all():
        return say("line.finding.not_finite")
    wanted = step.array
    if array.ndim == wanted.ndim == 2 and min(array.shape) > 1 and _close(array, wanted.T):
        return say("line.finding.transposed", {"step": step.words})
    if array.shape != wanted.shape:
        return None
    if array.dtype.kind in "iu" and not _close(wanted, np.round(wanted)) and _near_whole(array, wanted):
        return say("line.finding.whole")
    if not _speaks(array):
        return None
    return _multiple(array, step, path, output) or _sums(array, step)


def _near_whole(array: NDArray[Any], wanted: NDArray[Any]) -> bool:
    return bool((np.abs(array - wanted) < 1).all())


def _multiple(array: NDArray[Any], step: Step, path: _Path, output: str | None) -> str | None:
    """A factor with a name; of an output only one that the other samples show too."""
    factor = _factor(array, step.array)
    if factor is None or np.isclose(factor, 1):
        return None
    if np.isclose(factor, -1):
        return say("line.finding.negated", {"step": step.words})
    for name, figure in path.factors.items():
        if figure == int(figure) <= _SMALL and output is None:
            continue
        for code, wanted in (("line.finding.times", figure), ("line.finding.over", 1 / figure)):
            if not np.isclose(factor, wanted, rtol=_RTOL, atol=0):
                continue
            if output is None or path.holds_elsewhere(output, name, inverse=code.endswith("over")):
                return say(code, {"step": step.words, "factor": name})
    return None


def _factor(array: NDArray[Any], wanted: NDArray[Any]) -> float | None:
    """The one factor that makes the array of what is wanted."""
    top = np.unravel_index(int(np.abs(wanted).argmax()), wanted.shape)
    factor = float(array[top]) / float(wanted[top])
    return factor if factor and _close(array, factor * wanted) else None


def _sums(array: NDArray[Any], step: Step) -> str | None:
    """Which sums come out as they should along the rows, but along the columns."""
    if array.ndim != 2 or min(array.shape) < 2:
        return None
    wanted = step.array
    if _all(wanted.sum(axis=1), 1) and not _all(array.sum(axis=1), 1):
        if _all(array.sum(axis=0), 1):
            return say("line.finding.columns_sum_to_one")
        if _all(np.atleast_1d(array.sum()), 1):
            return say("line.finding.all_sums_to_one")
    if _all(wanted.sum(axis=1), 0) and not _all(array.sum(axis=1), 0) and _all(array.sum(axis=0), 0):
        deviations = np.allclose(wanted.std(axis=1), 1, atol=1e-2)
        return say(
            "line.finding.columns_have_mean_zero" if deviations else "line.finding.columns_sum_to_zero"
        )
    return None


def _all(sums: NDArray[Any], figure: float) -> bool:
    return bool(np.allclose(sums, figure, rtol=1e-6, atol=1e-9))
