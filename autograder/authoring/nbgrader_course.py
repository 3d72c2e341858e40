"""A folder for nbgrader: the instructor's notebook in its place, and the configuration that grading needs."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from autograder.authoring.nbgrader_notebook import source_notebook
from autograder.errors import UsageError
from autograder.loading.assignment import Course

CONFIG = "nbgrader_config.py"
_BEGIN, _END = "# --- autograder: begin", "# --- autograder: end"
_BLOCK = re.compile(rf"^{re.escape(_BEGIN)}.*?^{re.escape(_END)}[^\n]*\n?", re.MULTILINE | re.DOTALL)
_EXPORTER = "autograder.plugins.nbgrader.exporter.SubmittedNotebookExporter"
_LATE = "autograder.plugins.nbgrader.late.LatePenalty"
#: nbgrader's own steps in its own order: ours is before them, or in the place of Execute.
_SANITIZE = (
    "autograder.plugins.nbgrader.preprocessors.RestoreCells",
    "nbgrader.preprocessors.ClearOutput",
    "nbgrader.preprocessors.DeduplicateIds",
    "nbgrader.preprocessors.OverwriteKernelspec",
    "nbgrader.preprocessors.OverwriteCells",
    "nbgrader.preprocessors.CheckCellMetadata",
)
_GRADE = (
    "autograder.plugins.nbgrader.preprocessors.GradeInWorker",
    "nbgrader.preprocessors.IgnorePattern",
    "nbconvert.preprocessors.ClearMetadataPreprocessor",
    "nbgrader.preprocessors.LimitOutput",
    "nbgrader.preprocessors.SaveAutoGrades",
    "nbgrader.preprocessors.AssignLatePenalties",
    "nbgrader.preprocessors.CheckCellMetadata",
)


@dataclass(frozen=True)
class Written:
    """One file dealt with: where, where an earlier one is kept, and whether there was anything to write."""

    path: Path
    kept: Path | None = None
    unchanged: bool = False


def write_course(course: Course, folder: Path, *, force: bool = False) -> tuple[Written, ...]:
    """Write the notebook and the configuration into nbgrader's folder.

    UsageError, with nothing written, if something else stands there, unless `force`; it is then kept as .bak.
    A configuration of one's own keeps its lines: ours are added below them.
    """
    name = course.assignment.name
    config = folder / CONFIG
    texts = {
        folder / "source" / name / f"{name}.ipynb": source_notebook(course),
        config: _config(_read(config), _lines(course, folder)),
    }
    try:
        changed = {path: text for path, text in texts.items() if _read(path) != text}
        there = [path for path in changed if os.path.lexists(path)]
        if there and not force:
            raise UsageError(
                f"{', '.join(map(str, there))} {'is' if len(there) == 1 else 'are'} there already",
                remedy=f"--force keeps the old as .bak, and in {CONFIG} adds its lines below yours",
            )
        return tuple(
            _write(path, text) if path in changed else Written(path, unchanged=True)
            for path, text in texts.items()
        )
    except OSError as error:
        raise UsageError(
            f"{folder} cannot be written: {error.strerror}", remedy="name another folder"
        ) from None


def _read(path: Path) -> str | None:
    """The text of a file, or None if it is none or no text."""
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        return None


def _write(path: Path, text: str) -> Written:
    path.parent.mkdir(parents=True, exist_ok=True)
    kept = None
    if os.path.lexists(path):
        kept, number = path.with_name(f"{path.name}.bak"), 1
        while os.path.lexists(kept):
            number += 1
            kept = path.with_name(f"{path.name}.bak{number}")
        os.rename(path, kept)
    with path.open("x", encoding="utf-8", newline="\n") as file:
        file.write(text)
    return Written(path, kept)


def _config(old: str | None, lines: str) -> str:
    """A configuration with our lines: in the place of earlier ones of ours, else below what is there."""
    if old is None:
        return f'"""Configuration of this nbgrader course."""\n\nc = get_config()  # noqa: F821\n\n{lines}'
    if _BLOCK.search(old):
        return _BLOCK.sub(lambda match: lines, old, count=1)
    return old.rstrip("\n") + "\n\n" + lines


def _lines(course: Course, folder: Path) -> str:
    """Our lines of configuration: they need nothing but `c`, and win over what stands above them."""
    place = os.path.relpath(course.top.resolve(), folder.resolve())
    course_id = re.sub(r"[^\w-]+", "-", folder.resolve().name).strip("-") or "course"
    sanitize, grade = _listed(_SANITIZE), _listed(_GRADE)
    return f"""\
{_BEGIN} (`autograder nbgrader create` writes these lines)
import os
from pathlib import Path

# Where config/, exercises/ and solutions/ lie, for the preprocessors and for kernels.
os.environ["AUTOGRADER_PROJECT"] = str((Path(__file__).parent / {place!r}).resolve())
c.CourseDirectory.course_id = c.CourseDirectory.get("course_id") or "{course_id}"
# A notebook that is damaged, or whose cells are gone, copied or renamed, is graded all the same.
c.Autograde.exporter_class = "{_EXPORTER}"
c.Autograde.sanitize_preprocessors = [
{sanitize}]
# The first grades in a worker; nbgrader.preprocessors.Execute in its place runs a kernel for each notebook.
c.Autograde.autograde_preprocessors = [
{grade}]
# Late work costs what the assignment's config says; without a rule there, what nbgrader's own plugin says.
c.AssignLatePenalties.plugin_class = "{_LATE}"
{_END}
"""


def _listed(steps: Sequence[str]) -> str:
    return "".join(f'    "{step}",\n' for step in steps)
