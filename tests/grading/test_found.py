"""What students handed in: every entry that could be a submission gives one row, readable or not."""

import os
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from autograder.errors import UsageError
from autograder.loading.submissions import (
    MOST_BYTES,
    Found,
    Unreadable,
    distinct,
    find_submissions,
    read_submission,
)


def found_in(folder):
    return {one.student: (one.path.name, one.problem, one.notes) for one in find_submissions(folder)}


def hand_in(top, *names, content="def f(): pass\n"):
    for name in names:
        (top / name).parent.mkdir(parents=True, exist_ok=True)
        (top / name).write_text(content)


def test_files_and_folders_are_found_under_the_students_names(tmp_path):
    hand_in(tmp_path, "zoe.py", "ana/attention.py", "Bo.PY", "hw3 müller.py")

    assert {student: name for student, (name, *_) in found_in(tmp_path).items()} == {
        "zoe": "zoe.py",
        "ana": "attention.py",
        "Bo": "Bo.PY",
        "hw3 müller": "hw3 müller.py",
    }


def test_what_no_student_hands_in_is_left_out(tmp_path):
    hand_in(
        tmp_path,
        "ana.py",
        ".DS_Store",
        "__MACOSX/ana.py",
        "__pycache__/ana.py",
        ".git/x.py",
        "notes.txt",
        "grades.csv",
        "Thumbs.db",
    )

    assert list(found_in(tmp_path)) == ["ana"]


@pytest.mark.parametrize(
    ("files", "chosen"),
    [
        (["attention.py"], "attention.py"),
        (["Attention.PY"], "Attention.PY"),
        (["attention (1).py"], "attention (1).py"),
        (["attention(2).py", "helper.py"], "attention(2).py"),
        (["attention-copy.py"], "attention-copy.py"),
        (["attention.py", "attention (1).py"], "attention.py"),
        (["attention.py", "Attention.py"], "attention.py"),
        (["hw3 attention müller.py", "other.py"], "hw3 attention müller.py"),
        (["my_work.py"], "my_work.py"),
        ([".attention.py", "work.py"], "work.py"),
        (["a.py", "b.py"], None),
        (["attention (1).py", "attention (2).py"], None),
        (["notes.txt"], None),
        ([], None),
    ],
)
def test_in_a_folder_the_file_asked_for_is_chosen_by_name_then_by_likeness(tmp_path, files, chosen):
    (tmp_path / "ana").mkdir()
    hand_in(tmp_path, *(f"ana/{name}" for name in files))
    name, problem, notes = found_in(tmp_path)["ana"]

    assert (problem is None) == (chosen is not None)
    if chosen is not None:
        assert name == chosen
        assert bool(notes) == (chosen != "attention.py")


def test_links_pipes_folders_and_unreadable_files_each_give_a_row_with_a_reason(tmp_path):
    hand_in(tmp_path, "good.py", "open/attention.py")
    (tmp_path / "link.py").symlink_to(tmp_path / "good.py")
    (tmp_path / "away").mkdir()
    (tmp_path / "away" / "attention.py").symlink_to("/etc/hostname")
    os.mkfifo(tmp_path / "pipe.py")
    (tmp_path / "folder.py").mkdir()
    (tmp_path / "big.py").write_bytes(b"#" * (MOST_BYTES + 1))
    (tmp_path / "limit.py").write_bytes(b"#" * MOST_BYTES)

    read = {
        one.student: one.problem or read_submission(one.path, one.student, notes=one.notes)
        for one in find_submissions(tmp_path)
    }

    reasons = {
        student: got if isinstance(got, str) else got.message
        for student, got in read.items()
        if isinstance(got, str | Unreadable)
    }
    assert set(read) - set(reasons) == {"good", "open", "limit"}
    assert "link is not followed" in reasons["link"]
    assert "link is not followed" in reasons["away"]
    assert reasons["pipe"] == "it is no ordinary file"
    assert reasons["folder.py"].startswith("the folder holds no Python file")
    assert "2,097,153 bytes" in reasons["big"]


def test_a_file_that_goes_away_or_becomes_a_link_is_told_and_not_followed(tmp_path):
    hand_in(tmp_path, "good.py")
    (tmp_path / "late.py").symlink_to(tmp_path / "good.py")

    for name in ("late.py", "gone.py"):
        assert isinstance(read_submission(tmp_path / name), Unreadable)


def test_bytes_are_handed_on_as_they_are(tmp_path):
    (tmp_path / "ana.py").write_bytes(b"\xef\xbb\xbfx = 1\r\n\xff")

    assert read_submission(tmp_path / "ana.py").content == b"\xef\xbb\xbfx = 1\r\n\xff"


@pytest.mark.parametrize(
    "make", [lambda folder: None, lambda folder: folder.mkdir(), lambda folder: folder.touch()]
)
def test_a_folder_without_submissions_is_told_as_a_misuse(tmp_path, make):
    make(tmp_path / "in")

    with pytest.raises(UsageError):
        find_submissions(tmp_path / "in")


def test_two_submissions_of_one_name_keep_both_rows(tmp_path):
    hand_in(tmp_path, "ana.py", "ana/attention.py", "ana (ana.py).py", "ana.PY")

    students = list(found_in(tmp_path))

    assert len(students) == len(set(students)) == len(find_submissions(tmp_path)) == 4


def test_names_that_no_encoding_can_write_are_shown_escaped_and_kept_apart(tmp_path):
    for name in (b"\xff.py", b"\\xff.py", b"a\nb.py"):
        with open(os.path.join(os.fsencode(tmp_path), name), "wb") as file:
            file.write(b"x = 1\n")

    found = find_submissions(tmp_path)

    assert len({one.student for one in found}) == 3
    assert all(one.student.encode() for one in found)


@given(st.lists(st.tuples(st.sampled_from(["a", "a (a)", "a (b)", "b"]), st.sampled_from("ab")), max_size=8))
def test_however_names_collide_every_submission_has_one_of_its_own(tmp_path_factory, pairs):
    from pathlib import Path

    apart = distinct([Found(student, Path(path)) for student, path in pairs])

    assert len(apart) == len(pairs)
    assert max(Counter(one.student for one in apart).values(), default=1) == 1
