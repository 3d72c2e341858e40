"""Whether the parts of one exercise fit each other: what holds between values, beyond each one's own form."""

from __future__ import annotations

import keyword
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from pydantic import TypeAdapter, ValidationError
from pydantic_core import to_json

from autograder.loading.findings import Finding, Path, dotted, known_names, nearest, shown
from autograder.model.check import (
    Check,
    CheckBase,
    InvariantCheck,
    RelationCheck,
    SameAnswerCheck,
    ValueCheck,
)
from autograder.model.exercise import Case, Exercise, OneOf, Output, Parameter, Product, SizeRange
from autograder.model.given import (
    Constant,
    FromReference,
    FunctionOf,
    IndexInto,
    Integers,
    Normal,
    Recipe,
    SizeOf,
    Uniform,
    Weights,
)


@dataclass(frozen=True)
class Parts:
    """The parts of an exercise that are valid in themselves; a name whose part is not has None.

    So one pass finds what does not fit, whatever else is wrong in the file.
    """

    function: str | None
    parameters: Mapping[str, Parameter | None]
    returns: Mapping[str, Output | None]
    sizes: Mapping[str, Any]
    cases: Mapping[str, Case | None]
    checks: Mapping[int, Check | None]
    codes: tuple[str, ...]

    @classmethod
    def of(cls, exercise: Exercise) -> Parts:
        """The parts of an exercise that is valid as a whole."""
        return cls(
            exercise.function,
            exercise.parameters,
            exercise.returns,
            exercise.sizes,
            exercise.cases,
            dict(enumerate(exercise.checks)),
            tuple(misconception.code for misconception in exercise.misconceptions),
        )

    @classmethod
    def rescued(cls, data: Any) -> Parts:
        """The parts that can be read of an exercise that is not valid as a whole."""
        data = data if isinstance(data, dict) else {}
        function = data.get("function")
        checks = data.get("checks")
        listed = dict(enumerate(checks)) if isinstance(checks, list) else {}
        return cls(
            function if isinstance(function, str) else None,
            _valid(data.get("parameters"), Parameter),
            _valid(data.get("returns"), Output),
            _valid(data.get("sizes"), SizeRange | OneOf | Product),
            _valid(data.get("cases"), Case),
            _valid(listed, Check),
            (),
        )

    def size_names(self) -> list[str]:
        """Every name that stands for a size somewhere in the sizes or in the shapes of the parameters."""
        shapes = [
            name for parameter in self.parameters.values() if parameter for name in _names_in(parameter.shape)
        ]
        return list(dict.fromkeys([*self.sizes, *shapes]))


def _valid(raw: Any, kind: Any) -> dict[Any, Any]:
    if not isinstance(raw, dict):
        return {}
    adapter: TypeAdapter[Any] = TypeAdapter(kind)
    return {name: _part(adapter, value) for name, value in raw.items()}


def _part(adapter: TypeAdapter[Any], value: Any) -> Any:
    try:
        return adapter.validate_json(to_json(value, inf_nan_mode="constants"), strict=True)
    except ValidationError:
        return None


def inconsistencies(parts: Parts) -> Iterator[Finding]:
    """Everything in an exercise that does not fit the rest of it."""
    yield from _signature(parts)
    yield from _sizes(parts)
    yield from _shapes_of_outputs(parts)
    for name, case in parts.cases.items():
        if case is not None:
            yield from _case(parts, ("cases", name), case)
    yield from _checks(parts)
    codes: dict[Path, str] = {("misconceptions", i, "code"): code for i, code in enumerate(parts.codes)}
    yield from _repeated(codes, "the code", "give it another code")


# The signature


def _signature(parts: Parts) -> Iterator[Finding]:
    if parts.function is not None and keyword.iskeyword(parts.function):
        yield Finding(("function",), f"{parts.function!r} is a word of Python itself", "choose another name")
    optional = None
    for name, parameter in parts.parameters.items():
        path: Path = ("parameters", name)
        if keyword.iskeyword(name):
            yield Finding(path, f"{name!r} is a word of Python itself", "choose another name", at_key=True)
        if parameter is None:
            continue
        if parameter.default is not None:
            optional = name
            yield from _literal_kind((*path, "default"), parameter.default, parameter)
        elif optional is not None:
            message = f"no default here, but {optional!r} before it has one"
            yield Finding(path, message, "put parameters with a default last", at_key=True)


def _shapes_of_outputs(parts: Parts) -> Iterator[Finding]:
    known = parts.size_names()
    for name, output in parts.returns.items():
        if output is not None and None not in parts.parameters.values():
            yield from _unknown_sizes(("returns", name, "shape"), output.shape, known)


