"""Replies that a submission may forge: what is well formed is judged, and gains nothing by being odd."""

import random
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
import pytest

from autograder.checks.trial import Trial
from autograder.grading.calls import KEPT_BYTES, Calls, bytes_of
from autograder.grading.expectations import own_copy
from autograder.grading.store import result_text
from autograder.grading.submission import Grader
from autograder.loading.assignment import Course, load_assignment
from autograder.model.limits import Limits
from autograder.model.outcome import (
    Died,
    Loaded,
    NameFound,
    NoFunction,
    Outcome,
    Raised,
    Returned,
    Unsendable,
    Value,
)
from autograder.model.submission import Submission
from autograder.worker import replies
from autograder.worker.inside import wire
from autograder.worker.interface import Level
from tests.attacks.course import EXERCISES, write_course
from tests.attacks.pieces import RIGHT
from tests.grading.in_process import OneByOne

#: Things to return in the place of an array, made from the right one.
ODD: Sequence[Callable[[np.ndarray], Any]] = (
    lambda a: None,
    lambda a: "text",
    lambda a: wire.Unsendable("evil\x1b[31m"),
    lambda a: [],
    lambda a: (),
    lambda a: [a, [a, (None, "x")]],
    lambda a: a > 0,
    lambda a: np.zeros(a.shape, bool),
    lambda a: a.astype(np.uint8),
    lambda a: a * (1 + 1j),
    lambda a: a.astype(complex),
    lambda a: a.astype(np.float16),
    lambda a: np.full(a.shape, np.nan),
    lambda a: np.full(a.shape, np.inf, np.float32),
    lambda a: np.full(a.shape, complex(np.nan, -np.inf)),
    lambda a: np.full(a.shape, 1e308),
    lambda a: np.full(a.shape, 2**63 - 1),
    lambda a: np.full(a.shape, 2**64 - 1, np.uint64),
    lambda a: np.zeros((0, *a.shape)),
    lambda a: np.zeros((*a.shape, 0)),
    lambda a: a[(np.newaxis,) * 4],
    lambda a: np.float64(1e308),
    lambda a: wire.Listed(np.array(3.0), "list"),
    lambda a: wire.Listed(a, "matrix"),
    lambda a: wire.Listed(a > 0, "list"),
    lambda a: wire.Listed(a, "tuple"),
    lambda a: wire.Listed(np.zeros((1 << 26, 0)), "list"),
    lambda a: wire.Listed(np.zeros((0, 5)), "list"),
    lambda a: np.zeros((0, 1 << 13, 1 << 13), bool),
    lambda a: np.zeros((1,) * 8),
    lambda a: np.full(a.shape, -(2**63)),
    lambda a: np.full(a.shape, 5e-324),
    lambda a: np.full(a.shape, 1e308 * (1 + 1j)),
    lambda a: np.where(np.arange(a.size).reshape(a.shape) % 2, np.nan, a),
    lambda a: np.where(np.arange(a.size).reshape(a.shape) % 2, -np.inf, a).astype(np.float16),
    lambda a: np.bool_(True),
    lambda a: np.complex128(1e308j),
    lambda a: 2**63 - 1,
    lambda a: [True, "x", None],
    lambda a: "{0.__class__} {count} \ud800",
    lambda a: [[[[[a]]]]],
    lambda a: (a, "x", wire.Unsendable("list")),
    *(
        lambda a, name=name: wire.Unsendable(name)
        for name in (
            "list",
            "tuple",
            "text",
            "dict",
            "None",
            "one array",
            "a tuple of 3",
            "{count}",
            "generator",
        )
    ),
)
#: What exceptions say: patterns that are looked for, with numbers that no array has.
MESSAGES = (
    "m",
    "{count} {0.__class__} %s",
    "index -99999999999999999999999 is out of bounds for axis 77777777777777777777 with size 3",
    "cannot reshape array of size 99999999999999999999999 into shape (99999999999999999999999,0,-7)",
    "operands could not be broadcast together with shapes (99999999999999999999999,) (3,4) ",
    "operands could not be broadcast together with shapes (,) ( , ) (-1,) ",
    (
        "matmul: Input operand 1 has a mismatch in its core dimension 0, with gufunc signature (n?,k),(k,m?)->(n?,m?) "
        "(size 99999999999999999999999 is different from 0)"
    ),
    "axis 99999999999999999999999 is out of bounds for array of dimension 0",
    "not enough values to unpack (expected 99999999999999999999999, got 0)",
    "could not broadcast input array from shape (99999999999999999999999,) into shape (0,)",
    "f takes an array of shape (9,), not (99999999999999999999999, )",
    "too many indices for array: array is 99999999999999999999-dimensional, but 0 were indexed",
    "name 'softmax' is not defined",
    "'list' object has no attribute 'T'",
    "unsupported operand type(s) for @: 'list' and 'NoneType'",
)
TYPES = (
    "E",
    "ValueError",
    "IndexError",
    "TypeError",
    "AxisError",
    "NameError",
    "AttributeError",
    "{count}",
    "KeyError",
)
SHAPES = ((), (0,), (1 << 40, 3), (3, 4), (1,) * 8)
#: A function: always right; odd in the same way; odd in ever other ways; odd now and then; not returning.
WAYS = ("right", "odd", "odder", "at times", "no return")


