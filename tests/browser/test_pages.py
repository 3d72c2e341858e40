"""The pages in a real browser: nothing is asked for, nothing runs, everybody can read them, at any width."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from autograder.model.result import Excerpt, FileReport, Result
from autograder.report.html.class_page import render_class_page
from autograder.report.html.statistics import Entry, class_figures
from autograder.report.html.student import render_student
from tests.browser.conftest import Open
from tests.report.made_up import HOSTILE, a_check, a_result, an_exercise, an_idea, arrays

pytestmark = pytest.mark.xdist_group("browser")

PHONE = 360
TOKENS = ["the", "␣cat", "␣climb", "ed", "␣the"]
ACTUAL = [[round((7 * i + 3 * j) % 11 / 11, 4) for j in range(5)] for i in range(5)]
EXPECTED = [[round((5 * i + 2 * j) % 7 / 7, 4) for j in range(5)] for i in range(5)]
WIDE = [[float(1000 * i - j) for j in range(12)] for i in range(2)]


def a_page_with_everything(name: str = "ana", word: str = "the columns sum to 1, the rows do not") -> Result:
    """A result in which everything that a page can show is there, with a word of the submission's in it."""
    softmax = an_exercise(
        "softmax",
        "partly",
        a_check("bank", message="A = [[0.07, 0.31, 0.62]]"),
        a_check("five-tokens", "failed", word, evidence=arrays(ACTUAL, EXPECTED, tokens=TOKENS)),
        a_check("wide", "failed", "2 × 12", evidence=arrays(WIDE, WIDE[::-1])),
        a_check("stack", "failed", "a stack", evidence=arrays([ACTUAL, EXPECTED], [EXPECTED, ACTUAL])),
        a_check("shapes", "failed", "shape", evidence=arrays([["nan", "inf"]], [[1.0], [2.0]])),
        a_check("finite"),
        a_check("random", "failed", "3 of 3 draws differ", hidden=True),
        a_check("raises", "raised", word, evidence={"line": 14}),
        a_check("waits", "skipped", "counts once a value check of this exercise passes"),
        *(a_check(f"more-{n}", "failed", f"another way to fail, the {n}th") for n in range(5)),
        marks=1.5,
        title=word,
        diagnosis=(an_idea(message=word, agrees=(5, 5)), an_idea("line.parts", "line 14: " + word, line=14)),
        code=(Excerpt(12, ("def softmax(S):", f"    e = np.exp(S)  # {word}{'x' * 150}", "    return e")),),
        printed=f"{word}\n{word}",
        notes=("a list came back",),
        next="autograder hint softmax",
    )
    return a_result(
        name,
        softmax,
        an_exercise("mix", follow_through=True, message="follow-through from softmax"),
        an_exercise("layer_norm", "not_attempted", message="not begun", next="write layer_norm"),
        an_exercise("backward", "crashed", a_check("x", "crashed", word)),
        an_exercise("project", "broken", a_check("x", "broken", "a fault of the exercise"), marks=4.0),
        file_reports=(FileReport("file.note", word), FileReport("file.raised", word, line=3, source=word)),
        printed=word,
    )


def a_class(word: str = "the columns sum to 1", count: int = 10) -> str:
    """The page of a class in which everything is there."""
    results = [a_page_with_everything(f"{word} {n}", word) for n in range(count)]
    results += [
        a_result("not loadable", an_exercise("softmax", "skipped"), outcome="not_loadable"),
        replace(a_result("right", an_exercise("softmax")), sha256="one"),
        replace(a_result("right too", an_exercise("softmax")), sha256="one"),
    ]
    return render_class_page(class_figures(map(Entry.of, results)), link=lambda student: "reports/x.html")


MADE: dict[str, Callable[[], str]] = {
    "student": lambda: render_student(a_page_with_everything(), back="../report.html"),
    "student, hostile": lambda: render_student(a_page_with_everything(HOSTILE, HOSTILE)),
    "class": a_class,
    "class, hostile": lambda: a_class(HOSTILE),
    "class of nobody": lambda: render_class_page(class_figures([])),
}
every_page = pytest.mark.parametrize("name", MADE)


@cache
def source(name: str) -> str:
    """A page by its name."""
    return MADE[name]()


@every_page
def test_a_page_asks_for_nothing_and_nothing_in_it_runs(open_page: Open, name: str) -> None:
    opened = open_page(source(name))
    opened.page.evaluate("document.querySelectorAll('details').forEach(one => one.open = true)")

    assert opened.requests == []
    assert opened.console == []
    assert opened.page.title() != "ran"
    assert opened.page.locator("script, img, iframe, object, embed, form").count() == 0


def test_a_hostile_text_stands_on_the_page_letter_for_letter(open_page: Open) -> None:
    opened = open_page(source("student, hostile"))

    shown = opened.page.locator("h1").inner_text()
    assert shown.startswith("<script>document.title='ran'</script><img src=x")
    assert "\\x1b[31m\\u202e\\ud800" in opened.page.locator(".code").first.inner_text()


