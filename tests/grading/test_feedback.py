"""What is said: of a case that may be shown index, actual and expected; of a hidden one no number at all."""

import json
import re

import numpy as np
import pytest

from autograder.grading.feedback import Speaker, figures, habit_notes, sentence, shortened
from autograder.model.check import Tolerance
from autograder.model.exercise import Feedback
from autograder.model.limits import Limits
from autograder.model.outcome import Died, NoFunction, NotCalled, Raised
from autograder.numeric.compare import Expected
from autograder.wording.say import pair, say
from tests.grading.in_process import Functions, exercise, judged, softmax, submission

CHECKS = (
    {"value": "drawn"},
    {"invariant": "rows_sum_to_one", "of": "A", "id": "sums"},
    {"invariant": "not_negative", "of": "A", "id": "signs"},
    {"invariant": "finite", "of": "A", "id": "finite"},
    {"invariant": "nearly_zero", "of": "A", "limit": 1e-9, "id": "zero"},
    {"invariant": "within_range_of", "of": "A", "values": "S", "id": "range"},
    {"invariant": "plain_average_of", "of": "A", "values": "S", "id": "average"},
    {"invariant": "rows_have_mean_zero", "of": "A", "id": "mean"},
    {"invariant": "rows_have_deviation_one", "of": "A", "limit": 1e-3, "id": "deviation"},
    {"relation": "unchanged_when_rows_shift", "shift": "S", "on": "drawn", "id": "shift"},
    {"leaves_arguments_alone": True, "id": "arguments"},
    {"same_answer": "twice", "id": "twice"},
    {"same_answer": "after_other_calls", "id": "after"},
)
SOURCE = """
class Mine(Exception):
    pass

def helper(S):
    raise NotImplementedError(str(S))

def softmax(S):
    return BODY
"""


def asked(hidden):
    return exercise(
        cases={"drawn": {"given": {"S": {"normal": ("n", "m")}}, "draws": 3, "hidden": hidden}}, checks=CHECKS
    )


def said(answer, *, hidden=False, feedback=None, source=SOURCE):
    """(message, evidence) of every check that does not pass, by name, and the judged exercise."""
    ask = asked(hidden)
    result = judged(ask, answer)
    speaker = Speaker(ask, submission(source), Limits(), feedback or Feedback())
    words = {
        check.name: speaker.of_verdict(check, result.verdicts[check.name], result.view)
        for check in ask.checks
        if result.verdicts[check.name].status != "passed"
    }
    return words, result


def quotes(S):
    raise ValueError(f"bad input {S!r}")


def quotes_in_its_type(S):
    raise type(repr(S.ravel()[:3]), (Exception,), {})()


class Odd:
    """An instance whose type is named after the input."""


ANSWERS = {
    "wrong values": lambda S: softmax(S) * 1.5,
    "negative": lambda S: -S,
    "not finite": lambda S: S * np.nan,
    "infinite": lambda S: S * np.inf,
    "columns": lambda S: softmax(S.T).T,
    "whole": lambda S: np.exp(S) / np.exp(S).sum(),
    "transposed": lambda S: S.T,
    "another shape": lambda S: S[None],
    "one number": lambda S: float(S[0, 0]),
    "a text of the input": str,
    "nothing": lambda S: None,
    "a tuple of one": lambda S: (S,),
    "several": lambda S: (S, S),
    "a type named after the input": lambda S: type(repr(S.ravel()[:3]), (), {})(),
    "complex": lambda S: S + 1j,
    "an exception that quotes": quotes,
    "an exception named after the input": quotes_in_its_type,
    "random": lambda S: S + np.random.default_rng().normal(size=S.shape),
    "changed": lambda S: S.__iadd__(1),
    "a generator": lambda S: (s for s in S),
}


def numbers_in(text):
    return re.findall(r"\d+", text)


# Hidden cases


@pytest.mark.parametrize("what", ANSWERS)
def test_of_a_hidden_case_no_number_is_told_but_how_many_draws_differ(what):
    words, _ = said(ANSWERS[what], hidden=True)

    assert words
    for name, (message, evidence) in words.items():
        counts = {str(evidence[key]) for key in ("failed", "draws", "line") if evidence.get(key) is not None}
        text = message + json.dumps(evidence, allow_nan=False)
        assert message, name
        assert "." not in re.sub(r"[a-z_]\.[a-z_]", "", text), (name, text)
        assert set(numbers_in(re.sub(r"mean 0|to [01]|deviation 1|nearly 0", "", text))) <= counts, (
            name,
            text,
        )


@pytest.mark.parametrize("what", ANSWERS)
@pytest.mark.parametrize("setting", ["name", "none"])
def test_where_hidden_checks_are_not_counted_nothing_but_the_kind_of_fault_is_told(what, setting):
    words, _ = said(ANSWERS[what], hidden=True, feedback=Feedback(hidden_checks=setting))

    for message, evidence in words.values():
        assert not numbers_in(message)
        assert set(evidence) <= ({"code"} if setting == "name" else set())


