"""What each exception means: one rule for each message of Python and numpy, in one table.

A rule gives a code of the catalogue with what its text needs, from the message, the line and its shapes.
"""

from __future__ import annotations

import builtins
import difflib
import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import prod
from typing import Any, TypeAlias

import numpy as np

from autograder.diagnosis.source_line import Meeting, Shape, SourceLine
from autograder.model.exercise import Exercise
from autograder.model.outcome import Raised
from autograder.wording.say import has_text, say

_MESSAGE_CHARS = 2000
_NEAR = 2
_REPEATS = 5
_OLD_TYPES = ("float", "int", "bool", "complex", "object", "str")


@dataclass(frozen=True)
class Scene:
    """All that an explanation may look at."""

    raised: Raised
    exercise: Exercise
    line: SourceLine
    sizes: Mapping[str, int]
    known: tuple[str, ...]

    @property
    def message(self) -> str:
        return self.raised.message[:_MESSAGE_CHARS]

    def size(self, number: int) -> str:
        """A number, with what it counts where exactly one size of the exercise is it."""
        names = [name for name, size in self.sizes.items() if size == number]
        if number > 1 and len(names) == 1 and has_text(f"size.{names[0]}"):
            return say("size.named", {"number": number, "words": say(f"size.{names[0]}")})
        return str(number)


#: A code of the catalogue and what its text needs; None if the pattern fits by accident.
Said: TypeAlias = "tuple[str, dict[str, Any]] | None"
_Explain: TypeAlias = Callable[[Scene, "re.Match[str]"], Said]


def is_kind_word(value: str) -> bool:
    return value in {say(f"kind.{name}") for name in _KINDS}


_KINDS = ("ndarray", "tuple", "list", "dict", "str", "int", "float", "bool", "NoneType", "module", "function",
          "generator", "coroutine")  # fmt: skip


def _kind(type_name: str) -> str:
    """A type by Python's name for it, in words where there are some."""
    name = type_name.rpartition(".")[2]
    if name in ("float64", "float32", "complex", "float16", "longdouble"):
        name = "float"
    if name in ("int64", "int32", "int8"):
        name = "int"
    if name in ("method", "builtin_function_or_method", "ufunc"):
        name = "function"
    return say(f"kind.{name}") if has_text(f"kind.{name}") else name


# Products of matrices.


def _matmul(scene: Scene, match: re.Match[str]) -> Said:
    right, left = (int(n) for n in re.findall(r"size (\d+) is different from (\d+)", scene.message)[0])
    return _product(scene, left, right, "@")


def _dot(scene: Scene, match: re.Match[str]) -> Said:
    return _product(scene, int(match[1]), int(match[2]), "dot")


def _product(scene: Scene, left: int, right: int, operator: str) -> Said:
    clash = scene.line.clash(left, right)
    words = {
        "left": scene.size(left),
        "right": scene.size(right),
        "operator": clash.operator if clash else operator,
    }
    keeping = scene.line.transposes_by()
    if keeping is not None:
        return "exception.transpose_keeps", words | {"transpose": keeping}
    where = str(clash) if clash else scene.line.described
    return ("exception.matmul", words | {"where": where}) if where else ("exception.matmul.bare", words)


def _matmul_number(scene: Scene, match: re.Match[str]) -> Said:
    return "exception.matmul_number", {
        "side": say("side.left" if match[1] == "0" else "side.right"),
        "operator": "@",
    }


def _matmul_heads(scene: Scene, match: re.Match[str]) -> Said:
    return "exception.matmul_heads", {"shapes": _described(scene) or match[0]}


# Shapes entry by entry.


def _broadcast(scene: Scene, match: re.Match[str]) -> Said:
    shapes = [_shape(text) for text in re.findall(r"\(([\d, ]*)\)", match[1])]
    if len(shapes) != 2:
        return None
    left, right = shapes
    clash = scene.line.disagreement(left, right)
    where = str(clash) if clash else f"{left}, {right}"
    sizes = _first_clash(left, right)
    if sizes is None:
        return None
    words = {"where": where, "left": scene.size(sizes[0]), "right": scene.size(sizes[1])}
    if clash is not None and _is_product_shaped(clash):
        return "exception.broadcast_product", words | {"operator": clash.operator}
    for matrix, row in ((left, right), (right, left)):
        if len(matrix) == 2 and len(row) == 1 and matrix[0] == row[0]:
            return "exception.broadcast_rows", words | {"needed": (row[0], 1)}
    return "exception.broadcast", words