class Forger(OneByOne):
    """A worker whose answers a dice throws; every value has crossed the wire."""

    alive = True
    loaded = Loaded(tuple(NameFound(name, "function") for name in EXERCISES))

    def __init__(self, seed: int, right: Mapping[str, Any]) -> None:
        self.dice = random.Random(seed)
        self.right = right
        self.ways = {name: (self.dice.choice(WAYS), self.dice.randrange(len(ODD))) for name in EXERCISES}

    def call(self, function: str, arguments: Sequence[Value], *, trace: bool = False) -> Outcome:
        """Answer a call, somehow."""
        values = list(own_copy(dict(enumerate(arguments))).values())  # type: ignore[arg-type]
        way, kind = self.ways[function]
        value = self.right[function](*values)
        if way == "no return" and self.dice.random() < 0.3:
            forms = [
                self.raised(function),
                Died("exited", "x"),
                NoFunction("x"),
            ]
            return self.dice.choice(forms)
        if way in ("odder", "no return") or (way == "at times" and self.dice.random() < 0.3):
            value = self.odd(value, self.dice.randrange(len(ODD)))
        elif way == "odd":
            value = self.odd(value, kind)
        changed = tuple(
            (i, a) for i, a in enumerate(values) if isinstance(a, np.ndarray) and self.dice.random() < 0.05
        )
        frame = wire.pack(wire.RETURNED, 1, value, changed, wire.Text("\x1b"), ())
        try:
            return replies.returned_from(
                wire.unpack_body(frame[wire.HEAD.size :], wire.RETURNED), len(values), 100
            )
        except wire.ProtocolError as error:
            return Died("protocol", str(error))

    def raised(self, function: str) -> Raised:
        """An exception of any kind, on any line, with arrays of any shape."""
        pick = self.dice.choice
        shapes = {name: pick(SHAPES) for name in ("x", "S", "Q", "K.T")}
        line = pick((1, 20, 30, 10**9, -1))
        frames = ((function, 3), ("g", -1))
        return Raised(pick(TYPES), pick(MESSAGES), line, pick((function, "f\x1b", None)), frames, shapes)

    def odd(self, value: Any, kind: int) -> Any:
        """An odd value in the place of the right one, or of one of the right ones."""
        with np.errstate(all="ignore"):
            if not isinstance(value, tuple):
                return ODD[kind](np.asarray(value))
            if kind % 3 == 0:
                return ODD[kind](np.asarray(value[0]))
            return tuple(
                ODD[kind](np.asarray(part)) if index != kind % 2 else part for index, part in enumerate(value)
            )

    def close(self) -> None:
        """Nothing to close."""


class Forgery:
    """A workshop that makes one forger after the other."""

    level: Level = "portable"

    def __init__(self, seed: int) -> None:
        self.seed = seed
        self.right: dict[str, Any] = {}
        exec(RIGHT, self.right)

    def start(self, source: bytes, filename: str, limits: Limits, cells: Sequence[int] = ()) -> Forger:
        """A new forger with the same dice."""
        return Forger(self.seed, self.right)

    def close(self) -> None:
        """Nothing to close."""

    def __enter__(self) -> "Forgery":
        return self

    def __exit__(self, *exception: object) -> None:
        return None


@pytest.fixture(scope="module")
def course(tmp_path_factory: pytest.TempPathFactory) -> Course:
    """The attacked course."""
    return load_assignment(write_course(tmp_path_factory.mktemp("attacked") / "course"))