# Sizes


def _sizes(parts: Parts) -> Iterator[Finding]:
    for name, size in parts.sizes.items():
        path: Path = ("sizes", name)
        if isinstance(size, Product):
            yield from _product(parts.sizes, path, name, size)
        elif isinstance(size, tuple):
            low, high = size
            if low > high:
                yield Finding(path, f"the range [{low}, {high}] is empty", f"write [{high}, {low}]")
            if low < 1:
                yield Finding((*path, 0), f"found {low}, expected 1 or more", "begin the range at 1")
            if high > 512:
                yield Finding((*path, 1), f"found {high}, expected 512 or less", "end the range lower")


def _product(sizes: Mapping[str, Any], path: Path, name: str, size: Product) -> Iterator[Finding]:
    before = list(sizes)[: list(sizes).index(name)]
    for index, factor in enumerate(size.product):
        here = (*path, "product", index)
        if factor not in sizes:
            yield Finding(
                here, f"unknown size {factor!r}", known_names(factor, [n for n in sizes if n != name])
            )
        elif circle := _way(sizes, factor, name):
            listed = " → ".join([name, *circle])
            yield Finding(here, f"the products go round in a circle: {listed}", "give one of them a range")
        elif isinstance(sizes[factor], Product) and factor not in before:
            yield Finding(here, f"the product {factor!r} comes later", f"write {factor!r} before {name!r}")


def _way(
    sizes: Mapping[str, Any], start: str, goal: str, seen: frozenset[str] = frozenset()
) -> list[str] | None:
    """The products from one size to another, both included."""
    if start == goal:
        return [start]
    size = sizes.get(start)
    if not isinstance(size, Product) or start in seen:
        return None
    ways = (_way(sizes, factor, goal, seen | {start}) for factor in size.product)
    found = next((way for way in ways if way), None)
    return [start, *found] if found else None


def _names_in(shape: Iterable[str | int] | None) -> list[str]:
    return [size for size in shape or () if isinstance(size, str)]


def _unknown_sizes(path: Path, shape: tuple[str | int, ...] | None, known: list[str]) -> Iterator[Finding]:
    for index, size in enumerate(shape or ()):
        if isinstance(size, str) and size not in known:
            yield Finding((*path, index), f"unknown size {size!r}", known_names(size, known))


# Cases


def _case(parts: Parts, path: Path, case: Case) -> Iterator[Finding]:
    yield from _given(parts, path, case)
    yield from _expect(parts, path, case)
    yield from _case_sizes(parts, path, case)
    yield from _written_shapes(parts, path, case)
    draws = any(draws_numbers(parts.sizes, case, value) for value in case.given.values())
    if case.draws > 1 and not draws:
        remedy = "drop `draws`, or give a recipe such as {normal: [n_q, n_k]}"
        yield Finding((*path, "draws"), f"{case.draws} draws of a case that draws nothing", remedy)
    if case.hidden and not draws:
        message = "a hidden case that draws nothing: its numbers could be copied"
        yield Finding((*path, "hidden"), message, "draw an input, or show the case", at_key=True)
    elif case.hidden and case.seed is not None:
        message = (
            "a hidden case with a seed of its own: its numbers are the same for all, and could be copied"
        )
        yield Finding((*path, "seed"), message, "drop `seed`, or show the case", at_key=True)


def _given(parts: Parts, path: Path, case: Case) -> Iterator[Finding]:
    for name, value in case.given.items():
        here: Path = (*path, "given", name)
        if name not in parts.parameters:
            remedy = known_names(name, parts.parameters)
            yield Finding(here, f"unknown parameter {name!r}", remedy, at_key=True, within=True)
            continue
        parameter = parts.parameters[name]
        if parameter is not None:
            yield from _literal_kind(here, value, parameter)
        yield from _recipe(parts, here, case, value)
    unknown = [name for name in case.given if name not in parts.parameters]
    misspelt = {nearest(name, parts.parameters) for name in unknown}
    for name, parameter in parts.parameters.items():
        if name in case.given or name in misspelt:
            continue
        if parameter is not None and parameter.default is None:
            message = f"the parameter {name!r} is missing, and has no default"
            yield Finding((*path, "given"), message, f"add `{name}: …`", at_key=True)


#: The Python types of values written out, by kind of parameter, and how to name them.
_WRITTEN: Mapping[str, tuple[tuple[type, ...], str]] = {
    "array": ((tuple,), "a list of numbers or a recipe"),
    "integer": ((int,), "a whole number"),
    "number": ((int, float), "a number"),
    "text": ((str,), "a text"),
    "function": ((), "a function such as {function: quadratic, of: M}"),
}


