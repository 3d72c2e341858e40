"""Downloads of the platforms as input: whose each file is, which of several counts, when it was handed in."""

from pathlib import Path

import pytest

from autograder.errors import UsageError
from autograder.loading.downloads import open_download
from autograder.loading.handing_in import moment
from autograder.loading.submissions import Found, Unreadable, read_submission
from autograder.model.submission import Origin
from tests.exports.packing import RIGHT, a_zip, add_link, files_in, zip_bytes

GRADESCOPE = """\
submission_1001:
  :submitters:
  - :name: Jane Doe
    :sid: '0123'
    :email: jane@example.org
  :created_at: 2027-03-01 10:00:00.123456789 Z
  :score: 0.0
submission_1002:
  :submitters:
  - :name: Ann Poe
    :sid: 1e5
    :email: ann@example.org
  - :name: Bob Roe
    :sid:
    :email: bob@example.org
  :created_at: 2027-03-26 23:59:59 +0100
submission_1003:
  :submitters:
  - :name: Jane Doe
    :sid: '0123'
    :email: jane@example.org
  :created_at: 2027-03-02 10:00:00 Z
submission_1004:
  :submitters:
  - :name: Cai Moe
    :sid: '77'
    :email: cai@example.org
  :created_at: 2027-03-02 10:00:00 Z
"""


def read(path: Path, **options: str) -> tuple[str, dict[str, Found], dict[str, bytes]]:
    """The platform, what was found by student, and the bytes of what can be read."""
    with open_download(path, **options) as download:
        found = {one.student: one for one in download.found}
        assert len(found) == len(download.found)
        contents = {}
        for student, one in found.items():
            submission = None if one.problem else read_submission(one.path, student)
            assert not isinstance(submission, Unreadable)
            if submission is not None:
                contents[student] = submission.content
        return download.platform, found, contents


# Canvas


def test_canvas_names_give_student_number_lateness_and_the_latest_of_several(tmp_path: Path) -> None:
    archive = a_zip(
        tmp_path / "submissions.zip",
        {
            "doejane_LATE_12345_67890_attention-1.py": b"new",
            "doejane_12345_67000_attention.py": b"old",
            "poeann_777_67001_attention.py": b"ann",
            "__MACOSX/._poeann_777_67001_attention.py": b"junk",
        },
    )
    platform, found, contents = read(archive)

    assert platform == "canvas"
    assert contents == {"doejane_12345": b"new", "poeann_777": b"ann"}
    assert found["doejane_12345"].origin == Origin("canvas", "12345", name="doejane", late=True)
    assert found["doejane_12345"].notes == ("the latest of 2 files counts",)
    assert found["poeann_777"].origin.late is False
    assert found["poeann_777"].notes == ()


def test_a_student_keeps_the_name_when_handing_in_again(tmp_path: Path) -> None:
    first = a_zip(tmp_path / "a.zip", {"doejane_12345_1_attention.py": b"a"})
    second = a_zip(tmp_path / "b.zip", {"doejane_LATE_12345_2_attention-1.py": b"b"})

    assert list(read(first)[1]) == list(read(second)[1]) == ["doejane_12345"]


def test_canvas_files_beside_the_one_asked_for_do_not_count(tmp_path: Path) -> None:
    names = {"doe_1_10_attention.py": b"it", "doe_1_11_helpers.py": b"no", "doe_1_12_notes.pdf": b"no"}

    assert read(a_zip(tmp_path / "s.zip", names))[2] == {"doe_1": b"it"}


def test_an_anonymous_canvas_download_is_known_by_its_codes(tmp_path: Path) -> None:
    names = {"LATE_anon_x7Kq2_10_attention.py": b"x", "anon_Ab9_11_attention.py": b"y"}
    _, found, contents = read(a_zip(tmp_path / "s.zip", names))

    assert contents == {"anon_x7Kq2": b"x", "anon_Ab9": b"y"}
    assert found["anon_x7Kq2"].origin.late is True


def test_a_student_who_typed_instead_of_handing_in_a_file_gets_a_row_with_the_reason(tmp_path: Path) -> None:
    names = {"doe_1_text.html": b"<p>", "poe_2_11_essay.pdf": b"%PDF", "roe_3_12_attention.py": b"r"}
    _, found, _ = read(a_zip(tmp_path / "s.zip", names))

    assert set(found) == {"doe_1", "poe_2", "roe_3"}
    for student in ("doe_1", "poe_2"):
        assert found[student].problem == "what was handed in holds no Python file and no notebook"


