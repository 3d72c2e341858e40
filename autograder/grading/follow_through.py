"""Follow-through: mark a later exercise with the student's own earlier functions, so that a mistake costs once.

The reference of the later exercise is run again, here, with the failed earlier functions replaced by calls of
the student's own in the worker. Where the student's outcome equals that, what is wrong was inherited.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise
from typing import Any

import numpy as np

from autograder.checks.builtin import KINDS, Verdict
from autograder.checks.trial import Trial, Tried
from autograder.diagnosis.sizes import all_sizes
from autograder.grading.calls import Calling, bytes_of
from autograder.grading.expectations import own_copy
from autograder.grading.judging import Judged
from autograder.grading.names import reached
from autograder.loading.solutions import References
from autograder.model.check import Tolerance
from autograder.model.exercise import Exercise
from autograder.model.outcome import Listed, NotCalled, Outcome, Raised, Returned, Value
from autograder.numeric.compare import Difference, numbers_of, same

#: At most so many earlier functions are tried in all combinations.
_MOST_REPLACED = 3
#: Bytes of an answer that the references go on with, beside so many times those that it was asked for: what is
#: larger they would multiply with itself.
_MOST_BYTES, _MOST_TIMES = 5 << 10, 16
#: At most so many calls of earlier functions have a fresh process each.
_MOST_APART = 24
#: Calls that are rerun once more to see whether the earlier functions repeat themselves.
_REPEATED = 3


class _Stopped(Exception):
    """The student's function did not return inside the rerun; carries how."""

    def __init__(self, outcome: Outcome) -> None:
        super().__init__(type(outcome).__name__)
        self.outcome = outcome


@dataclass(frozen=True, slots=True)
class Inherited:
    """Which checks of an exercise pass by follow-through, and from which exercises."""

    checks: frozenset[str] = frozenset()
    sources: tuple[str, ...] = ()
    #: Whether it has a fault of its own too; None if that cannot be told until the sources are right: a right
    #: build has no answer on what they hand on, or another one each time.
    own_fault_too: bool | None = False
    #: True where it cannot be seen, since there are no references to run again.
    seen_at_grading: bool = False


def faulty_used(
    exercise: Exercise, exercises: Mapping[str, Exercise], faulty: Sequence[str]
) -> tuple[str, ...]:
    """The ids of the faulty exercises that this one rests on, directly or through others, in course order."""
    seen = reached(exercise.uses, {name: other.uses for name, other in exercises.items()})
    return tuple(name for name in faulty if name in seen and name in exercises)


class SeenAtGrading:
    """Stands for follow-through in a student's kit: it says on what an exercise rests, and gives no marks for it."""

    def __init__(self, exercises: Mapping[str, Exercise]) -> None:
        self._exercises = exercises

    def of(self, judged: Judged, faulty: Sequence[str]) -> Inherited:
        """The faulty exercises that this one rests on, if it lost a check that may be inherited."""
        used = faulty_used(judged.exercise, self._exercises, faulty)
        if not used or not any(_may_be_inherited(verdict) for verdict in judged.verdicts.values()):
            return Inherited()
        return Inherited(frozenset(), used, own_fault_too=None, seen_at_grading=True)


