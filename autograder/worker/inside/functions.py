"""The functions an exercise may hand to a submission: named families, built from arrays in its own process.

Each takes a matrix of the right shape, of whole numbers too, and returns a Python float; none keeps state.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

Scalar = Callable[[Any], float]


def quadratic(C: Any, B: Any) -> Scalar:
    """f(M) = sum(C * M * M) / 2 + sum(B * M); its gradient is C * M + B."""
    C, B = _frozen(C), _frozen(B)
    _same_shape(C, B)

    def f(M: Any) -> float:
        M = _matrix(M, C.shape)
        return float(np.vdot(C * M, M) / 2 + np.vdot(B, M))

    return f


def sines(W: Any) -> Scalar:
    """f(M) = sum(sin(W * M)); its gradient is W * cos(W * M)."""
    W = _frozen(W)

    def f(M: Any) -> float:
        return float(np.add.reduce(np.sin(W * _matrix(M, W.shape)), axis=None))

    return f


def coupled_rows(a: Any) -> Scalar:
    """f(M) = sum over columns j of (a . M[:, j])**2 / 2; the gradient of a row depends on all of them."""
    a = _frozen(a)

    def f(M: Any) -> float:
        M = np.asarray(M, dtype=np.float64)
        if M.ndim != 2 or M.shape[0] != a.shape[0]:
            raise ValueError(f"f takes an array of {a.shape[0]} rows, not one of shape {M.shape}")
        sums = a @ M
        return float(sums @ sums / 2)

    return f


def total(a: Any) -> Scalar:
    """f(M) = a * sum(M)**2 / 2; its gradient is a * sum(M) in every entry. It takes any shape, a row too."""
    a = _frozen(a)

    def f(M: Any) -> float:
        return float(a * np.asarray(M, dtype=np.float64).sum() ** 2 / 2)

    return f


#: What `FunctionArgument.family` may name.
FAMILIES: Mapping[str, Callable[..., Scalar]] = {
    "quadratic": quadratic,
    "sines": sines,
    "coupled_rows": coupled_rows,
    "total": total,
}


def build(family: str, parameters: Mapping[str, Any]) -> Scalar:
    """Return a new function of the family; KeyError, TypeError or ValueError if they do not fit."""
    return FAMILIES[family](**parameters)


def _frozen(array: Any) -> Any:
    """Return an own copy in float64 that cannot be written to."""
    copy = np.array(array, dtype=np.float64)
    copy.setflags(write=False)
    return copy


def _same_shape(first: Any, second: Any) -> None:
    if first.shape != second.shape:
        raise ValueError(f"arrays of shapes {first.shape} and {second.shape} do not fit together")


def _matrix(M: Any, shape: tuple[int, ...]) -> Any:
    """Return the argument in float64; ValueError unless it has that shape, so that nothing broadcasts."""
    M = np.asarray(M, dtype=np.float64)
    if M.shape != shape:
        raise ValueError(f"f takes an array of shape {shape}, not {M.shape}")
    return M
