"""Mutants of the reference functions: each is one small change, compiled such that it is sure to end."""

from __future__ import annotations

import ast
import contextlib
import copy
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from types import CodeType, ModuleType
from typing import Any, TypeAlias

from autograder.authoring.bench import EndlessError, Function
from autograder.authoring.variations import Variations
from autograder.loading.solutions import References
from autograder.model.place import Place

Definition: TypeAlias = ast.FunctionDef
#: So often a call of a mutant may enter a function or a loop's body.
STEPS = 200_000
_STEP, _EACH = "__step__", "__each__"


@dataclass(frozen=True, slots=True)
class Mutant:
    """One change: an id that other changes leave alone, its place, and the statement before and after."""

    id: str
    change: str
    place: Place
    before: str
    after: str
    code: CodeType = field(repr=False, compare=False)

    def names(self, text: str) -> bool:
        """Whether a text names this mutant: by its id, or by its statement as changed."""
        return " ".join(text.split()) in (self.id, self.after)


def build(mutant: Mutant, references: References, function: str) -> Function:
    """The function of that name as the mutant has it; a call of more than `STEPS` steps is stopped."""
    budget = _Budget()
    namespace = {**vars(references.module), _STEP: budget.step, _EACH: budget.each}
    exec(mutant.code, namespace)
    mutated: Function = namespace[function]

    def call(*arguments: Any) -> Any:
        budget.left = STEPS
        return mutated(*arguments)

    return call


def mutants(references: References, function: str, outputs: int, others: Iterable[str]) -> Iterator[Mutant]:
    """All mutants of a reference function and of the helpers that it alone calls, none twice.

    `others` are the functions of the other exercises: their mutants are tried there.
    """
    tree = ast.parse(references.content, references.file)
    family = _family(tree, function, frozenset(others) - {function})
    modules = frozenset(
        name for name, value in vars(references.module).items() if isinstance(value, ModuleType)
    )
    for definition in family:
        _strip(definition)
    for definition in family:
        names = tuple(argument.arg for argument in ast.walk(definition.args) if isinstance(argument, ast.arg))
        variations = Variations(names, modules, outputs if definition.name == function else 1)
        yield from _of_definition(definition, family, variations, references)


# Which functions


def _family(tree: ast.Module, function: str, others: frozenset[str]) -> list[Definition]:
    """The definition of a function, and of helpers that it reaches by no other exercise's function."""
    defined = {node.name: node for node in tree.body if isinstance(node, ast.FunctionDef)}
    found: dict[str, Definition] = {}
    waiting = [function]
    while waiting:
        name = waiting.pop(0)
        if name in defined and name not in found and name not in others:
            found[name] = defined[name]
            waiting += [node.id for node in ast.walk(defined[name]) if isinstance(node, ast.Name)]
    return list(found.values())


def _strip(definition: Definition) -> None:
    """Take docstrings and annotations away: they are no part of what a function does."""
    for node in ast.walk(definition):
        match node:
            case ast.FunctionDef():
                node.returns = None
                if ast.get_docstring(node, clean=False) is not None:
                    node.body = node.body[1:] or [ast.Pass()]
            case ast.arg():
                node.annotation = None


# One change at a time


@dataclass(frozen=True, slots=True)
class _Site:
    """Where a node stands: what holds it, and the statement that it is part of."""

    holder: Any
    key: str | int
    node: ast.AST
    statement: ast.stmt

    @contextlib.contextmanager
    def holding(self, node: ast.AST) -> Iterator[None]:
        """For a while, another node stands here."""
        self._put(node)
        try:
            yield
        finally:
            self._put(self.node)

    def _put(self, node: ast.AST) -> None:
        if isinstance(self.key, int):
            self.holder[self.key] = node
        else:
            setattr(self.holder, self.key, node)


def _sites(node: ast.AST, statement: ast.stmt) -> Iterator[_Site]:
    for name, value in ast.iter_fields(node):
        held: list[tuple[Any, str | int, Any]]
        if isinstance(value, list):
            held = [(value, index, item) for index, item in enumerate(value)]
        else:
            held = [(node, name, value)]
        for holder, key, child in held:
            # What is raised at wrong use is not asked of a submission.
            if not isinstance(child, ast.AST) or isinstance(child, ast.Raise | ast.Assert | ast.JoinedStr):
                continue
            within = child if isinstance(child, ast.stmt) else statement
            yield _Site(holder, key, child, within)
            yield from _sites(child, within)


def _of_definition(
    definition: Definition, family: Sequence[Definition], variations: Variations, references: References
) -> Iterator[Mutant]:
    seen = {ast.unparse(definition)}
    counts: Counter[str] = Counter()
    for site in list(_sites(definition, definition)):
        before = _shown(site.statement)
        for change, node in variations.of(site.node):
            counts[change] += 1
            name = f"{definition.name}/{change.replace(' ', '-')}/{counts[change]}"
            with site.holding(node):
                text, code = ast.unparse(definition), _compile(family, references.file)
                after = _shown(node if isinstance(site.node, ast.stmt) else site.statement)
            if text not in seen and code is not None:
                seen.add(text)
                yield Mutant(name, change, _place(site, references), before, after, code)


def _shown(statement: ast.AST) -> str:
    """A statement in one line; of one that holds others, its head."""
    lines = ast.unparse(statement).splitlines()
    return next(line for line in lines if not line.startswith("@"))


def _place(site: _Site, references: References) -> Place:
    node: Any = site.node if hasattr(site.node, "lineno") else site.statement
    line = references.content.splitlines()[node.lineno - 1]
    column = len(line[: node.col_offset].decode("utf-8", "replace")) + 1
    return Place(references.file, node.lineno, column)


# Sure to end


class _Budget:
    """The steps that are left of a call."""

    def __init__(self) -> None:
        self.left = 0

    def step(self) -> None:
        self.left -= 1
        if self.left < 0:
            raise EndlessError(f"stopped after {STEPS} steps")

    def each(self, items: Iterable[Any]) -> Iterator[Any]:
        for item in items:
            self.step()
            yield item


class _Counting(ast.NodeTransformer):
    """Counts a step at the start of every function and of every turn of a loop or comprehension."""

    def generic_visit(self, node: ast.AST) -> ast.AST:
        super().generic_visit(node)
        if isinstance(node, ast.FunctionDef | ast.For | ast.While):
            node.body.insert(0, ast.Expr(ast.Call(ast.Name(_STEP, ast.Load()), [], [])))
        elif isinstance(node, ast.comprehension):
            node.iter = ast.Call(ast.Name(_EACH, ast.Load()), [node.iter], [])
        return node


def _compile(family: Sequence[Definition], file: str) -> CodeType | None:
    """The definitions with their steps counted, or None if they are no Python (a change may leave none)."""
    module = ast.Module([_Counting().visit(copy.deepcopy(definition)) for definition in family], [])
    try:
        return compile(ast.fix_missing_locations(module), file, "exec", dont_inherit=True)
    except (SyntaxError, TypeError, ValueError):
        return None