def _is_product_shaped(clash: Meeting) -> bool:
    left, right = clash.left.shape, clash.right.shape
    return clash.operator == "*" and len(left) == len(right) == 2 and left[1] == right[0]


def _first_clash(left: Shape, right: Shape) -> tuple[int, int] | None:
    pairs = zip(reversed(left), reversed(right), strict=False)
    return next(((a, b) for a, b in pairs if a != b and 1 not in (a, b)), None)


def _shape(text: str) -> Shape:
    return tuple(int(n) for n in re.findall(r"\d+", text))


def _in_place_shape(scene: Scene, match: re.Match[str]) -> Said:
    return "exception.in_place_shape", {"target": _shape(match[1]), "result": _shape(match[2])}


def _write_shape(scene: Scene, match: re.Match[str]) -> Said:
    return "exception.write_shape", {"piece": _shape(match[1]), "place": _shape(match[2])}


def _reshape(scene: Scene, match: re.Match[str]) -> Said:
    words: dict[str, Any] = {"size": int(match[1]), "shape": f"({match[2].replace('newaxis', '-1')})"}
    if re.search(r"newaxis|-1", match[2]):
        return "exception.reshape.open", words
    return "exception.reshape", words | {"wanted": prod(_shape(match[2]))}


def _axis(scene: Scene, match: re.Match[str]) -> Said:
    axis, ndim = int(match[1]), int(match[2])
    if ndim == 0:
        return "exception.axis.zero", {"axis": axis}
    if ndim == 1 and scene.line.shapes:
        return "exception.axis.one", {"axis": axis, "shapes": scene.line.described}
    return "exception.axis", {"axis": axis, "ndim": ndim, "last": ndim - 1}


def _with_shapes(code: str) -> _Explain:
    """The rule for a code whose text quotes the shapes on the line."""

    def explain(scene: Scene, match: re.Match[str]) -> Said:
        return code, {"shapes": _described(scene)}

    return explain


def _described(scene: Scene) -> str:
    """The shapes on the line; those of the whole function where the line names none."""
    return scene.line.described or ", ".join(f"{n} {s}" for n, s in list(scene.raised.shapes.items())[:3])


def _plain(code: str) -> _Explain:
    """The rule for a code whose text needs nothing."""

    def explain(scene: Scene, match: re.Match[str]) -> Said:
        return code, {}

    return explain


# Places in an array.


def _index(scene: Scene, match: re.Match[str]) -> Said:
    words = {"index": int(match[1]), "axis": int(match[2]), "size": scene.size(int(match[3]))}
    return "exception.index", words


def _index_of_sequence(scene: Scene, match: re.Match[str]) -> Said:
    if match[1] == "tuple" and ".shape" in scene.line.text:
        return "exception.shape_index", {"shapes": _described(scene)}
    return "exception.index.list", {}


def _index_count(scene: Scene, match: re.Match[str]) -> Said:
    words = {"ndim": int(match[1]), "given": int(match[2]), "shapes": _described(scene)}
    return "exception.index_count", words


def _index_list(scene: Scene, match: re.Match[str]) -> Said:
    return "exception.index_list", {"kind": _kind(match[1])}


# None and other kinds of things.


def _attribute(scene: Scene, match: re.Match[str]) -> Said:
    type_name, attribute = match[1], match[2]
    if type_name == "NoneType":
        return _none(scene, scene.line.owners(attribute))
    if type_name in ("tuple", "list"):
        owners = scene.line.owners(attribute)
        words = {"name": owners[0], "attribute": f".{attribute}"} if len(owners) == 1 else {}
        return f"exception.{type_name}" + ("" if words else ".bare"), words
    if type_name in ("coroutine", "generator"):
        return f"exception.{type_name}", {}
    if type_name.endswith("ndarray"):
        return _near("exception.array_attribute", {"attribute": attribute}, attribute, dir(np.ndarray))
    return "exception.attribute", {"kind": _kind(type_name), "attribute": attribute}


