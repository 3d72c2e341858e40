"""A class on a Dask cluster: the bytes of the local run, whatever becomes of a worker, and clear words."""

import json
import os
import signal
import subprocess
import sys
import time
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import psutil
import pytest
from click.testing import CliRunner

from autograder.cli.main import cli
from autograder.errors import BrokenError, ClusterUnavailable
from autograder.grading.batch import Order, grade_batch
from autograder.loading.assignment import load_assignment
from autograder.loading.submissions import find_submissions
from tests.cli.small_course import RIGHT, write_course

distributed = pytest.importorskip("distributed")
cluster = pytest.importorskip("autograder.grading.cluster")

STUDENTS = 24
#: Seconds a scheduler or a worker may take to come up on a busy machine.
PATIENCE = 60


class Machines:
    """A scheduler and workers on loopback, as processes of their own."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.file = folder / "scheduler.json"
        self.scheduler = self._start("dask_scheduler", "--host", "127.0.0.1", "--port", "0", "--no-show")
        _wait(self.file.exists)
        self.address = json.loads(self.file.read_text())["address"]
        self.workers = [self.add() for _ in range(2)]
        with distributed.Client(self.address, set_as_default=False) as client:
            client.wait_for_workers(2, timeout=PATIENCE)

    def add(self) -> subprocess.Popen[bytes]:
        """One more worker, of one thread."""
        options = ("--nthreads", "1", "--no-nanny", "--host", "127.0.0.1")
        return self._start("dask_worker", *options, "--local-directory", str(self.folder))

    def _start(self, module: str, *options: str) -> subprocess.Popen[bytes]:
        command = [sys.executable, "-m", f"distributed.cli.{module}", "--scheduler-file", str(self.file)]
        surroundings = os.environ | {"DASK_DISTRIBUTED__DIAGNOSTICS__NVML": "False"}
        with open(self.folder / "log.txt", "ab") as log:
            return subprocess.Popen(
                [*command, "--no-dashboard", *options], env=surroundings, stdout=log, stderr=log
            )

    def close(self) -> None:
        for process in (*self.workers, self.scheduler):
            process.kill()
            process.wait()


def _wait(holds, seconds=PATIENCE):
    end = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < end, "it did not come about"
        time.sleep(0.05)


@pytest.fixture(scope="module")
def machines(tmp_path_factory):
    with closing(Machines(tmp_path_factory.mktemp("machines"))) as machines:
        yield machines


@pytest.fixture
def school(tmp_path):
    write_course(tmp_path / "course")
    (tmp_path / "in").mkdir()
    for number in range(STUDENTS):
        source = RIGHT if number % 3 else RIGHT.replace("S + S", "S * 3")
        # Not so fast that all is done before a worker can be killed.
        (tmp_path / f"in/s{number:02}.py").write_text(
            f"import time\ntime.sleep(0.05)\n{source}\n# {number}\n"
        )
    (tmp_path / "in/broken.py").write_text("def double(S: return\n")
    (tmp_path / "in/exits.py").write_text(RIGHT.replace("return S + S", "import os; os._exit(3)"))
    (tmp_path / "in/link.py").symlink_to(tmp_path / "in/s00.py")
    return tmp_path


def grade(school: Path, out: str, **how):
    course = load_assignment(school / "course", "mini")
    order = Order(school / "course", "mini", school / out, "auto")
    return grade_batch(course, find_submissions(school / "in"), order, **how)


def graded_on(machines: Machines, school: Path, out: str, **how):
    course = load_assignment(school / "course", "mini")
    with cluster.open_cluster(machines.address, course, "auto") as opened:
        return grade(school, out, each=opened.each, **how)


def files(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.name != ".lock"}


@pytest.mark.slow
def test_a_cluster_gives_the_bytes_of_the_local_run_and_skips_what_is_unchanged(machines, school):
    grade(school, "local")
    graded_on(machines, school, "remote")

    assert files(school / "remote") == files(school / "local")
    again = graded_on(machines, school, "remote")
    assert [done.row.student for done in again if not done.row.unchanged] == ["link"]
    assert files(school / "remote") == files(school / "local")


@pytest.mark.slow
def test_a_worker_killed_at_work_loses_nothing_and_leaves_no_process(machines, school):
    grade(school, "local")
    doomed = machines.workers.pop(0)
    below = []

    def kill_after_a_few(done):
        if doomed.poll() is None:
            below.extend(psutil.Process(doomed.pid).children(recursive=True))
            os.kill(doomed.pid, signal.SIGKILL)
            doomed.wait()

    graded_on(machines, school, "remote", on_done=kill_after_a_few)
    machines.workers.append(machines.add())

    assert files(school / "remote") == files(school / "local")
    assert below, "the worker had no sandbox"
    _wait(lambda: not any(process.is_running() for process in below), 10)


@pytest.mark.slow
def test_what_the_workers_were_given_is_gone_afterwards(machines, school):
    graded_on(machines, school, "remote")

    assert list(machines.folder.rglob("mini.yaml")) == []
    workers = [psutil.Process(worker.pid) for worker in machines.workers]
    _wait(lambda: not any(worker.children(recursive=True) for worker in workers), 10)


@pytest.mark.slow
def test_a_scheduler_that_goes_is_told_in_words_and_what_is_done_is_kept(
    school, tmp_path, monkeypatch, capfd
):
    monkeypatch.setattr("autograder.grading.cluster.PATIENCE", 3)
    (tmp_path / "short_lived").mkdir()
    seen = []

    def kill_the_scheduler(done):
        seen.append(done)
        if len(seen) == 5:
            machines.scheduler.kill()

    gone = pytest.raises(ClusterUnavailable, match="the Dask scheduler is gone; the same command goes on")
    with closing(Machines(tmp_path / "short_lived")) as machines, gone:
        graded_on(machines, school, "remote", on_done=kill_the_scheduler)

    assert len((school / "remote/grades.csv").read_text().splitlines()) == 1 + len(seen)
    assert capfd.readouterr().err == ""


def test_a_bundle_changed_on_its_way_is_refused_before_any_of_it_runs(school, tmp_path):
    bundle = cluster.Bundle.of(load_assignment(school / "course", "mini"))
    changed = replace(bundle, files={**bundle.files, "solutions/mini.py": b"1 / 0"})

    with pytest.raises(BrokenError, match="changed on its way"):
        changed.unpack(tmp_path / "there")
    assert not (tmp_path / "there").exists()


def test_an_unpacked_bundle_is_the_course_it_was_made_of(school, tmp_path):
    course = load_assignment(school / "course", "mini")

    assert cluster.Bundle.of(course).unpack(tmp_path / "there").sha256 == course.sha256


def test_an_address_where_nobody_answers_is_told_in_words(school, monkeypatch):
    monkeypatch.setattr("autograder.grading.cluster.PATIENCE", 1)
    course = load_assignment(school / "course", "mini")

    words = "no Dask scheduler answers at tcp://127"
    with (
        pytest.raises(ClusterUnavailable, match=words),
        cluster.open_cluster("tcp://127.0.0.1:9", course, "auto"),
    ):
        pass


def command(school: Path, *arguments: str):
    """`autograder grade` on the class, with these arguments."""
    course, students, out = (str(school / name) for name in ("course", "in", "out"))
    return CliRunner().invoke(cli, ["grade", students, "--out", out, "-C", course, *arguments])


@pytest.mark.slow
def test_grade_scheduler_on_the_command_line(machines, school):
    grade(school, "local")
    ran = command(school, "--scheduler", machines.address, "--plain")

    assert ran.exit_code == 0, ran.output
    local = files(school / "local")
    assert {name: content for name, content in files(school / "out").items() if name in local} == local


def test_without_the_extra_the_command_says_what_to_install(school, monkeypatch):
    monkeypatch.delitem(sys.modules, "autograder.grading.cluster")
    monkeypatch.setitem(sys.modules, "distributed", None)
    ran = command(school, "--scheduler", "tcp://127.0.0.1:9")

    assert ran.exit_code == 2
    assert "--scheduler needs the package distributed; install it" in ran.output
