"""The zip file that Gradescope takes for an autograder: setup, the grader, the package and the course."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path

from autograder.authoring.package_wheel import constraints, package_wheel, zip_of
from autograder.errors import UsageError
from autograder.loading.assignment import Course
from autograder.report.exports.gradescope import HiddenChecks

#: What Gradescope runs, both at the top of the zip file.
EXECUTABLE = ("setup.sh", "run_autograder")
COURSE, WHEELS = "course", "wheels"

_SETUP = """\
#!/usr/bin/env bash
# Run once, when Gradescope builds the image: installs the autograder, and shuts its files to submissions.
#
# AUTOGRADER_ROOT      where Gradescope's folders are, by default /autograder
# AUTOGRADER_PYTHON    the Python to use, by default the first that is new enough
# AUTOGRADER_PIP       options for `pip install`{offline}
# AUTOGRADER_NO_APT    if set, no system package is installed
set -euo pipefail
root="${{AUTOGRADER_ROOT:-/autograder}}"
source="$root/source"

# References and hidden cases are for root alone; a submission runs as another user.
[ "$(id -u)" != 0 ] || chown -R 0:0 "$source"
chmod -R go-rwx "$source"

fits() {{
    "$1" -c 'import ensurepip, sys, venv; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1
}}
find_python() {{
    for candidate in ${{AUTOGRADER_PYTHON:-python{version} python3.13 python3.12 python3.11 python3}}; do
        if fits "$candidate"; then
            echo "$candidate"
            return
        fi
    done
}}

python="$(find_python)"
if [ -z "${{AUTOGRADER_NO_APT:-}}" ] && command -v apt-get >/dev/null; then
    export DEBIAN_FRONTEND=noninteractive
    apt-get update -qq
    apt-get install -y -qq --no-install-recommends bubblewrap || echo "bubblewrap cannot be installed"
    for version in {version} 3.12 3.11; do
        [ -z "$python" ] || break
        apt-get install -y -qq --no-install-recommends "python$version" "python$version-venv" || true
        python="$(find_python)"
    done
fi
if [ -z "$python" ]; then
    echo "no Python of version 3.11 or newer was found: choose a newer base image" >&2
    exit 1
fi

"$python" -m venv "$root/venv"
"$root/venv/bin/python" -m pip install --quiet --disable-pip-version-check ${{AUTOGRADER_PIP-{pip}}} \\
    --constraint "$source/constraints.txt" "$source/{wheels}/{wheel}"
mkdir -p "$root/results"
cd "$source/{course}"
"$root/venv/bin/python" -P -m autograder --plain doctor
"""

_RUN = """\
#!/usr/bin/env bash
# Run for every submission: grades {root}/submission into {root}/results/results.json.
set -euo pipefail
root="${{AUTOGRADER_ROOT:-/autograder}}"
cd "$root/source/{course}"
exec "$root/venv/bin/python" -P -m autograder export gradescope-results \\
    --root "$root" --hidden-checks {hidden}
"""


def gradescope_zip(
    course: Course, *, hidden_checks: HiddenChecks = "visible", wheels: Mapping[str, bytes] | None = None
) -> bytes:
    """The zip file; with `wheels` of all that is needed, Gradescope installs from them and from nowhere else.

    UsageError in a student's kit, which has no references.
    """
    wheel, content = package_wheel()
    files = {f"{COURSE}/{name}": data for name, data in course_files(course).items()}
    files |= {f"{WHEELS}/{name}": data for name, data in (wheels or {}).items()}
    files |= {
        f"{WHEELS}/{wheel}": content,
        "constraints.txt": constraints().encode(),
        "setup.sh": _setup(wheel, offline=bool(wheels)).encode(),
        "run_autograder": _RUN.format(root="$AUTOGRADER_ROOT", course=COURSE, hidden=hidden_checks).encode(),
    }
    return zip_of(files, executable=EXECUTABLE)


def course_files(course: Course) -> dict[str, bytes]:
    """The files of an assignment by their paths from the course's top: config, exercises, references."""
    assignment = course.assignment
    files = {course.config.file: course.config.content, course.references.file: course.references.content}
    files |= {document.file: document.content for document in course.documents.values()}
    if assignment.malrules is not None:
        files[assignment.malrules] = (course.top / assignment.malrules).read_bytes()
    return files


def read_wheels(folder: Path) -> dict[str, bytes]:
    """The wheels in a folder by name; UsageError if there are none."""
    paths = sorted(folder.glob("*.whl"))
    if not paths:
        raise UsageError(f"{folder} holds no wheels", remedy="`pip wheel` makes them for a list of packages")
    return {path.name: path.read_bytes() for path in paths}


def _setup(wheel: str, *, offline: bool) -> str:
    pip = f'--no-index --find-links "$source/{WHEELS}"' if offline else ""
    told = "; here, to install from wheels alone" if offline else ""
    # The pinned versions fit the Python that runs here best.
    version = f"{sys.version_info.major}.{sys.version_info.minor}"
    return _SETUP.format(wheel=wheel, wheels=WHEELS, course=COURSE, pip=pip, offline=told, version=version)
