"""A class graded on an existing Dask cluster: the course goes there as a bundle, results come back as text.

Every worker process gets a post: the course unpacked, checked and loaded, a workshop of its own and a
grader. The sandbox of a workshop is started from a thread that lasts as long as it, so Dask may run tasks in
any thread.
"""

from __future__ import annotations

import logging
import threading
import uuid
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import CancelledError
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath
from tempfile import TemporaryDirectory
from typing import Any

import distributed

from autograder.errors import BrokenError, ClusterUnavailable
from autograder.grading.batch import Done, Order, arrived, broken, due
from autograder.grading.store import Row, result_text
from autograder.grading.submission import Grader
from autograder.loading.assignment import Course, files_digest, load_assignment
from autograder.loading.submissions import Found
from autograder.loading.translations import catalogue_path, in_language
from autograder.model.submission import Submission
from autograder.wording.languages import speaking, spoken
from autograder.worker.interface import Level
from autograder.worker.levels import Wanted, open_workshop

#: Seconds to wait for the scheduler, and for its first worker.
PATIENCE = 10
#: How often a task that raised is tried again; one whose worker died comes again by Dask's own rule.
RETRIES = 2
#: Submissions under way for each thread of the cluster, and at least: enough that no worker waits for us.
AHEAD, LEAST_AHEAD = 4, 16


@dataclass(frozen=True, slots=True)
class Bundle:
    """A course as it travels: its files by path from the top, and the digest that they must have."""

    assignment: str
    files: Mapping[str, bytes]
    sha256: str
    language: str
    catalogue: bytes

    @classmethod
    def of(cls, course: Course) -> Bundle:
        """The course as it was loaded, in the language that is spoken."""
        path = catalogue_path(course, spoken())
        catalogue = path.read_bytes() if path.is_file() else b""
        return cls(course.assignment.name, course.files(), course.sha256, spoken(), catalogue)

    def unpack(self, folder: Path) -> Course:
        """Write the files and load the course; BrokenError if they are not those that were packed."""
        if files_digest(self.files) != self.sha256:
            raise BrokenError("the course was changed on its way", remedy="send it again")
        for name, content in self.files.items():
            path = PurePosixPath(name)
            if path.is_absolute() or ".." in path.parts:
                raise BrokenError(f"the course holds a path that leads out of it: {name}")
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            (folder / path).write_bytes(content)
        course = load_assignment(folder, self.assignment)
        if self.catalogue:
            place = catalogue_path(course, self.language)
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_bytes(self.catalogue)
        return in_language(course, self.language)


@dataclass(frozen=True, slots=True)
class Graded:
    """A result as the text of its file, and its row."""

    text: str
    row: Row


class Post(distributed.WorkerPlugin):  # type: ignore[misc]
    """What a worker process needs to grade. Dask sets it up on every worker, on those that join later too."""

    def __init__(self, bundle: Bundle, wanted: Wanted) -> None:
        self._bundle = bundle
        self._wanted = wanted

    def setup(self, worker: Any) -> None:
        """Unpack the course and open the workshop; whatever goes wrong here is raised at the client."""
        # A grader is for one thread at a time: wrong functions are loaded anew under names all threads share.
        self._turn = threading.Lock()
        self._folder = TemporaryDirectory(prefix="autograder-", dir=worker.local_directory)
        course = self._bundle.unpack(Path(self._folder.name))
        self._workshop = open_workshop(self._wanted)
        self._grader = Grader(course, self._workshop)

    def teardown(self, worker: Any) -> None:
        """End the workshop and remove the course."""
        with self._turn:
            self._workshop.close()
            self._folder.cleanup()

    @property
    def environment(self) -> Mapping[str, str]:
        """What results are made with here."""
        return self._grader.environment

    def grade(self, submission: Submission, environment: Mapping[str, str]) -> Graded:
        """The result of a submission; BrokenError on a worker that would not give what the others give."""
        if self.environment != environment:
            raise BrokenError(_disagreement([environment, self.environment]))
        with self._turn, speaking(self._bundle.language):
            result = replace(self._grader.grade(submission), origin=submission.origin)
        return Graded(result_text(result), Row.of(result))


def _environment_at(post: str, dask_worker: Any) -> Mapping[str, str]:
    environment: Mapping[str, str] = dask_worker.plugins[post].environment
    return environment


def _grade_at(post: str, submission: Submission, environment: Mapping[str, str]) -> Graded:
    graded: Graded = distributed.get_worker().plugins[post].grade(submission, environment)
    return graded


