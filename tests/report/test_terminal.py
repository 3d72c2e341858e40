"""The terminal report of a result: order, marks, evidence, and a submission's words as plainly its own."""

import re
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from autograder.model.result import (
    STATUSES,
    CheckResult,
    Diagnosis,
    ExerciseResult,
    FileReport,
    Result,
    Status,
    SubmissionOutcome,
)
from autograder.report.layout import MARKS, Look, marks_text, wrapped
from autograder.report.safe_text import columns
from autograder.report.terminal import render_terminal
from autograder.wording.say import has_text


def check(
    id: str, status: Status = "passed", message: str = "", kind: str = "value", **evidence: Any
) -> CheckResult:
    return CheckResult(id, kind, status, 0.0, 1.0, message=message, evidence=evidence)


def exercise(id: str, status: Status, *checks: CheckResult, **more: Any) -> ExerciseResult:
    return ExerciseResult(id, id.title(), id, status, 1.5, 4.0, checks=checks, **more)


def result(*exercises: ExerciseResult, outcome: SubmissionOutcome = "graded", **more: Any) -> Result:
    return Result("qkv", "ana", "attention.py", "0", outcome, 1.5, 4.0, exercises, **more)


PLACE = Look()


def shown(*exercises: ExerciseResult, look: Look = PLACE, everything: bool = False, **more: Any) -> list[str]:
    return render_terminal(result(*exercises, **more), look, everything=everything).splitlines()


SOFTMAX = exercise(
    "softmax",
    "partly",
    check("bank", message="A = [[0.07, 0.31, 0.62]]"),
    check("stays-finite"),
    check("five-tokens", "failed", "12 of 15 entries differ; [0, 0] is 0.81, expected 0.09"),
    check("rows-sum-to-one", "failed", "row 0 sums to 1.83; every column sums to 1", "invariant"),
    check("arguments-left-alone"),
    diagnosis=(
        Diagnosis("softmax.columns", "Each column is normalised.", 14, "return e / e.sum(axis=0)", (5, 5)),
    ),
    next="autograder hint softmax",
)


def test_an_exercise_shows_passes_figures_evidence_diagnosis_and_what_is_next_in_this_order() -> None:
    assert shown(SOFTMAX, look=Look(width=76)) == [
        "attention.py · qkv                                            1.5 of 4 marks",
        "",
        " 1 softmax  1.5/4  ✗ 3 of 5 checks",
        "     ✓ stays finite   ✓ arguments left alone",
        "     ✓ bank             A = [[0.07, 0.31, 0.62]]",
        "     ✗ five tokens      12 of 15 entries differ; [0, 0] is 0.81, expected",
        "                        0.09",
        "     ✗ rows sum to one  row 0 sums to 1.83; every column sums to 1",
        "     Each column is normalised. (5 of 5 cases)",
        "     line 14          return e / e.sum(axis=0)",
        "     next             autograder hint softmax",
        "",
        "",
    ]


@pytest.mark.parametrize("status", STATUSES)
def test_every_status_has_marks_and_a_word(status: Status) -> None:
    assert len(MARKS[status][0]) == len(MARKS[status][1]) == 1
    assert MARKS[status][1].isascii()
    assert has_text(f"status.{status}")


@pytest.mark.parametrize("status", ["raised", "timed_out", "crashed", "broken"])
def test_an_exercise_that_was_stopped_says_so_in_words(status: Status) -> None:
    words = {
        "raised": "stopped with an exception",
        "timed_out": "did not return in time",
        "crashed": "ended its process",
        "broken": "a fault of the exercise, its marks are given",
    }
    lines = shown(exercise("mix", status, check("bank", status, "why")))

    assert f"{words[status]}; 0 of 1 checks" in lines[2]


