"""The results folder: names that every system takes, files whole or not at all, one grader at a time."""

import csv
import io
import json
import os
import stat
import subprocess
import sys
import unicodedata
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from autograder.errors import ResultsUnavailable
from autograder.grading.store import (
    Row,
    file_name,
    grades_csv,
    no_formula,
    read_result,
    result_text,
    results_folder,
    write_atomically,
)
from autograder.model.result import CheckResult, ExerciseResult, FileReport, Result

STUDENTS = (
    st.text(max_size=60)
    | st.text(st.sampled_from("ab./\\%:~ \n\t\x00CONcon1"), max_size=8)
    | st.text("aé€😀", min_size=60, max_size=300)
)


def a_result(**parts):
    check = CheckResult("bank", "value", "failed", 0.0, 1.0, message="m", evidence={"shown": [1.5, "nan"]})
    exercise = ExerciseResult("softmax", "t", "softmax", "partly", 1.5, 4.0, checks=(check,))
    result = Result("qkv", "ana", "attention.py", "0" * 64, "graded", 1.5, 4.0, (exercise,))
    return replace(result, **parts)


# Names of files


@given(STUDENTS)
def test_a_students_name_makes_a_file_name_that_every_system_takes(student):
    name = file_name(student)

    assert name.endswith(".json")
    assert not set(name) & set('<>:"/\\|?*')
    assert all(ord(c) >= 32 and not 0xD800 <= ord(c) < 0xE000 for c in name)
    assert len(name.encode()) <= 255
    assert name[0] not in ". "
    assert name.split(".")[0].casefold() not in ("con", "prn", "aux", "nul", "com1", "lpt9", "")
    assert os.path.basename(name) == name


@given(STUDENTS, STUDENTS)
def test_two_students_never_share_a_file(one, other):
    assert (file_name(one) == file_name(other)) == (one == other)


@pytest.mark.parametrize(
    ("student", "name"),
    [
        ("ana", "ana.json"),
        ("Ana Müller (1)", "Ana Müller (1).json"),
        ("a/b", "a%2Fb.json"),
        ("..", "%2E%2E.json"),
        (".lock", "%2Elock.json"),
        ("", "%.json"),
        ("%", "%25.json"),
        ("con", "%63on.json"),
        ("NUL.x", "%4EUL.x.json"),
        ("trailing.", "trailing%2E.json"),
        ("trailing.\n", "trailing.%0A.json"),
        ("<img src=a>", "%3Cimg src=a%3E.json"),
    ],
)
def test_what_a_system_may_refuse_is_percent_encoded(student, name):
    assert file_name(student) == name


# Files


@pytest.mark.parametrize("text", ["ü €", "lone \ud800 surrogate", "a\r\nb\n", "", "x" * 100_000])
def test_a_file_is_written_whole_and_nothing_is_left_beside_it(tmp_path, text):
    path = tmp_path / "ana.json"
    path.write_text("old")
    write_atomically(path, json.dumps(text, ensure_ascii=False))

    assert json.loads(path.read_text(encoding="utf-8")) == text
    assert os.listdir(tmp_path) == ["ana.json"]
    assert stat.S_IMODE(path.stat().st_mode) == 0o644


def test_a_write_that_fails_half_way_leaves_the_old_file_and_nothing_beside_it(tmp_path, monkeypatch):
    path = tmp_path / "ana.json"
    path.write_text("old")

    def full(*arguments):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", full)
    with pytest.raises(OSError, match="No space"):
        write_atomically(path, "new")

    assert path.read_text() == "old"
    assert os.listdir(tmp_path) == ["ana.json"]


def test_a_result_reads_back_as_it_was_written(tmp_path):
    path = tmp_path / "ana.json"
    result = a_result(file_reports=(FileReport("file.note", "n", 3, "x"),), student="a\ud800\n")
    write_atomically(path, result_text(result))

    assert read_result(path) == result
    assert result_text(result) == result_text(read_result(path))


def test_a_number_that_json_has_not_is_refused_and_not_written():
    check = CheckResult("bank", "value", "failed", 0.0, 1.0, evidence={"sum": np.nan})
    with pytest.raises(ValueError, match="JSON"):
        result_text(a_result(exercises=(ExerciseResult("e", "t", "f", "failed", 0.0, 1.0, checks=(check,)),)))


GOOD = json.loads(result_text(a_result()))
WITHOUT_MARKS = {key: value for key, value in GOOD.items() if key != "marks"}
EXERCISE = GOOD["exercises"][0]


