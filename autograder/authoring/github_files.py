"""The files that let GitHub Classroom check a repository: a workflow, and the package beside it."""

from __future__ import annotations

import sys
from collections.abc import Mapping

from autograder.authoring.package_wheel import constraints, package_wheel
from autograder.loading.assignment import Course

WORKFLOW = ".github/workflows/autograding.yml"
FOLDER = ".github/autograder"

_TEXT = """\
# Made by `autograder export github`: checks the work at every push and reports to GitHub Classroom.
name: Autograding
on: [push, workflow_dispatch]

permissions:
  actions: read
  checks: write
  contents: read

jobs:
  autograding:
    runs-on: ubuntu-latest
    if: github.actor != 'github-classroom[bot]'
    timeout-minutes: 20
    steps:
      - name: Check out
        uses: actions/checkout@v4
      - name: Set up Python
        uses: actions/setup-python@v5
        with:
          python-version: "{version}"
      - name: Install the autograder
        run: >-
          python -m pip install --quiet --disable-pip-version-check
          --constraint {folder}/constraints.txt {folder}/{wheel}
      - name: Check the work
        id: autograder
        run: python -m autograder check --assignment {assignment} --format github
      - name: Report
        if: ${{{{ always() }}}}
        uses: classroom-resources/autograding-grading-reporter@v1
        env:
          AUTOGRADER_RESULTS: "${{{{ steps.autograder.outputs.result }}}}"
        with:
          runners: autograder
"""


def github_files(course: Course) -> Mapping[str, bytes]:
    """The files by their paths in a repository, which is best a student's kit."""
    wheel, content = package_wheel()
    text = _TEXT.format(
        version=f"{sys.version_info.major}.{sys.version_info.minor}",
        folder=FOLDER,
        wheel=wheel,
        assignment=course.assignment.name,
    )
    return {
        WORKFLOW: text.encode(),
        f"{FOLDER}/{wheel}": content,
        f"{FOLDER}/constraints.txt": constraints().encode(),
    }