class FollowThrough:
    """Decides follow-through for one submission."""

    def __init__(
        self,
        references: References,
        session: Calling,
        exercises: Mapping[str, Exercise],
        tolerance: Tolerance,
        *,
        afresh: Callable[[], None] = lambda: None,
        names: Callable[[str, Sequence[str]], bool] = lambda function, others: True,
    ) -> None:
        """`afresh` has the session forget what it was called with before.

        `names` says whether a function of the submission names one of others, itself or through its helpers.
        """
        self._references = references
        self._names = names
        self._apart = 0
        #: How often functions of the submission were asked in place of references.
        self.asked = 0
        self._afresh = afresh
        self._session = session
        self._exercises = exercises
        self._tolerance = tolerance

    def of(self, judged: Judged, faulty: Sequence[str]) -> Inherited:
        """What this exercise inherits from the faulty ones among those it uses."""
        used = faulty_used(judged.exercise, self._exercises, faulty)
        lost = [name for name, verdict in judged.verdicts.items() if _may_be_inherited(verdict)]
        if not used or not lost:
            return Inherited()
        untold = False
        for sources in _combinations(used):
            alike, against = self._compare(judged, lost, sources)
            if alike and _has_evidence(judged, alike):
                if not self._holds_apart(judged, sorted(alike), sources):
                    untold = True  # what they hand on depends on what was called before
                    continue
                if len(alike) == len(lost):
                    return Inherited(alike, sources, own_fault_too=False)
                own = against and self._repeats(judged, lost, used)
                return Inherited(alike, sources, own_fault_too=own or None)
            # Fewer sources than there are may leave a build that is stopped: that says nothing of the student's.
            untold = untold or len(alike) == len(lost) or (sources == used and not against)
        if untold or not self._repeats(judged, lost, used):
            return Inherited(frozenset(), used, own_fault_too=None)
        return Inherited(frozenset(), used, own_fault_too=True)

    def _holds_apart(self, judged: Judged, alike: Sequence[str], sources: tuple[str, ...]) -> bool:
        """Whether the rerun gives the same where no call of a source can know of another: each in a fresh process."""
        largest = _largest(judged, alike)
        pair = _pair([tried for tried in largest if _is_drawn(judged, tried)] or largest)
        self._apart = _MOST_APART
        try:
            return not pair or _Rerun(self, judged.exercise, sources).agrees(pair) is True
        finally:
            self._apart = 0

    def _repeats(self, judged: Judged, lost: Sequence[str], sources: tuple[str, ...]) -> bool:
        """Whether the sources give once more what they gave, so that a difference is not their doing."""
        rerun = _Rerun(self, judged.exercise, sources)
        return rerun.repeats(_largest(judged, lost)[:_REPEATED], self._afresh)

    def _compare(
        self, judged: Judged, lost: Sequence[str], sources: tuple[str, ...]
    ) -> tuple[frozenset[str], bool]:
        """The lost checks on whose calls the student's outcomes equal the rerun's; whether some call is unlike it.

        Where the first failed check already differs, these sources explain nothing and no more is tried.
        """
        rerun = _Rerun(self, judged.exercise, sources)
        alike: set[str] = set()
        against = False
        for name in lost:
            agreed = rerun.agrees(_subjects(judged, name))
            if agreed:
                alike.add(name)
            elif agreed is False:
                against = True
                if not alike and judged.verdicts[name].status == "failed":
                    break
        return frozenset(alike), against

    def replaced(self, sources: Sequence[str]) -> Mapping[str, Callable[..., Any]]:
        """The references, with the sources' functions calling the student's own."""
        functions = [self._exercises[name].function for name in sources]
        return self._references.rebound({function: self._proxy(function) for function in functions})

    def _proxy(self, function: str) -> Callable[..., Any]:
        def proxy(*arguments: Any, **named: Any) -> Any:
            values = (*arguments, *named.values())
            self.asked += 1
            if self._apart:
                self._apart -= 1
                self._afresh()
            outcome = self._session.call(function, values)
            if not isinstance(outcome, Returned):
                raise _Stopped(outcome)
            if bytes_of(outcome.value) > _MOST_BYTES + _MOST_TIMES * sum(map(bytes_of, values)):
                raise _Stopped(NotCalled("function"))
            for index, changed in outcome.changed.items():
                if isinstance(values[index], np.ndarray) and np.shape(changed) == values[index].shape:  # type: ignore[arg-type]
                    values[index][...] = changed
            return _as_seen(outcome.value)

        return proxy

    def names(self, function: str, sources: Sequence[str]) -> bool:
        """Whether the student's function names one of the sources' functions."""
        return self._names(function, [self._exercises[source].function for source in sources])

    @property
    def tolerance(self) -> Tolerance:
        """How near two of the student's own values must be."""
        return self._tolerance