def test_a_zip_file_that_a_student_handed_in_is_looked_into(tmp_path: Path) -> None:
    packed = zip_bytes(
        tmp_path, {"hw/attention.py": RIGHT, "__MACOSX/hw/._attention.py": b"\0", "hw/a.txt": b""}
    )
    archive = a_zip(tmp_path / "s.zip", {"doe_1_10_homework.zip": packed})

    assert read(archive)[2] == {"doe_1": RIGHT}


def test_an_unpacked_canvas_download_is_read_as_well(tmp_path: Path) -> None:
    folder = files_in(tmp_path / "in", {"doe_1_10_attention.py": "a", "poe_2_11_attention.py": "b"})

    assert read(folder)[0] == "canvas"
    assert set(read(folder)[1]) == {"doe_1", "poe_2"}


# Moodle


def test_moodle_folders_give_the_name_and_the_participants_number(tmp_path: Path) -> None:
    archive = a_zip(
        tmp_path / "moodle.zip",
        {
            "Jane Doe_12345_assignsubmission_file/attention.py": b"j",
            "Åsa O'Neil_777_assignsubmission_file_/sub/attention.py": b"a",
            "Bob_9_assignsubmission_onlinetext/onlinetext.html": b"<p>",
        },
    )
    platform, found, contents = read(archive)

    assert platform == "moodle"
    assert contents == {"Jane Doe_12345": b"j", "Åsa O'Neil_777": b"a"}
    assert found["Jane Doe_12345"].origin == Origin("moodle", "12345", name="Jane Doe")
    assert found["Bob_9"].problem == "what was handed in holds no Python file and no notebook"


def test_the_flat_names_of_older_moodles_are_read_too(tmp_path: Path) -> None:
    archive = a_zip(tmp_path / "m.zip", {"Jane Doe_12345_assignsubmission_file_attention.py": b"j"})

    assert read(archive)[2] == {"Jane Doe_12345": b"j"}


# Gradescope


def test_gradescopes_metadata_says_whose_each_folder_is_and_when_it_came(tmp_path: Path) -> None:
    top = "assignment_5_export"
    archive = a_zip(
        tmp_path / "export.zip",
        {
            f"{top}/submission_metadata.yml": GRADESCOPE,
            f"{top}/submission_1001/attention.py": b"jane's first",
            f"{top}/submission_1002/attention.py": b"of two",
            f"{top}/submission_1003/attention.py": b"jane's second",
        },
    )
    platform, found, contents = read(archive)

    assert platform == "gradescope"
    assert contents == {"0123": b"jane's second", "1e5": b"of two", "bob@example.org": b"of two"}
    assert found["0123"].notes == ("the latest of 2 submissions counts",)
    assert found["0123"].origin.email == "jane@example.org"
    assert found["1e5"].origin.handed_in == "2027-03-26T23:59:59+01:00"
    assert found["77"].problem == "what was handed in holds no Python file and no notebook"


@pytest.mark.parametrize("text", ["", "a: [", "- 1\n- 2\n", "!!python/object/apply:os.system [id]", "\0"])
def test_metadata_that_cannot_be_read_is_told_in_one_line(tmp_path: Path, text: str) -> None:
    folder = files_in(tmp_path / "x", {"submission_metadata.yml": text, "submission_1/attention.py": "a"})
    with pytest.raises(UsageError, match=r"submission_metadata\.yml (cannot be read|lists no)") as caught:
        read(folder)

    assert "\n" not in str(caught.value)


# nbgrader


def test_nbgraders_tree_gives_the_student_and_the_time(tmp_path: Path) -> None:
    folder = files_in(
        tmp_path / "course",
        {
            "submitted/ana/qkv/attention.py": "a",
            "submitted/ana/qkv/timestamp.txt": "2027-03-28 02:59:59.5 Europe/Lisbon",
            "submitted/ana/ps1/attention.ipynb": "other",
            "submitted/ben/qkv/attention.py": "b",
            "submitted/ben/qkv/timestamp.txt": "soon",
            "source/./qkv/attention.ipynb": "s",
        },
    )
    platform, found, _ = read(folder, assignment="qkv")

    assert platform == "nbgrader"
    assert set(found) == {"ana", "ben"}
    assert found["ana"].origin.handed_in == "2027-03-28T02:59:59.500000+01:00"
    assert found["ben"].origin.handed_in is None
    assert found["ben"].notes == ("timestamp.txt does not tell when it was handed in",)


def test_the_folder_submitted_itself_may_be_named_and_packed(tmp_path: Path) -> None:
    files = {"ana/qkv/attention.py": b"a", "ben/qkv/attention.py": b"b"}
    folder = files_in(tmp_path / "submitted", files)
    archive = a_zip(tmp_path / "all.zip", {f"submitted/{name}": content for name, content in files.items()})

    assert read(folder, assignment="qkv")[2] == read(archive)[2] == {"ana": b"a", "ben": b"b"}