def _numpy_name(scene: Scene, match: re.Match[str]) -> Said:
    name = match[1]
    if name in _OLD_TYPES:
        return "exception.numpy_name.builtin", {"attribute": name}
    return _near("exception.numpy_name", {"attribute": name}, name, dir(np))


def _near(code: str, words: dict[str, Any], name: str, names: Sequence[str]) -> Said:
    open_names = sorted({n for n in names if not n.startswith("_")})
    near = difflib.get_close_matches(name, open_names, n=_NEAR, cutoff=0.7)
    return (f"{code}.near", words | {"near": near}) if near else (code, words)


def _none(scene: Scene, names: Sequence[str]) -> Said:
    """Something is None: the name where it is plain which, else the line."""
    if len(names) == 1:
        if re.fullmatch(r"[^\W\d]\w*\(.*\)", names[0], re.DOTALL):
            return "exception.none.call", {"name": names[0].partition("(")[0]}
        if names[0].isidentifier():
            return "exception.none", {"name": names[0]}
    return "exception.none.bare", {}


def _none_subscripted(scene: Scene, match: re.Match[str]) -> Said:
    return _none(scene, scene.line.subscripted())


def _none_operand(scene: Scene, match: re.Match[str]) -> Said:
    others = {"np", "numpy", *scene.line.shapes, *scene.line.calls(), *vars(builtins), "return"}
    names = [name for name in scene.line.names if name not in others and name.isidentifier()]
    return _none(
        scene, [name for name in names if not re.search(rf"\.\s*{name}\b|\b{name}\s*=[^=]", scene.line.text)]
    )


def _not_callable(scene: Scene, match: re.Match[str]) -> Said:
    if match[1] == "NoneType":
        return "exception.none_called", {}
    kind = _kind(match[1])
    called = [name for name in scene.line.calls() if not hasattr(builtins, name)]
    certain = [name for name in called if name in scene.line.shapes]
    names = certain or called
    if not names:
        return "exception.not_callable.bare", {"kind": kind}
    if len(names) == 1:
        return "exception.not_callable", {"name": names[0], "kind": kind}
    return "exception.not_callable.several", {"names": names, "kind": kind}


def _operands(scene: Scene, match: re.Match[str]) -> Said:
    operator, left, right = match[1], match[2], match[3]
    for name in ("coroutine", "generator"):
        if name in (left, right):
            return f"exception.{name}", {}
    if "NoneType" in (left, right):
        return _none_operand(scene, match)
    if "tuple" in (left, right):
        return "exception.tuple.bare", {}
    if "list" in (left, right):
        return "exception.list.bare", {}
    return "exception.operands", {"operator": operator, "left": _kind(left), "right": _kind(right)}


def _of_type(scene: Scene, match: re.Match[str]) -> Said:
    """numpy met an object in place of numbers and named its type."""
    if match[1] == "NoneType":
        return _none_operand(scene, match)
    return (f"exception.{match[1]}", {}) if match[1] in ("coroutine", "generator") else None


def _unpack(scene: Scene, match: re.Match[str]) -> Said:
    return "exception.unpack", {"names": int(match[1]), "values": int(match[2])}


def _unpack_many(scene: Scene, match: re.Match[str]) -> Said:
    return "exception.unpack.many", {"names": int(match[1])}


def _unpack_one(scene: Scene, match: re.Match[str]) -> Said:
    kind = match[1] or match[2]
    if kind == "NoneType":
        return _none(scene, [f"{name}()" for name in scene.line.calls()])
    return "exception.unpack_one", {"kind": _kind(kind)}


def _one_number(scene: Scene, match: re.Match[str]) -> Said:
    takers = ("float", "int", "round", "complex", "range")
    calls = [c for c in (*scene.line.calls(), *scene.line.methods()) if c in takers or c.startswith("math.")]
    if len(calls) == 1:
        return "exception.one_number.call", {"call": calls[0]}
    return "exception.one_number", {}


