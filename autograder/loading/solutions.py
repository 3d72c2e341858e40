"""The reference functions and the wrong functions: Python files of the author, run in this process."""

from __future__ import annotations

import inspect
import sys
import traceback
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from types import CodeType, FunctionType, ModuleType
from typing import Any, TypeAlias

from autograder.errors import BrokenError, ExerciseError, Problem
from autograder.loading.yaml_strict import shown_path
from autograder.model.place import Place

Function: TypeAlias = Callable[..., Any]


@dataclass(frozen=True)
class References:
    """The functions of one file, each under its own name, and all of them able to call one another."""

    file: str
    content: bytes
    module: ModuleType

    @cached_property
    def functions(self) -> Mapping[str, Function]:
        """The public functions that the file defines."""
        return {name: value for name, value in _defined(self.module).items() if not name.startswith("_")}

    def call(self, function: str, arguments: Mapping[str, Any]) -> tuple[Any, ...]:
        """The outputs in order; arguments go in by name. BrokenError if there is none, or if it raises."""
        return call(self.functions, function, arguments)

    def place(self, function: str) -> Place:
        """Where a function is defined; the file, if it is not."""
        found = self.functions.get(function)
        code = getattr(found, "__code__", None)
        return Place(self.file, code.co_firstlineno if code is not None else None)

    def rebound(self, replacements: Mapping[str, Function]) -> Mapping[str, Function]:
        """All functions anew, such that whoever calls one of the named ones calls its replacement.

        The file's own functions are rebuilt on globals of their own; what is wrapped by a decorator, or kept
        in a default or a closure, still calls what it called.
        """
        unknown = replacements.keys() - self.functions.keys()
        if unknown:
            raise BrokenError(f"{self.file} has no function {', '.join(sorted(unknown))} to replace")
        namespace = dict(vars(self.module))
        for name, value in _defined(self.module).items():
            namespace[name] = _on(namespace, value)
        namespace.update(replacements)
        return {name: namespace[name] for name in self.functions}

    def standing_for(self, functions: Mapping[str, Function]) -> References:
        """A module of the same name that holds these functions, for a file that imports from it."""
        module = ModuleType(self.module.__name__)
        vars(module).update(functions)
        return References(self.file, self.content, module)


def call(functions: Mapping[str, Function], function: str, arguments: Mapping[str, Any]) -> tuple[Any, ...]:
    """Call one of the author's functions by name; its outputs as a tuple. BrokenError if that fails."""
    if function not in functions:
        raise BrokenError(f"there is no reference function {function!r}", remedy="define it in the solutions")
    try:
        outputs = functions[function](**arguments)
    except Exception as error:
        code = getattr(functions[function], "__code__", None)
        line = _deepest_line(error, code.co_filename) if code is not None else None
        place = Place(code.co_filename if code is not None else function, line)
        message = f"{place}: the reference {function!r} raised {type(error).__name__}: {error}"
        raise BrokenError(message, remedy="mend the reference or the case") from error
    return outputs if isinstance(outputs, tuple) else (outputs,)


def load_references(path: Path, top: Path) -> References:
    """Run a solutions file and return its functions; ExerciseError, with its place, if it does not run.

    The file is a module of its own each time: nothing of it stays among the imported modules.
    """
    file = shown_path(path, top)
    content = _read(path, file)
    module = _module(path, top, file)
    with _importable({module.__name__: module}):
        _run(content, module, file)
    return References(file, content, module)


def load_malrules(path: Path, references: References, top: Path) -> References:
    """Run a file of wrong functions, which may import the references by `from solutions.… import …`."""
    file = shown_path(path, top)
    content = _read(path, file)
    module = _module(path, top, file)
    with _importable({references.module.__name__: references.module, module.__name__: module}):
        _run(content, module, file)
    return References(file, content, module)


def _read(path: Path, file: str) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        reason = (
            "there is no such file"
            if isinstance(error, FileNotFoundError)
            else f"cannot be read: {error.strerror}"
        )
        problem = Problem(
            Place(file, 1, 1), reason, "write the functions there, or mend the path in the config"
        )
        raise ExerciseError((problem,)) from None


def _module(path: Path, top: Path, file: str) -> ModuleType:
    relative = path.relative_to(top) if path.is_relative_to(top) else Path(path.name)
    module = ModuleType(".".join(relative.with_suffix("").parts))
    module.__file__ = file
    return module


@contextmanager
def _importable(modules: Mapping[str, ModuleType]) -> Iterator[None]:
    """For a while these modules, in packages made for them, can be imported; afterwards all is as before."""
    packages = {name.partition(".")[0] for name in modules}
    before = {name: module for name, module in sys.modules.items() if name.partition(".")[0] in packages}
    for name in before:
        del sys.modules[name]
    try:
        for name, module in modules.items():
            _place_in_packages(name, module)
        yield
    finally:
        for name in [name for name in sys.modules if name.partition(".")[0] in packages]:
            del sys.modules[name]
        sys.modules.update(before)


def _place_in_packages(name: str, module: ModuleType) -> None:
    sys.modules[name] = module
    parent, _, last = name.rpartition(".")
    while parent:
        package = sys.modules.get(parent)
        if package is None:
            package = ModuleType(parent)
            package.__path__ = []
            sys.modules[parent] = package
        setattr(package, last, module)
        module = package
        parent, _, last = parent.rpartition(".")


def _run(content: bytes, module: ModuleType, file: str) -> None:
    code = _compile(content, file)
    try:
        exec(code, vars(module))
    except (Exception, SystemExit) as error:
        place = Place(file, _deepest_line(error, file) or 1, 1)
        said = f"loading stopped with {type(error).__name__}" + (f": {error}" if str(error) else "")
        raise ExerciseError(
            (Problem(place, said, "mend this line; the file must load by itself"),)
        ) from error


def _compile(content: bytes, file: str) -> CodeType:
    try:
        return compile(content, file, "exec", dont_inherit=True)
    except SyntaxError as error:
        place = Place(file, error.lineno, error.offset if error.lineno is not None else None)
        raise ExerciseError(
            (Problem(place, f"no valid Python: {error.msg}", "mend the syntax here"),)
        ) from None
    except ValueError as error:
        raise ExerciseError(
            (Problem(Place(file, 1, 1), f"no valid Python: {error}", "save it as plain text"),)
        ) from None


def _deepest_line(error: BaseException, file: str) -> int | None:
    lines = [frame.lineno for frame in traceback.extract_tb(error.__traceback__) if frame.filename == file]
    return lines[-1] if lines else None


def _defined(module: ModuleType) -> dict[str, Function]:
    """The names of a module that stand for functions written in it (wrapped ones included)."""
    found = {}
    for name, value in vars(module).items():
        inner = inspect.unwrap(value) if callable(value) else None
        if isinstance(inner, FunctionType) and inner.__globals__ is vars(module):
            found[name] = value
    return found


def _on(namespace: dict[str, Any], function: Function) -> Function:
    if not isinstance(function, FunctionType) or hasattr(function, "__wrapped__"):
        return function
    rebuilt = FunctionType(
        function.__code__, namespace, function.__name__, function.__defaults__, function.__closure__
    )
    rebuilt.__kwdefaults__ = function.__kwdefaults__
    rebuilt.__dict__.update(function.__dict__)
    rebuilt.__doc__ = function.__doc__
    return rebuilt
