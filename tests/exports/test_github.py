"""GitHub: annotations that nothing breaks out of, a summary within its limit, a result for the reporter."""

import base64
import html
import html.parser
import json
import re
from dataclasses import replace
from pathlib import Path
from urllib.parse import unquote

import pytest
import yaml
from click.testing import CliRunner
from click.testing import Result as Ran

from autograder.cli.main import cli
from autograder.model.result import Result
from autograder.report.exports.github import annotation_lines, grader_result, output_line, summary
from tests.cli.small_course import write_course
from tests.exports.sample import HOSTILE, SECRET, a_class, a_result, exercises

COMMAND = re.compile(r"::(error|warning|notice) ([a-zA-Z]+=[^,:\r\n]*(?:,[a-zA-Z]+=[^,:\r\n]*)*)::([^\r\n]*)")


def parsed(line: str) -> tuple[str, dict[str, str], str]:
    """A workflow command as a runner reads it."""
    match = COMMAND.fullmatch(line)
    assert match, line
    properties = dict(part.split("=", 1) for part in match[2].split(","))
    return match[1], {key: unquote(value) for key, value in properties.items()}, unquote(match[3])


def test_an_annotation_stands_at_the_students_line() -> None:
    level, properties, message = parsed(annotation_lines(a_result(2), "work/attention.py")[0])

    assert level == "error"
    assert properties == {"file": "work/attention.py", "line": "14", "endLine": "14", "title": "softmax 1/3"}
    assert message.startswith(
        "partly passed, 0 of 1 checks\nfive tokens: 3 of 4\nhidden cases: not all hold\n"
    )


def test_what_is_not_begun_is_a_warning_and_what_passed_is_silent() -> None:
    levels = [parsed(line)[:2] for line in annotation_lines(a_result(1), "a.py")]

    assert [(level, one["title"]) for level, one in levels] == [
        ("error", "softmax 1.5/3"),
        ("warning", "mix 0/1"),
    ]
    assert annotation_lines(a_result(5), "a.py") != ()
    assert annotation_lines(replace(a_result(4), exercises=exercises(9)), "a.py") == ()


def test_a_file_that_does_not_load_has_one_annotation_at_its_line() -> None:
    (line,) = annotation_lines(a_result(7), "a.py")

    assert parsed(line)[1] == {"file": "a.py", "line": "2", "endLine": "2", "title": "not loadable"}


@pytest.mark.parametrize("text", HOSTILE)
def test_no_text_of_a_student_breaks_out_of_a_command(text: str) -> None:
    for number in (2, 3, 7):
        for line in annotation_lines(a_result(number, text=text), f"{text[:5]}/a.py"):
            parsed(line)


def test_ten_errors_at_most_and_how_many_more() -> None:
    many = Result("qkv", "ana", "a.py", "", "graded", 0.0, 100.0, exercises(2) * 13)
    levels = [parsed(line)[0] for line in annotation_lines(many, "a.py")]

    assert levels.count("error") == 10
    assert levels.count("warning") == 10
    assert (
        parsed(annotation_lines(many, "a.py")[-1])[2]
        == "6 more exercises did not pass; the summary lists all of them"
    )