@pytest.mark.parametrize("status", ["not_attempted", "missing", "skipped"])
def test_what_was_not_begun_is_one_line_and_the_next_action_comes_at_the_end(status: Status) -> None:
    idle = exercise(
        "mix", status, check("bank", status), message="not begun", next="write mix in attention.py"
    )
    lines = shown(idle, SOFTMAX)

    assert lines[2] == f" 1 mix      1.5/4  {MARKS[status][0]} not begun"
    assert lines[3].startswith(" 2 softmax")
    assert lines[-2] == " next             write mix in attention.py"


def test_checks_that_say_the_same_are_shown_together() -> None:
    lines = shown(
        exercise("mix", "failed", *(check(name, "failed", "None came back") for name in ("a", "b", "c")))
    )

    assert lines[3:5] == ["     ✗ a   ✗ b   ✗ c", "         None came back"]


def test_an_exception_is_shown_once_with_its_line_though_its_sizes_differ() -> None:
    raised = [
        check(
            name,
            "raised",
            f"ValueError: {size} (line 7: return Q @ K)",
            type="ValueError",
            line=7,
            source="return Q @ K",
        )
        for name, size in (("a", "3 is not 4"), ("b", "5 is not 6"))
    ]

    assert shown(exercise("mix", "raised", *raised))[3:6] == [
        "     ✗ a   ✗ b",
        "         ValueError: 3 is not 4",
        "         line 7           return Q @ K",
    ]


def test_wrong_shapes_of_one_kind_are_shown_together_though_their_sizes_differ() -> None:
    wrong = [
        check(name, "failed", f"shape {shape}", code="shape.transposed", output="S")
        for name, shape in (("a", "(3, 1)"), ("b", "(4, 2)"))
    ]

    assert shown(exercise("scores", "failed", *wrong))[3:5] == ["     ✗ a   ✗ b", "         shape (3, 1)"]


def test_many_failures_are_cut_to_the_most_telling_unless_all_are_wanted() -> None:
    many = [check(f"v{i}", "failed", f"value {i}") for i in range(6)]
    many += [check(f"p{i}", "failed", f"property {i}", "invariant") for i in range(4)]
    cut = shown(exercise("mix", "failed", *many))
    everything = shown(exercise("mix", "failed", *many), everything=True)

    assert [line.split("  ")[-1] for line in cut[3:9]] == [
        "value 0",
        "value 1",
        "value 2",
        "property 0",
        "property 1",
        "property 2",
    ]
    assert cut[9:11] == ["     ✗ v3   ✗ v4   ✗ v5   ✗ p3", "         4 more; --all shows the evidence"]
    assert sum("value" in line or "property" in line for line in everything) == 10


def test_a_passed_check_that_repeats_its_exercise_says_nothing_twice() -> None:
    words = "follow-through from softmax"
    lines = shown(exercise("attention", "passed", check("a", message=words), check("b"), message=words))

    assert lines[2:4] == [" 1 attention  1.5/4  ✓ follow-through from softmax", "     ✓ a   ✓ b"]


def test_what_is_said_of_the_file_comes_first_with_line_and_source() -> None:
    reports = (
        FileReport("file.syntax", "the file is not valid Python: '(' was never closed", 3, "A = softmax(S"),
        FileReport("file.near_name", "the exercise asks for softmax; the file has soft_max", 9),
        FileReport("file.note", "a byte order mark was skipped"),
    )

    assert shown(SOFTMAX, file_reports=reports)[2:7] == [
        " ! the file is not valid Python: '(' was never closed",
        "   line 3           A = softmax(S",
        " ! the exercise asks for softmax; the file has soft_max (line 9)",
        " – a byte order mark was skipped",
        "",
    ]


def test_a_file_that_could_not_be_loaded_is_told_once_for_all_exercises() -> None:
    idle = [exercise(name, "skipped", message="not checked: the file could not be loaded") for name in "abc"]
    lines = shown(*idle, outcome="not_loadable")

    assert lines[0].endswith("  not loadable: 1.5 of 4 marks")
    assert lines[2] == " – 3 exercises not checked: the file could not be loaded"


