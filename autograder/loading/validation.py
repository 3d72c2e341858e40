"""Problems with what a YAML file says: what pydantic finds, with place, value, expectation and remedy."""

from __future__ import annotations

import json
import math
import types
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Annotated, Any, TypeVar, Union, get_args, get_origin

from pydantic import BaseModel, Tag, ValidationError
from pydantic_core import ErrorDetails

from autograder.loading.findings import Finding, Path, known_names, nearest, shown
from autograder.loading.yaml_strict import Document
from autograder.model.check import CHECK_KEYS, CheckBase
from autograder.model.given import Recipe

Model = TypeVar("Model", bound=BaseModel)


def validate(model: type[Model], document: Document) -> tuple[Model | None, list[Finding]]:
    """The document as a model, or None, and everything that is wrong with it.

    Validation is strict, by JSON's rules: "4" and true are no numbers.
    """
    findings = list(_not_finite(document.data, ()))
    try:
        made = model.model_validate_json(json.dumps(document.data), strict=True)
    except ValidationError as error:
        told = {finding.path for finding in findings}
        findings += [
            finding
            for finding in _findings(model, document.data, error)
            if not any(finding.path == path[: len(finding.path)] for path in told)
        ]
        return None, findings
    return (None if findings else made), findings


def _not_finite(value: Any, path: Path) -> Iterator[Finding]:
    if isinstance(value, float) and not math.isfinite(value):
        yield Finding(path, f"found {shown(value)}, expected a finite number", "write a finite number")
    elif isinstance(value, dict):
        for key, item in value.items():
            yield from _not_finite(item, (*path, key))
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from _not_finite(item, (*path, index))


# From pydantic's errors to findings


@dataclass(frozen=True, slots=True)
class _Slip:
    """One error of pydantic at its true path: `union` is where an untagged union chose, `tag` its branch."""

    error: ErrorDetails
    path: Path
    at_key: bool
    holder: type[BaseModel] | None
    union: Path | None
    tag: str

    @property
    def kind(self) -> str:
        return self.error["type"]


def _findings(model: type[BaseModel], data: Any, error: ValidationError) -> Iterator[Finding]:
    slips = [_slip(model, detail) for detail in error.errors(include_url=False)]
    unions: dict[Path, dict[str, list[_Slip]]] = {}
    single: list[_Slip] = []
    for slip in slips:
        if slip.union is None:
            single.append(slip)
        else:
            unions.setdefault(slip.union, {}).setdefault(slip.tag, []).append(slip)
    for path, branches in unions.items():
        meant = _meant(path, branches)
        if meant is None:
            yield _no_branch(path, branches)
        else:
            single.extend(meant)
    misspelt = set(_misspelt(single))
    for slip in single:
        if slip.kind != "missing" or slip.path not in misspelt:
            yield _finding(slip, data)


def _slip(model: type[BaseModel], error: ErrorDetails) -> _Slip:
    """Follow pydantic's location through the types, to tell keys of the file from tags of unions."""
    kind: Any = model
    holder: type[BaseModel] | None = None
    path: Path = ()
    union: Path | None = None
    union_tag, at_key = "", False
    for part in error["loc"]:
        members = _members(kind)
        if len(members) > 1:
            kind, tagged = _member(members, str(part))
            holder = None
            if not tagged:
                union, union_tag = path, str(part)
            continue
        kind = members[0]
        if part == "[key]":
            at_key = True
            continue
        holder = kind if isinstance(kind, type) and issubclass(kind, BaseModel) else None
        kind = _inside(kind, part)
        path = (*path, part)
    return _Slip(error, path, at_key, holder, union, union_tag)


def _members(kind: Any) -> list[Any]:
    """The types that a type allows besides None, each still with its annotations if there are several."""
    bare = _bare(kind)
    if get_origin(bare) in (Union, types.UnionType):
        members = [member for member in get_args(bare) if member is not type(None)]
        return members if len(members) > 1 else _members(members[0])
    return [bare]


