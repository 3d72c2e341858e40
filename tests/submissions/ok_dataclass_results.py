# ---
# name: ok_dataclass_results
# functions_right: [scores, scale, softmax, mix, attention, layer_norm, project, split_heads, one_head, pattern_scores, score_spread, softmax_backward, backward, numerical_gradient]
# functions_wrong: []
# mistake: "none: attention, project and backward return plain dataclasses, fields in the order asked for"
# kind: quirk-correct
# tier: 2
# note: "cannot be unpacked, but says what is what"
# ---
"""Results with names."""
from dataclasses import dataclass

import numpy as np


@dataclass
class Head:
    output: np.ndarray
    weights: np.ndarray


@dataclass
class Projections:
    queries: np.ndarray
    keys: np.ndarray
    values: np.ndarray


@dataclass
class Gradients:
    dQ: np.ndarray
    dK: np.ndarray
    dV: np.ndarray
    dS: np.ndarray


def scores(Q, K):
    """S (n_q, n_k): the dot product of every query with every key."""
    S = Q.dot(K.T)
    return S


def scale(S, d_k):
    """S divided by the root of d_k."""
    factor = 1 / np.sqrt(d_k)
    return factor * S


def softmax(S):
    """A (n_q, n_k): every row a distribution, finite for any finite S."""
    top = np.expand_dims(S.max(axis=1), axis=1)
    e = np.exp(S - top)
    return e / np.expand_dims(e.sum(axis=1), axis=1)


def mix(A, V):
    """O (n_q, d_v): the average of the values, weighted by A."""
    O = A.dot(V)
    return O


def attention(Q, K, V):
    A = softmax(scale(scores(Q, K), K.shape[1]))
    return Head(output=mix(A, V), weights=A)


def layer_norm(X, eps=1e-5):
    """u: every row with mean 0 and deviation 1 (population)."""
    d = X.shape[1]
    mu = X.sum(axis=1, keepdims=True) / d
    var = ((X - mu) ** 2).sum(axis=1, keepdims=True) / d
    return (X - mu) / (var + eps) ** 0.5


def project(u, W_Q, W_K, W_V):
    return Projections(u @ W_Q, u @ W_K, u @ W_V)


def split_heads(M, n_heads):
    """(n_heads, n, d / n_heads): head h holds its columns."""
    n, d = M.shape
    return M.reshape(n, n_heads, d // n_heads).transpose(1, 0, 2)


def one_head(X, W_Q, W_K, W_V, n_heads, h):
    p = project(layer_norm(X), W_Q, W_K, W_V)
    cut = [split_heads(M, n_heads)[h] for M in (p.queries, p.keys, p.values)]
    return attention(*cut)


def pattern_scores(kind, Q, K):
    """S for the kind "content", "previous", "decay" or "mixed"."""
    n_q, n_k = len(Q), len(K)
    if kind == "content":
        return scores(Q, K)
    if kind == "previous":
        return 5.0 * np.eye(n_q, n_k, k=-1)
    if kind == "decay":
        distance = np.arange(n_q).reshape(n_q, 1) - np.arange(n_k)
        return -np.abs(distance).astype(float)
    parts = [pattern_scores(each, Q, K) for each in ("content", "previous", "decay")]
    return sum(parts) / 3


def score_spread(Q, K):
    """(std of the raw scores, std of the scaled scores)."""
    S = scores(Q, K)
    return np.std(S), np.std(scale(S, K.shape[1]))


def softmax_backward(dA, A):
    """dS from dA and the weights."""
    weighted = np.expand_dims((dA * A).sum(axis=1), axis=1)
    return A * (dA - weighted)


def backward(dO, Q, K, V, A):
    dS = softmax_backward(dO @ V.T, A)
    root = K.shape[1] ** 0.5
    return Gradients(dQ=dS @ K / root, dK=dS.T @ Q / root, dV=A.T @ dO, dS=dS)


def numerical_gradient(f, M, h=1e-6):
    """dL/dM by central differences."""
    dM = np.zeros(M.shape)
    for i in range(M.shape[0]):
        for j in range(M.shape[1]):
            E = np.zeros(M.shape)
            E[i, j] = h
            dM[i, j] = (f(M + E) - f(M - E)) / (2 * h)
    return dM
