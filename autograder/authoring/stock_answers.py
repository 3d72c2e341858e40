"""Rules on answers that take no thought: the stub, zeros, an argument returned. None may earn marks."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from autograder.authoring.bench import Attempt, Bench, Function
from autograder.authoring.findings import Finding, at, error, warning
from autograder.authoring.reference_rules import told
from autograder.authoring.stubs import stub_file
from autograder.loading.assignment import Course
from autograder.model.place import Place

#: The share of the marks that a stock answer may earn.
ALLOWED = 0.1


def stub_functions(course: Course) -> tuple[Mapping[str, Any], tuple[Finding, ...]]:
    """The names that the students' file defines as it is shipped, and what keeps it from loading."""
    namespace: dict[str, Any] = {"__name__": "stubs"}
    try:
        exec(compile(stub_file(course), course.assignment.file, "exec", dont_inherit=True), namespace)
    except Exception as fault:
        message = f"the stubs of this assignment do not load: {told(fault)}"
        place = Place(course.config.file, 1, 1)
        return {}, (error("stub", place, message, "mend the texts and defaults that go into them"),)
    return namespace, ()


def stub_findings(bench: Bench, stubs: Mapping[str, Any]) -> Iterator[Finding]:
    """The stub is there, and every check says that it is not attempted."""
    exercise = bench.exercise
    if exercise.function not in stubs:
        return
    attempt = bench.attempt(stubs[exercise.function])
    wrong = [name for name, verdict in attempt.verdicts.items() if verdict.status != "not_attempted"]
    if wrong:
        status = attempt.verdicts[wrong[0]].status
        message = f"the stub should be `not_attempted`; the check {wrong[0]!r} says {status}"
        place = at(bench.course, exercise, ("function",))
        yield error("stub", place, message, "let the check look at a case that calls the function")


def stock_answers(bench: Bench) -> dict[str, Function]:
    """Functions that take no thought, by what they do; their results have the shapes of the reference's."""
    answers = {
        "zeros": _filled(bench, 0.0),
        "ones": _filled(bench, 1.0),
        "NaN": _filled(bench, np.nan),
    }
    for index, name in enumerate(bench.exercise.parameters):
        answers[f"{name} as it came"] = _argument(index, len(bench.exercise.outputs))
    return answers


def _filled(bench: Bench, number: float) -> Function:
    def answer(*arguments: Any) -> Any:
        values = bench.reference(*arguments)
        if isinstance(values, tuple):
            return tuple(np.full(np.shape(value), number) for value in values)
        return np.full(np.shape(values), number)

    return answer


def _argument(index: int, outputs: int) -> Function:
    def answer(*arguments: Any) -> Any:
        value = arguments[index] if index < len(arguments) else None
        return value if outputs == 1 else (value,) * outputs

    return answer


def stock_findings(benches: Sequence[Bench]) -> tuple[float, list[Finding]]:
    """The largest share of the marks that a stock answer earns, and findings on those that earn too much."""
    best = 0.0
    findings: list[Finding] = []
    for what in stock_answers(benches[0]):
        attempts = [bench.attempt(stock_answers(bench)[what]) for bench in benches]
        attempt = max(attempts, key=lambda attempt: attempt.share)
        best = max(best, attempt.share)
        findings += _earned(benches[0], what, attempt)
    return best, findings


def _earned(bench: Bench, what: str, attempt: Attempt) -> Iterator[Finding]:
    place = at(bench.course, bench.exercise, ("checks",), key=True)
    if attempt.status == "passed":
        message = f"the stock answer {what!r} passes every check"
        yield error("stock-answer", place, message, "add cases that tell it from the reference")
    elif attempt.share > ALLOWED:
        checks = ", ".join(attempt.passed)
        message = f"the stock answer {what!r} earns {attempt.share:.0%} of the marks, by {checks}"
        yield warning("stock-answer", place, message, "give these checks less weight, or other inputs")


# What no worker may make grading stumble over


#: Odd things that a submission may return in place of its outputs.
ODD_ANSWERS: Mapping[str, Any] = {
    "None": None,
    "a text": "text",
    "a number": 1.0,
    "True": True,
    "an empty array": np.zeros(0),
    "an array of no rows": np.zeros((0, 3)),
    "an array of three axes": np.ones((2, 3, 4)),
    "complex numbers": np.full((2, 3), 1j),
    "infinity": np.full((2, 3), np.inf),
    "a list of lists": [[1, 2], [3, 4]],
    "an empty tuple": (),
    "a tuple of texts": ("a", "b"),
    "an object": object(),
}


def odd_findings(bench: Bench) -> Iterator[Finding]:
    """No check becomes `broken`, whatever comes back: odd things, alone or in the place of each output."""
    blamed = set()
    for what, answer in _odd_answers(bench):
        attempt = bench.attempt(answer)
        for name in attempt.judged.faults:
            if name not in blamed:
                blamed.add(name)
                yield _broken(bench, name, what, attempt.fault(name))


def _odd_answers(bench: Bench) -> Iterator[tuple[str, Function]]:
    count = len(bench.exercise.outputs)
    for what, value in ODD_ANSWERS.items():
        yield what, _constant(value)
        if count > 1:
            yield f"{what} for each output", _constant((value,) * count)
    yield "one axis more", lambda *arguments: _widened(bench.reference(*arguments))


def _constant(value: Any) -> Function:
    return lambda *arguments: value


def _widened(value: Any) -> Any:
    """The right values with one axis more."""
    return tuple(map(_widened, value)) if isinstance(value, tuple) else np.asarray(value)[None]


def _broken(bench: Bench, name: str, what: str, fault: str) -> Finding:
    names = [check.name for check in bench.exercise.checks]
    place = at(bench.course, bench.exercise, ("checks", names.index(name)))
    message = f"the check {name!r} cannot be judged when {what} comes back: {fault}"
    return error("broken", place, message, "report this: a check must judge whatever comes back")
