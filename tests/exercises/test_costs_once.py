"""One mistake costs once: with any known mistake in one exercise, right builds on it lose nothing."""

import re
import textwrap

import pytest

from autograder.grading.follow_through import faulty_used
from autograder.grading.submission import Grader
from autograder.model.exercise import Misconception
from tests.grading.in_process import TOP, Workshop, course, submission

pytestmark = [
    pytest.mark.slow,
    pytest.mark.filterwarnings("ignore::RuntimeWarning", "ignore::numpy.exceptions.ComplexWarning"),
]

REFERENCE = (TOP / "solutions/qkv.py").read_text().replace("from __future__ import annotations\n", "")
MALRULES = re.sub(
    r"from solutions\.qkv import \([^)]*\)", "", (TOP / "solutions/qkv_malrules.py").read_text()
)
#: What no value can speak for: the build stops at two results where one comes back, or all its weights are alike.
UNSEEN = {
    "attention.returns_output_only": {"one_head"},
    "scores.same_index": {"attention", "one_head"},
}
BY_ID = {exercise.id: exercise for exercise in course().exercises}
RESTING = {name: [other for other in BY_ID if faulty_used(BY_ID[other], BY_ID, [name])] for name in BY_ID}
MISTAKES = [
    pytest.param(name, mistake, id=mistake.code)
    for name, exercise in BY_ID.items()
    for mistake in exercise.misconceptions
    if RESTING[name]
]


@pytest.mark.parametrize(("name", "mistake"), MISTAKES)
def test_a_right_build_on_a_mistake_has_its_marks(name: str, mistake: Misconception) -> None:
    # The wrong function calls right ones: it is made where nothing else is replaced.
    apart = textwrap.indent(f"{REFERENCE}\n{MALRULES}\nreturn {mistake.malrule}\n", "    ")
    source = f"{REFERENCE}\n\ndef _apart():\n{apart}\n\n{BY_ID[name].function} = _apart()\n"
    result = Grader(course(), Workshop()).grade(submission(source), (name, *RESTING[name]))

    lost = {exercise.id for exercise in result.exercises if exercise.marks < exercise.max_marks}
    assert lost == {name} | UNSEEN.get(mistake.code, set())
