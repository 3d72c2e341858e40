# ---
# name: softmax_returns_log
# functions_right: [scores, scale, mix, layer_norm, project, split_heads, pattern_scores, score_spread, softmax_backward, backward, numerical_gradient]
# functions_wrong: [softmax, attention, one_head]
# mistake: "returns the logarithms of the weights"
# kind: mistake
# tier: 2
# root_cause: [softmax]
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
    return shifted - np.log(np.exp(shifted).sum(axis=1))[:, np.newaxis]


def mix(A: Array, V: Array) -> Array:
    """Return one weighted average of the values per query."""
    return np.einsum("qk,kv->qv", A, V)


def attention(Q: Array, K: Array, V: Array) -> tuple[Array, Array]:
    """Return the output and the weights, in this order."""
    weights = softmax(scale(scores(Q, K), K.shape[1]))
    return mix(weights, V), weights


def layer_norm(X: Array, eps: float = 1e-5) -> Array:
    """Return X with mean 0 and (nearly) deviation 1 in every row."""
    mean = X.mean(axis=1)[:, np.newaxis]
    variance = X.var(axis=1)[:, np.newaxis]
    return (X - mean) / np.sqrt(variance + eps)


def project(u: Array, W_Q: Array, W_K: Array, W_V: Array) -> tuple[Array, Array, Array]:
    """Return queries, keys and values of the normalised input."""
    return u @ W_Q, u @ W_K, u @ W_V


def split_heads(M: Array, n_heads: int) -> Array:
    """Return an array (n_heads, n, width): consecutive columns make a head."""
    rows, columns = M.shape
    return M.reshape(rows, n_heads, columns // n_heads).swapaxes(0, 1)


def one_head(X: Array, W_Q: Array, W_K: Array, W_V: Array, n_heads: int, h: int) -> tuple[Array, Array]:
    """Return output and weights of head h (counted from 0)."""
    Q, K, V = project(layer_norm(X), W_Q, W_K, W_V)
    heads = [split_heads(M, n_heads) for M in (Q, K, V)]
    return attention(heads[0][h], heads[1][h], heads[2][h])


def pattern_scores(kind: str, Q: Array, K: Array) -> Array:
    """Return the scores of one of four kinds of head."""
    offset = np.subtract.outer(np.arange(Q.shape[0]), np.arange(K.shape[0]))
    tables = {
        "content": lambda: scores(Q, K),
        "previous": lambda: np.where(offset == 1, 5.0, 0.0),
        "decay": lambda: -np.abs(offset).astype(float),
    }
    if kind == "mixed":
        return np.mean([table() for table in tables.values()], axis=0)
    return tables[kind]()


def score_spread(Q: Array, K: Array) -> tuple[float, float]:
    """Return the deviation of the scores before and after scaling."""
    raw = scores(Q, K)
    scaled = scale(raw, K.shape[1])
    return raw.std().item(), scaled.std().item()


def softmax_backward(dA: Array, A: Array) -> Array:
    """Return the gradient at the softmax's input."""
    inner = np.einsum("qk,qk->q", dA, A)
    return A * (dA - inner[:, np.newaxis])


def backward(dO: Array, Q: Array, K: Array, V: Array, A: Array) -> tuple[Array, Array, Array, Array]:
    """Return dQ, dK, dV and dS."""
    dS = softmax_backward(np.einsum("qv,kv->qk", dO, V), A)
    dQ = scale(np.einsum("qk,kd->qd", dS, K), K.shape[1])
    dK = scale(np.einsum("qk,qd->kd", dS, Q), K.shape[1])
    dV = np.einsum("qk,qv->kv", A, dO)
    return dQ, dK, dV, dS


def numerical_gradient(f: Callable[[Array], float], M: Array, h: float = 1e-6) -> Array:
    """Return the central differences of f at M, entry by entry."""
    point = np.array(M, dtype=np.float64)
    slope = np.zeros(point.shape)
    for index, value in np.ndenumerate(M):
        point[index] = value + h
        above = f(point)
        point[index] = value - h
        below = f(point)
        point[index] = value
        slope[index] = (above - below) / (2 * h)
    return slope
