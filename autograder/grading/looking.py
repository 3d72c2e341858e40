"""What takes another call to see: the line that parts, the smallest input; and exceptions in plain words.

The session asked here has seen no hidden input, so what it says may be shown.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from autograder.diagnosis.exceptions import explain_exception
from autograder.diagnosis.returns import explain_return
from autograder.diagnosis.sample import Idea, Sample
from autograder.diagnosis.sizes import all_sizes
from autograder.grading.calls import Calling
from autograder.grading.judging import Judged
from autograder.grading.names import Definition
from autograder.grading.shrinking import find_smallest
from autograder.grading.tracing import find_parting
from autograder.loading.solutions import References
from autograder.model.check import Tolerance
from autograder.model.exercise import Exercise
from autograder.model.outcome import Raised
from autograder.model.submission import Submission


@dataclass(frozen=True, slots=True)
class Scene:
    """Where to look: the submission, a fresh session on it, the exercises, and what is known by now.

    `found` are the functions of the source. `references` is None in a kit, which has none. `passed` are the ids
    of exercises that passed.
    """

    submission: Submission
    found: Sequence[Definition]
    session: Calling
    exercises: Sequence[Exercise]
    references: References | None
    tolerance: Tolerance
    names: Sequence[str] = ()
    passed: Sequence[str] = ()
    thorough: bool = True
    #: Has the session forget what it was called with before.
    afresh: Callable[[], None] = lambda: None


def look(
    judged: Judged, samples: Sequence[Sample], scene: Scene, *, own_part: bool, untold: bool = False
) -> Iterator[Idea]:
    """Ideas from single calls. Without `own_part` the fault came with an earlier function: nothing is sought.

    `untold` is that nothing is known to be wrong but that function: then what came back may be its doing.
    """
    exercise = judged.exercise
    returned = None if untold else _return(exercise, samples)
    if returned is not None:
        yield returned
    if (stopped := _exception(exercise, samples, scene)) is not None:
        yield stopped
    if scene.references is None or not own_part or returned is not None or _unsteady(judged):
        return
    if any(isinstance(sample.outcome, Raised) is False and not sample.right for sample in samples):
        parting = find_parting(
            scene.session,
            exercise,
            samples,
            scene.references,
            scene.exercises,
            scene.found,
            scene.passed,
        )
        if parting is not None:
            yield parting
    smallest = find_smallest(
        scene.session,
        exercise,
        samples,
        scene.references,
        scene.exercises,
        scene.tolerance,
        thorough=scene.thorough,
        afresh=scene.afresh,
    )
    if smallest is not None:
        yield smallest


def _visible_first(samples: Sequence[Sample]) -> list[Sample]:
    return sorted(samples, key=lambda sample: sample.hidden)


def _return(exercise: Exercise, samples: Sequence[Sample]) -> Idea | None:
    found = (explain_return(sample, exercise) for sample in _visible_first(samples))
    return next((idea for idea in found if idea is not None), None)


def _exception(exercise: Exercise, samples: Sequence[Sample], scene: Scene) -> Idea | None:
    for sample in _visible_first(samples):
        if isinstance(sample.outcome, Raised):
            return explain_exception(
                sample.outcome,
                exercise,
                scene.submission.line(sample.outcome.line),
                hidden=sample.hidden,
                sizes=all_sizes(exercise, sample.arguments),
                known=scene.names,
            )
    return None


def _unsteady(judged: Judged) -> bool:
    """Whether answers vary by themselves: a single call then shows nothing."""
    return any(
        mismatch.code == "same_answer.twice"
        for verdict in judged.verdicts.values()
        for mismatch in verdict.mismatches
    )
