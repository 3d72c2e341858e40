"""The texts: every code has one, every one is used, neutral and short, and fits its parameters."""

import ast
import re
import string
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from autograder.checks.invariants import INVARIANTS
from autograder.checks.relations import RELATIONS
from autograder.wording.english import TEXTS
from autograder.wording.say import has_text, in_words, number, pair, place, say

PACKAGE = Path(__file__).resolve().parents[1] / "autograder"
CODE = re.compile(r"[a-z]+(\.[a-z_]+)+")

#: Families whose last part comes from a table or from an outcome, by the part that stands in the source.
FAMILIES = {
    "relation.": set(RELATIONS),
    "same_answer.": {"twice", "after_other_calls"},
    "stopped.": {"timed_out", "exited", "killed", "memory", "protocol", "function", "deaths", "time"},
}


_MISMATCHES = ("value.", "shape.", "invariant.", "relation.", "arguments.", "same_answer.")
#: What may be put behind a code, and behind codes of which families.
ENDINGS = {
    "hidden": (*_MISMATCHES, "exception.", "stopped."),
    "one": ("value.",),
    "columns": ("invariant.",),
    "whole": ("invariant.",),
    "coroutine": ("value.kind",),
    "generator": ("value.kind",),
}


@cache
def trees():
    """The syntax trees of all modules but the catalogues."""
    paths = [path for path in PACKAGE.rglob("*.py") if not path.stem.startswith("english")]
    return {path: ast.parse(path.read_text(encoding="utf-8")) for path in paths}


@cache
def strings():
    """Every string constant of the source that is not a docstring, and every code that a template says."""
    found = set()
    for path in PACKAGE.rglob("*.jinja"):
        found.update(re.findall(r"'([a-z]+(?:\.[a-z_]+)+)'", path.read_text(encoding="utf-8")))
    for tree in trees().values():
        for node in ast.walk(tree):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                found.add(node.value)
    return frozenset(found)


def calls(*names):
    """(path, line, call) of every call of these functions."""
    for path, tree in trees().items():
        for node in ast.walk(tree):
            if (
                isinstance(node, ast.Call)
                and getattr(node.func, "id", getattr(node.func, "attr", None)) in names
            ):
                yield path, node.lineno, node


