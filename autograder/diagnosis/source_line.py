"""One line of a submission as syntax: its names, its calls, and the shapes of its parts where they show.

Nothing of the submission is run: shapes follow from the shapes of names and from the rules of numpy.
"""

from __future__ import annotations

import ast
import warnings
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

Shape = tuple[int, ...]

_MOST_CHARS = 300
_SHOWN_CHARS = 40
_PRODUCTS = ("dot", "matmul")
_KEEPING = (
    "exp",
    "sqrt",
    "log",
    "abs",
    "square",
    "tanh",
    "copy",
    "astype",
    "negative",
    "array",
    "asarray",
    "float64",
)
_REDUCING = ("sum", "mean", "max", "min", "std", "var", "amax", "amin", "prod")


@dataclass(frozen=True, slots=True)
class Part:
    """A piece of the line as it is written, and its shape."""

    text: str
    shape: Shape


@dataclass(frozen=True, slots=True)
class Meeting:
    """Two parts that an operator brings together: `@`, `dot`, `matmul`, `*`, `+`, …"""

    left: Part
    operator: str
    right: Part

    def __str__(self) -> str:
        left, right = (f"{part.text} {part.shape}" for part in (self.left, self.right))
        if self.operator in _PRODUCTS:
            return f"{self.operator} of {left} and {right}"
        return f"{left} {self.operator} {right}"

    @property
    def is_product(self) -> bool:
        """Whether it is a product of matrices."""
        return self.operator == "@" or self.operator in _PRODUCTS

    @property
    def inner(self) -> tuple[int, int] | None:
        """The two sizes that must be equal in a product of matrices."""
        left, right = self.left.shape, self.right.shape
        return (left[-1], right[max(len(right) - 2, 0)]) if left and right else None


class SourceLine:
    """A line of source. What does not parse (half of a statement, for instance) has its names alone."""

    def __init__(self, text: str, shapes: Mapping[str, Shape]) -> None:
        self.text = text.strip()[:_MOST_CHARS]
        self._tree = _parsed(self.text)
        self.shapes = {name: shape for name, shape in shapes.items() if name in self.names}

    @property
    def names(self) -> frozenset[str]:
        """The words of the line that are names in the sense of Python."""
        return frozenset(_words(self.text))

    @property
    def described(self) -> str:
        """The arrays of the line with their shapes: Q (1, 2), K (3, 2)."""
        return ", ".join(f"{name} {shape}" for name, shape in self.shapes.items())

    def calls(self) -> tuple[str, ...]:
        """The plain names that the line calls, in order of writing."""
        found = [n.func.id for n in self._nodes() if isinstance(n, ast.Call) and isinstance(n.func, ast.Name)]
        return tuple(dict.fromkeys(sorted(found, key=self.text.find)))

    def methods(self) -> tuple[str, ...]:
        """What the line calls behind a dot: `np.exp(S)` gives "np.exp"."""
        calls = [
            n.func for n in self._nodes() if isinstance(n, ast.Call) and isinstance(n.func, ast.Attribute)
        ]
        return tuple(dict.fromkeys(_shown(call) for call in calls))

    def owners(self, attribute: str) -> tuple[str, ...]:
        """What stands before `.attribute` in the line: a name, or the function whose call does."""
        owners = [n.value for n in self._nodes() if isinstance(n, ast.Attribute) and n.attr == attribute]
        return tuple(dict.fromkeys(_shown(owner) for owner in owners))

    def subscripted(self) -> tuple[str, ...]:
        """What stands before [ ] in the line."""
        return tuple(dict.fromkeys(_shown(n.value) for n in self._nodes() if isinstance(n, ast.Subscript)))

    def writes_to(self) -> tuple[str, str] | None:
        """The name that an in-place operation of the line writes to, and the operation: ("S", "-=")."""
        for node in self._nodes():
            if isinstance(node, ast.AugAssign):
                target = node.target
                while isinstance(target, ast.Subscript | ast.Attribute):
                    target = target.value  # type: ignore[assignment]
                if isinstance(target, ast.Name):
                    return target.id, _SIGNS.get(type(node.op), "?") + "="
        return None

    def clash(self, left: int, right: int) -> Meeting | None:
        """The first matrix product of the line in which these two inner sizes meet."""
        return next((m for m in self._meetings() if m.is_product and m.inner == (left, right)), None)

    def disagreement(self, left: Shape, right: Shape) -> Meeting | None:
        """The first entry-by-entry operation of the line on these two shapes."""
        found = (m for m in self._meetings() if not m.is_product)
        return next((m for m in found if (m.left.shape, m.right.shape) == (left, right)), None)

    def transposes_by(self) -> str | None:
        """A transpose call with axes that keeps a matrix as it is, as it is written: K.transpose(-2, -1)."""
        for node in self._nodes():
            if _is_method(node, "transpose") and _axes(node) in ([0, 1], [-2, -1], [0, -1], [-2, 1]):
                return _shown(node)
        return None

    def _nodes(self) -> Iterator[ast.AST]:
        yield from ast.walk(self._tree) if self._tree is not None else ()

    def _meetings(self) -> Iterator[Meeting]:
        for node in self._nodes():
            pair = _pair(node)
            if pair is None:
                continue
            left, operator, right = pair
            shapes = shape_of(left, self.shapes), shape_of(right, self.shapes)
            if shapes[0] is not None and shapes[1] is not None:
                yield Meeting(Part(_shown(left), shapes[0]), operator, Part(_shown(right), shapes[1]))


