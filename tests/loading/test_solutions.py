"""Reference functions are called by name, can be rebound, and leave no trace among the imported modules."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest

from autograder.errors import BrokenError, ExerciseError
from autograder.loading.solutions import References, load_malrules, load_references


def references(folder: Path, text: str, name: str = "qkv") -> References:
    path = folder / "solutions" / f"{name}.py"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return load_references(path, folder)


TWO_STEPS = """\
from math import sqrt


def inner(x, *, by=1):
    return x + by


def _private(x):
    return inner(x)


def outer(x):
    return _private(x) * 10, inner(x, by=2)


def recursive(n):
    return n if n < 1 else recursive(n - 1)
"""


def test_outputs_come_as_a_tuple_and_arguments_go_in_by_name(tmp_path: Path) -> None:
    made = references(tmp_path, TWO_STEPS)

    assert made.call("inner", {"by": 5, "x": 1}) == (6,)
    assert made.call("outer", {"x": 1}) == (20, 3)


def test_only_the_files_own_public_functions_are_references(tmp_path: Path) -> None:
    made = references(tmp_path, TWO_STEPS)

    assert set(made.functions) == {"inner", "outer", "recursive"}
    assert str(made.place("outer")) == "solutions/qkv.py:12"


def test_rebound_functions_call_the_replacement_at_any_depth(tmp_path: Path) -> None:
    made = references(tmp_path, TWO_STEPS)

    rebound = made.rebound({"inner": lambda x, by=0: 100})

    assert rebound["outer"](1) == (1000, 100)
    assert rebound["inner"](1) == 100
    assert made.call("outer", {"x": 1}) == (20, 3)


def test_rebound_without_replacements_changes_nothing(tmp_path: Path) -> None:
    made = references(tmp_path, TWO_STEPS)

    rebound = made.rebound({})

    assert rebound["outer"](1) == made.functions["outer"](1)
    assert rebound["outer"] is not made.functions["outer"]


def test_what_is_no_reference_cannot_be_replaced(tmp_path: Path) -> None:
    with pytest.raises(BrokenError, match="no function ghost to replace"):
        references(tmp_path, TWO_STEPS).rebound({"ghost": len})


def test_two_courses_in_one_process_do_not_meet(tmp_path: Path) -> None:
    before = {name for name in sys.modules if name.partition(".")[0] == "solutions"}
    first = references(tmp_path / "a", "def f():\n    return 1\n")
    second = references(tmp_path / "b", "def f():\n    return 2\n")

    assert (first.call("f", {}), second.call("f", {})) == ((1,), (2,))
    assert {name for name in sys.modules if name.partition(".")[0] == "solutions"} == before


def test_modules_of_the_same_name_are_there_again_afterwards(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = type(sys)("solutions")
    monkeypatch.setitem(sys.modules, "solutions", other)

    with pytest.raises(ExerciseError):
        references(tmp_path, "raise ValueError\n")

    assert sys.modules["solutions"] is other


def test_malrules_import_the_references_of_their_own_course(tmp_path: Path) -> None:
    right = references(tmp_path, TWO_STEPS)
    path = tmp_path / "solutions" / "wrong.py"
    path.write_text("from solutions.qkv import inner\n\n\ndef inner_twice(x):\n    return inner(inner(x))\n")

    wrong = load_malrules(path, right, tmp_path)

    assert set(wrong.functions) == {"inner_twice"}
    assert wrong.call("inner_twice", {"x": 1}) == (3,)


def test_a_dataclass_may_stand_in_the_solutions(tmp_path: Path) -> None:
    text = (
        "from __future__ import annotations\nfrom dataclasses import dataclass\n\n\n"
        "@dataclass\nclass Head:\n    n: int\n\n\ndef heads(n):\n    return Head(n).n\n"
    )

    assert references(tmp_path, text).call("heads", {"n": 3}) == (3,)


def test_a_reference_that_raises_is_a_broken_exercise_with_its_line(tmp_path: Path) -> None:
    made = references(tmp_path, "def f(x):\n    y = x\n    return y / 0\n")

    with pytest.raises(BrokenError) as caught:
        made.call("f", {"x": 1})

    assert str(caught.value) == (
        "solutions/qkv.py:3: the reference 'f' raised ZeroDivisionError: division by zero; "
        "mend the reference or the case"
    )


def test_a_reference_that_is_not_there_is_a_broken_exercise(tmp_path: Path) -> None:
    with pytest.raises(BrokenError, match="no reference function 'g'"):
        references(tmp_path, "def f():\n    return 1\n").call("g", {})


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        pytest.param(
            b"def f(:\n",
            "solutions/qkv.py:1:7: no valid Python: invalid syntax; mend the syntax here",
            id="syntax",
        ),
        pytest.param(
            b"def f():\n    return g(\n\nx = f()\n",
            "solutions/qkv.py:2:13: no valid Python: '(' was never closed; mend the syntax here",
            id="bracket",
        ),
        pytest.param(
            b"def f():\n    return g()\n\n\nx = f()\n",
            "solutions/qkv.py:2:1: loading stopped with NameError: name 'g' is not defined; "
            "mend this line; the file must load by itself",
            id="raises in a function",
        ),
        pytest.param(
            b"import nowhere\n",
            "solutions/qkv.py:1:1: loading stopped with ModuleNotFoundError: No module named 'nowhere'; "
            "mend this line; the file must load by itself",
            id="import",
        ),
    ],
)
def test_solutions_that_do_not_load_are_told_with_place_and_remedy(
    tmp_path: Path, content: bytes, expected: str
) -> None:
    with pytest.raises(ExerciseError) as caught:
        references(tmp_path, content.decode())

    assert str(caught.value) == expected


def test_solutions_with_zero_bytes_are_told(tmp_path: Path) -> None:
    with pytest.raises(
        ExerciseError,
        match=r"solutions/qkv\.py.*: no valid Python: source code .*null",
    ):
        references(tmp_path, "x = 1\0\n")


def test_solutions_that_are_not_there_are_told(tmp_path: Path) -> None:
    with pytest.raises(
        ExerciseError, match=r"solutions/no\.py:1:1: there is no such file; write the functions there"
    ):
        load_references(tmp_path / "solutions" / "no.py", tmp_path)


def test_arrays_are_handed_over_as_they_are(tmp_path: Path) -> None:
    made = references(tmp_path, "def f(X):\n    return X\n")
    array = np.arange(3)

    assert made.call("f", {"X": array})[0] is array