def literals(node):
    """The texts that an expression may be, as far as the source tells: constants, both arms of a choice."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node.value
    elif isinstance(node, ast.IfExp):
        yield from literals(node.body)
        yield from literals(node.orelse)


def spoken():
    """Every code that the source gives outright to what makes a sentence, a mismatch or a report of it."""
    for path, line, call in calls("say", "Difference", "Mismatch", "FileReport", "Idea"):
        for argument in call.args[:2]:
            for code in literals(argument):
                if CODE.fullmatch(code):
                    yield f"{path.relative_to(PACKAGE)}:{line}", code


# Codes and texts


def test_every_code_in_the_source_has_a_text():
    silent = {(where, code) for where, code in spoken() if not (has_text(code) or is_of_a_family(code))}

    assert not silent
    assert len(list(spoken())) > 40


def is_of_a_family(code):
    return any(code + "." == family for family in FAMILIES)


@pytest.mark.parametrize("family", FAMILIES)
def test_every_member_of_a_family_has_a_text(family):
    assert not [member for member in FAMILIES[family] if not has_text(family + member)]


def test_every_invariant_has_words_for_shown_and_for_hidden_cases():
    codes = {code for text in strings() if (code := text).startswith("invariant.") and CODE.fullmatch(text)}

    assert {code.split(".")[1] for code in codes} >= set(INVARIANTS) - {"heads_side_by_side_give"} - {""}
    for code in codes:
        assert has_text(code), code
        assert has_text(code + ".hidden"), code


def test_every_text_is_used():
    said = strings()
    beginnings = tuple(text for text in said if text.endswith((".", "_")) and CODE.fullmatch(text + "x"))

    def is_used(code):
        if code in said or code.startswith(beginnings):
            return True
        base, _, last = code.rpartition(".")
        return base.startswith(ENDINGS.get(last, ("nowhere",))) and is_used(base)

    assert not sorted(code for code in TEXTS if not is_used(code))


# Style


@pytest.mark.parametrize("code", TEXTS)
def test_a_text_is_neutral_short_and_on_one_line(code):
    text = TEXTS[code]

    assert not re.search(
        r"\b(you|your|just|simply|obviously|easy|easily|please|wrong!)\b", text, re.IGNORECASE
    )
    assert "!" not in text
    assert text == text.strip()
    assert "\n" not in text
    assert 1 < len(text) <= 140
    assert not text.endswith(".") or ". " in text


@pytest.mark.parametrize("code", TEXTS)
def test_a_text_has_named_places_alone(code):
    for _, field, form, conversion in string.Formatter().parse(TEXTS[code]):
        assert field is None or field.isidentifier()
        assert not form
        assert conversion is None


@pytest.mark.parametrize("code", [code for code in TEXTS if code.endswith(".hidden")])
def test_a_text_for_hidden_cases_names_no_number_of_the_case(code):
    fields = {field for _, field, _, _ in string.Formatter().parse(TEXTS[code]) if field}

    # `expected` is the number of outputs, which the exercise says itself.
    harmless = {"values", "outputs", "output", "argument", "arguments", "operator", "transpose", "function"}
    assert fields <= harmless | ({"expected"} if code == "value.count.hidden" else set())


def test_every_text_that_is_given_its_parameters_on_the_spot_gets_all_it_names():
    looked_at = 0
    for path, line, call in calls("say"):
        where = f"{path.relative_to(PACKAGE)}:{line}"
        codes = [code for code in literals(call.args[0]) if has_text(code)]
        given = call.args[1] if len(call.args) > 1 else ast.Dict([], [])
        if not codes or not isinstance(given, ast.Dict) or None in given.keys:
            continue
        keys = {key.value for key in given.keys if isinstance(key, ast.Constant)}
        for code in codes:
            fields = {field for _, field, _, _ in string.Formatter().parse(TEXTS[code]) if field}
            assert fields <= keys, (where, code)
            looked_at += 1
    assert looked_at > 15


# Numbers and names in sentences


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.0, "0"),
        (-0.0, "0"),
        (3.0, "3"),
        (0.30000000000000004, "0.3"),
        (1 / 3, "0.3333"),
        (1e-12, "1e-12"),
        (123456.0, "123456"),
        (1e300, "1e+300"),
        (float("nan"), "nan"),
        (float("-inf"), "-inf"),
        (True, "True"),
        (None, "None"),
        (7, "7"),
        ([2, 3], "(2, 3)"),
        ([2], "(2,)"),
        ([], "()"),
        (["O"], "O"),
        (["O", "A"], "O and A"),
        (["Q", "K", "V"], "Q, K and V"),
        ("text {with} braces", "text {with} braces"),
    ],
)
def test_parameters_are_put_in_words(value, text):
    assert in_words(value) == text


def test_braces_in_a_submissions_own_words_are_only_braces():
    assert say("stopped.raised", {"type": "ValueError", "message": "{0} {x.__class__} %s"}).endswith(
        "{0} {x.__class__} %s"
    )


@pytest.mark.parametrize(
    ("actual", "expected", "digits", "texts"),
    [
        (0.81, 0.09, None, ("0.81", "0.09")),
        (0.3333333, 0.3333334, None, ("0.3333333", "0.3333334")),
        (0.62, 0.31, 2, ("0.62", "0.31")),
        (0.3151, 0.31, 2, ("0.32", "0.31")),
        (0.3149, 0.31, 2, ("0.3149", "0.31")),
        ("nan", 0.5, None, ("nan", "0.5")),
        (1.0, 1.0, None, ("1", "1")),
    ],
)
def test_two_numbers_are_shown_with_as_many_digits_as_it_takes_to_tell_them_apart(
    actual, expected, digits, texts
):
    assert pair(actual, expected, digits) == texts


def test_a_number_has_at_most_the_digits_asked_and_a_place_is_written_in_brackets():
    assert number(np.pi, 7) == "3.141593"
    assert place([0, 12]) == "[0, 12]"
    assert place([]) == "[]"