@pytest.mark.parametrize(
    "damage",
    [
        "",
        "{",
        "null",
        "[]",
        "[" * 100_000,
        "\x00",
        json.dumps(GOOD)[:-20],
        *(
            json.dumps(data)
            for data in (
                WITHOUT_MARKS,
                {**GOOD, "format": "autograder-result/2"},
                {**GOOD, "marks": "1.5"},
                {**GOOD, "marks": None},
                {**GOOD, "marks": float("nan")},
                {**GOOD, "marks": True},
                {**GOOD, "max_marks": float("inf")},
                {**GOOD, "submission": None},
                {**GOOD, "submission": {"student": 3, "file": "f", "sha256": "s"}},
                {**GOOD, "exercises": 3},
                {**GOOD, "exercises": [3]},
                {**GOOD, "exercises": [{**EXERCISE, "unknown": 1}]},
                {**GOOD, "exercises": [{**EXERCISE, "marks": "x"}]},
                {**GOOD, "exercises": [{**EXERCISE, "status": "great"}]},
                {**GOOD, "exercises": [{**EXERCISE, "checks": [None]}]},
                {**GOOD, "exercises": [{**EXERCISE, "diagnosis": [{"agrees": 3}]}]},
                {**GOOD, "file_reports": [{"code": "c", "message": None, "line": None, "source": None}]},
            )
        ),
    ],
    ids=range(24),
)
def test_a_damaged_result_is_none_so_that_it_is_made_again(tmp_path, damage):
    path = tmp_path / "ana.json"
    path.write_text(damage, encoding="utf-8")

    assert read_result(path) is None


def test_a_result_that_is_not_there_or_no_text_is_none(tmp_path):
    (tmp_path / "binary.json").write_bytes(b"\xff\xfe\x00")
    (tmp_path / "folder.json").mkdir()

    assert [read_result(tmp_path / name) for name in ("none.json", "binary.json", "folder.json")] == [
        None
    ] * 3


# The folder


def test_a_second_grader_is_refused_while_the_first_is_at_work_and_let_in_afterwards(tmp_path):
    folder = tmp_path / "new" / "results"
    second = (
        "import sys; from pathlib import Path; from autograder.grading.store import results_folder\n"
        "with results_folder(Path(sys.argv[1])): print('in')"
    )

    def run_second():
        return subprocess.run(
            [sys.executable, "-c", second, str(folder)],
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )

    with results_folder(folder):
        refused = run_second()
        with pytest.raises(ResultsUnavailable, match="another grader"), results_folder(folder):
            pass
    assert "another grader is at work" in refused.stderr
    assert run_second().stdout == "in\n"


def test_what_an_interrupted_grader_left_half_written_is_cleared_away(tmp_path):
    (tmp_path / ".writing-abc.tmp").write_text("half")
    (tmp_path / "ana.json").write_text("whole")

    with results_folder(tmp_path):
        left = {path.name for path in tmp_path.iterdir()}

    assert left == {"ana.json", ".lock"}


def test_a_folder_that_cannot_be_made_is_told_as_a_misuse(tmp_path):
    (tmp_path / "file").write_text("")

    with pytest.raises(ResultsUnavailable, match="--out"), results_folder(tmp_path / "file" / "results"):
        pass


# The table


def rows_of(text):
    return list(csv.reader(io.StringIO(text)))


def test_the_table_has_a_row_a_student_in_order_and_a_column_an_exercise():
    rows = [
        Row("zoe", 3.25, 6, "graded", (("a", "passed", 2.0, 2), ("b", "partly", 1.25, 4))),
        Row("ana", 0, 6, "not_loadable", ()),
    ]

    assert grades_csv(rows, ["a", "b"]) == (
        "student,marks,max_marks,outcome,a,b\nana,0,6,not_loadable,0,0\nzoe,3.25,6,graded,2,1.25\n"
    )


@given(st.lists(STUDENTS, unique=True, max_size=8))
def test_every_student_gets_one_row_whatever_the_name(students):
    rows = [Row(student, 1 / 3, 4.0, "graded", ()) for student in students]
    text = grades_csv(rows, [])
    read = rows_of(text)

    assert len(text.split("\n")) == len(students) + 2
    assert len(read) == len(students) + 1
    assert [row[1] for row in read[1:]] == ["0.333333"] * len(students)


@given(st.text(max_size=20))
def test_no_cell_begins_as_a_formula_does(text):
    cell = no_formula(text)

    assert (
        unicodedata.normalize("NFKC", cell)[:1] not in ("=", "+", "-", "@", "\t", "\r", "\n") or cell == text
    )
    assert cell in (text, "'" + text)


@pytest.mark.parametrize(
    ("name", "cell"),
    [
        *((name, "'" + name) for name in ('=HYPERLINK("x")', "+1", "-1", "@SUM(A1)", "＝1", "＋1")),
        ("\t=1", r"\x09=1"),
        ("\r=1", r"\x0d=1"),
        ("a\nb", r"a\x0ab"),
        ('a,b;"c', 'a,b;"c'),
    ],
)
def test_a_student_named_like_a_formula_or_two_lines_is_shown_as_text_on_one(name, cell):
    (row,) = rows_of(grades_csv([Row(name, 0, 1, "graded", ())], []))[1:]

    assert row[0] == cell


def test_a_row_of_a_result_tells_the_problem_with_its_line():
    reports = (FileReport("file.note", "named otherwise"), FileReport("file.syntax", "not valid", 3))
    row = Row.of(a_result(outcome="not_loadable", file_reports=reports))

    assert row.problem == "line 3: not valid"
    assert row.exercises == (("softmax", "partly", 1.5, 4.0),)
    assert Row.of(a_result(file_reports=reports)).problem == ""
