"""From a verdict to what is said of it: the message and the evidence, with hidden cases kept hidden."""

from __future__ import annotations

import builtins
import re
from collections.abc import Mapping
from typing import Any

import numpy as np

from autograder.checks.builtin import Verdict, unwritten_helper
from autograder.checks.trial import Mismatch, Tried, View
from autograder.grading.pictures import arrays_of
from autograder.model.check import CheckBase, ValueCheck
from autograder.model.exercise import Exercise, Feedback
from autograder.model.limits import Limits
from autograder.model.outcome import Died, Listed, NoFunction, NotCalled, Raised, Returned, Value
from autograder.model.submission import Submission
from autograder.numeric.compare import Expected, numbers_of
from autograder.wording.say import has_text, number, pair, place, say, where

_MESSAGE_CHARS = 300
_HIDDEN_FAMILIES = ("value.differs", "value.not_finite")
#: What a mismatch says that holds no number and no text of the case.
_HARMLESS = ("argument", "arguments", "outputs", "values", "limit")
#: Exceptions whose names are nobody's to choose.
_KNOWN_EXCEPTIONS = frozenset(
    {*dir(builtins), *dir(np.exceptions), "LinAlgError", "UFuncTypeError", "_ArrayMemoryError"}
)


class Speaker:
    """Says what is to be said of one exercise of one submission. Holds what the sentences need, no verdicts."""

    def __init__(
        self, exercise: Exercise, submission: Submission, limits: Limits, feedback: Feedback
    ) -> None:
        self.exercise = exercise
        self.submission = submission
        self.limits = limits
        self.feedback = feedback

    def of_verdict(self, check: CheckBase, verdict: Verdict, view: View) -> tuple[str, dict[str, Any]]:
        """The message and the evidence of a check."""
        if verdict.stopped is not None:
            return self.of_stop(verdict.stopped)
        if verdict.mismatches:
            return self._of_mismatches(check, verdict, view)
        return _of_success(check, view)

    def of_stop(self, tried: Tried) -> tuple[str, dict[str, Any]]:
        """What is said of a call that did not return."""
        what, evidence = self._stop(tried)
        if tried.trial.hidden:
            if self.feedback.hidden_checks != "count":
                return self._of_silence(evidence["code"])
            return say("hidden.stopped", {"what": what}), evidence
        return what, evidence | {"case": tried.trial.case, "draw": tried.trial.draw}

    def _stop(self, tried: Tried) -> tuple[str, dict[str, Any]]:
        function, outcome, hidden = self.exercise.function, tried.outcome, tried.trial.hidden
        match outcome:
            case Raised():
                helper = unwritten_helper(outcome, function)
                if helper is not None:
                    return self._unwritten(outcome, helper, hidden=hidden)
                return self._raised(outcome, hidden=hidden)
            case Died(how=how, detail=detail, seconds=seconds):
                params = {
                    "function": function,
                    "detail": detail,
                    "seconds": number(seconds if seconds is not None else self.limits.call_seconds),
                    "memory_mb": self.limits.memory_mb,
                }
                code = f"stopped.{how}"
                if hidden and how in ("exited", "killed"):  # the number may have been made of a hidden input
                    return say(f"{code}.hidden", params), {"code": code}
                return say(code, params), {"code": code, "detail": detail}
            case NoFunction(found=None):
                return say("stopped.no_function", {"function": function}), {"code": "stopped.no_function"}
            case NoFunction(found=str(found)):
                params = {
                    "function": function,
                    "found": self._told(found, say("told.something"), hidden=hidden),
                }
                return say("stopped.not_callable", params), {"code": "stopped.not_callable"} | params
            case NotCalled(reason=reason):
                params = {"function": function, "seconds": number(self.limits.submission_seconds)}
                return say(f"stopped.{reason}", params), {"code": f"stopped.{reason}"}
        raise AssertionError("a returned call has not stopped")

    def _raised(self, raised: Raised, *, hidden: bool) -> tuple[str, dict[str, Any]]:
        type_name = self._told(raised.type_name, say("told.exception"), hidden=hidden)
        # A line that the file has not got is a number of the submission's own making.
        line = raised.line if self.submission.line(raised.line) is not None else None
        evidence: dict[str, Any] = {"code": "stopped.raised", "type": type_name, "line": line}
        message = "" if hidden else shortened(raised.message)
        what = say(
            "stopped.raised" if message else "stopped.raised.bare", {"type": type_name, "message": message}
        )
        if not hidden:
            evidence |= {"message": message, "function": raised.function}
            evidence |= {"shapes": {name: list(shape) for name, shape in raised.shapes.items()}}
        source = shortened(self.submission.line(line) or "")
        if source and line is not None:
            evidence["source"] = source
            what = say("stopped.at_line", {"what": what, "where": where(line), "source": source})
        return what, evidence

    def _unwritten(self, raised: Raised, helper: str, *, hidden: bool) -> tuple[str, dict[str, Any]]:
        """The function is begun, and calls one that is not."""
        params = {
            "function": self.exercise.function,
            "helper": self._told(helper, say("told.function"), hidden=hidden),
        }
        return say("stopped.unwritten", params), {"code": "stopped.unwritten", "line": raised.line, **params}

    def _told(self, name: str, instead: str, *, hidden: bool) -> str:
        """A name of the submission's, unless it may have been made of a hidden case: then another word."""
        if not hidden or name in _KNOWN_EXCEPTIONS:
            return name
        source = self.submission.source.decode("utf-8", "replace")
        written = name.isidentifier() and re.search(rf"\b{re.escape(name)}\b", source) is not None
        return name if written else instead

    def _of_silence(self, code: str) -> tuple[str, dict[str, Any]]:
        """What is said of a hidden case when it is not even told how many draws fail."""
        if self.feedback.hidden_checks == "none":
            return say("hidden.silent"), {}
        return say("hidden.named"), {"code": code}

    def _of_mismatches(self, check: CheckBase, verdict: Verdict, view: View) -> tuple[str, dict[str, Any]]:
        first = min(verdict.mismatches, key=lambda mismatch: mismatch.trial.hidden)
        failed = len({mismatch.trial for mismatch in verdict.mismatches})
        counts = {"failed": failed, "draws": max(verdict.looked_at, failed)}
        if first.trial.hidden:
            return self._of_hidden(first, counts)
        evidence = {"code": first.code, "case": first.trial.case, "draw": first.trial.draw, **counts}
        evidence |= {"output": first.output, **first.params, **arrays_of(check, view, first)}
        text = sentence(first)
        if first.output is not None and len(self.exercise.outputs) > 1:
            text = f"{first.output}: {text}"
        return text, evidence

    def _of_hidden(self, first: Mismatch, counts: Mapping[str, int]) -> tuple[str, dict[str, Any]]:
        """Of a hidden case neither inputs nor numbers: the kind of fault and how many draws."""
        evidence: dict[str, Any] = {"code": first.code, "output": first.output, **counts}
        if self.feedback.hidden_checks != "count":
            return self._of_silence(first.code)
        if first.code in _HIDDEN_FAMILIES:
            return say("hidden.differs" if counts["draws"] > 1 else "hidden.differs.one", counts), evidence
        words = {name: value for name, value in first.params.items() if name in _HARMLESS}
        words |= {"output": first.output or self.exercise.outputs[0], "expected": len(self.exercise.outputs)}
        return say(_hidden_code(first.code), words), evidence


