"""From a verdict to what is said of it: the message and the evidence, with hidden cases kept hidden."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from autograder.checks.builtin import Verdict
from autograder.checks.trial import Mismatch, Tried, View
from autograder.model.check import CheckBase, ValueCheck
from autograder.model.exercise import Exercise, Feedback
from autograder.model.limits import Limits
from autograder.model.outcome import Died, Listed, NoFunction, NotCalled, Raised, Returned
from autograder.model.submission import Submission
from autograder.numeric.compare import Expected, numbers_of
from autograder.wording.say import has_text, number, pair, place, say

_MESSAGE_CHARS = 300
_HIDDEN_FAMILIES = ("value.differs", "value.not_finite")


class Speaker:
    """Says what is to be said of one exercise of one submission. Holds what the sentences need, no verdicts."""

    def __init__(self, exercise: Exercise, submission: Submission, limits: Limits, feedback: Feedback) -> None:
        self.exercise = exercise
        self.submission = submission
        self.limits = limits
        self.feedback = feedback

    def of_verdict(self, check: CheckBase, verdict: Verdict, view: View) -> tuple[str, dict[str, Any]]:
        """The message and the evidence of a check."""
        if verdict.stopped is not None:
            return self.of_stop(verdict.stopped)
        if verdict.mismatches:
            return self._of_mismatches(verdict)
        return _of_success(check, view)

    def of_stop(self, tried: Tried) -> tuple[str, dict[str, Any]]:
        """What is said of a call that did not return."""
        what, evidence = self._stop(tried)
        if tried.trial.hidden:
            return say("hidden.stopped", {"what": what}), evidence
        return what, evidence | {"case": tried.trial.case, "draw": tried.trial.draw}

    def _stop(self, tried: Tried) -> tuple[str, dict[str, Any]]:
        function, outcome, hidden = self.exercise.function, tried.outcome, tried.trial.hidden
        match outcome:
            case Raised():
                return self._raised(outcome, hidden=hidden)
            case Died(how=how, detail=detail, seconds=seconds):
                params = {
                    "function": function,
                    "detail": detail,
                    "seconds": number(seconds if seconds is not None else self.limits.call_seconds),
                    "memory_mb": self.limits.memory_mb,
                }
                return say(f"stopped.{how}", params), {"code": f"stopped.{how}", "detail": detail}
            case NoFunction(found=None):
                return say("stopped.no_function", {"function": function}), {"code": "stopped.no_function"}
            case NoFunction(found=found):
                params = {"function": function, "found": found}
                return say("stopped.not_callable", params), {"code": "stopped.not_callable"} | params
            case NotCalled(reason=reason):
                params = {"function": function, "seconds": number(self.limits.submission_seconds)}
                return say(f"stopped.{reason}", params), {"code": f"stopped.{reason}"}
        raise AssertionError("a returned call has not stopped")

    def _raised(self, raised: Raised, *, hidden: bool) -> tuple[str, dict[str, Any]]:
        evidence: dict[str, Any] = {"code": "stopped.raised", "type": raised.type_name, "line": raised.line}
        message = "" if hidden else shortened(raised.message)
        what = say("stopped.raised" if message else "stopped.raised.bare", {"type": raised.type_name, "message": message})
        if not hidden:
            evidence |= {"message": message, "function": raised.function}
            evidence |= {"shapes": {name: list(shape) for name, shape in raised.shapes.items()}}
        source = self.submission.line(raised.line)
        if raised.line is not None and source is not None:
            evidence["source"] = source
            what = say("stopped.at_line", {"what": what, "line": raised.line, "source": source})
        return what, evidence

    def _of_mismatches(self, verdict: Verdict) -> tuple[str, dict[str, Any]]:
        first = min(verdict.mismatches, key=lambda mismatch: mismatch.trial.hidden)
        failed = len({mismatch.trial for mismatch in verdict.mismatches})
        counts = {"failed": failed, "draws": max(verdict.looked_at, failed)}
        if first.trial.hidden:
            return self._of_hidden(first, counts)
        evidence = {"code": first.code, "case": first.trial.case, "draw": first.trial.draw, **counts}
        evidence |= {"output": first.output, **first.params}
        text = sentence(first)
        if first.output is not None and len(self.exercise.outputs) > 1:
            text = f"{first.output}: {text}"
        return text, evidence

    def _of_hidden(self, first: Mismatch, counts: Mapping[str, int]) -> tuple[str, dict[str, Any]]:
        """Of a hidden case neither inputs nor numbers: the kind of fault and how many draws."""
        evidence: dict[str, Any] = {"code": first.code, "output": first.output, **counts}
        if self.feedback.hidden_checks == "none":
            return say("hidden.silent"), {}
        if self.feedback.hidden_checks == "name":
            return say("hidden.named"), {"code": first.code}
        if first.code in _HIDDEN_FAMILIES or not _hidden_code(first.code):
            return say("hidden.differs", counts), evidence
        words = {name: value for name, value in first.params.items() if not isinstance(value, float)}
        return say(_hidden_code(first.code), words | {"output": first.output}), evidence


def _hidden_code(code: str) -> str:
    """The code of what may be said on a hidden case: its hidden text, or a text that shows no number of it."""
    if has_text(code + ".hidden"):
        return code + ".hidden"
    return code if code.startswith(("shape.", "relation.", "arguments.", "same_answer.", "value.")) else ""


def sentence(mismatch: Mismatch) -> str:
    """What is said of a mismatch on a case that may be shown."""
    params: dict[str, Any] = {**mismatch.params, "output": mismatch.output}
    code = mismatch.code
    if code in _HIDDEN_FAMILIES:
        return _values_sentence(code, params)
    if code == "value.kind":
        code = _kind_code(params)
    if "index" in params:
        params["index"] = place(params["index"])
    return say(code, params)


def _kind_code(params: Mapping[str, Any]) -> str:
    if params["actual"] in ("coroutine", "generator"):
        return f"value.kind.{params['actual']}"
    return "value.kind" if params.get("shape") else "value.kind.number"


def _values_sentence(code: str, params: dict[str, Any]) -> str:
    shown = params["shown"][0]
    actual, expected = pair(shown["actual"], shown["expected"], params.get("printed_digits"))
    words = params | {"actual": actual, "expected": expected}
    if not shown["index"]:
        return say(f"{code}.one", words)
    return say(code, words | {"at": f"{place(shown['index'])} is"})


def _of_success(check: CheckBase, view: View) -> tuple[str, dict[str, Any]]:
    """Nothing, or for a case of the page the figures that it prints, as they came out."""
    if not isinstance(check, ValueCheck):
        return "", {}
    tried = view.of_case(check.value)[0]
    if tried.trial.hidden or not isinstance(tried.outputs, Mapping):
        return "", {}
    expected = view.expected(tried.trial, check.reference)
    parts = [
        text
        for name in check.of or view.exercise.outputs
        if (text := figures(name, numbers_of(tried.outputs[name]), expected[name]))
    ]
    return "; ".join(parts), {}


def figures(name: str, actual: Any, expected: Expected) -> str:
    """The printed entries as they came out, to the printed digits: A = [[0.07, 0.31, 0.62]]."""
    if expected.digits is None or actual is None or not (expected.digits >= 0).any():
        return ""
    if actual.ndim == 0:
        return f"{name} = {actual:.{int(expected.digits)}f}"
    if actual.ndim == 2 and not (expected.digits >= 0).all():
        rows = [row for row in range(len(actual)) if (expected.digits[row] >= 0).any()]
        return ", ".join(f"{name}[{row}] = {_row(actual[row], expected.digits[row])}" for row in rows)
    if actual.ndim == 1:
        return f"{name} = {_row(actual, expected.digits)}"
    rows_text = ", ".join(figures("", actual[i], Expected(expected.array[i], expected.tolerance, expected.digits[i]))[3:]
                          for i in range(len(actual)))
    return f"{name} = [{rows_text}]"


def _row(actual: Any, digits: Any) -> str:
    entries = ("…" if d < 0 else f"{float(a) + 0.0:.{int(d)}f}" for a, d in zip(actual, digits, strict=True))
    return "[" + ", ".join(entries) + "]"


def shortened(text: str, limit: int = _MESSAGE_CHARS) -> str:
    """A text of the submission's on one line, cut with a mark."""
    flat = " ".join(text.split())
    return flat if len(flat) <= limit else flat[: limit - 1] + "…"


def habit_notes(tried: tuple[Tried, ...]) -> tuple[str, ...]:
    """Words on habits that cost nothing: lists, np.matrix, float32."""
    notes = []
    values = [t.outcome.value for t in tried if isinstance(t.outcome, Returned)]
    flat = [part for value in values for part in (value if isinstance(value, tuple | list) else (value,))]
    if any(isinstance(part, Listed) and part.was == "list" or isinstance(part, list) for part in [*flat, *values]):
        notes.append(say("note.list"))
    if any(isinstance(part, Listed) and part.was == "matrix" for part in flat):
        notes.append(say("note.matrix"))
    if any(isinstance(part, np.ndarray) and part.dtype == np.float32 for part in flat):
        notes.append(say("note.float32"))
    return tuple(notes)