def _literal_kind(path: Path, value: Any, parameter: Parameter) -> Iterator[Finding]:
    types, expected = _WRITTEN[parameter.kind]
    if isinstance(value, Recipe):
        fits = isinstance(value, FunctionOf) == (parameter.kind == "function") and parameter.kind != "text"
        found = f"the recipe {next(iter(type(value).model_fields))!r}"
    else:
        fits = isinstance(value, types) and not isinstance(value, bool)
        found = shown(value)
    if not fits:
        remedy = f"write {expected}, or change the `kind` of the parameter"
        yield Finding(path, f"found {found}, expected {expected}", remedy)


def _recipe(parts: Parts, path: Path, case: Case, value: Any) -> Iterator[Finding]:
    known = list(parts.sizes)
    match value:
        case Normal() | Uniform() | Integers() | Weights() | Constant():
            field = next(iter(type(value).model_fields))
            yield from _unknown_sizes((*path, field), getattr(value, field), known)
        case SizeOf(size=size) if size not in known:
            yield Finding((*path, "size"), f"unknown size {size!r}", known_names(size, known))
        case IndexInto(index=size) if size not in known:
            yield Finding((*path, "index"), f"unknown size {size!r}", known_names(size, known))
        case FunctionOf(of=name) if name not in case.given:
            remedy = known_names(name, [other for other in case.given if other != path[-1]])
            yield Finding((*path, "of"), f"{name!r} is not given in this case", remedy)
    if isinstance(value, Uniform | Integers) and value.low > value.high:
        message = f"the range from {value.low:g} to {value.high:g} is empty"
        yield Finding((*path, "low"), message, "let `low` be less than `high`")


def _expect(parts: Parts, path: Path, case: Case) -> Iterator[Finding]:
    for name, value in case.expect.items():
        here: Path = (*path, "expect", name)
        if name not in parts.returns:
            remedy = known_names(name, parts.returns)
            yield Finding(here, f"unknown output {name!r}", remedy, at_key=True, within=True)
        elif isinstance(value, str | bool):
            yield Finding(here, f"found {shown(value)}, expected numbers", "write the figures as numbers")
    digits = case.printed_digits
    if case.expect and digits is None:
        message = "figures are expected, but not to how many digits"
        yield Finding(
            (*path, "expect"), message, "add `printed_digits: 2` or as many as are printed", at_key=True
        )
    if digits is not None and not case.expect:
        message = "digits of figures that are not there"
        yield Finding((*path, "printed_digits"), message, "add `expect: {…}`, or drop this key", at_key=True)
    if isinstance(digits, dict) and case.expect:
        yield from _digits(path, case, digits)


def _digits(path: Path, case: Case, digits: Mapping[str, int]) -> Iterator[Finding]:
    for name in digits:
        if name not in case.expect:
            remedy = known_names(name, case.expect)
            message = f"no figures are expected of {name!r}"
            yield Finding((*path, "printed_digits", name), message, remedy, at_key=True, within=True)
    for name in case.expect:
        if name not in digits:
            message = f"the digits of {name!r} are missing"
            yield Finding((*path, "printed_digits"), message, f"add `{name}: …`", at_key=True)


def _case_sizes(parts: Parts, path: Path, case: Case) -> Iterator[Finding]:
    free = [name for name, size in parts.sizes.items() if not isinstance(size, Product)]
    for name in case.sizes:
        if name in free:
            continue
        here: Path = (*path, "sizes", name)
        if name in parts.sizes:
            message, remedy = f"the size {name!r} is a product", "fix its factors instead"
        else:
            message, remedy = f"unknown size {name!r}", known_names(name, free)
        yield Finding(here, message, remedy, at_key=True, within=True)


def _written_shapes(parts: Parts, path: Path, case: Case) -> Iterator[Finding]:
    """Written arrays have the axes that are declared, and agree on the sizes that they share."""
    seen: dict[str, tuple[int, str]] = {}
    written: list[tuple[str, str, Any, Parameter | Output | None]]
    written = [("given", name, value, parts.parameters.get(name)) for name, value in case.given.items()]
    written += [("expect", name, value, parts.returns.get(name)) for name, value in case.expect.items()]
    for section, name, value, declared in written:
        if declared is None or declared.shape is None or not isinstance(value, tuple):
            continue
        actual, here = _shape_of(value), (*path, section, name)
        listed = f"({', '.join(map(str, declared.shape))})"
        if len(actual) != len(declared.shape):
            message = f"found {_axes(len(actual))}, expected {_axes(len(declared.shape))} {listed}"
            rows = len(declared.shape) == 2
            yield Finding(here, message, f"nest the lists so{', a list of rows: [[…], […]]' if rows else ''}")
            continue
        for size, length in zip(declared.shape, actual, strict=True):
            known, where = seen.setdefault(str(size), (length, name)) if isinstance(size, str) else (size, "")
            if known != length:
                beside = f", but {known} in {where}" if where else f", expected {known}"
                message = (
                    f"{size} is {length} here{beside}" if where else f"found {length} along an axis{beside}"
                )
                yield Finding(here, message, f"make the shape {listed} fit")


