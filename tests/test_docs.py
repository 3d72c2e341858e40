"""The documentation keeps step with the code: every command, key, kind, status and field is in it, and no other.

A test that fails names what is missing and where it belongs. AUTOGRADER_UPDATE_DOCS=1 rewrites the outputs that the
tutorials show; the difference is then for reading.
"""

import importlib.util
import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any, get_args

import pytest
from jsonschema import Draft202012Validator
from pydantic import TypeAdapter
from pydantic_core import to_json

from autograder.checks.builtin import KINDS
from autograder.checks.invariants import INVARIANTS
from autograder.checks.relations import RELATIONS
from autograder.errors import ExitCode
from autograder.loading.yaml_strict import read_document
from autograder.model import exercise as models
from autograder.model.check import CHECK_KEYS, Check
from autograder.model.given import Given, Recipe
from autograder.model.result import STATUSES, Result, SubmissionOutcome
from tests.docs.commands import command_lines, known_commands, why_not
from tests.docs.models import (
    FORMS_OF_SIZES,
    RESULT,
    RESULT_PARTS,
    SECTIONS,
    fields_in_code,
    fields_in_schema,
    keys_of,
    result_schema,
    yaml_models,
)
from tests.docs.pages import TOP, Page, code_in, names_in_tables, page, pages
from tests.docs.real_results import real_results
from tests.docs.sessions import LEFT_OUT, Session, commands, course_in, holds, rewritten, settled, shortened
from tests.grading.in_process import course

EVERY_PAGE = pytest.mark.parametrize("here", pages(), ids=lambda page: page.name)
KIND_PAGE = page("docs/check-kinds.md")

# Commands


@pytest.mark.parametrize("known", known_commands(), ids=lambda known: known.name)
def test_a_command_is_in_the_page_of_commands_with_all_its_options(known):
    section = _own_part(page("docs/commands.md"), known.name)
    said = {word for code in code_in(section) for word in re.findall(r"[\w.-]+", code)}

    assert [name for name in known.options if name not in said] == []
    assert [word for word in sorted(known.choices) if word not in said] == []


@pytest.mark.parametrize("known", known_commands(), ids=lambda known: known.name)
def test_the_page_of_commands_invents_no_option(known):
    named = names_in_tables(_own_part(page("docs/commands.md"), known.name))

    assert [name for name in named if name.startswith("-") and name.split()[0] not in known.spellings] == []


def _own_part(here: Page, title: str) -> str:
    """A section without its subsections."""
    return re.split(r"^#{2,} ", here.section(title), maxsplit=1, flags=re.MULTILINE)[0]


def test_the_page_of_commands_has_no_section_for_a_command_that_is_gone():
    named = {title for title in page("docs/commands.md").headings if title.startswith("autograder")}

    assert named == {known.name for known in known_commands()}


@EVERY_PAGE
def test_the_command_lines_of_a_page_are_commands_that_exist_with_options_that_exist(here):
    wrong = {line: why for line in command_lines(here) if "…" not in line and (why := why_not(line))}

    assert wrong == {}


@EVERY_PAGE
def test_a_command_that_a_page_mentions_exists(here):
    known = {one.name.split()[1] for one in known_commands() if " " in one.name}
    mentioned = [code.split()[1] for code in code_in(here.prose) if re.match(r"autograder [a-z]", code)]

    assert [name for name in mentioned if name not in known] == []


def test_every_exit_code_is_documented():
    table = page("docs/commands.md").section("Exit codes")

    assert {int(code) for code in re.findall(r"^\| (\d+) \|", table, re.MULTILINE)} >= {*ExitCode}


# YAML


def test_every_model_that_yaml_is_read_into_has_a_section():
    missing = [model.__name__ for model in yaml_models() - set(SECTIONS) - set(FORMS_OF_SIZES)]

    assert missing == [], "add them to SECTIONS in tests/docs/models.py, and write their sections"


@pytest.mark.parametrize("model", SECTIONS, ids=lambda model: model.__name__)
def test_the_keys_of_a_model_are_those_of_its_table(model):
    name, title = SECTIONS[model]

    assert sorted(names_in_tables(page(name).section(title))) == sorted(keys_of(model))


