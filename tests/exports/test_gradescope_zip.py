"""The zip file for Gradescope, set up and run in folders laid out as Gradescope lays them out."""

import json
import os
import shutil
import subprocess
import sys
import sysconfig
import tempfile
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from click.testing import CliRunner
from jsonschema import Draft202012Validator

from autograder.authoring.gradescope_run import origin_of
from autograder.authoring.package_wheel import constraints, package_facts, package_wheel
from autograder.cli.main import cli
from autograder.worker.levels import open_workshop
from tests.cli.small_course import RIGHT, write_course
from tests.exports.packing import a_zip
from tests.exports.test_gradescope_results import RESULTS

NOBODY = 65534
METADATA = {
    "id": 1,
    "created_at": "2027-03-26T22:22:32.365935-07:00",
    "assignment": {"due_date": "2027-03-26T23:59:59-07:00", "total_points": "5.0", "title": "mini"},
    "users": [{"email": "ana@example.org", "id": 7, "name": "Ana <b>"}],
    "previous_submissions": [],
}
#: A submission that looks for what it may not see, and tells what it saw.
CURIOUS = """\
import os

def look():
    seen = []
    for place in ("source", "source/course/solutions/mini.py", "submission_metadata.json"):
        try:
            path = "{root}/" + place
            seen.append(open(path).read() if "." in place else os.listdir(path))
        except Exception as error:
            seen.append(type(error).__name__)
    return seen

def double(S):
    raise RuntimeError(str(look()) + " uid %d" % os.getuid())

def total(S):
    return S.sum()
"""


def export(course: Path, *options: str) -> Path:
    """The zip file that the command writes for a course."""
    ran = CliRunner().invoke(cli, ["export", "gradescope", str(course / "out"), "-C", str(course), *options])
    assert ran.exit_code == 0, ran.output
    return course / "out" / "gradescope-mini.zip"


@dataclass(frozen=True)
class Host:
    """Folders as Gradescope has them, and its two steps."""

    root: Path

    def run(self, script: str) -> subprocess.CompletedProcess[str]:
        """Run setup.sh or run_autograder as Gradescope does, without the network."""
        environment = {
            "PATH": os.environ["PATH"],
            "AUTOGRADER_ROOT": str(self.root),
            "AUTOGRADER_PYTHON": sys.executable,
            "AUTOGRADER_PIP": "--no-index --no-deps",
            "AUTOGRADER_NO_APT": "1",
        }
        return subprocess.run(
            ["bash", script],
            cwd=self.root,
            env=environment,
            capture_output=True,
            text=True,
            check=False,
            timeout=300,
        )

    def grade(self, work: str | None, name: str = "attention.py") -> dict[str, object]:
        """The results.json of a submission."""
        submission = self.root / "submission"
        shutil.rmtree(submission, ignore_errors=True)
        (self.root / "results" / "results.json").unlink(missing_ok=True)
        submission.mkdir()
        if work is not None:
            (submission / name).parent.mkdir(exist_ok=True)
            (submission / name).write_text(work)
        ran = self.run("run_autograder")
        assert ran.returncode == 0, ran.stdout + ran.stderr
        results: dict[str, object] = json.loads((self.root / "results" / "results.json").read_text())
        Draft202012Validator(RESULTS).validate(results)
        return results


@pytest.fixture(scope="module")
def host() -> Iterator[Host]:
    """A host that is set up; its folders are where every user can go, unlike those of pytest."""
    with open_workshop("auto") as workshop:
        if workshop.level == "portable":
            pytest.skip("no level of isolation with walls holds here")
    top = Path(tempfile.mkdtemp(prefix="gradescope-"))
    try:
        os.chmod(top, 0o755)
        write_course(top / "made")
        root = top / "autograder"
        (root / "source").mkdir(parents=True)
        with zipfile.ZipFile(export(top / "made")) as archive:
            archive.extractall(root / "source")
        shutil.copy(root / "source" / "run_autograder", root / "run_autograder")
        (root / "submission_metadata.json").write_text(json.dumps(METADATA))
        _lend_packages(root)
        ran = Host(root).run("source/setup.sh")
        assert ran.returncode == 0, ran.stdout + ran.stderr
        yield Host(root)
    finally:
        shutil.rmtree(top)


def _lend_packages(root: Path) -> None:
    """What pip would fetch: the packages of this environment, without the project itself."""
    version = f"python{sys.version_info.major}.{sys.version_info.minor}"
    site = root / "venv" / "lib" / version / "site-packages"
    site.mkdir(parents=True)
    (site / "lent.pth").write_text(sysconfig.get_path("purelib") + "\n")


@pytest.mark.slow
def test_a_right_submission_gets_all_marks_and_names_what_it_was_graded_with(host: Host) -> None:
    results = host.grade(RIGHT)

    assert results["score"] == 4
    assert [test["status"] for test in results["tests"]] == ["passed", "passed"]  # type: ignore[attr-defined]
    assert results["extra_data"]["environment"]["isolation"] in ("sandbox", "no-open")  # type: ignore[index]
    assert results["output"] == "4 of 4 marks"


@pytest.mark.slow
def test_the_package_that_grades_is_the_wheels_not_the_one_beside_the_tests(host: Host) -> None:
    code = "import autograder; print(autograder.__file__)"
    run = subprocess.run(
        [host.root / "venv/bin/python", "-P", "-c", code], capture_output=True, text=True, check=True, cwd="/"
    )

    assert Path(run.stdout.strip()).is_relative_to(host.root)