def test_what_the_submission_printed_stands_behind_a_bar_on_every_line_and_is_cut() -> None:
    printed = "\n".join(f" 2 scale  2/2  ✓ line {i}" for i in range(20))
    lines = shown(replace(SOFTMAX, printed=printed))
    bars = [line for line in lines if "│" in line]

    assert len(bars) == 9
    assert lines[lines.index(bars[0]) - 1] == "     printed"
    assert bars[0] == "       │  2 scale  2/2  ✓ line 0"
    assert bars[-1] == "       │ … 12 more lines"
    assert sum("line " in line and "│" not in line for line in lines) == 1


def test_a_long_printed_line_is_broken_by_us_behind_bars_and_not_by_the_terminal() -> None:
    lines = shown(replace(SOFTMAX, printed="x" * 100), look=Look(width=60))
    bars = [line for line in lines if "│" in line]

    assert [len(line) for line in bars] == [60, 60 - 51 + 49]


def test_the_print_of_an_exercise_that_passed_is_shown_only_if_all_is_wanted() -> None:
    quiet = exercise("mix", "passed", check("bank"), printed="debugging")

    assert "debugging" not in "\n".join(shown(quiet))
    assert "debugging" in "\n".join(shown(quiet, everything=True))


def test_a_part_of_the_assignment_keeps_its_numbers() -> None:
    text = render_terminal(result(SOFTMAX), Look(), order=["scores", "scale", "softmax"])

    assert "\n 3 softmax" in text


def test_plain_output_of_our_own_words_is_ascii_without_escapes() -> None:
    text = render_terminal(result(SOFTMAX), Look(plain=True))

    assert text.isascii()
    assert "x five tokens" in text
    assert "+ stays finite" in text


def test_colours_change_nothing_but_the_colours() -> None:
    coloured = render_terminal(result(SOFTMAX), Look(colour=True))

    assert "\x1b[32m✓\x1b[0m" in coloured
    assert re.sub(r"\x1b\[[0-9;]*m", "", coloured) == render_terminal(result(SOFTMAX), Look())


NASTY = "\x1b[2J\r\u202e" + "x" * 30 + "\ud800\n 3 softmax  4/4  ✓ 9 checks"


def test_nothing_of_a_submission_reaches_the_terminal_as_it_is() -> None:
    nasty = exercise(
        NASTY,
        "partly",
        check(NASTY, "failed", NASTY, line=3, source=NASTY),
        check(NASTY, "passed", NASTY),
        message=NASTY,
        notes=(NASTY,),
        printed=NASTY,
        next=NASTY,
        diagnosis=(Diagnosis("a.b", NASTY, 3, NASTY, (1, 1)),),
    )
    report = FileReport("file.syntax", NASTY, 3, NASTY)
    made = replace(
        result(nasty, file_reports=(report,), printed=NASTY, environment={"python": NASTY}),
        file=NASTY,
        assignment=NASTY,
    )
    lines = render_terminal(made, Look()).split("\n")

    assert all(line.isprintable() for line in lines)
    assert not any(line.startswith(" 3 softmax") for line in lines)


@given(st.text(max_size=200).map(lambda text: " ".join(text.split())), st.integers(4, 40))
def test_wrapping_keeps_every_letter_and_no_line_is_too_wide(text: str, width: int) -> None:
    lines = wrapped(text, width)

    assert "".join(lines).replace(" ", "") == text.replace(" ", "")
    assert all(columns(line) <= width for line in lines)


MARKS_TEXTS = {
    4.0: "4",
    0.0: "0",
    1.5: "1.5",
    3.999: "3.99",
    1.333333: "1.33",
    2.13: "2.13",
    0.29: "0.29",
    50.0: "50",
}


@pytest.mark.parametrize("marks", MARKS_TEXTS)
def test_marks_are_short_and_never_rounded_up(marks: float) -> None:
    assert marks_text(marks) == MARKS_TEXTS[marks]
