"""`autograder release`: what a kit holds, what it never holds, and that no student's work is lost by it."""

import ast
import json
import re
from pathlib import Path

import pytest
import yaml
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from autograder.authoring.release import _yaml, make_kit, write_kit
from autograder.cli.main import cli
from autograder.errors import ExerciseError, UsageError
from autograder.loading.assignment import load_assignment
from autograder.loading.yaml_strict import read_document
from autograder.model.exercise import Exercise
from tests.kit.small import DOUBLE, FILES, SPREAD, released, small_course

TOP = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def qkv():
    """The course that the project ships."""
    return load_assignment(TOP, "qkv")


@pytest.fixture(scope="module")
def kit_files(qkv):
    """Every file of its kit as text, by its path."""
    return {name: content.decode() for name, content in make_kit(qkv).files.items()}


# What is never in it


def code_lines(path: Path) -> set[str]:
    """The lines of a Python file that do something: no comments, no docstrings, laid out anew."""
    lines = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.stmt) and not isinstance(node, ast.FunctionDef | ast.ClassDef):
            if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
                continue
            lines |= {line.strip() for line in ast.unparse(node).splitlines()}
    return {line for line in lines if len(line) > 8 and not line.startswith("import ")}


def squeezed(text: str) -> str:
    """The text without blanks and quotes, so that another layout hides nothing."""
    return re.sub(r"[\s'\"]+", "", text)


def test_no_line_of_a_reference_or_of_a_wrong_function_is_in_a_kit(kit_files):
    lines = code_lines(TOP / "solutions/qkv.py") | code_lines(TOP / "solutions/qkv_malrules.py")
    everything = {name: squeezed(text) for name, text in kit_files.items()}
    found = [(name, line) for line in lines for name, text in everything.items() if squeezed(line) in text]

    assert len(lines) > 200
    assert found == []


def test_no_mal_rule_and_no_misconception_is_in_a_kit(qkv, kit_files):
    secrets = {"malrule", "misconception", qkv.assignment.malrules, qkv.assignment.solutions}
    secrets |= set(qkv.malrules().functions) - {exercise.function for exercise in qkv.exercises}
    for exercise in qkv.exercises:
        for misconception in exercise.misconceptions:
            secrets |= {misconception.code, misconception.malrule, misconception.text, misconception.hint}
        secrets |= {accepted.reason for accepted in exercise.equivalent_mutants}
    texts = {name: squeezed(text) for name, text in kit_files.items()}
    shown = squeezed(
        " ".join(text for exercise in qkv.exercises for text in (exercise.about, *exercise.hints))
    )
    found = [
        (name, secret)
        for secret in secrets - {None}
        for name, text in texts.items()
        if squeezed(secret) in text and squeezed(secret) not in shown
    ]

    assert len(secrets) > 300
    assert found == []


def test_no_hidden_case_is_in_a_kit(qkv, kit_files):
    found = []
    for exercise in qkv.exercises:
        name = next(file for file in kit_files if file.endswith(f"_{exercise.id}.yaml"))
        data, values = yaml.safe_load(kit_files[name]), json.loads(kit_files["values/qkv.json"])
        hidden = {case for case, said in exercise.cases.items() if said.hidden}
        found += hidden & data["cases"].keys() or []
        found += hidden & values["exercises"][exercise.id].keys()
        found += [check for check in data["checks"] if hidden & set(strings_in(check))]
        found += {exercise.cases[case].about for case in hidden} & {
            *strings_in(data["cases"]),
            *strings_in(data["checks"]),
        }
        found += [given for given in recipes_of(exercise, hidden=True) if given in recipes_in(data)]

    assert sum(case.hidden for exercise in qkv.exercises for case in exercise.cases.values()) > 14
    assert found == []
    assert not any("hidden: true" in text for text in kit_files.values())


def strings_in(value) -> list[str]:
    """Every text in nested lists and mappings, keys left aside."""
    if isinstance(value, dict):
        return [text for item in value.values() for text in strings_in(item)]
    if isinstance(value, list):
        return [text for item in value for text in strings_in(item)]
    return [value] if isinstance(value, str) else []