@pytest.mark.slow
@pytest.mark.skipif(os.getuid() != 0, reason="only root can become another user")
def test_another_user_cannot_read_references_or_exercises(host: Host) -> None:
    for place in ("source/course/solutions/mini.py", "source/course/exercises/mini/01_double.yaml", "source"):
        assert (host.root / place).exists()
        read = subprocess.run(
            ["ls", "-l", host.root / place], user=NOBODY, group=NOBODY, extra_groups=[], check=False
        )
        cat = subprocess.run(
            ["cat", host.root / place], user=NOBODY, group=NOBODY, extra_groups=[], check=False
        )

        assert cat.returncode != 0
        assert read.returncode != 0 or place == "source"
    assert os.access(host.root, os.R_OK)


@pytest.mark.slow
def test_a_submission_that_looks_around_sees_nothing(host: Host) -> None:
    text = json.dumps(host.grade(CURIOUS.format(root=host.root)))

    assert "RuntimeError" in text
    assert "2 * S" not in text
    assert "solutions" not in text
    assert "ana@example.org" not in text
    assert " uid 0" not in text


@pytest.mark.slow
def test_what_cannot_be_graded_still_gives_results_with_the_reason(host: Host) -> None:
    assert "not valid Python" in str(host.grade("def double(S:\n")["output"])
    assert host.grade(None)["score"] == 0
    assert "holds no Python file" in str(host.grade(None)["output"])


@pytest.mark.slow
def test_a_zip_file_or_a_folder_within_a_submission_is_looked_into(host: Host) -> None:
    assert host.grade(RIGHT, "homework/attention.py")["score"] == 4


# What is in the zip file


@pytest.fixture
def course(tmp_path: Path) -> Path:
    """The small course."""
    write_course(tmp_path)
    return tmp_path


def test_the_zip_file_holds_setup_runner_wheel_and_this_assignment_alone(course: Path) -> None:
    (course / "solutions" / "other.py").write_text("secret = 1\n")
    wheel, _ = package_wheel()
    with zipfile.ZipFile(export(course)) as archive:
        modes = {entry.filename: entry.external_attr >> 16 & 0o777 for entry in archive.infolist()}

    assert set(modes) == {
        "setup.sh",
        "run_autograder",
        "constraints.txt",
        f"wheels/{wheel}",
        "course/config/mini.yaml",
        "course/exercises/mini/01_double.yaml",
        "course/exercises/mini/02_total.yaml",
        "course/solutions/mini.py",
    }
    assert [name for name, mode in modes.items() if mode == 0o755] == ["run_autograder", "setup.sh"]


def test_the_same_course_gives_the_same_bytes(course: Path) -> None:
    first = export(course).read_bytes()

    assert export(course).read_bytes() == first


def test_wheels_that_are_given_go_in_and_nothing_else_is_asked_for(course: Path, tmp_path: Path) -> None:
    wheels = tmp_path / "wheels"
    wheels.mkdir()
    a_zip(wheels / "numpy-9-py3-none-any.whl", {"x": b""})
    with zipfile.ZipFile(export(course, "--wheels", str(wheels))) as archive:
        setup = archive.read("setup.sh").decode()

        assert "wheels/numpy-9-py3-none-any.whl" in archive.namelist()
    assert '${AUTOGRADER_PIP---no-index --find-links "$source/wheels"}' in setup


@pytest.mark.parametrize("script", ["setup.sh", "run_autograder"])
def test_the_scripts_are_sound_bash(course: Path, script: str) -> None:
    with zipfile.ZipFile(export(course)) as archive:
        text = archive.read(script)

    assert subprocess.run(["bash", "-n"], input=text, check=False).returncode == 0
    assert b"\r" not in text


def test_the_wheel_lists_every_file_of_it_with_its_digest() -> None:
    import base64
    import csv
    import hashlib
    import io

    _, content = package_wheel()
    with zipfile.ZipFile(io.BytesIO(content)) as wheel:
        record = next(name for name in wheel.namelist() if name.endswith("RECORD"))
        rows = {row[0]: row for row in csv.reader(io.StringIO(wheel.read(record).decode()))}

        assert set(rows) == set(wheel.namelist())
        for name, (_, digest, size) in ((name, row) for name, row in rows.items() if name != record):
            data = wheel.read(name)
            expected = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
            assert (digest, size) == (f"sha256={expected}", str(len(data)))
    assert "autograder/worker/inside/child.py" in rows


def test_every_package_that_is_needed_is_pinned() -> None:
    pinned = {line.partition("==")[0] for line in constraints().splitlines()}

    assert {"numpy", "pyyaml", "pydantic", "click"} <= pinned
    assert len(pinned) >= len(package_facts().dependencies)


@pytest.mark.parametrize(
    "metadata",
    [{}, {"users": []}, {"users": [3]}, {"users": [{"email": 3}]}, {"created_at": 5}, {"users": {}}],
)
def test_metadata_that_says_nothing_stops_nothing(metadata: dict[str, object]) -> None:
    assert origin_of(metadata).email == ""
    assert origin_of(METADATA).handed_in == "2027-03-26T22:22:32.365935-07:00"
