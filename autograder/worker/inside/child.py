"""One submission's process: loads the source, then answers calls until the other end closes.

Everything in this process belongs to the submission; what it says is its word and never a verdict.
"""

from __future__ import annotations

import linecache
import os
import sys
import types
import zlib
from collections.abc import Callable
from typing import Any, NoReturn

import numpy as np

from . import capture, functions, trace, wire
from .failure import describe
from .inventory import take_inventory
from .values import simplify, type_name

#: Puts the limits on this process: address space in MiB, seconds of CPU.
Confine = Callable[[int, int], None]


def serve(read_fd: int, write_fd: int, confine: Confine) -> NoReturn:
    """Load the submission that arrives first, then answer calls until the other side closes; never returns."""
    try:
        _Child(read_fd, write_fd, confine).run()
    except MemoryError:
        os._exit(wire.OUT_OF_MEMORY)
    except BaseException:
        os._exit(wire.BROKEN)


class _Child:
    """The submission's module and the two descriptors."""

    def __init__(self, read_fd: int, write_fd: int, confine: Confine) -> None:
        self.read_fd, self.write_fd = read_fd, write_fd
        self.confine = confine
        # References taken before the submission can put others in their place.
        self.read, self.write, self.exit = os.read, os.write, os._exit
        self.printed = capture.install()
        self.filename = ""
        self.module = types.ModuleType("submission")

    def run(self) -> NoReturn:
        _, sequence, body = self.receive()
        self.send(self.load(sequence, body))
        while True:
            _, sequence, body = self.receive()
            self.send(self.call(sequence, body))

    def receive(self) -> tuple[int, int, bytes]:
        """Return kind, sequence number and body of the next request; ends the process if there is none."""
        _, kind, sequence, length = wire.HEAD.unpack(self.exactly(wire.HEAD.size))
        return kind, sequence, self.exactly(length)

    def exactly(self, size: int) -> bytes:
        parts = []
        while size:
            part = self.read(self.read_fd, min(size, 1 << 20))
            if not part:
                self.exit(0)
            parts.append(part)
            size -= len(part)
        return b"".join(parts)

    def send(self, frame: bytes) -> None:
        left = memoryview(frame)
        while left:
            left = left[self.write(self.write_fd, left) :]

    def load(self, sequence: int, body: bytes) -> bytes:
        """Run the file's own code; what it bound before it failed stays, unless it ended the interpreter."""
        source, filename, memory_mb, cpu_seconds, output_chars = wire.unpack_body(body, wire.LOAD)
        source = source.tobytes()
        self.filename = filename
        self.module = _new_module(filename)
        self.printed.limit(output_chars)
        _seed(source)
        linecache.cache[filename] = (len(source), None, _lines(source), filename)
        failure = None
        self.confine(memory_mb, cpu_seconds)
        try:
            exec(_compile(source, filename), self.module.__dict__)
        except SystemExit as error:
            failure = describe(error, filename)
            self.module.__dict__.clear()
        except BaseException as error:
            failure = describe(error, filename)
        names, rows = take_inventory(self.module, filename)
        return wire.pack(
            wire.LOADED, sequence, wire.Text("\n".join(names)), rows, failure, wire.Text(self.printed.take())
        )

    def call(self, sequence: int, body: bytes) -> bytes:
        """Call one function on arguments of its own and say what came of it."""
        name, arguments, traced = wire.unpack_body(body, wire.CALL)
        namespace = self.module.__dict__
        function = namespace.get(name)
        if not callable(function):
            return wire.pack(wire.ABSENT, sequence, type_name(function) if name in namespace else None)
        arguments = [_built(argument) for argument in arguments]
        # Without the registry of warnings given, each call prints its own, whatever was called before.
        namespace.pop("__warningregistry__", None)
        tracer = trace.Tracer(self.filename) if traced else None
        try:
            result = function(*arguments) if tracer is None else tracer.run(function, arguments)
            value = simplify(result)
            return wire.pack(
                wire.RETURNED,
                sequence,
                value,
                _changed(arguments, body),
                wire.Text(self.printed.take()),
                _found(tracer),
            )
        except BaseException as error:
            failure = describe(error, self.filename)
        return wire.pack(wire.RAISED, sequence, failure, wire.Text(self.printed.take()), _found(tracer))


def _compile(source: bytes, filename: str) -> types.CodeType:
    """Compile the file as Python itself does; a file that is no text is a SyntaxError with the reason."""
    try:
        return compile(source, filename, "exec", dont_inherit=True)
    except (SyntaxError, ValueError) as error:
        if b"\0" not in source:
            raise
        utf_16 = source.startswith((b"\xff\xfe", b"\xfe\xff"))
        reason = "the file is saved as UTF-16; Python reads UTF-8" if utf_16 else "the file holds null bytes"
        raise SyntaxError(reason) from error


def _new_module(filename: str) -> types.ModuleType:
    """Return an empty module named as the file, found in sys.modules, that takes no other module's place."""
    stem = os.path.splitext(os.path.basename(filename))[0]
    name = stem if stem not in sys.modules and stem not in sys.stdlib_module_names else f"{stem}_"
    module = types.ModuleType(name)
    module.__file__ = filename
    sys.modules[name] = module
    return module


def _seed(source: bytes) -> None:
    """Seed the shared generators from the file, so that it draws the same numbers in every process."""
    if b"random" in source:
        import random

        seed = zlib.crc32(source)
        random.seed(seed)
        np.random.seed(seed)


def _lines(source: bytes) -> list[str]:
    """Return the file's lines for tracebacks that the submission prints itself."""
    return source.decode("utf-8", "replace").splitlines(keepends=True)


def _built(argument: Any) -> Any:
    if type(argument) is wire.Function:
        return functions.build(argument.family, argument.parameters)
    return argument


def _changed(arguments: list[Any], body: bytes) -> tuple[tuple[int, Any], ...]:
    """Return index and new contents of the arrays that differ from what was sent, to the last bit."""
    pristine = wire.unpack_body(body, wire.CALL)[1]
    return tuple(
        (index, simplify(argument, limit=wire.MAX_ARRAYS // 4))
        for index, (argument, sent) in enumerate(zip(arguments, pristine, strict=True))
        if isinstance(sent, np.ndarray) and not _identical(argument, sent)
    )


def _identical(actual: Any, sent: Any) -> bool:
    same_form = actual.dtype == sent.dtype and actual.shape == sent.shape
    return bool(same_form and actual.tobytes() == sent.tobytes())


def _found(tracer: trace.Tracer | None) -> tuple[Any, ...]:
    return tuple(tracer.assigned) if tracer else ()