def recipes_of(exercise: Exercise, *, hidden: bool) -> list[str]:
    """What the hidden cases are given, where no visible case is given the same."""
    given = {h: [_plain(case) for case in exercise.cases.values() if case.hidden is h] for h in (True, False)}
    return [recipe for recipe in given[hidden] if recipe not in given[not hidden]]


def _plain(case) -> str:
    return case.model_dump_json(include={"given", "draws", "sizes", "seed"})


def recipes_in(data) -> list[str]:
    """The same of the cases in a kit's exercise file."""
    from autograder.model.exercise import Case

    return [_plain(Case.model_validate(case)) for case in data["cases"].values()]


def test_the_assignment_s_seed_is_not_in_a_kit_nor_what_it_draws(tmp_path, qkv, kit_files):
    assert not any(str(qkv.assignment.seed) in text for text in kit_files.values())

    one = small_course(tmp_path / "one")
    config = tmp_path / "one/config/mini.yaml"
    before = make_kit(one).files
    config.write_text(config.read_text().replace("777123", "777124"))
    assert make_kit(load_assignment(tmp_path / "one")).files == before


def test_remarks_of_the_author_stay_behind(tmp_path):
    texts = b"".join(make_kit(small_course(tmp_path)).files.values())

    assert b"A remark of the author" not in texts
    assert not [
        secret for secret in (b"41.5", b"sealed", b"veiled", b"in-secret", b"squared") if secret in texts
    ]


def test_the_source_lines_that_are_looked_for_would_be_found(kit_files):
    line = "centred = X - mean"

    assert line in code_lines(TOP / "solutions/qkv.py")
    assert squeezed(line) in squeezed(f"hints:\n- write centred  =\n  X - mean\n{kit_files['README.md']}")


# What is in it


def test_a_kit_keeps_statements_hints_and_visible_cases_as_they_are(tmp_path):
    course = small_course(tmp_path / "course")
    kit = released(course, tmp_path / "kit")
    before, after = course.exercise("double"), kit.exercise("double")

    assert (after.about, after.hints, after.sizes, after.points) == (
        before.about,
        before.hints,
        before.sizes,
        5,
    )
    assert after.cases == {name: before.cases[name] for name in ("page", "drawn")}
    assert [check.name for check in after.checks] == [
        "page", "drawn", "finite", "doubles-when-doubled", "arguments-left-alone", "again"
    ]  # fmt: skip
    assert after.checks[2].on == ("page",)
    assert kit.assignment.due == course.assignment.due


def test_a_kit_holds_stubs_notebook_readme_exercises_values_and_config(tmp_path):
    kit = make_kit(small_course(tmp_path))

    assert sorted(kit.files) == [
        "README.md", "attention.ipynb", "attention.py", "config/mini.yaml", "exercises/mini/01_double.yaml",
        "exercises/mini/02_total.yaml", "exercises/mini/03_spread.yaml", "values/mini.json"
    ]  # fmt: skip
    assert kit.work == {"attention.py", "attention.ipynb"}
    assert b"autograder check --watch" in kit.files["README.md"]
    assert b"due 2030-01-02" in kit.files["README.md"]


def test_the_same_course_gives_the_same_bytes_and_another_seed_other_draws_only(tmp_path):
    course = small_course(tmp_path)
    one, again, other = make_kit(course), make_kit(course), make_kit(course, seed=1)

    assert one.files == again.files
    assert [name for name in one.files if one.files[name] != other.files[name]] == ["values/mini.json"]


def test_every_function_that_a_check_compares_with_is_stored(tmp_path):
    values = json.loads(make_kit(small_course(tmp_path)).files["values/mini.json"])

    assert values["exercises"]["total"]["plain"][0]["outputs"].keys() == {"total", "total_by_rows"}


def test_an_exercise_with_hidden_checks_only_is_the_author_s_to_mend(tmp_path):
    veiled = SPREAD.replace("of: S}}}", "of: S}}, hidden: true}")
    with pytest.raises(ExerciseError, match=r"03_spread.yaml:11:1: no check of spread is on a visible case"):
        make_kit(small_course(tmp_path, spread=veiled))