def _bare(kind: Any) -> Any:
    while get_origin(kind) is Annotated:
        kind = get_args(kind)[0]
    return kind


def _member(members: list[Any], tag: str) -> tuple[Any, bool]:
    """The member of a union that a tag names, and whether it bears the tag by its own declaration."""
    for member in members:
        if get_origin(member) is Annotated and any(
            isinstance(extra, Tag) and extra.tag == tag for extra in get_args(member)
        ):
            return member, True
    for member in members:
        bare = _bare(member)
        name = getattr(get_origin(bare) or bare, "__name__", "")
        if tag == name or tag.startswith(f"{name}["):
            return member, False
    return Any, False


def _inside(kind: Any, part: str | int) -> Any:
    if isinstance(kind, type) and issubclass(kind, BaseModel):
        field = kind.model_fields.get(str(part))
        return field.annotation if field else Any
    arguments = get_args(kind)
    if get_origin(kind) is dict:
        return arguments[1]
    if get_origin(kind) is tuple and isinstance(part, int):
        return (
            arguments[0]
            if len(arguments) < 2 or arguments[1] is ...
            else arguments[min(part, len(arguments) - 1)]
        )
    return Any


#: Errors that say: a value of quite another kind; with the kind that is expected.
_KINDS = {
    "int_type": "a whole number",
    "int_from_float": "a whole number",
    "float_type": "a number",
    "string_type": "a text",
    "bool_type": "true or false",
    "tuple_type": "a list",
    "list_type": "a list",
    "dict_type": "a mapping",
    "model_type": "a mapping",
    "model_attributes_type": "a mapping",
}

#: What to write for each kind.
_KIND_REMEDIES = {
    "a whole number": "write a whole number without quotes, such as 3",
    "a number": "write a number without quotes, such as 0.5 or 1e-5",
    "a text": "put the value in quotes, if a text is meant",
    "true or false": "write true or false",
    "a list": "write [a, b], or one `- item` a line",
    "a mapping": "write `key: value`, one a line, or {key: value}",
}


def _meant(path: Path, branches: Mapping[str, list[_Slip]]) -> list[_Slip] | None:
    """The slips of the branch that the author meant, or None if the value fits none."""
    fitting = [
        slips
        for slips in branches.values()
        if not any(slip.path == path and slip.kind in _KINDS for slip in slips)
    ]
    return min(fitting, key=lambda slips: len(slips) - 2 * len(set(_misspelt(slips))), default=None)


def _no_branch(path: Path, branches: Mapping[str, list[_Slip]]) -> Finding:
    slips = [slip for slips in branches.values() for slip in slips if slip.path == path]
    kinds = list(dict.fromkeys(_KINDS[slip.kind] for slip in slips if slip.kind in _KINDS))
    expected, remedy = " or ".join(kinds), ", or ".join(_KIND_REMEDIES[kind] for kind in kinds)
    if path[0] == "sizes":
        expected, remedy = "a range, a choice or a product", _SIZE_REMEDY
    elif path[-1] != "printed_digits":
        expected, remedy = "a size", "write a whole number, or a name from `sizes`"
    return Finding(path, f"found {shown(slips[0].error['input'])}, expected {expected}", remedy)


_SIZE_REMEDY = "write [low, high], {one_of: [2, 3]} or {product: [n_heads, d_k]}"


def _misspelt(slips: Iterable[_Slip]) -> Iterator[Path]:
    """The paths of the missing keys that unknown keys beside them stand for."""
    for slip in slips:
        if slip.kind == "extra_forbidden" and slip.holder is not None:
            near = nearest(str(slip.path[-1]), slip.holder.model_fields)
            if near is not None:
                yield (*slip.path[:-1], near)


def _finding(slip: _Slip, data: Any) -> Finding:
    special = _SPECIAL.get(slip.kind)
    if special is not None:
        return special(slip, data)
    message, remedy = _words(slip)
    found = shown(slip.path[-1] if slip.at_key else slip.error["input"])
    return Finding(slip.path, message.format(found=found), remedy, at_key=slip.at_key)