class Tags(html.parser.HTMLParser):
    """The tags of a summary, and the text outside <pre>."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.inside = False
        self.outside = ""

    def handle_starttag(self, tag: str, attrs: object) -> None:
        self.tags.add(tag)
        self.inside = self.inside or tag == "pre"

    def handle_endtag(self, tag: str) -> None:
        self.inside = self.inside and tag != "pre"

    def handle_data(self, data: str) -> None:
        self.outside += "" if self.inside else data


def test_the_summary_of_a_class_of_200_holds_no_tag_and_no_table_row_of_a_students() -> None:
    for result in a_class():
        text = summary(result)
        tags = Tags()
        tags.feed(text)

        assert tags.tags <= {"pre", "details", "summary"}
        assert len([line for line in text.split("\n") if line.startswith("| ")]) == 3
        assert SECRET not in text


def test_a_summary_stays_within_its_limit_and_says_what_is_missing() -> None:
    many = Result("qkv", "ana", "a.py", "", "graded", 0.0, 100.0, exercises(2, "é" * 390) * 500)
    text = summary(many, 100_000)

    assert len(text.encode()) <= 100_000
    assert text.rstrip().endswith("the rest is left out: there is no room for it")
    assert "<pre>" in text


def test_the_reporters_points_sum_to_the_marks() -> None:
    for result in a_class(count=20):
        (line,) = output_line(result, "a.py").splitlines()
        name, _, value = line.partition("=")
        read = json.loads(base64.b64decode(value, validate=True))

        assert name == "result"
        assert read == json.loads(json.dumps(grader_result(result, "a.py")))
        assert read["version"] == 1
        assert read["max_score"] == result.max_marks
        assert sum(test["score"] for test in read["tests"]) == pytest.approx(result.marks)
        assert {test["status"] for test in read["tests"]} <= {"pass", "fail", "error"}
        full = "pass" if result.marks == 4 else "fail"
        assert read["status"] == ("error" if result.outcome == "not_loadable" else full)


# The command


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository with the small course and work that prints what a workflow would obey."""
    write_course(tmp_path)
    commands = "print('::error::printed'); print('::set-output name=result::x')"
    work = f"def double(S):\n    {commands}\n    return S\n"
    (tmp_path / "attention.py").write_text(work)
    monkeypatch.chdir(tmp_path)
    for name in ("GITHUB_STEP_SUMMARY", "GITHUB_OUTPUT"):
        monkeypatch.setenv(name, str(tmp_path / name))
    monkeypatch.setenv("GITHUB_WORKSPACE", str(tmp_path))
    return tmp_path


def check() -> Ran:
    """Check the work as the workflow does."""
    return CliRunner().invoke(cli, ["check", "--format", "github"], prog_name="autograder")


def test_check_writes_annotations_summary_and_result(repository: Path) -> None:
    (repository / "GITHUB_STEP_SUMMARY").write_text("before\n")
    ran = check()

    assert ran.exit_code == 1
    summary_text = html.unescape((repository / "GITHUB_STEP_SUMMARY").read_text())
    assert summary_text.startswith("before\n## attention.py: 0 of 4 marks\n")
    result = (repository / "GITHUB_OUTPUT").read_text()
    read = json.loads(base64.b64decode(result.removeprefix("result=")))
    assert [test["name"] for test in read["tests"]] == ["double", "total"]
    assert any("file=attention.py" in line for line in ran.stdout.splitlines() if line.startswith("::error"))


def test_what_a_submission_prints_is_no_command_to_the_runner(repository: Path) -> None:
    lines = check().stdout.splitlines()
    stop = next(line for line in lines if line.startswith("::stop-commands::"))
    token = stop.removeprefix("::stop-commands::")
    end = lines.index(f"::{token}::")

    assert len(token) == 64
    assert any("::error::printed" in line for line in lines[:end])
    assert all(COMMAND.fullmatch(line) for line in lines[end + 1 :])
    assert "printed" not in "".join(line for line in lines[end + 1 :] if not line.startswith("::"))


def test_without_githubs_files_check_still_annotates(
    repository: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("GITHUB_OUTPUT")
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(repository / "no" / "such"))
    ran = check()

    assert ran.exit_code == 1
    assert "::error " in ran.stdout
    assert "such cannot be written" in ran.stderr


def test_the_workflow_is_yaml_that_names_what_is_there(repository: Path) -> None:
    ran = CliRunner().invoke(cli, ["export", "github", "."], prog_name="autograder")
    assert ran.exit_code == 0, ran.output
    workflow = yaml.safe_load((repository / ".github/workflows/autograding.yml").read_text())
    steps = workflow["jobs"]["autograding"]["steps"]
    install, checked, report = steps[2:]

    named = re.findall(r"\.github/autograder/\S+", install["run"])
    assert len(named) == 2
    assert all((repository / name).is_file() for name in named)
    assert checked["id"] == "autograder"
    assert "--format github" in checked["run"]
    assert report["env"] == {"AUTOGRADER_RESULTS": "${{ steps.autograder.outputs.result }}"}
    assert report["with"] == {"runners": "autograder"}
