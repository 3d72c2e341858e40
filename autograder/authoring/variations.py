"""Small changes to Python that a mistake might make: a syntax node, and what may stand in its place.

A variation never changes a node; it returns new ones that share the unchanged parts.
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Iterator, Mapping
from typing import Any, TypeAlias

#: The name of the change, and the node as changed.
Variation: TypeAlias = tuple[str, ast.AST]

_OPERATORS: Mapping[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Div,
    ast.Div: ast.Mult,
    ast.MatMult: ast.Mult,
    ast.Pow: ast.Mult,
    ast.FloorDiv: ast.Div,
    ast.Mod: ast.FloorDiv,
}
_COMPARISONS: Mapping[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
}
#: Functions that are taken for one another.
_FUNCTIONS = {"max": "min", "min": "max", "sum": "mean", "mean": "sum", "std": "var", "zeros": "ones"}
_TURNING = frozenset({"T", "mT", "transpose", "swapaxes"})
#: A float for a numpy scalar makes no difference to any check: 0-d results count as numbers.
_HARMLESS = frozenset({"float"})


class Variations:
    """What may stand in the place of a node, within one function of the author's."""

    def __init__(self, parameters: tuple[str, ...], modules: frozenset[str], outputs: int) -> None:
        self.parameters = parameters
        self.modules = modules
        self.outputs = outputs

    def of(self, node: ast.AST) -> Iterator[Variation]:
        """All variations of one node, in a fixed order."""
        match node:
            case ast.Attribute(attr=attr, value=value) if attr in _TURNING:
                yield "transpose dropped", value
            case ast.Call():
                yield from self._call(node)
            case ast.BinOp():
                yield from _binary(node)
            case ast.UnaryOp(op=ast.USub() | ast.Not(), operand=operand):
                yield "sign dropped", operand
            case ast.Constant():
                yield from _constant(node)
            case ast.Compare():
                yield from _comparison(node)
            case ast.BoolOp(op=op):
                yield "and for or", _with(node, op=ast.Or() if isinstance(op, ast.And) else ast.And())
            case ast.Subscript(ctx=ast.Load(), value=value):
                yield "index dropped", value
            case ast.Slice():
                for bound in ("lower", "upper", "step"):
                    if getattr(node, bound) is not None:
                        yield "bound dropped", _with(node, **{bound: None})
            case ast.Name(id=name, ctx=ast.Load()) if name in self.parameters:
                for other in self.parameters:
                    if other != name:
                        yield "another argument", _with(node, id=other)
            case ast.IfExp(body=body, orelse=orelse):
                yield "condition", body
                yield "condition", orelse
            case ast.stmt():
                yield from self._statement(node)

    def _statement(self, node: ast.stmt) -> Iterator[Variation]:
        match node:
            case ast.Return(value=ast.expr() as value):
                yield from self._return(node, value)
            case ast.If(test=test):
                yield "condition", _with(node, test=ast.UnaryOp(op=ast.Not(), operand=test))
                yield "condition", _with(node, test=ast.Constant(value=True))
                yield "condition", _with(node, test=ast.Constant(value=False))
            case ast.While():
                yield "condition", _with(node, test=ast.Constant(value=False))
            case ast.For(iter=iterable):
                yield "loop shortened", _with(node, iter=_sliced(iterable, lower=1))
                yield "loop shortened", _with(node, iter=_sliced(iterable, upper=-1))
            case ast.AugAssign(op=op):
                yield "statement dropped", ast.Pass()
                if type(op) in _OPERATORS:
                    yield "another operator", _with(node, op=_OPERATORS[type(op)]())
            case ast.Assign(targets=[ast.Subscript() | ast.Attribute()]) | ast.Expr(value=ast.Call()):
                yield "statement dropped", ast.Pass()

    def _return(self, node: ast.Return, value: ast.expr) -> Iterator[Variation]:
        if not isinstance(value, ast.Tuple):
            if self.outputs > 1:
                yield "outputs swapped", _with(node, value=_sliced(value, step=-1))
            for change, other in self._results(value):
                yield change, _with(node, value=other)
            return
        items = value.elts
        for index, item in enumerate(items):
            for change, other in self._results(item):
                changed = [*items[:index], other, *items[index + 1 :]]
                yield change, _with(node, value=_with(value, elts=changed))
        for changed in _neighbours_swapped(items):
            yield "outputs swapped", _with(node, value=_with(value, elts=changed))

    def _results(self, value: ast.expr) -> Iterator[tuple[str, ast.expr]]:
        """What may be returned in the place of one result: its negative, zeros, ones, an argument."""
        zeros = ast.BinOp(left=ast.Constant(value=0), op=ast.Mult(), right=value)
        yield "sign", ast.UnaryOp(op=ast.USub(), operand=value)
        yield "zeros returned", zeros
        yield "constant returned", ast.BinOp(left=zeros, op=ast.Add(), right=ast.Constant(value=1))
        for name in self.parameters:
            yield "input returned", ast.Name(id=name, ctx=ast.Load())

    def _call(self, node: ast.Call) -> Iterator[Variation]:
        kept = _without_call(node, self.modules)
        if kept is not None:
            yield _call_dropped(node), kept
        name = _function_name(node)
        if name in _FUNCTIONS:
            yield "another function", _with(node, func=_renamed(node.func, _FUNCTIONS[name]))
        for changed in _neighbours_swapped(node.args):
            yield "arguments swapped", _with(node, args=changed)
        for index, keyword in enumerate(node.keywords):
            rest = [*node.keywords[:index], *node.keywords[index + 1 :]]
            yield f"{keyword.arg} dropped", _with(node, keywords=rest)
            if keyword.arg == "axis" and isinstance(keyword.value, ast.Constant):
                other = _with(keyword, value=ast.Constant(value=0 if keyword.value.value else 1))
                turned = [*node.keywords[:index], other, *node.keywords[index + 1 :]]
                yield "another axis", _with(node, keywords=turned)