def _cast(scene: Scene, match: re.Match[str]) -> Said:
    written = scene.line.writes_to()
    if written is None:
        return "exception.cast_in_place.bare", {}
    name, operation = written
    is_argument = name in scene.exercise.parameters and scene.raised.function == scene.exercise.function
    code = "exception.cast_in_place.argument" if is_argument else "exception.cast_in_place"
    return code, {"name": name, "operation": operation}


# Names and arguments.


def _name(scene: Scene, match: re.Match[str]) -> Said:
    name = match[1]
    if name in ("np", "numpy"):
        return ("exception.name.numpy", {}) if name == "np" else ("exception.name", {"name": name})
    exercise = scene.exercise
    around = {*exercise.parameters, *scene.raised.shapes, *scene.known, *dir(builtins), "np"} - {name}
    near = difflib.get_close_matches(name, sorted(around), n=_NEAR, cutoff=0.6 if len(name) > 3 else 0.5)
    same = sorted(other for other in around if other.lower() == name.lower())
    if same or near:
        return "exception.name.near", {"name": name, "near": same or near}
    if name in ("gamma", "beta") and scene.raised.function in (exercise.function, None):
        return "exception.name.parameter", {"name": name, "arguments": list(exercise.parameters)}
    return "exception.name", {"name": name}


def _one_name(code: str, parameter: str = "name") -> _Explain:
    """The rule for a code whose text quotes one name of the message."""

    def explain(scene: Scene, match: re.Match[str]) -> Said:
        return code, {parameter: match[1]}

    return explain


def _call_missing(scene: Scene, match: re.Match[str]) -> Said:
    words = {"function": _bare(match[1]), "missing": re.findall(r"'(\w+)'", match[2])}
    if _is_own_call(scene, match[1]):
        return "exception.own_missing", words | {"signature": scene.exercise.signature}
    return "exception.call_missing", words


def _call_count(scene: Scene, match: re.Match[str]) -> Said:
    words = {"function": _bare(match[1]), "takes": match[2], "given": match[3]}
    if _is_own_call(scene, match[1]):
        return "exception.own_count", words | {"signature": scene.exercise.signature}
    return "exception.call_count", words


def _is_own_call(scene: Scene, function: str) -> bool:
    """Whether the call that failed is the grader's: no line of the file was reached."""
    return not scene.raised.frames and _bare(function) == scene.exercise.function


def _bare(qualified: str) -> str:
    return qualified.rpartition(".")[2]


def _call_keyword(scene: Scene, match: re.Match[str]) -> Said:
    return "exception.call_keyword", {"function": _bare(match[1]), "keyword": match[2]}


def _call_twice(scene: Scene, match: re.Match[str]) -> Said:
    return "exception.call_twice", {"function": _bare(match[1]), "argument": match[2]}


def _not_written(scene: Scene, match: re.Match[str]) -> Said:
    function = scene.raised.function
    if function is None or not function.isidentifier():
        return None
    own = function == scene.exercise.function
    return ("exception.not_written.own" if own else "exception.not_written"), {"function": function}


def _recursion(scene: Scene, match: re.Match[str]) -> Said:
    counts = Counter(name for name, _ in scene.raised.frames)
    names = [name for name, count in counts.most_common(3) if count >= _REPEATS and name.isidentifier()]
    if not names:
        return None
    if len(names) == 1:
        return "exception.recursion", {"function": names[0]}
    return "exception.recursion.circle", {"functions": sorted(names)}


def _function_rows(scene: Scene, match: re.Match[str]) -> Said:
    return "exception.function_rows", {"rows": int(match[1]), "given": _shape(match[2])}


def _function_argument(scene: Scene, match: re.Match[str]) -> Said:
    return "exception.function_argument", {"wanted": _shape(match[1]), "given": _shape(match[2])}


# Arithmetic, room and the rest.


