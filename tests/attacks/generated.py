"""Attacks whose source is too long to keep: brackets, chains and definitions without end. Each under 2 MB."""

from collections.abc import Iterator

from tests.attacks.pieces import RIGHT, Attack

_MOST = 2 * 1024 * 1024 - 4096


def generated() -> tuple[Attack, ...]:
    """The attacks on whoever reads or compiles a source; nothing is said of how each ends."""
    return tuple(_attack(name, source) for name, source in _sources())


def _attack(name: str, source: str) -> Attack:
    assert len(source) < _MOST, name
    tries = "a source that is hard to read"
    return Attack(name, tries, "whoever reads it stops", False, "any", frozenset(), "any", (), source)


def _sources() -> Iterator[tuple[str, str]]:
    yield "source_of_brackets", "(" * 1_000_000 + ")" * 1_000_000
    yield "source_of_nested_lists", "x = " + "[" * 190 + "]" * 190
    yield "source_of_lambdas", "x = " + "lambda: " * 100_000 + "0"
    yield "source_of_signs", "x = " + "-" * 300_000 + "1"
    yield "source_of_negations", "x = " + "not " * 90_000 + "1"
    yield "source_of_sums", "x = " + "+".join(["1"] * 150_000)
    yield "source_of_powers", "x = " + "**".join(["1"] * 90_000)
    yield "source_of_attributes", "x = a" + ".a" * 180_000
    yield "source_of_calls", "x = f" + "()" * 180_000
    yield "source_of_branches", "if 0: pass\n" + "elif 0: pass\n" * 29_000
    yield "source_of_blocks", "".join(" " * depth + "if 1:\n" for depth in range(98)) + " " * 98 + "x = 1\n"
    yield "source_of_strings", "x = " + " ".join(["f'{1}'"] * 50_000)
    yield "source_of_definitions", RIGHT + "def scores(Q, K): return Q\n" * 70_000
    yield "source_of_decorators", RIGHT + "@repr\n" * 60_000 + "def scores(Q, K): return Q\n"
    yield "source_of_names", RIGHT + "".join(f"scores{i} = softmax\n" for i in range(18_000))
    yield "source_of_constants", RIGHT + "x = 'a' * 10**9 * 0 + 'b' * 4000 + (1 << 20000).__str__()\n"
    yield "source_of_one_number", "x = 1" + "0" * 1_900_000
    yield "source_of_one_line", "x = [" + "1," * 900_000 + "]"
    yield "source_of_null_bytes", "\0" * 1_000_000
    yield "source_of_walruses", "x = (" + "(y := " * 90 + "1" + ")" * 90 + ")"
    yield "source_of_cookies", "# coding: " + "x" * 100_000 + "\nx = 1"