@pytest.mark.parametrize(
    "outcome",
    [
        Raised("ValueError", "of 0.1234", 4, "softmax", (("softmax", 4),), {"S": (37, 41)}),
        Raised("x0.1234", "of 0.1234", 4, "softmax", (("softmax", 4),)),
        Raised("NotImplementedError", "0.1234", 4, "f0_1234", (("softmax", 4), ("f0_1234", 9))),
        NoFunction("array([0.1234])"),
    ],
)
def test_no_name_that_a_submission_made_of_a_hidden_input_is_repeated(outcome):
    words, _ = said(Functions({}, {"softmax": outcome}), hidden=True)

    for message, evidence in words.values():
        assert "1234" not in message + json.dumps(evidence)
        assert "37" not in message + json.dumps(evidence)


def test_an_exception_of_the_files_own_is_named_on_a_hidden_case_if_it_stands_in_the_file():
    for name, told in (
        ("Mine", "Mine"),
        ("LinAlgError", "LinAlgError"),
        ("Theirs", "an exception of the file's own"),
    ):
        words, _ = said(Functions({}, {"softmax": Raised(name, "")}), hidden=True)
        assert words["drawn"][0] == f"{told} on a hidden case"


def test_a_hidden_case_tells_the_line_that_raised_and_not_the_message():
    words, _ = said(Functions.of_source(SOURCE.replace("BODY", "S @ S['x']")), hidden=True, source=SOURCE)
    message, evidence = words["drawn"]

    assert message == "IndexError (line 9: return BODY) on a hidden case"
    assert "message" not in evidence


# Cases that may be shown


def test_a_visible_difference_tells_place_actual_and_expected():
    words, result = said(lambda S: softmax(S) + np.eye(*S.shape) * 0.25)
    message, evidence = words["drawn"]
    tried = result.tried[0]
    actual, expected = pair(float(tried.outputs["A"][0, 0]), float(softmax(tried.trial.arguments["S"])[0, 0]))
    size = tried.outputs["A"].size

    assert (
        message == f"{min(tried.outputs['A'].shape)} of {size} entries differ; [0, 0] is {actual}, "
        f"expected {expected}"
    )
    assert (evidence["code"], evidence["case"], evidence["draw"]) == ("value.differs", "drawn", 0)
    assert (evidence["failed"], evidence["draws"]) == (3, 3)
    assert evidence["shown"][0]["index"] == [0, 0]
    assert evidence["largest_difference"] == pytest.approx(0.25)


@pytest.mark.parametrize("what", ANSWERS)
def test_of_a_visible_case_everything_has_words_and_plain_evidence(what):
    words, _ = said(ANSWERS[what])

    assert words
    for name, (message, evidence) in words.items():
        assert message.strip(), name
        assert "None" not in message or what == "nothing"
        assert "{" not in message or what.startswith("an exception")
        json.dumps(evidence, allow_nan=False)


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        (lambda S: None, say("value.nothing", {"outputs": ["A"]})),
        (lambda S: (S,), say("value.tuple_for_one", {"output": "A"})),
        (lambda S: "x", "text came back; expected an array of shape (2, 3)"),
        (lambda S: 1.0, "shape (), expected (2, 3)"),
        (lambda S: S.T, "shape (3, 2), expected (2, 3): rows and columns have changed places"),
        (lambda S: (s for s in S), "a generator came back: `yield` makes no array"),
        (lambda S: S * np.nan, "6 of 6 entries are not finite; [0, 0] is nan, expected 0.3333"),
    ],
)
def test_what_came_back_is_told_in_numpys_order(answer, message):
    ask = exercise(cases={"drawn": {"given": {"S": [[0, 0, 0], [1, 1, 1]]}}})
    result = judged(ask, answer)
    speaker = Speaker(ask, submission(""), Limits(), Feedback())

    assert speaker.of_verdict(ask.checks[0], result.verdicts["drawn"], result.view)[0] == message


def test_of_several_outputs_the_one_that_differs_is_named():
    returns = {"O": {"shape": ("n", "m"), "about": "o"}, "A": {"shape": ("n", "m"), "about": "a"}}
    ask = exercise(returns=returns)
    from tests.grading.in_process import References

    result = judged(ask, lambda S: (S, S + 1), references=References(softmax=lambda S: (S, S)))
    speaker = Speaker(ask, submission(""), Limits(), Feedback())
    message, evidence = speaker.of_verdict(ask.checks[0], result.verdicts["drawn"], result.view)

    assert message.startswith("A: ")
    assert evidence["output"] == "A"


