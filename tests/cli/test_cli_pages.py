"""Pages and tables from the command line: where they go, and what is said of it."""

import csv
import json
from pathlib import Path

import pytest

from tests.cli.small_course import RIGHT, Run


@pytest.fixture
def graded(run: Run, course: Path) -> str:
    """What grading a class of three prints: right, half right, not Python."""
    folder = course / "in"
    folder.mkdir()
    (folder / "ana.py").write_text(RIGHT)
    (folder / "ben.py").write_text(RIGHT.replace("S + S", "S"))
    (folder / "cléo + d.py").write_text("def double(S:\n")
    ran = run("grade", "in", "--out", "out", "--isolation", "portable", "--jobs", "1")
    assert ran.exit_code == 0, ran.stderr
    return ran.stdout


def test_grading_writes_the_class_page_and_says_so(graded: str, course: Path) -> None:
    assert "page       out/report.html\n" in graded
    page = (course / "out/report.html").read_text(encoding="utf-8")
    assert "<h1>A small course (mini)</h1>" in page
    assert "3 submissions: 2 graded, 1 not loadable" in page


def test_a_class_is_shown_as_text_and_its_page_written(graded: str, run: Run, course: Path) -> None:
    (course / "out/report.html").unlink()
    ran = run("report", "out")

    assert "ben            1 of 4  graded\n" in ran.stdout
    assert ran.stdout.endswith("report     out/report.html\n")
    assert (course / "out/report.html").exists()


def test_with_students_every_name_leads_to_a_page_that_is_there_and_back(
    graded: str, run: Run, course: Path
) -> None:
    assert run("report", "out", "--students", "--format", "html").exit_code == 0

    pages = sorted(path.name for path in (course / "out/reports").iterdir())
    assert pages == ["ana.html", "ben.html", "cléo + d.html"]
    page = (course / "out/report.html").read_text(encoding="utf-8")
    assert 'href="reports/ana.html"' in page
    assert 'href="reports/cl%C3%A9o%20%2B%20d.html"' in page
    assert 'href="../report.html"' in (course / "out/reports/ben.html").read_text(encoding="utf-8")


def test_a_page_goes_where_out_says_and_its_students_beside_it(graded: str, run: Run, course: Path) -> None:
    (course / "web").mkdir()
    ran = run("report", "out", "--students", "--out", "web/class.html", "--format", "html")

    assert ran.stdout == "report     web/class.html\nstudents   web/reports/<student>.html\n"
    assert 'href="../class.html"' in (course / "web/reports/ana.html").read_text(encoding="utf-8")


def test_the_figures_as_csv_can_start_no_formula(graded: str, run: Run, course: Path) -> None:
    result = json.loads((course / "out/ben.json").read_text(encoding="utf-8"))
    result["submission"]["student"] = "=HYPERLINK(1)\nben"
    result["outcome"] = "crashed"
    (course / "out/ben.json").write_text(json.dumps(result))
    rows = list(csv.reader(run("report", "out", "--csv").stdout.splitlines()))

    assert rows[0] == ["section", "exercise", "item", "figure", "value"]
    assert ["exercise", "double", "", "discrimination", "undefined"] in rows
    assert {len(row) for row in rows} == {5}
    assert ["person", "", "'=HYPERLINK(1)\\nben", "outcome", "crashed"] in rows
    run("report", "out", "--csv", "--out", "figures.csv")
    assert list(csv.reader((course / "figures.csv").open(encoding="utf-8"))) == rows


def test_one_result_is_a_page_on_stdout_or_in_a_file(graded: str, run: Run, course: Path) -> None:
    page = run("report", "out/ben.json", "--format", "html").stdout
    run("report", "out/ben.json", "--out", "ben.html")

    assert page.startswith("<!DOCTYPE html>")
    assert (course / "ben.html").read_text(encoding="utf-8") == page


def test_a_check_is_a_page_too(graded: str, run: Run, course: Path) -> None:
    ran = run("check", "in/ben.py", "--format", "html")
    written = run("check", "in/ben.py", "--out", "ben.html")

    assert ran.exit_code == written.exit_code == 1
    assert ran.stdout.startswith("<!DOCTYPE html>")
    assert written.stdout == ""
    page = (course / "ben.html").read_text(encoding="utf-8")
    assert page == ran.stdout
    assert "return S" in page
    assert 'aria-label="scale of colours' in page


def test_a_check_in_json_can_go_into_a_file(graded: str, run: Run, course: Path) -> None:
    run("check", "in/ana.py", "--format", "json", "--out", "ana.json")

    assert json.loads((course / "ana.json").read_text(encoding="utf-8"))["marks"] == 4.0


@pytest.mark.parametrize(
    ("command", "told"),
    [
        (("check", "in/ana.py", "--out", "ana.txt"), "goes to stdout"),
        (("check", "in/ana.py", "--format", "html", "--out", "no/where.html"), "cannot be written"),
        (("report", "out", "--out", "no/where.html"), "cannot be written"),
        (("report", "out", "--students", "--out", "no/where.html"), "cannot be made"),
        (("report", "out/ana.json", "--csv"), "for a folder of results"),
        (("report", "out/ana.json", "--students"), "for a folder of results"),
    ],
)
def test_what_cannot_be_written_is_told_and_gives_exit_code_2(
    graded: str, run: Run, command: tuple[str, ...], told: str
) -> None:
    ran = run(*command)

    assert ran.exit_code == 2
    assert told in ran.stderr