def _shape_of(value: Any) -> tuple[int, ...]:
    if not isinstance(value, tuple):
        return ()
    inner = next((item for item in value if item is not None), None)
    return (len(value), *_shape_of(inner))


def _axes(count: int) -> str:
    return {0: "a single number", 1: "1 axis"}.get(count, f"{count} axes")


def draws_numbers(sizes: Mapping[str, Any], case: Case, value: Any) -> bool:
    """Whether an input differs from draw to draw, by its numbers or by its size."""

    def varies(name: str | int) -> bool:
        size = sizes.get(str(name))
        if name in case.sizes or size is None:
            return False
        if isinstance(size, Product):
            return any(varies(factor) for factor in size.product if factor != name)
        return len(set(size.one_of)) > 1 if isinstance(size, OneOf) else size[0] != size[1]

    match value:
        case Normal() | Weights():
            return value.std > 0
        case Uniform() | Integers():
            return value.low != value.high
        case Constant():
            return any(varies(size) for size in value.constant)
        case SizeOf():
            return varies(value.size)
        case IndexInto() | FunctionOf():
            return True
        case FromReference():
            return False  # it is drawn when what it is made of is
    return False


# Checks


def _checks(parts: Parts) -> Iterator[Finding]:
    for index, check in parts.checks.items():
        path: Path = ("checks", index)
        match check:
            case ValueCheck():
                yield from _named(path, "value", check.value, "case", parts.cases)
                yield from _named(path, "of", check.of, "output", parts.returns)
            case InvariantCheck():
                yield from _named(path, "of", check.of, "output", parts.returns)
                yield from _named(path, "on", check.on, "case", parts.cases)
                yield from _named(path, "values", check.values, "parameter", parts.parameters)
                yield from _table(path, "invariant", check.invariant, check)
            case RelationCheck():
                yield from _named(path, "of", check.of, "output", parts.returns)
                yield from _named(path, "on", check.on, "case", parts.cases)
                for field in ("shift", "permute", "replace", "double"):
                    yield from _named(path, field, getattr(check, field), "parameter", parts.parameters)
                yield from _table(path, "relation", check.relation, check)
            case SameAnswerCheck():
                yield from _named(path, "on", check.on, "case", parts.cases)
    names: dict[Path, str] = {
        ("checks", index): check.name for index, check in parts.checks.items() if check is not None
    }
    yield from _repeated(names, "the name", "add `id: …` to tell them apart")


def _named(
    path: Path, field: str, names: str | tuple[str, ...] | None, noun: str, known: Mapping[str, Any]
) -> Iterator[Finding]:
    listed = (names,) if isinstance(names, str) else names or ()
    for index, name in enumerate(listed):
        if name not in known:
            here = (*path, field) if isinstance(names, str) else (*path, field, index)
            yield Finding(here, f"unknown {noun} {name!r}", known_names(name, known))


def _table(path: Path, noun: str, name: str, check: CheckBase) -> Iterator[Finding]:
    # Imported here: the tables bring numpy, which reading a config does not need.
    from autograder.checks.invariants import INVARIANTS
    from autograder.checks.relations import RELATIONS

    table: Mapping[str, Any] = INVARIANTS if noun == "invariant" else RELATIONS
    if name not in table:
        yield Finding((*path, noun), f"unknown {noun} {name!r}", known_names(name, table))
        return
    for field in sorted(table[name].needs):
        if getattr(check, field, None) in (None, ()):
            yield Finding((*path, noun), f"{name} needs the key {field!r}", f"add `{field}: …`", at_key=True)


def _repeated(names: Mapping[Path, str], what: str, remedy: str) -> Iterator[Finding]:
    first: dict[str, Path] = {}
    for path, name in names.items():
        if name in first:
            yield Finding(path, f"{what} {name!r} is taken by {dotted(first[name])}", remedy)
        first.setdefault(name, path)
