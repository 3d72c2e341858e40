"""Whole submissions, graded in this process: statuses, marks, words, and what must not be in a result."""

import json
import re

import numpy as np
import pytest

from autograder.grading.plan import plan_exercise
from autograder.grading.store import result_text
from autograder.grading.submission import Grader
from autograder.model.outcome import Died, Loaded, NameFound, Raised
from autograder.model.result import STATUSES, Result
from tests.grading.in_process import TOP, Functions, Workshop, course, submission

pytestmark = [
    pytest.mark.filterwarnings("ignore::RuntimeWarning"),  # the submissions' own, in this process
]

REFERENCE = (TOP / "solutions" / "qkv.py").read_text(encoding="utf-8")
FUNCTIONS = [exercise.function for exercise in course().exercises]
STUBS = "\n".join(f"def {name}(*arguments):\n    raise NotImplementedError('{name}')\n" for name in FUNCTIONS)


def grade(source, student="ana", only=()):
    return Grader(course(), Workshop()).grade(submission(source, student), only)


def replaced(**functions):
    """The references with some functions written otherwise."""
    return REFERENCE + "\n" + "\n".join(functions.values()) + "\n"


def by_id(result):
    return {exercise.id: exercise for exercise in result.exercises}


@pytest.fixture(scope="module")
def right():
    return grade(REFERENCE)


def test_the_references_earn_exactly_all_points(right):
    assert right.outcome == "graded"
    assert right.marks == right.max_marks == sum(exercise.points for exercise in course().exercises)
    assert {exercise.status for exercise in right.exercises} == {"passed"}


def test_the_same_file_gives_the_same_bytes(right):
    assert result_text(grade(REFERENCE)) == result_text(right)


def test_a_result_reads_back_as_itself(right):
    assert Result.from_json(json.loads(result_text(right))) == right


def test_stubs_are_not_begun_and_say_so_in_one_line():
    result = grade(STUBS)

    assert result.marks == 0
    for exercise in result.exercises:
        assert exercise.status == "not_attempted"
        assert exercise.message == "not begun"
        assert {check.status for check in exercise.checks} == {"not_attempted"}
        assert not any(check.message for check in exercise.checks)


@pytest.mark.parametrize("body", ["pass", "...", "'doc'"])
def test_a_function_without_statements_is_not_begun(body):
    result = by_id(grade(STUBS + f"def softmax(S):\n    {body}\n", only=("softmax",)))

    assert result["softmax"].status == "not_attempted"
    assert result["softmax"].marks == 0


def test_an_unwritten_function_that_a_later_one_calls_is_named_there():
    source = replaced(softmax="def softmax(S):\n    raise NotImplementedError('softmax')")
    result = by_id(grade(source, only=("softmax", "attention")))

    assert result["softmax"].status == "not_attempted"
    assert result["attention"].status == "raised"
    assert result["attention"].checks[0].message == "attention calls softmax, which is not written yet"


def test_a_function_that_is_not_begun_for_some_inputs_only_says_what_happened():
    source = replaced(
        scale="def scale(S, d_k):\n    if d_k == 2: raise NotImplementedError\n    return S / d_k**.5"
    )
    result = by_id(grade(source, only=("scale",)))["scale"]

    lost = [check for check in result.checks if check.status == "not_attempted"]
    assert result.status == "partly"
    assert lost
    assert all("NotImplementedError" in check.message for check in lost)


def test_a_missing_function_is_missing_and_costs_no_other_function():
    result = by_id(
        grade(
            REFERENCE + "\ndel split_heads, softmax_backward\n",
            only=("split_heads", "mix", "softmax_backward"),
        )
    )

    assert {name: one.status for name, one in result.items()} == {
        "mix": "passed",
        "split_heads": "missing",
        "softmax_backward": "missing",
    }