PLAIN = st.recursive(
    st.none() | st.booleans() | st.integers(-(10**9), 10**9) | st.floats(allow_nan=False)
    | st.text(st.characters(codec="utf-8", exclude_categories=("C", "Zl", "Zp")), max_size=120)
    | st.sampled_from(["no", "on", "1e-9", "0x1f", "010", "~", "", "null", " a", "a: b", "- x", "# no"])
    | st.sampled_from(["a\nb\n", "a\n\n  b", "a\n", "\n", " a\nb", "a \nb\n\n"]),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from("abcd"), inner, max_size=4),
    max_leaves=12,
)  # fmt: skip


@given(st.dictionaries(st.sampled_from(["id", "on", "no", "n_q"]), PLAIN, min_size=1))
def test_what_is_written_as_yaml_is_read_back_as_it_was(tmp_path_factory, data):
    path = tmp_path_factory.getbasetemp() / "written.yaml"
    path.write_text(_yaml(data), encoding="utf-8")
    read = read_document(path, path.parent)

    assert read.data == data
    assert read.problems == ()


# The folder


def test_a_folder_that_holds_anything_is_left_alone_without_force(tmp_path):
    course = small_course(tmp_path / "course")
    (tmp_path / "kit").mkdir()
    (tmp_path / "kit/attention.py").write_text("mine")

    with pytest.raises(UsageError, match="is not empty"):
        write_kit(course, tmp_path / "kit", make_kit(course))
    assert [path.name for path in (tmp_path / "kit").iterdir()] == ["attention.py"]


def test_with_force_a_kit_is_renewed_and_the_student_s_files_are_kept(tmp_path):
    course = small_course(tmp_path / "course")
    folder = released(course, tmp_path / "kit").top
    (folder / "attention.py").write_text("mine")
    (folder / "attention.py.bak").write_text("older")
    (folder / "notes.txt").write_text("mine too")
    kept = write_kit(course, folder, make_kit(course), force=True)

    assert kept == (folder / "attention.py.bak2",)
    assert kept[0].read_text() == "mine"
    assert (folder / "attention.py.bak").read_text() == "older"
    assert (folder / "notes.txt").read_text() == "mine too"
    assert "not begun" in (folder / "attention.py").read_text()


def test_an_exercise_that_the_course_no_longer_has_goes_when_a_kit_is_renewed(tmp_path):
    folder = released(small_course(tmp_path / "course"), tmp_path / "kit").top
    config = FILES["config/mini.yaml"].replace("[double, total, spread]", "[double, total]")
    (tmp_path / "course/exercises/mini/03_spread.yaml").unlink()
    (tmp_path / "course/config/mini.yaml").write_text(config)
    course = load_assignment(tmp_path / "course")
    write_kit(course, folder, make_kit(course), force=True)

    assert [exercise.id for exercise in load_assignment(folder).exercises] == ["double", "total"]


@pytest.mark.parametrize(
    "folder", [".", "..", "exercises/mini/kit", "config", "solutions/mini.py", "../another"]
)
def test_a_kit_never_goes_over_a_course(tmp_path, folder):
    course = small_course(tmp_path / "course")
    small_course(tmp_path / "another")
    before = {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}

    with pytest.raises(UsageError, match="holds a course's own files"):
        write_kit(course, tmp_path / "course" / folder, make_kit(course), force=True)
    assert {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()} == before


def test_a_folder_that_cannot_be_made_is_misuse(tmp_path):
    course = small_course(tmp_path / "course")
    (tmp_path / "file").write_text("")

    with pytest.raises(UsageError, match="cannot be written"):
        write_kit(course, tmp_path / "file/kit", make_kit(course))


def test_a_course_whose_reference_fails_is_not_released(tmp_path):
    top = small_course(tmp_path / "course").top
    solutions = top / "solutions/mini.py"
    solutions.write_text(solutions.read_text().replace("2 * S\n", "3 * S\n"))
    ran = CliRunner().invoke(cli, ["-C", str(top), "release", str(tmp_path / "kit")])

    assert ran.exit_code == 3
    assert not (tmp_path / "kit").exists()


def test_the_command_says_what_it_wrote_and_what_is_next(tmp_path):
    top = small_course(tmp_path / "course", double=DOUBLE).top
    ran = CliRunner().invoke(cli, ["-C", str(top), "release", str(tmp_path / "kit")])

    assert (ran.exit_code, ran.stderr) == (0, "")
    assert "3 exercises, 8 files" in ran.stdout
    assert "autograder check" in ran.stdout