def _words(slip: _Slip) -> tuple[str, str]:
    kind, context = slip.kind, slip.error.get("ctx", {})
    if kind in _KINDS:
        expected = _KINDS[kind]
        return _expected(expected), _KIND_REMEDIES[expected]
    match kind:
        case "greater_than":
            return _expected(f"more than {context['gt']:g}"), "write a larger number"
        case "greater_than_equal":
            return _expected(f"{context['ge']:g} or more"), "write a larger number"
        case "less_than":
            return _expected(f"less than {context['lt']:g}"), "write a smaller number"
        case "less_than_equal":
            return _expected(f"{context['le']:g} or less"), "write a smaller number"
        case "too_short":
            return _expected(f"at least {_entries(context['min_length'])}"), "add what is missing"
        case "too_long":
            return _expected(f"at most {_entries(context['max_length'])}"), "remove what is too much"
        case "string_too_long":
            return _expected(f"at most {context['max_length']} characters"), "shorten it"
        case "string_pattern_mismatch":
            return _pattern_words(context["pattern"])
    if kind.startswith("datetime"):
        return _expected("a date and time"), "write it like 2026-03-01T23:59:00+01:00"
    said = slip.error["msg"].removeprefix("Value error, ")
    return said.replace("{", "{{").replace("}", "}}"), "mend the value"


def _expected(what: str) -> str:
    return f"found {{found}}, expected {what}"


def _entries(count: int) -> str:
    return "1 entry" if count == 1 else f"{count} entries"


def _pattern_words(pattern: str) -> tuple[str, str]:
    match pattern:
        case r"^[A-Za-z_]\w*$":
            return _expected("a Python name"), "use letters, digits and _, with no digit first"
        case r"^[a-z0-9][a-z0-9_.-]*$" | r"^[a-z0-9][a-z0-9_-]*$" | r"^[a-z][a-z0-9_]*$":
            return _expected("a short name"), f"use small letters and digits, as in {pattern[1:-1]}"
        case r"^[a-z_]+\.[a-z0-9_]+$":
            return _expected("a code"), "write it like softmax.columns"
        case r"^[\w.-]+\.py$":
            return _expected("the name of a .py file"), "write it like attention.py"
    return _expected(f"a text that matches {pattern.replace('{', '{{').replace('}', '}}')}"), "mend the text"


def _missing(slip: _Slip, data: Any) -> Finding:
    key = str(slip.path[-1])
    description = None
    if slip.holder is not None and key in slip.holder.model_fields:
        description = slip.holder.model_fields[key].description
    remedy = f"add `{key}: …`" + (f" ({description.rstrip('.')})" if description else "")
    holds = len(slip.path) > 1
    return Finding(slip.path[:-1], f"the key {key!r} is missing", remedy, at_key=holds)


def _unknown_key(slip: _Slip, data: Any) -> Finding:
    key = str(slip.path[-1])
    beside = _at(data, slip.path[:-1])
    known = list(slip.holder.model_fields) if slip.holder is not None else []
    if slip.holder is not None and issubclass(slip.holder, CheckBase) and key in CHECK_KEYS:
        kinds = ", ".join(name for name in CHECK_KEYS if name in beside)
        message, remedy = f"two kinds in one check: {kinds}", "make two checks of it, one `- {…}` each"
        return Finding(slip.path, message, remedy, at_key=True, within=True)
    if slip.holder is not None and issubclass(slip.holder, Recipe) and key in _RECIPES:
        kinds = ", ".join(name for name in _RECIPES if name in beside)
        return Finding(slip.path, f"two recipes in one input: {kinds}", "keep one", at_key=True, within=True)
    if slip.error["input"] is None and " " in key:
        remedy = "put the text before it in quotes: within {…} a comma ends an unquoted text"
        return Finding(slip.path, f"unknown key {key!r}", remedy, at_key=True, within=True)
    return Finding(slip.path, f"unknown key {key!r}", known_names(key, known), at_key=True, within=True)


