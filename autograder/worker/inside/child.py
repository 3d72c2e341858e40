"""One submission's process: loads the source, then answers calls until the other end closes.

Everything in this process belongs to the submission; what it says is its word and never a verdict.
"""

from __future__ import annotations
import __future__

import builtins
import linecache
import os
import sys
import types
import zlib
from collections.abc import Callable, Iterator
from typing import Any, NoReturn

import numpy as np

from . import capture, functions, trace, wire
from .failure import describe
from .inventory import take_inventory
from .values import simplify, type_name

#: Of so many cells that stop it is told how; of all but the first without frames.
FAILURES = 30

#: Puts the limits on this process: address space in MiB, seconds of CPU.
Confine = Callable[[int, int], None]


def serve(read_fd: int, write_fd: int, confine: Confine, bell_fd: int | None = None) -> NoReturn:
    """Load the submission that arrives first, then answer calls until the other end closes; never returns."""
    try:
        Child(read_fd, write_fd, confine, capture.install(), bell_fd).run()
    except MemoryError:
        os._exit(wire.OUT_OF_MEMORY)
    except BaseException:
        os._exit(wire.BROKEN)


class Child:
    """The submission's module and the descriptors.

    The grader sends many requests at once and need not be woken by each reply: on `bell_fd`, if there is one,
    it hears of the last one, by the low byte of its number.
    """

    def __init__(
        self,
        read_fd: int,
        write_fd: int,
        confine: Confine,
        printed: capture.Capture,
        bell_fd: int | None = None,
    ) -> None:
        self.read_fd, self.write_fd, self.bell_fd = read_fd, write_fd, bell_fd
        self.confine = confine
        #: What has been read; requests up to `place` have been taken out of it.
        self.ahead = b""
        self.place = 0
        self.answered: int | None = None
        # References taken before the submission can put others in their place.
        self.read, self.write, self.exit = os.read, os.write, os._exit
        self.printed = printed
        self.filename = ""
        self.module = types.ModuleType("submission")

    def run(self) -> NoReturn:
        _, sequence, body = self.receive()
        self.send(self.load(sequence, body))
        self.answered = sequence
        while True:
            _, sequence, body = self.receive()
            self.send(self.call(sequence, body))
            self.answered = sequence

    def receive(self) -> tuple[int, int, bytes]:
        """Return kind, sequence number and body of the next request; ends the process if there is none."""
        head = self.exactly(wire.HEAD.size)
        _, kind, sequence, length = wire.HEAD.unpack_from(self.ahead, head)
        body = self.exactly(length)
        return kind, sequence, self.ahead[body : body + length]

    def exactly(self, size: int) -> int:
        """Have so many bytes at hand; return where in `ahead` they begin."""
        if self.place + size > len(self.ahead):
            self.read_ahead(size)
        start = self.place
        self.place += size
        return start

    def read_ahead(self, size: int) -> None:
        """Read until so many bytes are at hand; whoever waits for the replies is told before."""
        self.ring()
        parts, have = [self.ahead[self.place :]], len(self.ahead) - self.place
        while have < size:
            part = self.read(self.read_fd, 1 << 17)
            if not part:
                self.exit(0)
            parts.append(part)
            have += len(part)
        self.ahead, self.place = b"".join(parts), 0

    def ring(self) -> None:
        """Ring the bell for the last reply, if it has not been rung for yet."""
        if self.answered is None or self.bell_fd is None:
            return
        try:
            self.write(self.bell_fd, bytes((self.answered & 255,)))
        except OSError:  # the submission has closed it
            self.bell_fd = None
        self.answered = None

    def send(self, frame: bytes) -> None:
        sent = self.write(self.write_fd, frame)
        while sent < len(frame):
            sent += self.write(self.write_fd, memoryview(frame)[sent:])

    def load(self, sequence: int, body: bytes) -> bytes:
        """Run the file's own code; what it bound before it failed stays, unless it ended the interpreter.

        Of a notebook, each cell is run by itself: one that fails ends there, and the next goes on.
        """
        source, filename, memory_mb, cpu_seconds, output_chars, cells = wire.unpack_body(body, wire.LOAD)
        source = source.tobytes()
        self.filename = filename
        self.module = _new_module(filename)
        self.printed.limit(output_chars)
        _seed(source)
        linecache.cache[filename] = (len(source), None, _lines(source), filename)
        if len(cells):
            _furnish()
        self.confine(memory_mb, cpu_seconds)
        failures = self.run_parts(source, cells.tolist())
        names, rows = take_inventory(self.module, filename)
        return wire.pack(
            wire.LOADED, sequence, wire.Text("\n".join(names)), rows, failures, wire.Text(self.printed.take())
        )

    def run_parts(self, source: bytes, cells: list[int]) -> tuple[Any, ...]:
        """Run the file, or cell by cell; return how each part that failed did, up to `FAILURES` of them."""
        failures: list[tuple[Any, ...]] = []
        flags = 0
        for part in _parts(source, cells):
            try:
                code = _compile(part, self.filename, flags)
                flags |= code.co_flags & __future__.annotations.compiler_flag if cells else 0
                exec(code, self.module.__dict__)
            except BaseException as error:
                if len(failures) < FAILURES or isinstance(error, SystemExit):
                    failure = describe(error, self.filename)
                    failures.append((*failure[:4], (), ()) if failures else failure)
                if isinstance(error, SystemExit):
                    self.module.__dict__.clear()
                    break
        return tuple(failures)

    def call(self, sequence: int, body: bytes) -> bytes:
        """Call one function on arguments of its own and say what came of it."""
        name, arguments, sent, traced = wire.unpack_call(body)
        namespace = self.module.__dict__
        function = namespace.get(name)
        if not callable(function):
            return wire.pack(wire.ABSENT, sequence, type_name(function) if name in namespace else None)
        arguments = [_built(one) if type(one) is wire.Function else one for one in arguments]
        # Without the registry of warnings given, each call prints its own, whatever was called before.
        namespace.pop("__warningregistry__", None)
        tracer = trace.Tracer(self.filename) if traced else None
        try:
            result = function(*arguments) if tracer is None else tracer.run(function, arguments)
            value = simplify(result)
            if type(result) is types.CoroutineType:
                result.close()  # else it complains, during a later call, that nobody awaited it
            del result
            forms = list(map(wire.form_of, arguments))
            changed = () if forms == sent else _changed(arguments, sent, forms)
            printed = self.printed.take()
            if tracer is None and not changed and not printed:
                return wire.pack(wire.PLAIN, sequence, value)
            return wire.pack(wire.RETURNED, sequence, value, changed, wire.Text(printed), _found(tracer))
        except BaseException as error:
            failure = describe(error, self.filename)
        return wire.pack(wire.RAISED, sequence, failure, wire.Text(self.printed.take()), _found(tracer))


