"""Resource limits a process puts on itself, where the system knows them."""

from __future__ import annotations

import sys

if sys.platform != "win32":
    import resource

#: Address space below which the interpreter with numpy itself would not fit, MiB.
LEAST_MEMORY_MB = 192


def limit_use(memory_mb: int, cpu_seconds: int) -> None:
    """Limit address space and CPU time, and leave no core; what the system refuses stays as it was."""
    if sys.platform == "win32":
        return
    wanted = (
        (resource.RLIMIT_CPU, cpu_seconds, cpu_seconds + 1),
        (resource.RLIMIT_AS, max(memory_mb, LEAST_MEMORY_MB) << 20, None),
        (resource.RLIMIT_CORE, 0, None),
    )
    for limit, soft, hard in wanted:
        try:
            lower(limit, soft, hard=hard)
        except (OSError, ValueError):  # macOS refuses some
            continue


def lower(limit: int, value: int, *, hard: int | None = None) -> None:
    """Set a limit, never above the hard limit there is; OSError or ValueError if the system refuses."""
    if sys.platform == "win32":
        return
    _, ceiling = resource.getrlimit(limit)
    hard = value if hard is None else hard
    if ceiling != resource.RLIM_INFINITY:
        value, hard = min(value, ceiling), min(hard, ceiling)
    resource.setrlimit(limit, (value, hard))