@pytest.mark.filterwarnings("ignore::RuntimeWarning", "ignore::numpy.exceptions.ComplexWarning")
@pytest.mark.parametrize("seed", range(24))
def test_no_odd_answer_makes_the_grader_give_marks_for_a_fault_of_its_own(course: Course, seed: int) -> None:
    forgery = Forgery(seed)
    source = RIGHT.encode() + b"#%d" % seed

    result = Grader(course, forgery).grade(Submission("x", "attention.py", source, source))

    statuses = {one.status for e in result.exercises for one in (e, *e.checks)}
    assert result_text(result)
    assert "broken" not in statuses
    assert not any(d.code == "diagnosis.broken" for e in result.exercises for d in e.diagnosis)
    ways = Forger(seed, forgery.right).ways
    lost = {e.id for e in result.exercises if ways[e.id][0] == "right" and e.status != "passed"}
    assert lost <= set(marred(result)), "a right answer loses no more than the check on its arguments"


def marred(result: Any) -> list[str]:
    """The exercises that only lost the check on their arguments: the dice changes those of right ones too."""
    return [
        e.id
        for e in result.exercises
        if {c.kind for c in e.checks if c.status not in ("passed", "skipped")} == {"leaves_arguments_alone"}
    ]


def loaded(names: str, rows: int) -> Loaded:
    """What is made of a reply to loading with these names."""
    frame = wire.pack(wire.LOADED, 1, wire.Text(names), np.zeros((rows, 4), "<i4"), None, wire.Text(""))
    return replies.loaded_from(wire.unpack_body(frame[wire.HEAD.size :], wire.LOADED), 100)


def test_more_names_than_our_own_code_lists_are_no_reply() -> None:
    with pytest.raises(wire.ProtocolError):
        loaded("\n".join("x" * 9 for _ in range(50_000)), 50_000)
    with pytest.raises(wire.ProtocolError):
        loaded("\n".join("x" for _ in range(400)), 400)


def test_texts_are_no_longer_than_our_own_code_sends_them() -> None:
    frames = tuple(("f" * 4000, 1) for _ in range(100))
    shapes = tuple((f"{index}" + "x" * 4000, np.array([1])) for index in range(100))
    failure = ("T" * 4000, wire.Text("m" * 4_000_000), 1, "f" * 4000, frames, shapes)
    frame = wire.pack(wire.RAISED, 1, failure, wire.Text("p" * 4_000_000), ())

    raised = replies.raised_from(wire.unpack_body(frame[wire.HEAD.size :], wire.RAISED), 100)

    assert len(repr(raised)) < 10_000


@pytest.mark.parametrize("sides", [[1] * 3000, [-1], [2, 1 << 62]], ids=["thousands", "negative", "huge"])
def test_a_shape_that_no_array_has_is_no_reply(sides: list[int]) -> None:
    failure = ("ValueError", wire.Text("x"), 1, "f", (), (("v", np.array(sides)),))
    frame = wire.pack(wire.RAISED, 1, failure, wire.Text(""), ())

    with pytest.raises(wire.ProtocolError):
        replies.raised_from(wire.unpack_body(frame[wire.HEAD.size :], wire.RAISED), 100)


def test_a_list_that_is_one_number_is_no_reply() -> None:
    with pytest.raises(wire.ProtocolError):
        replies.value_from(wire.Listed(np.array(1.0), "list"))


class Giant(OneByOne):
    """Answers each call with 8 MB, and hands as much back in its argument."""

    def call(self, function: str, arguments: Sequence[Value], *, trace: bool = False) -> Outcome:
        """Answer."""
        return Returned(np.ones(1 << 20), {0: np.ones(1 << 20)})


def test_answers_beyond_the_room_for_them_are_not_kept(course: Course) -> None:
    calls = Calls(Giant())
    exercise = course.exercise("softmax")
    trials = [Trial("bank", draw, False, {"S": np.ones((1, 1))}) for draw in range(20)]

    calls.make([(exercise, trial) for trial in trials])

    outcomes = [tried.outcome for tried in calls.tried.values()]
    kept = [o for o in outcomes if isinstance(o, Returned) and isinstance(o.value, np.ndarray)]
    assert sum(bytes_of(outcome.value) for outcome in kept) <= KEPT_BYTES
    assert isinstance(outcomes[-1], Returned)
    assert isinstance(outcomes[-1].value, Unsendable)
    assert list(outcomes[-1].changed) == [0]