def test_the_policy_stops_what_gets_into_a_page_nevertheless(open_page: Open) -> None:
    """The second wall: were a script ever let through the templates, the browser would still not run it."""
    script = "document.title='ran'"
    smuggled = f"<script>{script}</script><img src='http://localhost:9/x' onerror=\"{script}\">"
    opened = open_page(source("student").replace("<main", smuggled + "<main", 1))

    assert opened.page.title() != "ran"
    assert opened.refused == [("http://localhost:9/x", "csp")]
    assert any("Content Security Policy" in line for line in opened.console)


@every_page
def test_a_page_never_scrolls_sideways(open_page: Open, name: str) -> None:
    page = open_page(source(name)).page
    page.evaluate("document.querySelectorAll('details').forEach(one => one.open = true)")

    for width in (320, PHONE, 768, 1400):
        page.set_viewport_size({"width": width, "height": 800})
        assert page.evaluate("document.documentElement.scrollWidth") <= width


@pytest.fixture(scope="session")
def axe() -> str:
    """axe-core, as its package ships it."""
    package = pytest.importorskip("axe_playwright_python")
    return (Path(package.__file__).parent / "axe.min.js").read_text(encoding="utf-8")


#: The rules of WCAG 2.1 A and AA, and those of good practice: landmarks, order of headings.
_RULES = {"runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "best-practice"]}


@pytest.mark.parametrize("name", ["student", "class", "class of nobody"])
@pytest.mark.parametrize(("scheme", "width"), [("light", PHONE), ("dark", 1100)])
def test_axe_finds_nothing(open_page: Open, axe: str, name: str, scheme: str, width: int) -> None:
    page = open_page(source(name), scheme=scheme, width=width).page
    page.evaluate("document.querySelectorAll('details').forEach(one => one.open = true)")
    # The page's policy lets no script in: what the debugger evaluates is not under it.
    page.evaluate(axe + "; undefined")
    found: Any = page.evaluate(f"axe.run(document, {json.dumps(_RULES)})")

    told = [
        (one["id"], one["impact"], [node["html"][:120] for node in one["nodes"][:2]])
        for one in found["violations"]
    ]
    assert told == []
    assert len(found["passes"]) > 10


def test_every_picture_has_a_text_and_its_numbers_as_a_table(open_page: Open) -> None:
    page = open_page(source("student")).page

    names = page.locator("svg[role=img]").evaluate_all(
        "all => all.map(one => one.getAttribute('aria-label'))"
    )
    assert len(names) >= 3
    assert all(name and len(name) > 10 for name in names)
    assert page.locator("svg:not([role=img]):not([aria-hidden=true])").count() == 0
    figures = page.locator("figure")
    assert all(figures.nth(n).locator("table").count() >= 2 for n in range(figures.count()))


def test_everything_can_be_reached_by_keyboard(open_page: Open) -> None:
    page = open_page(source("student"), width=PHONE).page

    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.getAttribute('href')") == "#content"
    wanted = page.locator("a[href], summary").evaluate_all(
        "all => all.filter(one => one.checkVisibility()).length"
    )
    scrolling = page.evaluate(
        "[...document.querySelectorAll('*')].filter(one => one.checkVisibility()"
        " && one.scrollWidth > one.clientWidth && one.tabIndex < 0"
        " && getComputedStyle(one).overflowX === 'auto').length"
    )
    reached = 0
    for _ in range(wanted + 40):
        if page.evaluate("document.activeElement.matches('a[href], summary')"):
            reached += 1
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement === document.body"):
            break
    assert reached >= wanted
    assert scrolling == 0


def test_dark_and_light_differ_and_paper_is_light(open_page: Open) -> None:
    def ground(page: Any) -> str:
        return str(page.evaluate("getComputedStyle(document.documentElement).getPropertyValue('--page')"))

    light, dark = open_page(source("student")).page, open_page(source("student"), scheme="dark").page
    assert ground(light) != ground(dark)
    dark.emulate_media(media="print", color_scheme="dark")
    assert ground(dark) == ground(light)


def test_paper_shows_the_checks_that_the_screen_folds(open_page: Open) -> None:
    page = open_page(source("student")).page

    assert not page.get_by_text("another way to fail, the 4th").is_visible()
    page.emulate_media(media="print")
    assert page.get_by_text("another way to fail, the 4th").is_visible()


def test_a_page_prints(open_page: Open) -> None:
    printed = open_page(source("student")).page.pdf()

    assert printed.startswith(b"%PDF")
    assert len(printed) > 10_000


def test_a_line_leads_to_the_code(open_page: Open) -> None:
    page = open_page(source("student")).page

    page.locator("a[href='#exercise-1-line-14']").first.click()
    assert page.evaluate("location.hash") == "#exercise-1-line-14"
    assert "return e" in page.locator(":target").inner_text()
    assert page.locator(":target").get_attribute("class") == "marked"
