"""Every labelled submission of tests/submissions, in one run of the real batch: right marks, right diagnoses.

The labels are proved apart from the grader by tests/test_fixture_labels.py.
"""

from __future__ import annotations

import json
import re
import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psutil
import pytest
import yaml

from autograder.grading.batch import Order, grade_batch
from autograder.grading.store import file_name
from autograder.loading.assignment import load_assignment
from autograder.loading.submissions import find_submissions

TOP = Path(__file__).parents[1]
SUBMISSIONS = TOP / "tests" / "submissions"

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("fixture-marks")]


@dataclass(frozen=True)
class Label:
    """What a header says."""

    right: tuple[str, ...]
    wrong: tuple[str, ...]
    kind: str
    root_cause: tuple[str, ...]


def read_label(path: Path) -> Label:
    """The header of a labelled submission, whatever the file's encoding."""
    raw = path.read_bytes()
    text = raw.decode("utf-16") if raw[:2] in (b"\xff\xfe", b"\xfe\xff") else raw.decode("latin-1")
    text = re.split(r"\r\n|\r|\n", text.lstrip("\ufeff").removeprefix("ï»¿")) and text
    lines = [line[2:] for line in re.split(r"\r\n|\r|\n", text) if re.match(r"# [a-z_]+:", line)]
    header: dict[str, Any] = {}
    for line in lines:
        key, _, value = line.partition(":")
        if key in ("functions_right", "functions_wrong", "kind", "root_cause") and key not in header:
            header[key] = yaml.safe_load(value)
    return Label(
        tuple(header["functions_right"]),
        tuple(header["functions_wrong"]),
        header["kind"],
        tuple(header.get("root_cause") or ()),
    )


LABELS = {path.stem: read_label(path) for path in sorted(SUBMISSIONS.glob("*.py"))}


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """The result of every labelled submission, from one batch of two jobs with short limits."""
    top = tmp_path_factory.mktemp("course")
    for name in ("config", "exercises", "solutions"):
        shutil.copytree(TOP / name, top / name)
    config = top / "config" / "qkv.yaml"
    short = config.read_text(encoding="utf-8")
    short = re.sub(r"call_seconds: \S+", "call_seconds: 0.6", short)
    short = re.sub(r"load_seconds: \S+", "load_seconds: 1.5", short)
    config.write_text(short, encoding="utf-8")
    course, out = load_assignment(top), tmp_path_factory.mktemp("results")
    found = find_submissions(SUBMISSIONS)
    before = {process.pid for process in psutil.Process().children(recursive=True)}
    done = grade_batch(course, found, Order(top, "qkv", out, "auto"), jobs=2)
    assert len(done) == len(found), "as many rows as submissions"
    left = [
        p
        for p in psutil.Process().children(recursive=True)
        if p.pid not in before and p.name() != "resource_tracker"
    ]
    assert [p.cmdline() for p in left if "resource_tracker" not in " ".join(p.cmdline())] == []
    yield {
        one.student: json.loads((out / file_name(one.student)).read_text(encoding="utf-8")) for one in found
    }


def test_functions_labelled_right_pass_with_full_marks(results: dict[str, Any]) -> None:
    lost = [
        (name, exercise["function"], exercise["status"], exercise["marks"])
        for name, label in LABELS.items()
        for exercise in results[name]["exercises"]
        if exercise["function"] in label.right
        and not (exercise["status"] == "passed" and exercise["marks"] == exercise["max_marks"])
    ]

    assert lost == []


def test_functions_labelled_wrong_pass_only_as_follow_through(results: dict[str, Any]) -> None:
    gained = [
        (name, exercise["function"], exercise["marks"])
        for name, label in LABELS.items()
        for exercise in results[name]["exercises"]
        if exercise["function"] in label.wrong
        and exercise["status"] == "passed"
        and not (exercise["follow_through"] and exercise["function"] not in label.root_cause)
    ]

    assert gained == []


def test_nothing_of_ours_broke(results: dict[str, Any]) -> None:
    assert [name for name, result in results.items() if result["outcome"] == "broken"] == []


def test_no_right_function_is_accused_of_a_mistake(results: dict[str, Any]) -> None:
    accused = [
        (name, exercise["function"], [one["code"] for one in exercise["diagnosis"]])
        for name, label in LABELS.items()
        for exercise in results[name]["exercises"]
        if exercise["function"] in label.right and exercise["diagnosis"]
    ]

    assert accused == []