def test_a_tree_of_other_assignments_is_refused_with_their_names(tmp_path: Path) -> None:
    folder = files_in(tmp_path / "submitted", {"ana/ps1/a.py": "", "ana/ps2/a.py": ""})
    with pytest.raises(UsageError, match="the submissions are of ps1, ps2; none is of qkv"):
        read(folder, assignment="qkv")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("2015-02-02 14:58:23.948203 America/Los_Angeles", "2015-02-02T14:58:23.948203-08:00"),
        ("2015-07-02 14:58:23 UTC", "2015-07-02T14:58:23+00:00"),
        ("2015-07-02 14:58:23", "2015-07-02T14:58:23+00:00"),
        ("2015-07-02T14:58:23.123456789 -0330", "2015-07-02T14:58:23.123456-03:30"),
        ("2015-07-02 14:58:23 Nowhere/Land", None),
        ("2015-07-02 14:58:23 ../../etc/passwd", None),
        ("2015-13-02 14:58:23 UTC", None),
        ("yesterday", None),
        ("", None),
    ],
)
def test_a_time_keeps_its_offset_and_what_is_none_is_none(text: str, expected: str | None) -> None:
    assert moment(text) == expected


# Folders as anyone makes them


def test_a_plain_folder_is_read_as_ever_and_zip_files_in_it_too(tmp_path: Path) -> None:
    packed = zip_bytes(tmp_path, {"attention.py": b"cleo"})
    folder = files_in(
        tmp_path / "in",
        {"ana.py": "ana", "ben/attention.py": "ben", "cleo.zip": packed, "dan/src/hw/attention.py": "dan"},
    )
    platform, found, contents = read(folder)

    assert platform == ""
    assert contents == {"ana": b"ana", "ben": b"ben", "cleo": b"cleo", "dan": b"dan"}
    assert {one.origin for one in found.values()} == {Origin()}


def test_a_zip_file_of_a_folder_of_students_is_read_without_the_folder(tmp_path: Path) -> None:
    archive = a_zip(tmp_path / "x.zip", {"hw1/ana.py": b"a", "hw1/ben/attention.py": b"b"})

    assert read(archive)[2] == {"ana": b"a", "ben": b"b"}


def test_a_zip_file_of_one_students_folder_keeps_the_folder_as_the_name(tmp_path: Path) -> None:
    archive = a_zip(tmp_path / "x.zip", {"ana/attention.py": b"a", "ana/helpers.py": b"h"})

    assert read(archive)[2] == {"ana": b"a"}


def test_two_files_that_may_both_be_meant_are_no_guess(tmp_path: Path) -> None:
    folder = files_in(tmp_path / "in", {"ana/new/attention.py": "1", "ana/old/attention.py": "2"})
    problem = read(folder)[1]["ana"].problem

    assert problem == "ana/new/attention.py and ana/old/attention.py may both be meant"


def test_nothing_to_grade_is_told_with_what_may_be_there(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"holds no submissions; it may hold <student>\.py"):
        read(files_in(tmp_path / "in", {"readme.txt": ""}))
    with pytest.raises(UsageError, match="there is no"):
        read(tmp_path / "nowhere")


def test_a_link_in_a_download_is_not_followed(tmp_path: Path) -> None:
    folder = files_in(tmp_path / "in", {"Jane_1_assignsubmission_file/a.txt": "", "secret.py": "s"})
    (folder / "Jane_1_assignsubmission_file" / "attention.py").symlink_to(folder / "secret.py")
    found = read(folder)[1]

    assert found["Jane_1"].problem == "a link is not followed; the file itself is needed"


def test_what_is_bad_in_a_students_zip_file_is_told_and_the_rest_graded(tmp_path: Path) -> None:
    inner = a_zip(tmp_path / "inner.zip", {"attention.py": RIGHT, "../../climbs.py": b"x"})
    add_link(inner, "data", "/etc/passwd")
    archive = a_zip(
        tmp_path / "s.zip",
        {
            "doe_1_10_work.zip": inner.read_bytes(),
            "poe_2_11_work.zip": b"no zip",
            "roe_3_12_attention.py": b"r",
        },
    )
    _, found, contents = read(archive)

    assert contents == {"doe_1": RIGHT, "roe_3": b"r"}
    assert found["doe_1"].notes == (
        "climbs.py has a path that climbs out of the zip file; it was left out",
        "data is a link; it was left out",
    )
    assert found["poe_2"].problem == "the zip file work.zip is damaged or no zip file (it has no end)"
