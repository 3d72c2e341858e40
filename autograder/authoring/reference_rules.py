"""Rules on the reference: it passes every check of its exercise, whatever is drawn; nothing is `broken`."""

from __future__ import annotations

import inspect
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from autograder.authoring.bench import Attempt, Bench, Function, reference_of, seed_parts
from autograder.authoring.findings import Finding, at, error
from autograder.checks.builtin import Verdict
from autograder.checks.trial import Mismatch, Trial
from autograder.errors import BrokenError
from autograder.grading.expectations import overlay
from autograder.grading.feedback import sentence
from autograder.grading.plan import draw_trials
from autograder.loading.assignment import Course
from autograder.loading.solutions import References
from autograder.model.check import CheckBase
from autograder.model.exercise import Exercise
from autograder.model.outcome import Raised
from autograder.model.place import Place
from autograder.numeric.compare import compare
from autograder.numeric.draw import Seed
from autograder.worker.inside import wire
from autograder.worker.replies import sendable


def function_place(references: References, function: str) -> Place:
    """Where a function of the author's is defined: file, line and column."""
    place = references.place(function)
    return Place(place.file, place.line, 1 if place.line is not None else None)


def signature_findings(course: Course, exercise: Exercise) -> Iterator[Finding]:
    """The reference takes the parameters that the exercise declares, in its order, with its defaults."""
    function = course.references.functions[exercise.function]
    place = function_place(course.references, exercise.function)
    yield from differing_signature(exercise, function, place, "reference")


def differing_signature(exercise: Exercise, function: Function, place: Place, what: str) -> Iterator[Finding]:
    """A finding if a function of the author's takes other parameters than the exercise declares."""
    declared = {name: parameter.default for name, parameter in exercise.parameters.items()}
    actual = {
        name: None if parameter.default is inspect.Parameter.empty else parameter.default
        for name, parameter in inspect.signature(function).parameters.items()
    }
    if list(actual.items()) != list(declared.items()):
        written = f"{function.__name__}{_plain(actual)}"
        message = f"the {what} is {written}, the exercise asks for {exercise.signature}"
        yield error(
            "signature", place, message, "give both the same parameters, in one order, with one default"
        )


def _plain(parameters: Mapping[str, object]) -> str:
    parts = [name if default is None else f"{name}={default!r}" for name, default in parameters.items()]
    return f"({', '.join(parts)})"


# Drawing


def drawing_findings(course: Course, exercise: Exercise, seed: int) -> Iterator[Finding]:
    """Why the inputs of an exercise cannot be drawn for a seed: the cases at fault, or the exercise."""
    blamed = False
    drawn_from = Seed(*seed_parts(course, seed), exercise.id)
    for name, case in exercise.cases.items():
        try:
            draw_trials(exercise, name, case, reference_of(course), drawn_from)
        except Exception as fault:
            blamed = True
            yield error("drawing", at(course, exercise, ("cases", name), key=True), *_undrawn(name, fault))
    if blamed:
        return
    try:
        Bench.draw(course, exercise, seed)
    except Exception as fault:
        message = f"the calls of its checks cannot be planned: {told(fault)}"
        remedy = "let relations name arguments that are arrays of numbers"
        yield error("drawing", at(course, exercise, ("checks",), key=True), message, remedy)


def _undrawn(name: str, fault: Exception) -> tuple[str, str]:
    message = f"the inputs of {name!r} cannot be drawn: {told(fault)}"
    if isinstance(fault, BrokenError):
        return message, fault.remedy or "mend the reference or the case"
    if isinstance(fault, KeyError):
        return message, "`reference` must name the function of an exercise of this assignment"
    return message, "widen `sizes`, or fix some of them in the case"


def told(fault: BaseException) -> str:
    """An exception of the author's code in a few words."""
    return f"{type(fault).__name__}: {fault}"


# Running


def reference_findings(benches: Sequence[Bench]) -> Iterator[Finding]:
    """The reference passes every check on every bench; its values are finite and as printed."""
    yield from _unsendable(benches[0])
    attempts = [bench.attempt(bench.reference) for bench in benches]
    wrong: dict[str, list[Finding]] = {}
    for bench, attempt in zip(benches, attempts, strict=True):
        for case, finding in _wrong_values(bench, attempt):
            wrong.setdefault(case, [finding])
    yield from (finding for findings in wrong.values() for finding in findings)
    for index, check in enumerate(benches[0].exercise.checks):
        yield from _failed_check(index, check, benches, attempts, wrong)