def test_every_form_of_a_size_is_in_the_table_of_sizes():
    forms = names_in_tables(page("docs/writing-exercises.md").section("Sizes"))

    assert [key for model in FORMS_OF_SIZES for key in model.model_fields if key not in forms] == []


#: What a block of YAML in a page is, by the word after `yaml`.
_EXAMPLES: dict[str, Any] = {
    "assignment": models.Assignment,
    "exercise": models.Exercise,
    "check": Check,
    "given": Given,
    "parameters": dict[str, models.Parameter],
    "returns": dict[str, models.Output],
    "sizes": dict[str, models.SizeRange | models.OneOf | models.Product],
    "cases": dict[str, models.Case],
    "misconceptions": tuple[models.Misconception, ...],
}


@EVERY_PAGE
def test_the_yaml_of_a_page_is_read_as_what_it_is_said_to_be(here, tmp_path):
    for fence in here.fences:
        if fence.language != "yaml" or fence.title is not None:
            continue
        path = tmp_path / "example.yaml"
        path.write_text(fence.text, encoding="utf-8")
        document = read_document(path, tmp_path)
        assert document.problems == (), fence.text
        made = TypeAdapter(_EXAMPLES[fence.words[0]]).validate_json(to_json(document.data), strict=True)
        assert made, fence.text


# Checks


def test_every_check_kind_has_a_section_and_every_section_is_a_kind():
    assert set(KIND_PAGE.subsections("Kinds")) == set(KINDS) == set(CHECK_KEYS)


def test_every_invariant_has_a_section_and_every_section_is_an_invariant():
    assert set(KIND_PAGE.subsections("Invariants")) == set(INVARIANTS)


def test_every_relation_has_a_section_and_every_section_is_a_relation():
    assert set(KIND_PAGE.subsections("Relations")) == set(RELATIONS)


def test_every_recipe_has_a_section_and_every_section_is_a_recipe():
    recipes = {next(iter(model.model_fields)) for model in yaml_models() if issubclass(model, Recipe)}

    assert set(KIND_PAGE.subsections("Recipes")) == recipes


@pytest.mark.parametrize("name", [*INVARIANTS, *RELATIONS])
def test_the_section_of_a_property_has_an_example_and_names_the_keys_it_needs(name):
    section = KIND_PAGE.section(name)
    table: dict[str, Any] = {**INVARIANTS, **RELATIONS}

    assert re.search(rf"^\{{(invariant|relation): {name}\b", section, re.MULTILINE)
    assert [key for key in sorted(table[name].needs) if f"`{key}`" not in section] == []


# Results


def test_every_status_is_documented_and_no_other():
    assert names_in_tables(page(RESULT).section("Statuses")) == [*STATUSES]


def test_every_outcome_of_a_submission_is_documented_and_no_other():
    assert names_in_tables(page(RESULT).section("Outcomes")) == [*get_args(SubmissionOutcome)]


@pytest.mark.parametrize("part", RESULT_PARTS)
def test_the_fields_of_a_part_of_a_result_are_the_same_in_the_page_the_schema_and_the_code(part):
    documented = names_in_tables(page(RESULT).section(RESULT_PARTS[part]))
    held = fields_in_code(part)

    assert documented == fields_in_schema(part)
    assert held is None or set(documented) == set(held)


def test_every_object_of_the_schema_is_documented():
    objects = {name for name, made in result_schema()["$defs"].items() if made.get("type") == "object"}

    assert objects - {"evidence"} == set(RESULT_PARTS) - {""}
    assert page(RESULT).section("Evidence")


def test_the_schema_knows_every_status_outcome_and_kind():
    schema = result_schema()

    assert schema["$defs"]["status"]["enum"] == [*STATUSES]
    assert schema["properties"]["outcome"]["enum"] == [*get_args(SubmissionOutcome)]
    assert schema["$defs"]["check"]["properties"]["kind"]["enum"] == [*KINDS]