def _floating(scene: Scene, match: re.Match[str]) -> Said:
    return "exception.floating", {"what": match[1], "operation": match[2]}


def _memory(scene: Scene, match: re.Match[str]) -> Said:
    shape = re.search(r"with shape (\([\d, ]+\))", scene.message)
    return ("exception.memory", {"shape": shape[1]}) if shape else ("exception.memory.bare", {})


def _assertion(scene: Scene, match: re.Match[str]) -> Said:
    if not scene.line.text.startswith("assert"):
        return None
    return ("exception.assertion", {"shapes": scene.line.described}) if scene.line.shapes else (
        "exception.assertion.bare", {})  # fmt: skip


_VALUE, _TYPE, _INDEX = ("ValueError",), ("TypeError",), ("IndexError",)
_CASTING = ("UFuncTypeError", "_UFuncOutputCastingError")

#: Types (empty: any), a pattern of the message, and what it means. The first that fits is said.
RULES: tuple[tuple[tuple[str, ...], str, _Explain], ...] = (
    (("RecursionError",), r"", _recursion),
    (("NotImplementedError",), r"", _not_written),
    (_VALUE, r"^matmul: .*size \d+ is different from \d+", _matmul),
    (_VALUE, r"^shapes .* not aligned: (\d+) \(dim \d+\) != (\d+) \(dim \d+\)", _dot),
    (_VALUE, r"^matmul: Input operand (\d) does not have enough dimensions", _matmul_number),
    (_VALUE, r"with remapped shapes \[original->remapped\]: (.*)", _matmul_heads),
    (_VALUE, r"^operands could not be broadcast together with shapes ((?:\([\d, ]*\) ?)+)", _broadcast),
    (_VALUE, r"output operand with shape \(([\d,]*)\) doesn't match .* shape \(([\d,]*)\)", _in_place_shape),
    (_VALUE, r"not broadcast input array from shape \(([\d,]*)\) into shape \(([\d,]*)\)", _write_shape),
    (_VALUE, r"setting an array element with a sequence\. The requested array has an inhomogeneous",
     _plain("exception.ragged")),
    (_VALUE, r"setting an array element with a sequence", _plain("exception.write_entry")),
    (_VALUE, r"cannot reshape array of size (\d+) into shape \(([^)]*)\)", _reshape),
    (("AxisError",), r"axis (-?\d+) is out of bounds for array of dimension (\d+)", _axis),
    (_VALUE, r"axes don't match array|number of axes|repeated axis", _with_shapes("exception.axes_count")),
    (_VALUE, r"all (?:the )?input arrays? (?:dimensions|must have)", _with_shapes("exception.join_shapes")),
    (_VALUE, r"array split does not result in an equal division", _with_shapes("exception.uneven_split")),
    (_VALUE, r"einstein sum|einsum|operand has a mismatch|subscripts", _with_shapes("exception.einsum")),
    (_VALUE, r"truth value of an array", _plain("exception.truth")),
    (_VALUE, r"(?:not enough|too many) values to unpack \(expected (\d+), got (\d+)\)", _unpack),
    (_VALUE, r"too many values to unpack \(expected (\d+)\)", _unpack_many),
    (_VALUE, r"cannot convert float (?:NaN|infinity)", _plain("exception.nan_as_integer")),
    (("OverflowError",), r"cannot convert float infinity", _plain("exception.nan_as_integer")),
    (_VALUE, r"read-only", _plain("exception.read_only")),
    (_VALUE, r"math domain error|expected a (?:positive|non\w+) ", _plain("exception.domain")),
    (_VALUE, r"^f takes an array of shape \(([\d, ]*)\), not \(([\d, ]*)\)", _function_argument),
    (_VALUE, r"^f takes an array of (\d+) rows, not one of shape \(([\d, ]*)\)", _function_rows),
    (_INDEX, r"index (-?\d+) is out of bounds for axis (\d+) with size (\d+)", _index),
    (_INDEX, r"^(list|tuple|string) (?:assignment )?index out of range", _index_of_sequence),
    (_INDEX, r"array is (\d+)-dimensional, but (\d+) were indexed", _index_count),
    (_INDEX, r"boolean index did not match", _plain("exception.mask_shape")),
    (_INDEX, r"^only integers, slices", _plain("exception.index_kind")),
    (_TYPE, r"^(list|tuple) indices must be integers or slices, not (?:tuple|float|numpy)", _index_list),
    (_TYPE, r"^only integer scalar arrays can be converted", _plain("exception.index_scalar")),
    (_TYPE, r"^only (?:length-1|size-1|0-dimensional|single-element) arrays can be converted", _one_number),
    (_TYPE, r"'(?:numpy\.)?(?:float\d*|longdouble)' object cannot be interpreted as an integer",
     _plain("exception.whole_number")),
    (_TYPE, r"cannot be interpreted as an integer|slice indices must be", _plain("exception.index_scalar")),
    (_TYPE, r"^unsupported operand type\(s\) for (\S+?):? '([\w.]+)' and '([\w.]+)'", _operands),
    (_TYPE, r"of type (NoneType|generator|coroutine) which has no callable", _of_type),
    (_TYPE, r"bad operand type for unary [-+~]: '(\w+)'", _of_type),
    (_TYPE, r"can't multiply sequence by non-int|can only concatenate list", _plain("exception.list.bare")),
    (_TYPE, r"'NoneType' object is not (?:subscriptable|iterable)|'NoneType' object does not support",
     _none_subscripted),
    (_TYPE, r"object of type 'NoneType' has no len|^float\(\) argument .* not 'NoneType'", _none_operand),
    (_TYPE, r"'([\w.]+)' object is not callable", _not_callable),
    (_TYPE, r"cannot unpack non-iterable ([\w.]+) object|^'(int|float|[\w.]*float64)' object is not iterable",
     _unpack_one),
    (_TYPE, r"'(coroutine|generator)' object", lambda scene, match: (f"exception.{match[1]}", {})),
    (_TYPE, r"^([\w.<>]+)\(\) missing \d+ required [\w-]+ arguments?: (.*)", _call_missing),
    (_TYPE, r"^([\w.<>]+)\(\) takes (.+?) positional arguments? but (\d+) (?:was|were) given", _call_count),
    (_TYPE, r"^([\w.<>]+)\(\) got an unexpected keyword argument '(\w+)'", _call_keyword),
    (_TYPE, r"^([\w.<>]+)\(\) got multiple values for argument '(\w+)'", _call_twice),
    (_CASTING, r"Cannot cast ufunc '\w+' output from dtype\('float", _cast),
    (("AttributeError",), r"^module 'numpy' has no attribute '(\w+)'", _numpy_name),
    (("AttributeError",), r"^'([\w.]+)' object has no attribute '(\w+)'", _attribute),
    (("UnboundLocalError",), r"local variable '(\w+)'", _one_name("exception.unbound")),
    (("NameError",), r"free variable '(\w+)'", _one_name("exception.unbound")),
    (("NameError",), r"^name '(\w+)' is not defined", _name),
    (("ModuleNotFoundError",), r"No module named '([\w.]+)'", _one_name("exception.module", "module")),
    (("ImportError",), r"cannot import name '(\w+)'", _one_name("exception.import_name")),
    (("ZeroDivisionError",), r"", _plain("exception.zero_division")),
    (("FloatingPointError",), r"^([\w ]+) encountered in (\w+)", _floating),
    (("OverflowError",), r"math range error|Result too large|out of range", _plain("exception.overflow")),
    (("MemoryError", "_ArrayMemoryError", "ArrayMemoryError"), r"", _memory),
    (("AssertionError",), r"", _assertion),
    (("KeyError",), r"", _plain("exception.key")),
    (("EOFError",), r"", _plain("exception.input")),
    (("FileNotFoundError",), r"", _plain("exception.file")),
    (("PermissionError",), r"", _plain("exception.permission")),
    (("RuntimeError",), r"can't start new thread", _plain("exception.thread")),
    (("SystemExit",), r"", _plain("exception.exit")),
    (("LinAlgError",), r"[Ss]ingular", _plain("exception.singular")),
)  # fmt: skip