@contextmanager
def open_cluster(address: str, course: Course, wanted: Wanted) -> Iterator[Cluster]:
    """A cluster whose workers all have a post for this course and agree on what results are made with.

    ClusterUnavailable if there is no scheduler or no worker, or if they differ; IsolationUnavailable if a
    worker does not offer the level.
    """
    _silence_dask()
    client = _connect(address)
    post = f"autograder-{course.sha256[:16]}-{uuid.uuid4().hex[:8]}"
    try:
        client.register_plugin(Post(Bundle.of(course), wanted), name=post)
        environments = client.run(_environment_at, post)
        yield Cluster(client, post, _agreed(environments), workers=len(environments))
    finally:
        with suppress(Exception):  # a scheduler that is gone has nothing to clear away
            client.unregister_worker_plugin(post)
        client.close()


def _silence_dask() -> None:
    """Keep Dask's own log off the terminal: lost workers and schedulers are told in our words."""
    for name in list(logging.root.manager.loggerDict):
        if name.partition(".")[0] == "distributed":
            logging.getLogger(name).setLevel(logging.CRITICAL)


def _connect(address: str) -> distributed.Client:
    try:
        client = distributed.Client(address, timeout=PATIENCE, set_as_default=False)
    except (OSError, ValueError) as error:
        remedy = "name it as `dask scheduler` prints it: tcp://HOST:8786"
        raise ClusterUnavailable(f"no Dask scheduler answers at {address}", remedy=remedy) from error
    try:
        client.wait_for_workers(1, timeout=PATIENCE)
    except TimeoutError as error:
        client.close()
        remedy = f"start some with `dask worker {address}`"
        raise ClusterUnavailable(f"the scheduler at {address} has no workers", remedy=remedy) from error
    return client


def _agreed(environments: Mapping[str, Mapping[str, str]]) -> Mapping[str, str]:
    """What all workers have; ClusterUnavailable if two differ."""
    distinct = [dict(one) for one in {tuple(sorted(each.items())) for each in environments.values()}]
    if len(distinct) > 1:
        remedy = "install the same versions everywhere, or name a level with --isolation"
        raise ClusterUnavailable(_disagreement(distinct), remedy=remedy)
    # In the order in which results are written.
    return next(iter(environments.values()))


def _disagreement(environments: Sequence[Mapping[str, str]]) -> str:
    """What differs, and in which ways: "the workers differ: numpy 2.3.1, 2.4.6"."""
    kinds: dict[str, set[str]] = {}
    for name in sorted({name for one in environments for name in one}):
        kinds[name] = {one.get(name, "none") for one in environments}
    parts = (f"{name} {', '.join(sorted(found))}" for name, found in kinds.items() if len(found) > 1)
    return f"the workers differ: {'; '.join(parts)}"


class Cluster:
    """A connected cluster, ready for one course."""

    def __init__(
        self, client: distributed.Client, post: str, environment: Mapping[str, str], *, workers: int
    ) -> None:
        self.environment = environment
        self.workers = workers
        self._client = client
        self._post = post

    @property
    def level(self) -> Level:
        """The level of isolation that every worker has."""
        return self.environment["isolation"]  # type: ignore[return-value]

    def each(self, course: Course, found: Sequence[Found], order: Order) -> Iterator[Done]:
        """Every submission dealt with, as they are done; see `batch.grade_batch`.

        ClusterUnavailable if the scheduler goes; what was done by then is written.
        """
        answers = distributed.as_completed(loop=self._client.loop)
        asked: dict[str, Found] = {}
        ahead = max(LEAST_AHEAD, AHEAD * sum(self._client.nthreads().values()))
        for number, one in enumerate(found):
            submission = due(one, order, course, self.environment)
            if isinstance(submission, Done):
                yield submission
                continue
            future = self._ask(submission, number)
            asked[future.key] = one
            answers.add(future)
            if len(asked) >= ahead:
                yield self._answer(answers, asked, course, order)
        while asked:
            yield self._answer(answers, asked, course, order)

    def _ask(self, submission: Submission, number: int) -> Any:
        return self._client.submit(
            _grade_at,
            self._post,
            submission,
            dict(self.environment),
            key=f"{self._post}-{number}",
            retries=RETRIES,
            pure=False,
        )

    def _answer(self, answers: Any, asked: dict[str, Found], course: Course, order: Order) -> Done:
        """The next submission that comes back, written."""
        future = next(answers)
        one = asked.pop(future.key)
        try:
            graded = future.result()
        except CancelledError as error:
            message = "the Dask scheduler is gone"
            raise ClusterUnavailable(message, remedy="the same command goes on from there") from error
        except Exception as error:  # a fault of ours, or a submission whose workers died one after the other
            return broken(one, f"{type(error).__name__}: {error}", order, course)
        return arrived(order, one, graded.text, graded.row)
