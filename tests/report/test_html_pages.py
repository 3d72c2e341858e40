"""The pages as text: what is in them, that all of it is text, and that nothing is asked of elsewhere."""

import base64
import hashlib
import re
from dataclasses import replace
from html.parser import HTMLParser

import pytest

from autograder.model.result import Excerpt, FileReport, Result
from autograder.report.html.class_page import render_class_page
from autograder.report.html.pages import percent
from autograder.report.html.statistics import Entry, class_figures
from autograder.report.html.student import render_student
from tests.report.made_up import HOSTILE, a_check, a_result, an_exercise, an_idea, arrays


class Page(HTMLParser):
    """A page read back: its tags with their attributes, its text, where it may come from."""

    def __init__(self, source: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.words: list[str] = []
        self._in_style = False
        self.feed(source)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        self._in_style = tag == "style"

    def handle_data(self, data: str) -> None:
        if not self._in_style:
            self.words.append(data)
        self._in_style = False

    @property
    def text(self) -> str:
        """The words, with single blanks."""
        return " ".join("".join(self.words).split())

    def named(self, tag: str) -> list[dict[str, str | None]]:
        """The attributes of all tags of a name."""
        return [attributes for name, attributes in self.tags if name == tag]


WRONG = an_exercise(
    "softmax",
    "partly",
    a_check("bank", "failed", "2 of 4 entries differ", evidence=arrays([[1.0, 0.0]], [[0.5, 0.5]])),
    a_check("finite"),
    a_check("random", "failed", "3 of 3 draws differ", hidden=True),
    marks=1.5,
    diagnosis=(an_idea(message="line 14, the returned value: its columns sum to 1", line=14, agrees=(5, 5)),),
    code=(Excerpt(12, ("def softmax(S):", "    e = np.exp(S)", "    return e / e.sum(axis=0)")),),
    printed="shape (2, 2)",
    notes=("a list came back",),
    next="autograder hint softmax",
)
HOSTILE_RESULT = a_result(
    HOSTILE,
    replace(
        WRONG,
        message=HOSTILE,
        title=HOSTILE,
        checks=(
            a_check(HOSTILE, "raised", HOSTILE, evidence=arrays([[1.0]], [[2.0]], tokens=[HOSTILE])),
            a_check("b", "failed", HOSTILE, evidence=arrays([[1.0]], [[2.0]], case=HOSTILE, output=HOSTILE)),
        ),
        diagnosis=(an_idea(HOSTILE, HOSTILE, line=12, source=HOSTILE),),
        code=(Excerpt(12, (HOSTILE, HOSTILE)),),
        printed=f"{HOSTILE}\n{HOSTILE}",
        notes=(HOSTILE,),
        next=HOSTILE,
    ),
    file_reports=(FileReport("file.raised", HOSTILE, line=3, source=HOSTILE),),
    printed=HOSTILE,
)


def class_page(*results: Result, **more: object) -> str:
    return render_class_page(class_figures(map(Entry.of, results)), **more)  # type: ignore[arg-type]


def test_a_students_page_holds_marks_checks_evidence_diagnosis_code_and_what_is_next() -> None:
    text = Page(render_student(a_result("ana", WRONG, an_exercise("mix")))).text

    for part in (
        "5.5 of 8 marks",
        "1.5 of 4 marks",
        "1 of 3 checks",
        "2 of 4 entries differ",
        "3 of 3 draws differ",
        "hidden case",
        "line 14, the returned value: its columns sum to 1 (5 of 5 cases)",
        "return e / e.sum(axis=0)",
        "shape (2, 2)",
        "a list came back",
        "next autograder hint softmax",
    ):
        assert part in text, part


def test_the_line_that_a_diagnosis_names_is_marked_and_linked() -> None:
    page = Page(render_student(a_result("ana", WRONG)))

    marked = [attributes["id"] for attributes in page.named("li") if attributes.get("class") == "marked"]
    assert marked == ["exercise-1-line-14"]
    assert {"href": "#exercise-1-line-14"} in page.named("a")


def test_a_line_that_is_not_quoted_is_named_without_a_link() -> None:
    page = Page(render_student(a_result("ana", replace(WRONG, code=()))))

    assert {"href": "#exercise-1-line-14"} not in page.named("a")
    assert "line 14, the returned value" in page.text


def test_of_a_notebook_the_cell_is_told_with_the_line() -> None:
    idea = an_idea(message="its columns sum to 1", line=2, cell=4)
    code = (Excerpt(1, ("def softmax(S):", "    return S"), cell=4),)
    page = Page(render_student(a_result("ana", replace(WRONG, diagnosis=(idea,), code=code))))

    assert "cell 4, line 2" in page.text
    assert {"href": "#exercise-1-cell-4-line-2"} in page.named("a")


def test_every_link_within_a_page_leads_somewhere() -> None:
    pages = [
        render_student(a_result("ana", WRONG)),
        render_student(HOSTILE_RESULT),
        class_page(a_result("a", WRONG)),
    ]
    for page in map(Page, pages):
        targets = {attributes.get("id") for _, attributes in page.tags}
        inner = {(a["href"] or "")[1:] for a in page.named("a") if (a["href"] or "").startswith("#")}
        assert inner
        assert inner <= targets


def test_every_id_of_a_page_is_its_own() -> None:
    for page in map(Page, (render_student(a_result("ana", WRONG, WRONG)), class_page(a_result("a", WRONG)))):
        ids = [attributes["id"] for _, attributes in page.tags if "id" in attributes]
        assert len(ids) == len(set(ids))


def test_arrays_of_a_hidden_check_are_not_shown_even_if_they_are_there() -> None:
    leaking = a_check("random", "failed", hidden=True, evidence=arrays([[1.25]], [[0.75]]))
    page = render_student(a_result("ana", an_exercise("softmax", "failed", leaking)))

    assert "<figure" not in page
    assert "0.75" not in page


@pytest.mark.parametrize(
    "page", [render_student(HOSTILE_RESULT), class_page(HOSTILE_RESULT)], ids=["student", "class"]
)
def test_whatever_a_submission_says_is_text(page: str) -> None:
    read = Page(page)

    assert not {"script", "img", "iframe", "object", "base", "form"} & {tag for tag, _ in read.tags}
    assert not [
        name for _, attributes in read.tags for name in attributes if name.startswith(("on", "style"))
    ]
    assert page.count("<svg") == page.count("</svg>")
    assert "7*7" in page
    assert not {character for character in page if not character.isprintable()} - {"\n"}


def test_a_page_has_a_policy_that_allows_its_own_style_and_nothing_else() -> None:
    page = render_student(a_result("ana", WRONG))

    style = re.search(r"<style>(.*?)</style>", page, re.S)
    assert style
    digest = base64.b64encode(hashlib.sha256(style[1].encode()).digest()).decode()
    policy = next(
        m["content"] for m in Page(page).named("meta") if m.get("http-equiv") == "Content-Security-Policy"
    )
    assert policy is not None
    assert policy.startswith("default-src 'none'; ")
    assert f"style-src 'sha256-{digest}'" in policy
    assert "unsafe" not in policy
    assert page.index("http-equiv") < page.index("<style>")


@pytest.mark.parametrize("page", [render_student(a_result("ana", WRONG)), class_page(a_result("ana", WRONG))])
def test_a_page_names_no_other_place(page: str) -> None:
    assert not re.search(r"https?:|url\(|@import|src=", page.replace("img-src", ""))


def test_the_same_result_gives_the_same_page() -> None:
    assert render_student(a_result("ana", WRONG)) == render_student(
        Result.from_json(a_result("ana", WRONG).to_json())
    )


def test_a_result_without_exercises_or_student_has_a_page() -> None:
    assert "attention.py" in Page(render_student(a_result(""))).text


# The class


def test_a_class_page_names_figures_misconceptions_and_who_needs_a_person() -> None:
    text = Page(class_page(a_result("ana", WRONG), a_result("ben", an_exercise("softmax", "crashed")))).text

    for part in ("2 submissions", "softmax.columns 1 student", "ended its process: softmax", "undefined"):
        assert part in text, part


def test_names_lead_to_the_students_pages_where_there_are_such() -> None:
    results = [a_result("ana", WRONG), a_result("ben", an_exercise("softmax", "crashed"))]

    with_links = Page(class_page(*results, link=lambda student: f"reports/{student}.html"))
    without = Page(class_page(*results))

    links = [a["href"] for a in with_links.named("a") if not (a["href"] or "").startswith("#")]
    assert set(links) == {"reports/ana.html", "reports/ben.html"}
    assert links.count("reports/ben.html") == 2
    assert all((a["href"] or "").startswith("#") for a in without.named("a"))


@pytest.mark.parametrize(
    "results",
    [
        [],
        [a_result("a")],
        [a_result("a", an_exercise("e"))],
        [a_result(name, an_exercise("e"), an_exercise("f")) for name in "abc"],
        [a_result(name, an_exercise("e", "failed"), an_exercise("f", "failed")) for name in "abc"],
    ],
    ids=["none", "no exercises", "one", "all perfect", "all zero"],
)
def test_a_class_of_any_kind_has_a_page(results: list[Result]) -> None:
    page = class_page(*results)

    assert "</html>" in page
    assert not re.search(r"\bnan\b|\bNone\b|\binf\b", Page(page).text.replace("None was found", ""))


def test_the_page_of_a_thousand_stays_small() -> None:
    results = (
        a_result(
            f"student{n}",
            *(an_exercise(f"e{k}", "partly", a_check("x", "failed", f"{n}")) for k in range(14)),
        )
        for n in range(1000)
    )
    assert len(class_page(*results, link=lambda student: f"reports/{student}.html")) < 2_000_000


@pytest.mark.parametrize(
    ("share", "text"), [(None, "undefined"), (0.0, "0 %"), (0.999, "99 %"), (1.0, "100 %"), (0.29, "29 %")]
)
def test_a_share_is_rounded_down(share: float | None, text: str) -> None:
    assert percent(share) == text