def test_marks_are_the_share_of_the_weight_of_the_checks_that_passed():
    result = by_id(
        grade(replaced(softmax="def softmax(S):\n    E = np.exp(S)\n    return E / E.sum(1, keepdims=True)"))
    )
    softmax = result["softmax"]
    weights = {check.name: check.weight for check in course().exercise("softmax").checks}
    passed = sum(weights[check.id] for check in softmax.checks if check.status == "passed")

    assert softmax.status == "partly"
    assert softmax.marks == pytest.approx(softmax.max_marks * passed / sum(weights.values()), abs=1e-6)
    assert sum(check.marks for check in softmax.checks) == pytest.approx(softmax.marks, abs=1e-4)
    assert sum(check.max_marks for check in softmax.checks) == pytest.approx(softmax.max_marks, abs=1e-4)


# What must never happen


def test_every_status_is_known_and_every_failed_check_has_words():
    sources = [
        REFERENCE + "\nscores = 3\nscale = None\n",
        "".join(f"def {name}(*a):\n    return a[0]\n" for name in FUNCTIONS),
        "".join(f"def {name}(*a):\n    raise ValueError('no')\n" for name in FUNCTIONS),
        "".join(f"async def {name}(*a):\n    return a[0]\n" for name in FUNCTIONS),
        "import numpy as np\n"
        + "".join(f"def {name}(*a):\n    return np.full((2, 2), 1e308)\n" for name in FUNCTIONS),
        "import numpy as np\n"
        + "".join(f"def {name}(*a):\n    return np.full((2, 2), np.nan)\n" for name in FUNCTIONS),
        "def softmax(S):\n    return softmax(S)\n",
        "",
    ]
    for source in sources:
        result = grade(source)
        assert result.outcome == "graded"
        assert result.marks < result.max_marks
        result_text(result)
        for exercise in result.exercises:
            assert exercise.status in STATUSES
            for check in exercise.checks:
                assert check.status in STATUSES
                assert check.message or check.status in ("passed", "not_attempted")


HUGE = "def softmax(S):\n    A = np.zeros(S.shape)\n    A[0, 0] = VALUE\n    return A\n"


@pytest.mark.parametrize("value", ["1e308", "-1e308", "np.nan", "np.inf", "5e-324", "1e308j"])
def test_no_number_of_a_submission_makes_a_result_that_json_has_not(value):
    result = grade(
        replaced(softmax=HUGE.replace("VALUE", value).replace("zeros(S.shape)", "zeros(S.shape, complex)"))
    )

    assert "NaN" not in result_text(result)
    assert by_id(result)["scores"].status == "passed"


LEAKS = {
    "message": "raise ValueError(repr(arguments))",
    "type": "raise type(repr(arguments)[:90], (Exception,), {})()",
    "text": "return repr(arguments)",
    "type of the value": "return type(repr(arguments)[:90], (), {})()",
    "helper": (
        "exec(compile('def f(): raise NotImplementedError', 'attention.py', 'exec'), space := {})\n"
        "    f = space['f']\n    f.__code__ = f.__code__.replace(co_name=repr(arguments)[:90])\n"
        "    return f()"
    ),
    "the arguments themselves": "return arguments[0]",
    "a scaled argument": "return arguments[0] * 3 if hasattr(arguments[0], 'shape') else 3",
}


@pytest.mark.parametrize("how", LEAKS)
def test_no_number_of_a_hidden_case_is_in_a_result_whatever_the_submission_tells(how):
    source = "".join(f"def {name}(*arguments):\n    {LEAKS[how]}\n" for name in FUNCTIONS)
    handed_in = submission(source)
    text = result_text(Grader(course(), Workshop()).grade(handed_in))

    told = {number[:9] for number in re.findall(r"\d+\.\d{7,}", text)}
    # Of a thousand numbers one or two may begin alike by chance; an array that is quoted has more.
    assert len(told & numbers_of_draws(handed_in, hidden=True)) <= 2
    assert len(told & numbers_of_draws(handed_in, hidden=False)) > 50 or how != "message"