STOPS = [
    (Raised("ValueError", "no\nway", 9), "ValueError: no way (line 9: return BODY)"),
    (Raised("ValueError", "", None), "ValueError"),
    (Raised("ValueError", "no", 999), "ValueError: no"),
    (
        Raised("NotImplementedError", "", 6, "helper", (("softmax", 9), ("helper", 6))),
        "softmax calls helper, which is not written yet",
    ),
    (Died("timed_out", seconds=2.0), "softmax did not return within 2 s"),
    (Died("exited", "status 0"), "softmax ended its process (status 0)"),
    (Died("killed", "SIGSEGV"), "softmax ended its process by SIGSEGV"),
    (Died("memory"), "softmax needed more memory than the limit of 1024 MiB"),
    (
        Died("protocol", "junk"),
        "softmax wrote into the channel to the grader (junk); the call does not count",
    ),
    (NoFunction(), "there is no function softmax"),
    (NoFunction("float"), "softmax is float, not a function"),
]


@pytest.mark.parametrize(("outcome", "message"), STOPS)
def test_a_call_that_did_not_return_is_told_with_what_stopped_it(outcome, message):
    words, _ = said(Functions({}, {"softmax": outcome}))

    assert words["drawn"][0] == message
    assert words["drawn"][1]["code"].startswith("stopped.")


@pytest.mark.parametrize("reason", ["function", "deaths", "time"])
def test_a_call_that_was_not_made_is_told_with_the_reason(reason):
    words, _ = said(Functions({}, {"softmax": NotCalled(reason)}))

    assert words["drawn"][0].startswith("not called: ")


def test_a_long_message_and_a_long_line_are_cut_with_a_mark():
    long = "x = " + "1+" * 5000 + "1"
    words, _ = said(Functions({}, {"softmax": Raised("ValueError", "m" * 5000, 1)}), source=long)
    message, evidence = words["drawn"]

    assert len(message) < 700
    assert evidence["message"].endswith("…")
    assert len(shortened("a" * 301)) == 300


def test_a_visible_mismatch_is_shown_before_a_hidden_one():
    cases = {
        "hidden": {"given": {"S": {"normal": ("n", "m")}}, "hidden": True},
        "shown": {"given": {"S": [[0, 0, 0], [1, 1, 1]]}},
    }
    ask = exercise(cases=cases, checks=({"value": "shown"}, {"invariant": "finite", "of": "A", "id": "f"}))
    result = judged(ask, lambda S: S * np.nan)
    speaker = Speaker(ask, submission(""), Limits(), Feedback())
    message, evidence = speaker.of_verdict(ask.checks[1], result.verdicts["f"], result.view)

    assert evidence["case"] == "shown"
    assert message == "entry [0, 0] is nan; every entry must be finite"


# Figures of the page, when a check passes

T = Tolerance()


@pytest.mark.parametrize(
    ("array", "digits", "text"),
    [
        (3.0, 1, "A = 3.0"),
        ([0.074, 0.31], [2, 2], "A = [0.07, 0.31]"),
        ([[0.074, 0.31]], [[2, 2]], "A = [[0.07, 0.31]]"),
        ([[0.074, 0.31]], [[2, -1]], "A[0] = [0.07, …]"),
        ([[1.0, 2.0], [0.5, 0.25]], [[-1, -1], [2, 2]], "A[1] = [0.50, 0.25]"),
        ([[[1.0]], [[2.0]]], [[[-1]], [[1]]], "A[1, 0] = [2.0]"),
        ([[[1.0]], [[2.0]]], [[[0]], [[0]]], "A = [[[1]], [[2]]]"),
        ([[-0.0, 1.0]], [[1, 1]], "A = [[0.0, 1.0]]"),
        ([1.0, 2.0], [-1, -1], ""),
    ],
)
def test_printed_figures_come_out_as_the_page_prints_them(array, digits, text):
    expected = Expected(np.asarray(array), T, np.asarray(digits))

    assert figures("A", np.asarray(array), expected) == text
    assert figures("A", np.asarray(array).astype(complex), expected) == text


def test_habits_are_noted_once_and_cost_nothing():
    def notes(form):
        return habit_notes(judged(exercise(), lambda S: form(softmax(S))).tried)

    assert notes(np.asarray) == ()
    assert notes(lambda A: A.tolist()) == ("a list came back; numpy arrays are the custom",)
    assert [note.split()[0:3] for note in notes(np.matrix)] == [["an", "np.matrix", "came"]]
    assert notes(lambda A: A.astype(np.float32)) == ("float32 came back; float64 keeps more digits",)


def test_a_sentence_needs_nothing_but_its_mismatch():
    words, result = said(lambda S: softmax(S.T).T)
    first = result.verdicts["sums"].mismatches[0]

    assert sentence(first) == words["sums"][0]
    assert re.fullmatch(r"row 0 sums to [\d.]+; every column sums to 1", words["sums"][0])