def test_real_results_are_valid_by_the_schema():
    validator = Draft202012Validator(result_schema())
    problems = [
        f"{list(e.path)}: {e.message}" for made in real_results() for e in validator.iter_errors(made)
    ]

    assert problems == []


def test_the_schema_refuses_what_is_no_result():
    validator = Draft202012Validator(result_schema())
    right = real_results()[0]

    assert validator.is_valid(right)
    for slip in ({"outcome": "fine"}, {"marks": "50"}, {"extra": 1}, {"format": "autograder-result/2"}):
        assert not validator.is_valid(right | slip), slip
    assert not validator.is_valid({key: value for key, value in right.items() if key != "seed"})


def test_every_key_of_the_evidence_of_real_results_is_documented():
    documented = {name for code in names_in_tables(page(RESULT).section("Evidence")) for name in code.split()}
    used = {
        key
        for made in real_results()
        for e in made["exercises"]
        for c in e["checks"]
        for key in c["evidence"]
    }

    assert {"value.differs", "stopped.raised", "invariant.rows_sum_to_one.columns"} <= _codes()
    assert sorted(used - documented) == []


def test_every_family_of_codes_in_real_results_is_documented():
    named = {word for code in code_in(page(RESULT).text) for word in re.findall(r"\w+", code)}
    own = {misconception.code for exercise in course().exercises for misconception in exercise.misconceptions}
    told = [one["code"] for made in real_results() for one in made["file_reports"]]
    told += [
        d["code"]
        for made in real_results()
        for e in made["exercises"]
        for d in (*e["diagnosis"], *e["further"])
    ]
    families = {code.partition(".")[0] for code in {*told, *_codes()} - own if code}

    assert {"value", "stopped", "file", "line"} <= families
    assert sorted(families - named) == []


def _codes() -> set[str]:
    return {
        c["evidence"].get("code") for made in real_results() for e in made["exercises"] for c in e["checks"]
    }


def test_the_example_in_the_page_of_results_is_a_result_but_for_what_it_leaves_out():
    example = json.loads(next(fence.text for fence in page(RESULT).fences if fence.language == "json"))
    example["submission"]["sha256"] = example["exercises_sha256"] = "0" * 64

    assert [error.message for error in Draft202012Validator(result_schema()).iter_errors(example)] == []
    assert Result.from_json(example).to_json() == example


# Sessions

SESSIONS = ["README.md", "docs/tutorial-student.md", "docs/tutorial-instructor.md", "docs/tutorial-author.md"]


@pytest.mark.parametrize("name", SESSIONS)
def test_the_commands_of_a_page_print_what_the_page_shows(name, tmp_path, monkeypatch):
    here = page(name)
    start = tmp_path / "course"
    start.mkdir()
    ran = Session(_prepared(name, start), monkeypatch).follow(here)
    if os.environ.get("AUTOGRADER_UPDATE_DOCS") == "1":
        here.path.write_text(rewritten(here, ran), encoding="utf-8")
        return
    for _, command, actual in ran:
        if not holds(actual, command.output):
            assert settled(shortened(actual, command.output)) == settled(command.output), command.line


def _prepared(name: str, folder: Path) -> Path:
    """The folder in which the reader of a page begins."""
    if name == "docs/tutorial-author.md":
        return folder
    course_in(folder)
    if name == "README.md":
        shutil.copy(TOP / "tests/golden/column_softmax/attention.py", folder)
    elif name == "docs/tutorial-instructor.md":
        (folder / "submissions/bruno").mkdir(parents=True)
        for file in ("ana.py", "elif.py", "olga.py", "bruno/attention.py"):
            shutil.copy(TOP / "tests/sample_class" / file, folder / "submissions" / file)
    elif name == "docs/tutorial-student.md":
        return _kit_in(folder)
    return folder


def _kit_in(folder: Path) -> Path:
    from autograder.authoring.release import make_kit, write_kit

    write_kit(course(), folder / "kit", make_kit(course()), force=False)
    return folder / "kit"