def _hidden_code(code: str) -> str:
    """The code of what may be said on a hidden case: its hidden text, or a text that shows no number at all."""
    return code + ".hidden" if has_text(code + ".hidden") else code


def sentence(mismatch: Mismatch) -> str:
    """What is said of a mismatch on a case that may be shown."""
    params: dict[str, Any] = {"output": mismatch.output, **mismatch.params}
    code = mismatch.code
    if code in _HIDDEN_FAMILIES:
        return _values_sentence(code, params)
    if code in ("value.kind", "value.count"):
        code = _kind_code(params) if code == "value.kind" else code
        params["actual"] = _came(params["actual"])
    if "index" in params:
        params["index"] = place(params["index"])
    return say(code, params)


def _kind_code(params: Mapping[str, Any]) -> str:
    if params["actual"] in ("coroutine", "generator"):
        return f"value.kind.{params['actual']}"
    return "value.kind" if params.get("shape") else "value.kind.number"


#: What `kind_of` says itself; any other word is the name of a type, which may be the submission's.
_CAME = ("text", "one array", "one number")


def _came(kind: str) -> str:
    """What came back, as `kind_of` names it, in the language that is spoken."""
    sized = re.fullmatch(r"a (tuple|list) of (\d+)", kind)
    if sized:
        return say(f"came.{sized[1]}", {"count": sized[2]})
    return say(f"came.{kind.replace(' ', '_')}") if kind in _CAME else kind


def _values_sentence(code: str, params: dict[str, Any]) -> str:
    shown = params["shown"][0]
    actual, expected = pair(shown["actual"], shown["expected"], params.get("printed_digits"))
    words = params | {"actual": actual, "expected": expected}
    if not shown["index"]:
        return say(f"{code}.one", words)
    return say(code, words | {"at": place(shown["index"])})


def _of_success(check: CheckBase, view: View) -> tuple[str, dict[str, Any]]:
    """Nothing, or for a case of the page the figures that it prints, as they came out."""
    if not isinstance(check, ValueCheck):
        return "", {}
    case = view.exercise.cases[check.value]
    if case.hidden or not case.expect:
        return "", {}
    tried = view.of_case(check.value)[0]
    if not isinstance(tried.outputs, Mapping):
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
    actual, digits = actual.real, expected.digits
    if actual.ndim < 2 or (digits >= 0).all():
        return f"{name} = {_entries(actual.tolist(), digits.tolist())}"
    rows = [row for row in np.ndindex(actual.shape[:-1]) if (digits[row] >= 0).any()]
    return ", ".join(
        f"{name}{place(row)} = {_entries(actual[row].tolist(), digits[row].tolist())}" for row in rows
    )


def _entries(actual: Any, digits: Any) -> str:
    if isinstance(actual, list):
        return "[" + ", ".join(map(_entries, actual, digits)) + "]"
    return "…" if digits < 0 else f"{float(actual) + 0.0:.{digits}f}"


def shortened(text: str, limit: int = _MESSAGE_CHARS) -> str:
    """A text of the submission's on one line, cut with a mark."""
    flat = " ".join(text[: 4 * limit].split())
    return flat if len(flat) <= limit else flat[: limit - 1] + "…"


def habit_notes(tried: tuple[Tried, ...]) -> tuple[str, ...]:
    """Words on habits that cost nothing: lists, np.matrix, float32."""
    values = [t.outcome.value for t in tried if isinstance(t.outcome, Returned)]
    parts = [part for value in values if isinstance(value, tuple | list) for part in value]
    habits = {_habit(value) for value in [*values, *parts]}
    return tuple(say(f"note.{habit}") for habit in ("list", "matrix", "float32") if habit in habits)


def _habit(value: Value) -> str:
    if isinstance(value, np.ndarray):
        return "float32" if value.dtype == np.float32 else ""
    if isinstance(value, Listed):
        return value.was
    return "list" if isinstance(value, list) else ""