def _without_call(node: ast.Call, modules: frozenset[str]) -> ast.expr | None:
    """What a call is made on: the object of a method, else the first argument; None if there is neither."""
    if isinstance(node.func, ast.Name) and node.func.id in _HARMLESS:
        return None
    if isinstance(node.func, ast.Attribute) and _root(node.func) not in modules:
        return node.func.value
    first = node.args[0] if node.args else None
    return None if isinstance(first, ast.Starred) else first


def _root(node: ast.expr) -> str | None:
    while isinstance(node, ast.Attribute):
        node = node.value
    return node.id if isinstance(node, ast.Name) else None


def _function_name(node: ast.Call) -> str:
    match node.func:
        case ast.Attribute(attr=name) | ast.Name(id=name):
            return name
    return ""


def _call_dropped(node: ast.Call) -> str:
    name = _function_name(node)
    if name in _TURNING:
        return "transpose dropped"
    return "root dropped" if name == "sqrt" else "call dropped"


def _renamed(function: ast.expr, name: str) -> ast.expr:
    if isinstance(function, ast.Attribute):
        return _with(function, attr=name)  # type: ignore[no-any-return]
    return _with(function, id=name)  # type: ignore[no-any-return]


def _binary(node: ast.BinOp) -> Iterator[Variation]:
    kind = type(node.op)
    if kind in _OPERATORS:
        yield "another operator", _with(node, op=_OPERATORS[kind]())
    yield "term dropped", node.left
    yield "term dropped", node.right
    if kind not in (ast.Add, ast.Mult):
        yield "operands swapped", _with(node, left=node.right, right=node.left)


def _constant(node: ast.Constant) -> Iterator[Variation]:
    match node.value:
        case bool():
            yield "another constant", ast.Constant(value=not node.value)
        case int() | float():
            yield "another constant", ast.Constant(value=node.value + 1)
            yield "another constant", ast.Constant(value=node.value - 1)
            if 0 < abs(node.value) < 1:
                yield "another constant", ast.Constant(value=float(f"{node.value * 10:.9g}"))
        case str():
            yield "another constant", ast.Constant(value=node.value + "?")


def _comparison(node: ast.Compare) -> Iterator[Variation]:
    for index, op in enumerate(node.ops):
        if type(op) in _COMPARISONS:
            changed = [*node.ops[:index], _COMPARISONS[type(op)](), *node.ops[index + 1 :]]
            yield "another comparison", _with(node, ops=changed)


def _neighbours_swapped(items: list[ast.expr]) -> Iterator[list[ast.expr]]:
    for index in range(len(items) - 1):
        yield [*items[:index], items[index + 1], items[index], *items[index + 2 :]]


def _sliced(
    value: ast.expr, *, lower: int | None = None, upper: int | None = None, step: int | None = None
) -> ast.expr:
    """list(value)[lower:upper:step]; a tuple of outputs may be sliced as it is."""
    bounds = [None if bound is None else ast.Constant(value=bound) for bound in (lower, upper, step)]
    listed = ast.Call(func=ast.Name(id="list", ctx=ast.Load()), args=[value], keywords=[])
    whole = value if step is not None else listed
    return ast.Subscript(value=whole, slice=ast.Slice(*bounds), ctx=ast.Load())


def _with(node: Any, **changes: Any) -> Any:
    changed = copy.copy(node)
    for name, value in changes.items():
        setattr(changed, name, value)
    return changed
