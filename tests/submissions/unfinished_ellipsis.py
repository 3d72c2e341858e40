# ---
# name: unfinished_ellipsis
# functions_right: [scores, scale, softmax, mix, attention]
# functions_wrong: [layer_norm, project, split_heads, one_head, pattern_scores, score_spread, softmax_backward, backward, numerical_gradient]
# mistake: "bodies that are ... from layer_norm on"
# kind: broken-file
# tier: 1
# root_cause: [layer_norm, project, split_heads, one_head, pattern_scores, score_spread, softmax_backward, backward, numerical_gradient]
# ---
"""Scaled dot-product attention, one function a step."""
from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


def scores(Q: Array, K: Array) -> Array:
    """Return the raw dot products, one row per query."""
    return np.einsum("qd,kd->qk", Q, K)


def scale(S: Array, d_k: int) -> Array:
    """Return S divided by the square root of the key width."""
    return np.divide(S, np.sqrt(d_k))


def softmax(S: Array) -> Array:
    """Return the weights; every row is a distribution."""
    shifted = S - S.max(axis=1)[:, np.newaxis]
    powers = np.exp(shifted)
    return powers / powers.sum(axis=1)[:, np.newaxis]


def mix(A: Array, V: Array) -> Array:
    """Return one weighted average of the values per query."""
    return np.einsum("qk,kv->qv", A, V)


def attention(Q: Array, K: Array, V: Array) -> tuple[Array, Array]:
    """Return the output and the weights, in this order."""
    weights = softmax(scale(scores(Q, K), K.shape[1]))
    return mix(weights, V), weights


def layer_norm(X: Array, eps: float = 1e-5) -> Array:
    """Return X with mean 0 and (nearly) deviation 1 in every row."""
    ...


def project(u: Array, W_Q: Array, W_K: Array, W_V: Array) -> tuple[Array, Array, Array]:
    """Return queries, keys and values of the normalised input."""
    ...


def split_heads(M: Array, n_heads: int) -> Array:
    """Return an array (n_heads, n, width): consecutive columns make a head."""
    ...


def one_head(X: Array, W_Q: Array, W_K: Array, W_V: Array, n_heads: int, h: int) -> tuple[Array, Array]:
    """Return output and weights of head h (counted from 0)."""
    ...


def pattern_scores(kind: str, Q: Array, K: Array) -> Array:
    """Return the scores of one of four kinds of head."""
    ...


def score_spread(Q: Array, K: Array) -> tuple[float, float]:
    """Return the deviation of the scores before and after scaling."""
    ...


def softmax_backward(dA: Array, A: Array) -> Array:
    """Return the gradient at the softmax's input."""
    ...


def backward(dO: Array, Q: Array, K: Array, V: Array, A: Array) -> tuple[Array, Array, Array, Array]:
    """Return dQ, dK, dV and dS."""
    ...


def numerical_gradient(f: Callable[[Array], float], M: Array, h: float = 1e-6) -> Array:
    """Return the central differences of f at M, entry by entry."""
    ...