def numbers_of_draws(handed_in, *, hidden):
    """The beginnings of inputs and expected values, a few of each call."""
    grader = Grader(course(), Workshop())
    seen = set()
    for exercise in course().exercises:
        plan = plan_exercise(exercise, grader._reference, course().assignment.seed, handed_in.sha256)
        for trial in plan.passes()[2 * hidden]:
            expected = grader._reference(exercise.function, trial.arguments).values()
            for value in (*trial.arguments.values(), *expected):
                if isinstance(value, np.ndarray) and value.dtype.kind == "f":
                    seen |= {f"{abs(x):.12f}"[:9] for x in value.ravel()[:40] if 1e-3 < abs(x) < 1e3}
    numbers = {number for number in seen if len(set(number.rstrip("0"))) > 4}
    assert len(numbers) > 100
    return numbers


def test_checks_that_rest_on_hidden_cases_alone_are_marked_as_hidden():
    exercises = by_id(grade(STUBS))
    for exercise in course().exercises:
        for check, result in zip(exercise.checks, exercises[exercise.id].checks, strict=True):
            if check.kind == "value":
                assert result.hidden is exercise.cases[check.value].hidden


# Loading


class Saying(Workshop):
    """A workshop whose workers say how loading went."""

    def __init__(self, loaded):
        super().__init__()
        self._loaded = loaded

    def start(self, source, filename, limits, *rest):
        loaded = self._loaded

        class Worker(Functions):
            @property
            def loaded(self):
                return loaded

        return Worker({})


@pytest.mark.parametrize(
    ("failure", "outcome", "code"),
    [
        (Raised("SyntaxError", "invalid syntax", 2), "not_loadable", "file.syntax"),
        (Raised("ModuleNotFoundError", "No module named 'scipy'", 1), "not_loadable", "file.raised"),
        (Raised("SystemExit", "0", 1), "not_loadable", "file.exits"),
        (Died("timed_out", seconds=5), "timed_out", "file.timed_out"),
        (Died("exited", "status 0"), "crashed", "file.died"),
        (Died("memory"), "crashed", "file.died"),
    ],
)
def test_a_file_that_does_not_load_earns_nothing_and_says_why(failure, outcome, code):
    result = Grader(course(), Saying(Loaded((), failure))).grade(submission("import x\ny =\n"))

    assert (result.outcome, result.marks) == (outcome, 0)
    assert [report.code for report in result.file_reports] == [code]
    assert {exercise.status for exercise in result.exercises} == {"skipped"}
    assert result.max_marks == sum(exercise.points for exercise in course().exercises)


@pytest.mark.parametrize("name", ["SystemExit", "ValueError"])
def test_of_a_file_that_stops_half_way_what_stands_before_is_checked(name):
    class Half(Workshop):
        def start(self, source, filename, limits, *rest):
            worker = Functions.of_source(REFERENCE)
            names = (NameFound("scores", "function", 2, 2, 1),)

            class Worker(Functions):
                @property
                def loaded(self):
                    return Loaded(names, Raised(name, "", 1))

            return Worker({"scores": worker.names["scores"]})

    result = Grader(course(), Half()).grade(submission("import x\n"))

    assert by_id(result)["scores"].status == "passed"
    assert by_id(result)["scale"].status == "missing"
    assert next(report.code for report in result.file_reports) == "file.raised.some"


# Faults of ours


def test_a_fault_in_judging_is_broken_costs_nothing_and_stops_no_other_exercise(monkeypatch):
    from autograder.grading import submission as room

    def ill(plan, *rest):
        if plan.exercise.id == "scale":
            raise RuntimeError("ours")
        return judge(plan, *rest)

    judge = room.judge_exercise
    monkeypatch.setattr(room, "judge_exercise", ill)
    result = grade(STUBS)

    assert result.outcome == "broken"
    assert by_id(result)["scale"].status == "broken"
    assert result.marks == by_id(result)["scale"].max_marks
    assert "ours" in by_id(result)["scale"].checks[0].evidence["fault"]


def test_inputs_that_cannot_be_drawn_are_broken_and_cost_nothing(monkeypatch):
    from autograder.grading import submission as room

    def ill(exercise, *rest, **more):
        raise ValueError("no sizes")

    monkeypatch.setattr(room, "plan_exercise", ill)
    result = grade("")

    assert result.outcome == "broken"
    assert result.marks == result.max_marks
