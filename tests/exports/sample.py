"""A class of 200 made by hand: every outcome and status, and names that readers of files may obey."""

from autograder.model.result import CheckResult, Diagnosis, ExerciseResult, FileReport, Result
from autograder.model.submission import NOWHERE, Origin

#: Names that a table, a spreadsheet, a page, a shell, XML or a workflow would obey.
HOSTILE = (
    '=HYPERLINK("http://x.invalid","click")',
    "+1+cmd|' /C calc'!A0",
    "-2+3",
    "@SUM(1+1)*cmd|' /C calc'!A0",
    "＝1+1",
    'a;=1+1;"=2',
    'O"Brien, Pat',
    "<script>alert(1)</script>",
    "]]></student><score>50</score>",
    "&lt;&amp;",
    "::error::pwned\n::set-output name=result::1",
    "%0A::stop-commands::",
    "two\nlines\r\nand\ttabs",
    "\x1b[31mred\x07\x00",
    "\u202eevil",
    "Zoë Ångström",
    "名前",
    "x" * 300,
    "\ud800lone",
    "{0} {x.__class__} %s",
    "../../etc/passwd",
    "null",
)
SECRET = "0.123456789"


def a_check(name: str = "page", marks: float = 1.0, most: float = 1.0, **more: object) -> CheckResult:
    """One check; failed unless it has all its marks."""
    status = "passed" if marks >= most else "failed"
    return CheckResult(
        **{"id": name, "kind": "value", "status": status, "marks": marks, "max_marks": most, **more}
    )  # type: ignore[arg-type]


def exercises(number: int, text: str = "3 of 4 entries differ") -> tuple[ExerciseResult, ...]:
    """Two exercises whose state depends on the number: the first with a hidden check."""
    got = (number % 5) / 4 * 2.0
    hidden = a_check(
        "random", 1.0 if number % 2 else 0.0, hidden=True, message=f"2 of 3 draws differ {SECRET}"
    )
    first = ExerciseResult(
        id="softmax",
        title="From scores to weights",
        function="softmax",
        status="passed" if got == 2.0 and number % 2 else "partly" if got or number % 2 else "failed",
        marks=got + hidden.marks,
        max_marks=3.0,
        checks=(a_check("five-tokens", got, 2.0, message="" if got == 2.0 else text), hidden),
        diagnosis=()
        if got == 2.0
        else (
            Diagnosis(
                "softmax.columns", f"Each column is normalised {text}", 14, "return e / e.sum(axis=0)", (5, 5)
            ),
        ),
        printed=text,
        next="autograder hint softmax",
    )
    status = ("passed", "not_attempted", "missing", "raised", "broken")[number % 5]
    most = status in ("passed", "broken")
    second = ExerciseResult(
        id="mix",
        title="Mixing <values> | again",
        function="mix",
        status=status,  # type: ignore[arg-type]
        marks=1.0 if most else 0.0,
        max_marks=1.0,
        message=text if status == "raised" else "",
        checks=() if status == "missing" else (a_check("plain", 1.0 if most else 0.0, evidence={"line": 3}),),
    )
    return first, second


def a_result(
    number: int = 4, *, student: str = "ana", origin: Origin = NOWHERE, text: str = "3 of 4"
) -> Result:
    """A result that was graded, or every tenth one that could not be loaded."""
    if number % 10 == 7:
        skipped = tuple(
            ExerciseResult(id=name, title=name, function=name, status="skipped", marks=0.0, max_marks=most)
            for name, most in (("softmax", 3.0), ("mix", 1.0))
        )
        reports = (FileReport("file.syntax", f"not valid Python: {text}", 2, text),)
        return Result(
            "qkv", student, "attention.py", "ab", "not_loadable", 0.0, 4.0, skipped, reports, origin=origin
        )
    made = exercises(number, text)
    outcome = "broken" if made[1].status == "broken" else "graded"
    marks = sum(one.marks for one in made)
    return Result(
        "qkv", student, "attention.py", "ab", outcome, marks, 4.0, made, printed=text, origin=origin
    )  # type: ignore[arg-type]


def hostile(number: int) -> str:
    """A name out of the list of hostile ones, made distinct."""
    return f"{HOSTILE[number % len(HOSTILE)]} {number}"


def a_class(platform: str = "canvas", count: int = 200) -> list[Result]:
    """Results of a class, one a number from 0, with hostile names and texts."""
    return [
        a_result(
            number,
            student=hostile(number),
            origin=Origin(platform, str(1000 + number), name=hostile(number)),
            text=hostile(number),
        )
        for number in range(count)
    ]
