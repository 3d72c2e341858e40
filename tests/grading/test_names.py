"""Names that nearly fit: told with the line, and never a stumble over what a source may be."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from autograder.grading.names import Definitions, definitions, name_reports
from autograder.model.outcome import Loaded
from tests.grading.in_process import Functions, course, exercise, submission

NORM = exercise(
    id="layer_norm",
    function="layer_norm",
    parameters={
        "X": {"shape": ("n", "m"), "about": "tokens"},
        "eps": {"kind": "number", "default": 1e-5, "about": "small"},
    },
    cases={"drawn": {"given": {"X": {"normal": ("n", "m")}}}},
)
ASKED = (exercise(), NORM)


def reports(source, asked=ASKED[:1], loaded=None):
    loaded = loaded or Functions.of_source(source).loaded
    return [
        (report.code, report.line) for report in name_reports(asked, loaded, Definitions(submission(source)))
    ]


def message(source, asked=ASKED[:1]):
    (report,) = name_reports(asked, Functions.of_source(source).loaded, Definitions(submission(source)))
    return report.message


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("def softmax(S): pass", []),
        ("softmax = lambda S: S", []),
        ("def soft_max(S): pass", [("file.near_name", 1)]),
        ("\ndef Softmax(S): pass", [("file.near_name", 2)]),
        ("def SOFTMAX(S): pass", [("file.near_name", 1)]),
        ("def sofmax(S): pass", [("file.near_name", 1)]),
        ("def softmaxx(S): pass", [("file.near_name", 1)]),
        ("class SoftMax: pass", [("file.near_name", None)]),
        ("def ѕoftmax(S): pass", [("file.lookalike", 1)]),
        ("def sоftmах(S): pass", [("file.lookalike", 1)]),
        ("def other(S): pass", []),
        ("softmax = 3.0\ndef soft_max(S): pass", []),
        ("class A:\n    def softmax(self, S): pass", [("file.method", 2)]),
        ("if False:\n    def softmax(S): pass", [("file.inside", 2)]),
        ("def outer():\n    def softmax(S): pass", [("file.inside", 2)]),
        (
            "try:\n    1/0\n    pass\nexcept ValueError:\n    def softmax(S): pass\nexcept Exception: pass",
            [("file.inside", 5)],
        ),
        ("match 1:\n    case 2:\n        def softmax(S): pass", [("file.inside", 3)]),
        ("def softmax(S): pass\ndef softmax(S): return S", [("file.twice", 2)]),
        ("class A:\n    def softmax(self): pass\ndef softmax(S): pass", []),
        ("async def softmax(S): pass", [("file.async", 1)]),
        ("def softmax(): pass", [("file.parameters", 1)]),
        ("def softmax(S, T): pass", [("file.parameters", 1)]),
        ("def softmax(S, T=1): pass", []),
        ("def softmax(*S): pass", []),
        ("def softmax(S, T, *U): pass", [("file.parameters", 1)]),
        ("", []),
    ],
)
def test_a_name_that_nearly_fits_is_told_with_its_line(source, expected):
    assert reports(source) == expected


@pytest.mark.parametrize(
    ("parameters", "fits"),
    [
        ("X", False),
        ("X, eps", False),
        ("X, eps=1", True),
        ("X, *rest", True),
        ("X=1, eps=2, more=3", True),
        ("*all", True),
    ],
)
def test_a_default_must_be_one_for_both_ways_of_calling(parameters, fits):
    found = reports(f"def layer_norm({parameters}): pass", ASKED[1:])

    assert found == ([] if fits else [("file.parameters", 1)])


def test_messages_say_what_is_there_and_what_is_asked():
    assert message("def soft_max(S): pass") == "the exercise asks for softmax; the file has soft_max"
    assert "U+0455 CYRILLIC SMALL LETTER DZE" in message("def ѕoftmax(S): pass")
    assert "2 or more" in message("def softmax(S, T, *U): pass")
    assert "called with 1 or 2: layer_norm(X, eps=1e-" in message("def layer_norm(X): pass", ASKED[1:])
    assert message("def softmax(S): pass\ndef softmax(S): pass").endswith("(line 2)")


def test_a_function_of_another_exercise_is_no_misspelling():
    assert (
        reports(
            "def softmax_backward(dA, A): pass", tuple(e for e in course().exercises if "softmax" in e.id)
        )
        == []
    )


@pytest.mark.parametrize(
    ("source", "empty"),
    [
        ("def f(): pass", True),
        ("def f(): ...", True),
        ('def f():\n    "doc"', True),
        ("def f(): return", False),
        ("def f(): raise NotImplementedError", False),
        ("def f(): x = 1", False),
        ("def f(): print()", False),
    ],
)
def test_a_body_is_empty_if_it_has_no_statement_of_its_own(source, empty):
    assert [definition.empty for definition in definitions(submission(source))] == [empty]


# Hostile sources


CODECS = (
    "latin-1",
    "utf-7",
    "utf-16",
    "hex",
    "rot13",
    "zlib",
    "idna",
    "undefined",
    "punycode",
    "unicode_escape",
    "no-such",
)


@pytest.mark.parametrize(
    "source",
    [
        b"\0",
        b"def f(): pass\0",
        b"\xff\xfed\0e\0f\0",
        b"# caf\xe9\ndef f(): pass",
        b'"caf\xe9"',
        b"(" * 5000,
        b"-" * 50_000 + b"1",
        b"x = " + b"[" * 90 + b"]" * 90,
        b"a" + b".a" * 20_000,
        b"1" + b"+1" * 20_000,
        b"f" + b"()" * 3000,
        b"".join(b" " * i + b"if 1:\n" for i in range(99)) + b" " * 99 + b"pass",
        b"if 1: pass\n" + b"elif 1: pass\n" * 3000,
        b"".join(b" " * i + b"def f():\n" for i in range(90)) + b" " * 90 + b"pass",
        b"def f(): pass\n" * 30_000,
        b"x" * 3_000_000,
        b"\\",
        b"f'{",
        b"def f(x, x): pass",
        b"x = 9" + b"9" * 6000,
        *(f"# -*- coding: {codec} -*-\ndef f(): pass".encode() for codec in CODECS),
    ],
    ids=range(20 + len(CODECS)),
)
def test_no_source_makes_reading_names_stumble(source):
    assert isinstance(definitions(submission(source)), tuple)
    name_reports(ASKED, Loaded(), Definitions(submission(source)))


@given(
    st.binary(max_size=200) | st.text(max_size=200).map(lambda text: text.encode("utf-8", "surrogatepass"))
)
def test_no_bytes_make_reading_names_stumble(source):
    assert isinstance(definitions(submission(source)), tuple)


def test_deep_blocks_are_left_where_no_reader_would_look():
    deep = "".join(" " * i + "if 1:\n" for i in range(30)) + " " * 30 + "def softmax(S): pass"

    assert definitions(submission(deep)) == ()


_PIECES = st.sampled_from(
    [
        *(
            "def softmax(S):",
            "async def softmax(S):",
            "def other(S):",
            "class A:",
            "if 1:",
            "    pass",
            "pass",
        ),
        *("# def", "x = 'def", "    def softmax(S): pass", "def \\", "softmax(S): pass"),
        *("\x0cdef softmax(S): pass", "def ｓoftmax(S): pass"),
    ]
)


@given(st.lists(_PIECES, max_size=6))
def test_a_source_that_looks_plain_defines_nothing_twice_and_nothing_as_async(lines):
    found = Definitions(submission("\n".join(lines)))

    if found.look_plain:
        names = [definition.name for definition in found]
        assert len(set(names)) == len(names)
        assert not any(definition.is_async for definition in found)


def test_a_source_is_parsed_only_when_its_definitions_are_asked_for(monkeypatch):
    monkeypatch.setattr("autograder.grading.names.definitions", pytest.fail)
    loaded = Functions.of_source("def softmax(S): pass").loaded

    assert name_reports(ASKED[:1], loaded, Definitions(submission("def softmax(S): pass"))) == ()