_RECIPES = tuple(next(iter(recipe.model_fields)) for recipe in Recipe.__subclasses__())
_CHECK_FIELDS = {name for check in CheckBase.__subclasses__() for name in check.model_fields}


def _unknown_check(slip: _Slip, data: Any) -> Finding:
    return _unknown_kind(slip, "check", "check kind", CHECK_KEYS, _CHECK_FIELDS)


def _unknown_recipe(slip: _Slip, data: Any) -> Finding:
    fields = {name for recipe in Recipe.__subclasses__() for name in recipe.model_fields}
    return _unknown_kind(slip, "input", "recipe", _RECIPES, fields)


def _unknown_kind(slip: _Slip, what: str, noun: str, known: tuple[str, ...], fields: set[str]) -> Finding:
    value, listed = slip.error["input"], ", ".join(known)
    if not isinstance(value, dict):
        return Finding(
            slip.path, f"found {shown(value)}, expected a mapping", f"begin it with one of: {listed}"
        )
    strange = [key for key in value if key not in fields]
    if not strange:
        return Finding(slip.path, f"the {what} names no {noun}", f"add one of: {listed}")
    key = next((name for name in strange if nearest(name, known)), strange[0])
    message, remedy = f"unknown {noun} {key!r}", known_names(key, known)
    return Finding((*slip.path, key), message, remedy, at_key=True, within=True)


def _choice(slip: _Slip, data: Any) -> Finding:
    kind = _field_type(slip)
    allowed = [shown(value).strip("'") for value in get_args(kind)]
    value = slip.error["input"]
    expected = allowed[0] if len(allowed) == 1 else f"one of {', '.join(allowed)}"
    found = f"found {shown(value)}, expected {expected}"
    near = nearest(value, allowed) if isinstance(value, str) else None
    return Finding(slip.path, found, f"did you mean {near!r}?" if near else f"write {allowed[0]}")


def _field_type(slip: _Slip) -> Any:
    """The Literal that the slip is about."""
    field = slip.holder.model_fields.get(str(slip.path[-1])) if slip.holder is not None else None
    return _members(field.annotation)[0] if field is not None else None


def _irregular(slip: _Slip, data: Any) -> Finding:
    """Point at the first row or entry that keeps a list of numbers from being a matrix."""
    value = slip.error["input"]
    found = next(_uneven(value, ()), None) if isinstance(value, list) else None
    if found is None:
        return Finding(
            slip.path,
            f"found {shown(value)}, expected a number, a text, a list of numbers or a recipe",
            "write numbers, or a recipe such as {normal: [n_q, n_k]}",
        )
    path, message, remedy = found
    return Finding((*slip.path, *path), message, remedy)


def _uneven(rows: list[Any], path: Path) -> Iterator[tuple[Path, str, str]]:
    first: tuple[int, int | None] | None = None
    for index, item in enumerate(rows):
        here = (*path, index)
        if item is None:
            continue
        if isinstance(item, list):
            yield from _uneven(item, here)
        elif isinstance(item, bool) or not isinstance(item, int | float):
            yield (
                here,
                f"found {shown(item)}, expected a number",
                "write a number, or null where nothing is said",
            )
            continue
        length = len(item) if isinstance(item, list) else None
        if first is None:
            first = (index, length)
        elif first[1] != length:
            message = f"row {index} has {_length(length)}, row {first[0]} has {_length(first[1])}"
            yield here, message, "make all rows equally long"


def _length(count: int | None) -> str:
    return "a number in its place" if count is None else _entries(count)


def _at(data: Any, path: Path) -> Any:
    for part in path:
        data = data[part]
    return data


_SPECIAL = {
    "missing": _missing,
    "extra_forbidden": _unknown_key,
    "unknown_check_kind": _unknown_check,
    "unknown_recipe": _unknown_recipe,
    "literal_error": _choice,
    "value_error": _irregular,
}