class _Rerun:
    """Outcomes of one exercise's reference on the student's own earlier functions, trial by trial."""

    def __init__(self, owner: FollowThrough, exercise: Exercise, sources: tuple[str, ...]) -> None:
        self._owner, self._sources = owner, sources
        self._functions = owner.replaced(sources)
        self._exercise = exercise
        self._tolerance = owner.tolerance
        self._known: dict[Trial, Outcome] = {}
        #: The trials on which the reference asks one of the sources.
        self._asking: set[Trial] = set()

    def agrees(self, subjects: Sequence[Tried]) -> bool | None:
        """Whether the student's outcome equals the rerun's on each of these trials; None if that cannot be told."""
        told = True
        for tried in subjects:
            agreed = self._agree(tried)
            if agreed is False:
                return False
            told = told and agreed is not None
        return True if told and subjects else None

    def repeats(self, subjects: Sequence[Tried], afresh: Callable[[], None]) -> bool:
        """Whether the rerun gives the same once more, whatever was called before.

        An earlier function that is random, or remembers, tells nothing of a function that uses it.
        """
        for tried in subjects:
            self._outcome(tried.trial)
        for tried in subjects:
            afresh()
            first = Tried(tried.trial, self._outcome(tried.trial), None)
            outputs = Tried.of(first.trial, first.outcome, self._exercise.outputs).outputs
            again = _Rerun(self._owner, self._exercise, self._sources)
            if again.agrees((Tried(first.trial, first.outcome, outputs),)) is False:
                return False
        return True

    def _agree(self, tried: Tried) -> bool | None:
        outcome = self._outcome(tried.trial)
        if not isinstance(outcome, Returned):
            # What the earlier function hands on stops a right build: where and whether is a matter of taste.
            both = isinstance(tried.outcome, Raised) and isinstance(outcome, Raised)
            return True if both and not (_is_unwritten(tried.outcome) or _is_unwritten(outcome)) else None
        other = Tried.of(tried.trial, outcome, self._exercise.outputs)
        if not isinstance(other.outputs, Mapping):
            return None
        if isinstance(tried.outcome, Returned) and isinstance(tried.outputs, Mapping):
            names = self._exercise.outputs
            values = all(same(tried.outputs[n], other.outputs[n], self._tolerance) for n in names)
            if values and set(tried.outcome.changed) == set(outcome.changed):
                return True
        # A right build goes through with what has another shape than it should, or an assert of its own stops it.
        own_assert = isinstance(tried.outcome, Raised) and tried.outcome.type_name == "AssertionError"
        if own_assert or not self._is_shaped(other):
            return None
        return None if self._may_be_stopped(tried, other) else False

    def _may_be_stopped(self, tried: Tried, other: Tried) -> bool:
        """Whether the student's function may have asked a source, and stopped at it, where the rerun asks none."""
        if tried.trial in self._asking or not self._owner.names(self._exercise.function, self._sources):
            return False
        return isinstance(tried.outcome, Raised) or _shapes(tried.outputs) != _shapes(other.outputs)

    def _is_shaped(self, tried: Tried) -> bool:
        """Whether the outputs have the shapes that the exercise asks for, as far as their sizes are known."""
        assert isinstance(tried.outputs, Mapping)
        sizes = all_sizes(self._exercise, tried.trial.arguments)
        for name, output in self._exercise.returns.items():
            wanted = tuple(
                sizes.get(size, -1) if isinstance(size, str) else size for size in output.shape or ()
            )
            actual = numbers_of(tried.outputs[name])
            if -1 not in wanted and actual is not None and actual.shape != wanted:
                return False
        return True

    def _outcome(self, trial: Trial) -> Outcome:
        if trial not in self._known:
            before = self._owner.asked
            self._known[trial] = self._run(trial)
            if self._owner.asked > before:
                self._asking.add(trial)
        return self._known[trial]

    def _run(self, trial: Trial) -> Outcome:
        own = own_copy(trial.arguments)
        before = [_bytes(value) for value in own.values()]
        try:
            with np.errstate(all="ignore"), warnings.catch_warnings(action="ignore"):
                value = self._functions[self._exercise.function](**own)
        except _Stopped as stopped:
            return stopped.outcome
        except Exception as error:  # a wrong shape handed on by the student's function, for instance
            return Raised(type(error).__name__, str(error))
        after = [_bytes(value) for value in own.values()]
        changed: dict[int, Value] = {
            i: None for i, (a, b) in enumerate(zip(before, after, strict=True)) if a != b
        }
        return Returned(value, changed)


def _is_unwritten(outcome: Outcome) -> bool:
    return isinstance(outcome, Raised) and outcome.type_name == "NotImplementedError"