@pytest.mark.parametrize("name", SESSIONS)
def test_a_page_shows_more_of_an_output_than_that_there_is_one(name):
    shown = [
        command for fence in page(name).fences if fence.language == "console" for command in commands(fence)
    ]

    assert shown
    assert [command.line for command in shown if command.output.strip() == LEFT_OUT] == []


# Links, files, names


@EVERY_PAGE
def test_the_links_of_a_page_lead_somewhere(here):
    broken = [
        target for target in here.links if not re.match(r"https?://", target) and not _leads(here, target)
    ]

    assert broken == []


def _leads(here: Page, target: str) -> bool:
    name, _, anchor = target.partition("#")
    path = (here.path.parent / name).resolve() if name else here.path
    if not path.is_relative_to(TOP) or not path.exists():
        return False
    return not anchor or anchor in Page(path).anchors


def test_every_page_is_listed_in_the_index():
    index = page("docs/README.md")
    listed = {(index.path.parent / target).resolve() for target in index.links}

    apart = {TOP / "README.md", index.path, *(TOP / "changelog.d").iterdir()}

    assert [one.name for one in pages() if one.path not in listed | apart] == []


def test_the_readme_fits_on_a_few_screens_and_names_commands_that_the_makefile_has():
    readme = page("README.md").text
    named = {code.split()[1] for code in code_in(readme) if code.startswith("make ")}
    targets = set(re.findall(r"^([a-z]+):", (TOP / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))

    assert {"demo", "test"} <= named <= targets
    assert len(readme.splitlines()) <= 120


def test_the_map_of_the_readme_names_every_package_and_nothing_that_is_gone():
    tree = page("README.md").section("The repository")
    rows = re.findall(r"^ {4,}((?:[\w.]+/ ?)+)", tree, re.MULTILINE)
    named = {name.rstrip("/") for row in rows for name in row.split()}
    packages = {path.name for path in (TOP / "autograder").iterdir() if (path / "__init__.py").is_file()}

    assert sorted(packages - named) == []
    assert [
        name for name in sorted(named) if not any((TOP / at / name).is_dir() for at in ("", "autograder"))
    ] == []


def test_modules_that_a_page_names_are_there():
    file = re.compile(r"[\w/]+/[\w/]*\w\.(py|json|toml)")
    mentioned = {code for here in pages() for code in code_in(here.text) if file.fullmatch(code)}
    places = [TOP, TOP / "autograder"]

    made_elsewhere = re.compile(r"^(results|config|exercises|solutions|reports|source)/|/attention\.py$")
    assert [
        name
        for name in sorted(mentioned)
        if not made_elsewhere.search(name) and not any((place / name).is_file() for place in places)
    ] == []


def test_the_schema_of_results_goes_with_the_package():
    project = tomllib.loads((TOP / "pyproject.toml").read_text(encoding="utf-8"))
    packed = project["tool"]["setuptools"]["package-data"]["autograder"]

    assert any(Path("report/result.schema.json").match(pattern) for pattern in packed)


def _tracked() -> list[Path]:
    """The files of the project that are tracked or about to be."""
    if shutil.which("git") is None or not (TOP / ".git").exists():
        pytest.skip("no history here to ask for the tracked files")
    listing = ["git", "-C", str(TOP), "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    names = subprocess.run(listing, capture_output=True, check=True).stdout.decode().split("\0")
    return [TOP / name for name in names if name and (TOP / name).is_file() and not (TOP / name).is_symlink()]


def test_no_tracked_file_names_a_registry_or_a_place_of_this_machine():
    # Spelt in halves, so that this file does not name them either.
    halves = [("py", "pi.org"), ("python", "hosted.org"), ("ana", "conda.org"), ("index", "-url")]
    registries = [first + second for first, second in halves]
    places = [str(TOP), str(Path(sys.prefix)), str(Path(importlib.util.__file__).parent)]
    words = [word.encode() for word in [*registries, *(place for place in places if place.count("/") > 1)]]
    found = [
        f"{path.relative_to(TOP)}: {word.decode()}"
        for path in _tracked()
        if path.stat().st_size < 5_000_000
        for content in [path.read_bytes()]
        for word in words
        if word in content
    ]

    assert found == []
