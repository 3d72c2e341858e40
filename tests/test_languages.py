"""Two languages: which one is spoken, a whole Portuguese catalogue, what falls back to English, and who is told."""

import json
import re
import string
from pathlib import Path

import pytest
from click.testing import CliRunner

from autograder.authoring.catalogues import (
    renewed_course_catalogue,
    renewed_feedback_catalogue,
    translation_findings,
)
from autograder.cli.main import cli
from autograder.cli.tongue import Wish, chosen
from autograder.errors import ExerciseError
from autograder.loading.assignment import load_assignment
from autograder.loading.translations import catalogue_path, course_texts, in_language
from autograder.model.result import CheckResult, Diagnosis, ExerciseResult, FileReport, Result
from autograder.report.rewording import reworded
from autograder.wording import languages
from autograder.wording.english import TEXTS
from autograder.wording.languages import (
    Entry,
    feedback_entries,
    fits,
    known_language,
    language_of,
    own_catalogue,
)
from autograder.wording.say import in_words, say, text_of
from tests.cli.small_course import RIGHT, write_course

TOP = Path(__file__).resolve().parents[1]


@pytest.fixture
def course(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The small course as the current folder, in a terminal without a language."""
    top = tmp_path / "course"
    write_course(top)
    (top / "attention.py").write_text(RIGHT.replace("S + S", "S"))
    monkeypatch.chdir(top)
    for name in ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.delenv(name, raising=False)
    return top


def run(*arguments: str, **environment: str):
    return CliRunner(env=environment).invoke(cli, [*arguments], prog_name="autograder")


def translate(top: Path, *pairs: tuple[str, str], more: str = "") -> None:
    """Write a Portuguese catalogue of the small course."""
    path = top / "exercises/mini/locale/pt.po"
    path.parent.mkdir(exist_ok=True)
    head = 'msgid ""\nmsgstr ""\n"Content-Type: text/plain; charset=utf-8\\n"\n\n'
    entries = (f"msgid {json.dumps(a)}\nmsgstr {json.dumps(b, ensure_ascii=False)}\n" for a, b in pairs)
    path.write_text(head + "\n".join(entries) + more, encoding="utf-8")


# Which language


@pytest.mark.parametrize(
    ("name", "language"),
    [
        ("pt", "pt"),
        ("PT", "pt"),
        ("pt_BR.UTF-8", "pt"),
        ("pt-PT", "pt"),
        ("pt_PT@euro", "pt"),
        ("en_GB", "en"),
        ("fr", None),
        ("C.UTF-8", None),
        ("", None),
        ("../pt", None),
    ],
)
def test_a_language_is_known_by_its_name_in_any_form(name: str, language: str | None) -> None:
    assert known_language(name) == language


@pytest.mark.parametrize(
    ("environment", "language"),
    [
        ({}, None),
        ({"LANG": "pt_BR.UTF-8"}, "pt"),
        ({"LANG": "C.UTF-8"}, None),
        ({"LANG": "fr_FR.UTF-8"}, None),
        ({"LANG": "en_US.UTF-8", "LC_ALL": "pt_PT.UTF-8"}, "pt"),
        ({"LANG": "pt_PT.UTF-8", "LC_ALL": "C"}, None),
        ({"LANG": "pt_PT.UTF-8", "LC_MESSAGES": "en_US.UTF-8"}, "en"),
        ({"LANG": "pt_PT.UTF-8", "LC_ALL": ""}, "pt"),
        ({"LANG": "en_US.UTF-8", "LANGUAGE": "fr:pt"}, "pt"),
        ({"LANG": "C", "LANGUAGE": "pt"}, None),
    ],
)
def test_the_locale_variables_are_read_as_gettext_reads_them(
    environment: dict[str, str], language: str | None
) -> None:
    assert language_of(environment) == language


@pytest.mark.parametrize(
    ("asked", "readers", "course", "lang", "language"),
    [
        (None, "self", None, "", "en"),
        (None, "self", "pt", "", "pt"),
        (None, "self", "pt", "en_US", "en"),
        (None, "self", "en", "pt_PT", "pt"),
        ("en", "self", "pt", "pt_PT", "en"),
        (None, "class", "pt", "en_US", "pt"),
        (None, "class", None, "pt_PT", "pt"),
        ("en", "class", "pt", "pt_PT", "en"),
        (None, "self", "xx", "", "en"),
    ],
)
def test_what_is_asked_for_wins_then_readers_or_their_course_decide(
    asked, readers, course, lang, language
) -> None:
    assert chosen(Wish(asked, readers), course, {"LANG": lang}) == language


# The catalogue of the feedback


def test_every_text_has_a_portuguese_one_and_no_other_is_there() -> None:
    entries = feedback_entries("pt")

    assert [
        code for code, text in TEXTS.items() if code not in entries or not fits(entries[code], text)
    ] == []
    assert sorted(set(entries) - set(TEXTS)) == []


@pytest.mark.parametrize("code", TEXTS)
def test_a_portuguese_text_is_neutral_short_and_on_one_line(code: str) -> None:
    text = text_of(code, "pt")

    assert not re.search(
        r"\b(você|tu|seu aluno|simplesmente|obviamente|basta|fácil|por favor)\b", text, re.IGNORECASE
    )
    assert "!" not in text
    assert text == text.strip()
    assert "\n" not in text
    assert len(text) <= 170
    assert set(re.findall(r"`[^`]*`", text)) == set(re.findall(r"`[^`]*`", text_of(code, "en")))


@pytest.mark.parametrize("code", TEXTS)
def test_a_portuguese_text_takes_the_places_of_the_english_one_as_often(code: str) -> None:
    def fields(text: str) -> list[str]:
        return sorted(field for _, field, _, _ in string.Formatter().parse(text) if field)

    assert set(fields(text_of(code, "pt"))) == set(fields(text_of(code, "en")))


def test_names_are_joined_in_the_language_that_is_spoken() -> None:
    assert in_words(["Q", "K", "V"]) == "Q, K and V"
    assert in_words(["Q", "K", "V"], "pt") == "Q, K e V"
    with languages.speaking("pt"):
        assert say("value.count", {"actual": "x", "expected": 2, "outputs": ["O", "A"]}).endswith("O e A")
    assert languages.spoken() == "en"


@pytest.mark.parametrize(
    "entry",
    [
        Entry("report.marks", "{marks} of {max_marks} marks", "", 1),
        Entry("report.marks", "{marks} of {max_marks} marks", "{marks} de {max_marks} pontos", 1, fuzzy=True),
        Entry("report.marks", "{marks} of {max_marks} points", "{marks} de {max_marks} pontos", 1),
        Entry("report.marks", "{marks} of {max_marks} marks", "{marks} de {maximo} pontos", 1),
        Entry("report.marks", "{marks} of {max_marks} marks", "{marks de {max_marks} pontos", 1),
    ],
    ids=["empty", "fuzzy", "of another text", "with another place", "with a brace too few"],
)
def test_a_translation_that_does_not_fit_falls_back_to_english(entry: Entry, monkeypatch) -> None:
    monkeypatch.setattr(languages, "feedback_entries", lambda language: {entry.context: entry})

    assert say("report.marks", {"marks": 1, "max_marks": 2}, "pt") == "1 of 2 marks"


def test_the_catalogues_are_as_the_tool_writes_them() -> None:
    course = load_assignment(TOP, "qkv")

    assert own_catalogue("pt").read_text(encoding="utf-8") == renewed_feedback_catalogue("pt")
    assert catalogue_path(course, "pt").read_text(encoding="utf-8") == renewed_course_catalogue(course, "pt")


# The author's texts


def test_every_text_of_the_projects_exercises_is_translated() -> None:
    assert [str(finding) for finding in translation_findings(load_assignment(TOP, "qkv"))] == []


def test_a_translation_changes_texts_and_nothing_that_is_marked() -> None:
    course = load_assignment(TOP, "qkv")
    translated = in_language(course, "pt")
    before, after = course.exercise("softmax"), translated.exercise("softmax")

    assert after.title == "Das pontuações aos pesos"
    assert after.hints[0].startswith("Cada linha torna-se uma distribuição")
    assert after.misconceptions[0].text.startswith("Cada coluna é normalizada")
    assert translated.sha256 == course.sha256
    assert [check.name for check in after.checks] == [check.name for check in before.checks]
    assert {name: case.given for name, case in after.cases.items()} == {
        n: c.given for n, c in before.cases.items()
    }
    assert (after.points, after.total_weight) == (before.points, before.total_weight)


def test_figures_code_and_emphasis_are_the_same_in_both_languages() -> None:
    course = load_assignment(TOP, "qkv")
    translated = dict(
        zip((t for _, t in course_texts(course)), course_texts(in_language(course, "pt")), strict=True)
    )

    def kept(text: str) -> list[str]:
        return sorted(re.findall(r"\d+(?:\.\d+)?|`[^`]+`|\*\*", text))

    assert [where for english, (where, text) in translated.items() if kept(english) != kept(text)] == []


def test_a_missing_text_stays_english_and_lint_says_so(course: Path) -> None:
    translate(course, ("Twice as much", "O dobro"), ("Think of three", "Pensar em três"))
    loaded = load_assignment(course)
    found = list(translation_findings(loaded))

    assert in_language(loaded, "pt").exercise("double").title == "O dobro"
    assert in_language(loaded, "pt").exercise("total").title == "All together"
    assert [finding.severity for finding in found] == ["warning", "warning"]
    assert "texts are not translated and stay English: mini.title, double.about" in found[0].message
    assert found[1].message == "no file says this any more: 'Think of three'"
    assert found[1].place.line == 8
    assert "stay English" in run("lint").stdout


def test_a_text_whose_lines_are_broken_otherwise_is_the_same_text(course: Path) -> None:
    translate(course, ("first add\n    S + S then   stop", "somar"), ("Twice  as\nmuch", "O dobro"))
    translated = in_language(load_assignment(course), "pt").exercise("double")

    assert translated.title == "O dobro"
    assert "somar" in translated.hints


def test_a_fuzzy_translation_is_not_shown(course: Path) -> None:
    translate(course, more='\n#, fuzzy\nmsgid "Twice as much"\nmsgstr "O triplo"\n')

    assert in_language(load_assignment(course), "pt").exercise("double").title == "Twice as much"


def test_a_file_that_is_no_catalogue_is_the_authors_fault_with_its_place(course: Path) -> None:
    translate(course, more="\nmsgid twice\n")
    with pytest.raises(ExerciseError, match=r"^exercises/mini/locale/pt.po: this is no gettext catalogue"):
        in_language(load_assignment(course), "pt")

    assert run("list", "--lang", "pt").exit_code == 3


def test_renewing_a_catalogue_keeps_what_is_translated_and_sets_aside_what_is_gone(course: Path) -> None:
    translate(course, ("Twice as much", "O dobro"), ("Gone by now", "Já não há"))
    ran = run("translate", "pt")
    text = (course / "exercises/mini/locale/pt.po").read_text(encoding="utf-8")
    again = run("translate", "pt")
    assert (course / "exercises/mini/locale/pt.po").read_text(encoding="utf-8") == text

    assert ran.exit_code == again.exit_code == 0
    assert 'msgid "Twice as much"\nmsgstr "O dobro"' in text
    assert 'msgid "All together"\nmsgstr ""' in text
    assert '#~ msgstr "Já não há"' in text
    assert "no file says this" not in run("lint").stdout


@pytest.mark.parametrize("language", ["en", "../pt", "portuguese", "p"])
def test_a_catalogue_is_written_for_a_language_only(course: Path, language: str) -> None:
    assert run("translate", language).exit_code == 2


# Commands


def test_check_speaks_the_language_that_is_asked_for(course: Path) -> None:
    translate(course, ("Twice as much", "O dobro"))

    assert "1 de 4 pontos" in run("check", "--lang", "pt").stdout
    assert "1 de 4 pontos" in run("check", LANG="pt_BR.UTF-8").stdout
    assert "1 of 4 marks" in run("check", "--lang", "en", LANG="pt_BR.UTF-8").stdout
    assert "1 of 4 marks" in run("check").stdout
    assert "O dobro" in run("list", "--lang", "pt").stdout
    assert "dica 1 de 3" in run("hint", "double", "--lang", "pt").stdout


def test_the_config_names_the_language_of_a_course(course: Path) -> None:
    config = course / "config/mini.yaml"
    config.write_text(config.read_text() + "language: pt\n")

    assert "1 de 4 pontos" in run("check").stdout


def test_an_unknown_language_is_misuse_and_the_known_ones_are_named(course: Path) -> None:
    ran = run("check", "--lang", "xx")

    assert ran.exit_code == 2
    assert "there is no language 'xx'; known: en, pt" in ran.stderr


def test_a_class_is_graded_in_its_courses_language_by_every_process(course: Path) -> None:
    folder = course / "in"
    folder.mkdir()
    for name in ("ana", "ben", "eva"):
        (folder / f"{name}.py").write_text("def double(S):\n    return S.T\n")
    graded = ("grade", "in", "--out", "out", "--isolation", "portable", "--jobs", "2")
    first = run(*graded, "--lang", "pt")
    results = [json.loads((course / f"out/{name}.json").read_text()) for name in ("ana", "ben", "eva")]

    assert first.exit_code == 0
    assert "3 entregas: 3 com nota" in first.stdout
    for result in results:
        assert result["language"] == "pt"
        assert result["exercises"][0]["checks"][0]["message"].endswith("linhas e colunas trocaram de lugar")
    assert "unchanged" in run(*graded, "--lang", "pt").stdout
    assert "unchanged" not in run(*graded).stdout  # another language is told anew
    assert "language" not in json.loads((course / "out/ana.json").read_text())


# A result told again


def told(language: str) -> Result:
    """A result as it is made in a language."""

    def text(code: str, **params: object) -> str:
        return say(code, params, language)

    line = text("line.wrong", line=4, name="a", finding=text("line.finding.times", step="S", factor="d_k"))
    right = text("line.right", line=3, name="S", step="S")
    checks = (
        CheckResult(
            "a",
            "value",
            "failed",
            0,
            1,
            message="A: " + text("value.differs", count=2, total=6, at="[0, 0]", actual=1.0, expected=2.0),
            evidence={"code": "value.differs", "output": "A"},
        ),
        CheckResult(
            "b",
            "value",
            "failed",
            0,
            1,
            message=text("hidden.differs", failed=1, draws=3),
            evidence={"code": "value.differs", "output": "A"},
        ),
        CheckResult(
            "c", "invariant", "skipped", 0, 1, message=text("check.waits"), evidence={"code": "check.waits"}
        ),
        CheckResult(
            "d",
            "value",
            "raised",
            0,
            1,
            message=text(
                "stopped.at_line",
                what="ValueError: row 3 of 4",
                where=text("report.line", line=4),
                source="x = 'not begun'",
            ),
            evidence={"code": "stopped.raised"},
        ),
        CheckResult("e", "value", "passed", 1, 1, message="A = [[0.07, 0.31]]"),
    )
    diagnosis = (
        Diagnosis("line.parts.last", text("line.parts.last", right=right, wrong=line)),
        Diagnosis("softmax.columns", "what the author said"),
        Diagnosis(
            "transform.transposed", text("transform.transposed", outputs=in_words(["O", "A"], language))
        ),
    )
    exercise = ExerciseResult(
        "x",
        "X",
        "f",
        "partly",
        1,
        5,
        message=text("exercise.rests_on", exercise=in_words(["scores", "mix"], language)),
        checks=checks,
        diagnosis=diagnosis,
        notes=(text("note.list"),),
        next=text("next.write", function="f", file="a.py"),
    )
    report = FileReport(
        "file.raised.some", text("file.raised.some", type="ValueError", message="an array; the file is empty")
    )
    return Result("m", "ana", "a.py", "", "graded", 1, 5, (exercise,), (report,), language=language)


@pytest.mark.parametrize(("old", "new"), [("en", "pt"), ("pt", "en")])
def test_a_result_is_told_again_as_if_it_had_been_made_in_the_other_language(old: str, new: str) -> None:
    assert reworded(told(old), new) == told(new)


def test_what_fits_no_text_stays_as_it_is() -> None:
    odd = ExerciseResult("x", "X", "f", "failed", 0, 1, message="something of an older version")
    result = Result("m", "ana", "a.py", "", "graded", 0, 1, (odd,))

    assert reworded(result, "pt").exercises == (odd,)


def test_report_tells_a_result_in_its_own_language_unless_another_is_asked_for(course: Path) -> None:
    checked = run("check", "--lang", "pt", "--format", "json")
    (course / "ana.json").write_text(checked.stdout, encoding="utf-8")

    assert run("report", "ana.json").stdout == run("check", "--lang", "pt").stdout
    assert run("report", "ana.json", "--lang", "en").stdout == run("check").stdout