def is_written(bench: Bench) -> bool:
    """Whether the reference is more than a stub."""
    return bench.attempt(bench.reference).status != "not_attempted"


def not_written(bench: Bench) -> Finding:
    """The finding on a reference that is a stub."""
    place = function_place(bench.course.references, bench.exercise.function)
    return error("reference", place, "the reference is not written yet", "write it in place of the error")


def _unsendable(bench: Bench) -> Iterator[Finding]:
    """Arguments that no worker can be sent would stop the whole of grading."""
    for trial in bench.plan.draws:
        arguments = tuple(trial.arguments.values())
        try:
            wire.pack_call(1, bench.exercise.function, list(map(sendable, arguments)), traced=False)
        except (TypeError, ValueError) as fault:
            place = at(bench.course, bench.exercise, ("cases", trial.case), key=True)
            message = f"the inputs of {trial.case!r} cannot be sent to a worker: {fault}"
            yield error("drawing", place, message, "choose smaller numbers, or other inputs")


def _wrong_values(bench: Bench, attempt: Attempt) -> Iterator[tuple[str, Finding]]:
    """Cases on which the reference's values are not finite, or not what the case prints."""
    for tried in attempt.tried:
        if not isinstance(tried.outputs, Mapping):
            continue
        for output in bench.exercise.outputs:
            finding = _wrong_value(bench, tried.trial, output, np.asarray(tried.outputs[output]))
            if finding is not None:
                yield tried.trial.case, finding


def _wrong_value(bench: Bench, trial: Trial, output: str, actual: NDArray[Any]) -> Finding | None:
    exercise, case = bench.exercise, bench.exercise.cases[trial.case]
    if actual.dtype.kind in "fc" and not np.isfinite(actual).all():
        place = at(bench.course, exercise, ("cases", trial.case), key=True)
        message = f"on {trial.case!r} the reference gives {output} with values that are not finite"
        return error("finite", place, message, "mend the reference, or choose other inputs")
    if output not in case.expect:
        return None
    place = at(bench.course, exercise, ("cases", trial.case, "expect", output))
    try:
        difference = compare(actual, overlay(actual, case, output, bench.expected.tolerance))
    except ValueError as fault:
        return error(
            "figures", place, f"{output}: {fault}", "print as many figures, with null for those unknown"
        )
    if difference is None:
        return None
    said = sentence(Mismatch(difference.code, difference.params, trial, output))
    message = f"the reference disagrees with the printed figures of {output}: {said}"
    return error("figures", place, message, "mend the figures, `printed_digits`, or the reference")


def _failed_check(
    index: int,
    check: CheckBase,
    benches: Sequence[Bench],
    attempts: Sequence[Attempt],
    known: Collection[str],
) -> Iterator[Finding]:
    """What is wrong with a check that the reference does not pass on every seed, but for known cases."""
    name: str = check.name  # type: ignore[attr-defined]
    failed = [attempt for attempt in attempts if attempt.verdicts[name].status != "passed"]
    if not failed or all(_only_on(known, attempt.verdicts[name]) for attempt in failed):
        return
    place = at(benches[0].course, benches[0].exercise, ("checks", index))
    often = f"on {len(failed)} of {len(attempts)} seeds"
    if fault := failed[0].fault(name):
        message = f"the check {name!r} cannot be judged {often}: {fault}"
        yield error("broken", place, message, "mend the check or the reference: grading would be `broken`")
        return
    message = f"the reference fails the check {name!r} {often}: {_reason(failed[0].verdicts[name])}"
    yield error("reference", place, message, "mend the reference, the case or the check")


def _only_on(cases: Collection[str], verdict: Verdict) -> bool:
    """Whether all that a check finds wrong is on these cases."""
    found = {mismatch.trial.case for mismatch in verdict.mismatches}
    return bool(found) and found <= set(cases)


def _reason(verdict: Verdict) -> str:
    if verdict.mismatches:
        first = verdict.mismatches[0]
        return f"case {first.trial.case!r}: {sentence(first)}"
    assert verdict.stopped is not None
    case, outcome = verdict.stopped.trial.case, verdict.stopped.outcome
    if isinstance(outcome, Raised):
        where = "" if outcome.line is None else f" (line {outcome.line} of the solutions)"
        return f"case {case!r}: {outcome.type_name}: {outcome.message}{where}"
    return f"case {case!r}: {verdict.status}"