def _parts(source: bytes, cells: list[int]) -> Iterator[bytes]:
    """The source in one, or the cells that begin at these lines, each with its lines where they were.

    The line before a cell belongs to none.
    """
    if not cells:
        yield source
        return
    lines = source.split(b"\n")
    for first, end in zip(cells, [*cells[1:], len(lines) + 2], strict=True):
        yield b"\n" * (first - 1) + b"\n".join(lines[first - 1 : end - 2])


def _furnish() -> None:
    """Have what a notebook's kernel has besides Python: `display`, which shows nothing here."""
    builtins.display = lambda *objects, **options: None  # type: ignore[attr-defined]


def _compile(source: bytes, filename: str, flags: int = 0) -> types.CodeType:
    """Compile the file as Python itself does; a file that is no text is a SyntaxError with the reason."""
    try:
        code: types.CodeType = compile(source, filename, "exec", flags, dont_inherit=True)
    except (SyntaxError, ValueError) as error:
        if b"\0" not in source:
            raise
        utf_16 = source.startswith((b"\xff\xfe", b"\xfe\xff"))
        reason = "the file is saved as UTF-16; Python reads UTF-8" if utf_16 else "the file holds null bytes"
        raise SyntaxError(reason) from error
    return code


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


def _built(argument: wire.Function) -> Any:
    return functions.build(argument.family, argument.parameters)


def _changed(
    arguments: list[Any], sent: list[wire.Form | None], forms: list[wire.Form | None]
) -> tuple[tuple[int, Any], ...]:
    """Return index and new contents of the arrays that differ from what was sent, to the last bit."""
    return tuple(
        (index, simplify(argument, limit=wire.MAX_ARRAYS // 4))
        for index, (argument, before, after) in enumerate(zip(arguments, sent, forms, strict=True))
        if before != after
    )


def _found(tracer: trace.Tracer | None) -> tuple[Any, ...]:
    return tuple(tracer.assigned) if tracer else ()