_SIGNS = {
    ast.Add: "+",
    ast.Sub: "-",
    ast.Mult: "*",
    ast.Div: "/",
    ast.FloorDiv: "//",
    ast.Pow: "**",
    ast.MatMult: "@",
}


def _parsed(text: str) -> ast.AST | None:
    for tried in (text, f"{text} pass", f"if 0: pass\n{text} pass"):
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                return ast.parse(tried)
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            continue
    return None


def _words(text: str) -> Iterator[str]:
    word = ""
    for character in text + " ":
        if (word + character).isidentifier():
            word += character
        elif word:
            yield word
            word = ""


def _shown(node: ast.AST) -> str:
    try:
        text = ast.unparse(node)
    except RecursionError:  # some hundred signs in a row
        return "…"
    return text if len(text) <= _SHOWN_CHARS else text[: _SHOWN_CHARS - 1] + "…"


def _is_method(node: ast.AST, *names: str) -> bool:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in names


def _of_numpy(node: ast.Call) -> bool:
    owner = node.func.value if isinstance(node.func, ast.Attribute) else None
    return isinstance(owner, ast.Name) and owner.id in ("np", "numpy")


def _pair(node: ast.AST) -> tuple[ast.expr, str, ast.expr] | None:
    if isinstance(node, ast.BinOp) and type(node.op) in _SIGNS:
        return node.left, _SIGNS[type(node.op)], node.right
    if isinstance(node, ast.AugAssign) and type(node.op) in _SIGNS:
        return node.target, _SIGNS[type(node.op)], node.value
    if _is_method(node, *_PRODUCTS):
        assert isinstance(node, ast.Call)
        assert isinstance(node.func, ast.Attribute)
        if _of_numpy(node) and len(node.args) == 2:
            return node.args[0], node.func.attr, node.args[1]
        if not _of_numpy(node) and len(node.args) == 1:
            return node.func.value, node.func.attr, node.args[0]
    return None


def shape_of(node: ast.AST, shapes: Mapping[str, Shape]) -> Shape | None:
    """The shape of an expression, () for a number, None where it cannot be told."""
    match node:
        case ast.Name(id=name):
            return shapes.get(name)
        case ast.Constant(value=int() | float()):
            return ()
        case ast.UnaryOp(operand=operand):
            return shape_of(operand, shapes)
        case ast.Attribute(value=value, attr="T"):
            inner = shape_of(value, shapes)
            return None if inner is None else inner[::-1]
        case ast.BinOp():
            return _shape_of_operation(node, shapes)
        case ast.Call():
            return _shape_of_call(node, shapes)
    return None


def _shape_of_operation(node: ast.BinOp, shapes: Mapping[str, Shape]) -> Shape | None:
    left, right = shape_of(node.left, shapes), shape_of(node.right, shapes)
    if left is None or right is None:
        return None
    if not isinstance(node.op, ast.MatMult):
        return broadcast(left, right)
    if len(left) == len(right) == 2 and left[1] == right[0]:
        return left[0], right[1]
    return None


def _shape_of_call(node: ast.Call, shapes: Mapping[str, Shape]) -> Shape | None:
    if not isinstance(node.func, ast.Attribute):
        return None
    name = node.func.attr
    rest = node.args[1:] if _of_numpy(node) else node.args
    first = (node.args[0] if node.args else None) if _of_numpy(node) else node.func.value
    inner = shape_of(first, shapes) if first is not None else None
    if inner is None:
        return None
    if name in _KEEPING:
        return inner
    if name == "transpose":
        if not rest:
            return inner[::-1]
        axes = _axes(node) if not _of_numpy(node) else None
        if axes is not None and sorted(axis % len(inner) for axis in axes) == list(range(len(inner))):
            return tuple(inner[axis] for axis in axes)
        return None
    if name in _REDUCING:
        return _reduced(node, rest, inner)
    return None


def _axes(node: ast.AST) -> list[int] | None:
    assert isinstance(node, ast.Call)
    items = node.args[0].elts if len(node.args) == 1 and isinstance(node.args[0], ast.Tuple) else node.args
    axes = [_whole(item) for item in items]
    return axes if axes and None not in axes else None  # type: ignore[return-value]


def _reduced(node: ast.Call, rest: list[ast.expr], inner: Shape) -> Shape | None:
    named = {keyword.arg: keyword.value for keyword in node.keywords}
    axis_node = named.get("axis", rest[0] if rest else None)
    kept = named.get("keepdims", rest[2] if len(rest) > 2 else None)
    if kept is not None and not isinstance(kept, ast.Constant):
        return None
    keep = isinstance(kept, ast.Constant) and bool(kept.value)
    if axis_node is None:
        return (1,) * len(inner) if keep else ()
    axis = _whole(axis_node)
    if axis is None or not -len(inner) <= axis < len(inner):
        return None
    axis %= len(inner)
    return (*inner[:axis], 1, *inner[axis + 1 :]) if keep else (*inner[:axis], *inner[axis + 1 :])


def _whole(node: ast.AST) -> int | None:
    match node:
        case ast.Constant(value=int(value)):
            return value
        case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int(value))):
            return -value
    return None


def broadcast(left: Shape, right: Shape) -> Shape | None:
    """The shape that two shapes make together, or None if they do not fit."""
    longest = max(len(left), len(right))
    padded = [(1,) * (longest - len(shape)) + shape for shape in (left, right)]
    if any(a != b and 1 not in (a, b) for a, b in zip(*padded, strict=True)):
        return None
    return tuple(b if a == 1 else a for a, b in zip(*padded, strict=True))
