"""The names a submission's file wrote, with kinds and parameter counts, read off without running it."""

from __future__ import annotations

import functools
import types
from typing import Any

import numpy as np

#: Names listed at most; the characters a name may have.
NAMES, NAME_LENGTH = 300, 100
FUNCTION, CLASS, VALUE = range(3)

#: Types whose `__module__` and `__name__` can be read without running code of the file.
_NAMED = (types.FunctionType, types.BuiltinFunctionType, type, np.ufunc, type(np.dot))
_VARIADIC = 0x04


def take_inventory(module: types.ModuleType, filename: str) -> tuple[list[str], Any]:
    """Return the names the file wrote and a row for each: kind, required, accepted, line (-1: unknown).

    Modules, and functions and classes imported under their own name, are left out.
    """
    names: list[str] = []
    rows: list[tuple[int, int, int, int]] = []
    for name, value in list(module.__dict__.items()):
        if len(names) == NAMES:
            break
        if not _is_written_here(name, value, module.__name__):
            continue
        names.append(name)
        kind = CLASS if issubclass(type(value), type) else FUNCTION if callable(value) else VALUE
        rows.append((kind, *(_parameters(value, filename) if kind == FUNCTION else (-1, -1, -1))))
    return names, np.array(rows, dtype="<i4").reshape(len(rows), 4)


def _is_written_here(name: Any, value: Any, module_name: str) -> bool:
    if type(name) is not str or len(name) > NAME_LENGTH or not name.isidentifier():
        return False
    if isinstance(value, types.ModuleType) or (name.startswith("__") and name.endswith("__")):
        return False
    if type(value) not in _NAMED:
        return True
    return getattr(value, "__module__", None) == module_name or getattr(value, "__name__", name) != name


def _parameters(value: Any, filename: str) -> tuple[int, int, int]:
    """Return how many positional parameters are required and accepted, and the line; -1: unknown."""
    for _ in range(10):
        kind = type(value)
        if kind is functools.partial:
            return _partial(value, filename)
        if kind is np.ufunc:
            return value.nin, value.nargs, -1
        if kind is np.vectorize:
            value = value.__dict__.get("pyfunc")
        elif kind in (staticmethod, types.MethodType):
            if kind is types.MethodType:
                required, accepted, line = _parameters(value.__func__, filename)
                return max(required - 1, -1), max(accepted - 1, -1), line
            value = value.__func__
        elif kind in (types.FunctionType, functools._lru_cache_wrapper):
            wrapped = value.__dict__.get("__wrapped__")
            if wrapped is None:
                return _of_code(value, filename) if kind is types.FunctionType else (-1, -1, -1)
            value = wrapped
        else:
            break
    return -1, -1, -1


def _of_code(function: types.FunctionType, filename: str) -> tuple[int, int, int]:
    code = function.__code__
    accepted = -1 if code.co_flags & _VARIADIC else code.co_argcount
    required = code.co_argcount - len(function.__defaults__ or ())
    return max(required, 0), accepted, code.co_firstlineno if code.co_filename == filename else -1


def _partial(value: Any, filename: str) -> tuple[int, int, int]:
    """Count what a functools.partial leaves open: nothing from the first parameter given by keyword on."""
    required, accepted, line = _parameters(value.func, filename)
    if required < 0:
        return -1, -1, -1
    given = len(value.args)
    if type(value.func) is types.FunctionType and value.keywords:
        names = value.func.__code__.co_varnames[: value.func.__code__.co_argcount]
        bound = [names.index(name) for name in value.keywords if name in names]
        if bound:
            accepted, required = min(bound), min(required, min(bound))
    return max(required - given, 0), -1 if accepted < 0 else max(accepted - given, 0), line