def _shapes(outputs: Mapping[str, Value] | Difference | None) -> list[tuple[int, ...] | None]:
    """The shapes of outputs; None for what is no array of numbers, and no shapes where there are no outputs."""
    arrays = [numbers_of(value) for value in outputs.values()] if isinstance(outputs, Mapping) else []
    return [array.shape if array is not None else None for array in arrays]


def _bytes(value: Any) -> bytes | None:
    return value.tobytes() if isinstance(value, np.ndarray) else None


def _as_seen(value: Value) -> Any:
    """A returned value as a caller in the same process would see it."""
    if isinstance(value, Listed):
        return value.array
    return value


def _combinations(used: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    """All the faulty functions first, then fewer: a later function may hold its own copy of an earlier one."""
    few = used[-_MOST_REPLACED:]
    yield used
    for size in range(min(len(few), len(used) - 1), 0, -1):
        for chosen in combinations(few, size):
            if chosen != used:
                yield chosen


def _may_be_inherited(verdict: Verdict) -> bool:
    return verdict.status in ("failed", "raised")


def _is_value(judged: Judged, name: str) -> bool:
    return any(check.name == name and check.kind == "value" for check in judged.exercise.checks)


def _subjects(judged: Judged, name: str) -> tuple[Tried, ...]:
    check = next(check for check in judged.exercise.checks if check.name == name)
    view = judged.view
    subjects = KINDS[check.kind].subjects(check, view)
    if KINDS[check.kind].needs_all:
        return subjects
    return tuple(tried for tried in subjects if tried.returned) or subjects


def _largest(judged: Judged, lost: Sequence[str]) -> tuple[Tried, ...]:
    """The subjects of the lost checks that came back with outputs, those with most entries first."""
    found = {id(tried.trial): tried for name in lost for tried in _subjects(judged, name)}
    usable = [tried for tried in found.values() if isinstance(tried.outputs, Mapping)]
    return tuple(sorted(usable, key=_entries, reverse=True))


def _pair(ordered: Sequence[Tried]) -> tuple[Tried, ...]:
    """The first two whose outputs have the same shapes, so that the shapes alone do not tell them apart."""
    for one, other in pairwise(ordered):
        if _shapes(one.outputs) == _shapes(other.outputs):
            return one, other
    return tuple(ordered[:2])


def _entries(tried: Tried) -> int:
    assert isinstance(tried.outputs, Mapping)
    arrays = [numbers_of(value) for value in tried.outputs.values()]
    return sum(array.size for array in arrays if array is not None)


def _has_evidence(judged: Judged, inherited: frozenset[str]) -> bool:
    """Whether values speak for a right build: some value check holds (by itself or inherited) on inputs that nobody
    knows beforehand, with outputs that are finite, not all alike, and not the same for other inputs. A stock answer
    earns nothing, nor does a table of those to the cases that are written out.
    """
    good = {name for name, verdict in judged.verdicts.items() if verdict.status == "passed"} | inherited
    speaking = [
        tried
        for name in good
        if _is_value(judged, name)
        for tried in _subjects(judged, name)
        if isinstance(tried.outputs, Mapping) and _is_drawn(judged, tried)
    ]
    return all(_speaks([_numbers(t.outputs[output]) for t in speaking]) for output in judged.exercise.outputs)  # type: ignore[index]


def _is_drawn(judged: Judged, tried: Tried) -> bool:
    return judged.exercise.cases[tried.trial.case].drawn


def _numbers(value: Value) -> np.ndarray[Any, Any] | None:
    array = numbers_of(value)
    return array if array is not None and array.dtype.kind in "biuf" and np.isfinite(array).all() else None


def _speaks(arrays: Sequence[np.ndarray[Any, Any] | None]) -> bool:
    usable = [array for array in arrays if array is not None]
    varied = any(array.size <= 1 or np.ptp(array) > 1e-9 for array in usable)
    pairs = list(combinations(usable[:12], 2))
    # Where inputs of one shape are among them, they must tell: a shape alone makes another answer for nobody.
    pairs = [(a, b) for a, b in pairs if a.shape == b.shape] or pairs
    differing = any(a.shape != b.shape or not np.allclose(a, b) for a, b in pairs)
    return varied and differing
