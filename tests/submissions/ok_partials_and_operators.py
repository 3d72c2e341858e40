# ---
# name: ok_partials_and_operators
# functions_right: [scores, scale, softmax, mix, attention, layer_norm, project, split_heads, one_head, pattern_scores, score_spread, softmax_backward, backward, numerical_gradient]
# functions_wrong: []
# mistake: "none: lambdas, functools.partial, operator.matmul bound to mix"
# kind: quirk-correct
# tier: 2
# note: "operator.matmul and partial objects have no source lines or no signature"
# ---
import operator
from functools import partial, reduce

import numpy as np


def _share(E, axis):
    return np.divide(E, np.sum(E, axis=axis, keepdims=True))


def _soft(S, axis):
    return _share(np.exp(S - np.max(S, axis=axis, keepdims=True)), axis)


scores = lambda Q, K: operator.matmul(Q, K.T)
scale = lambda S, d_k: S / d_k ** 0.5
softmax = partial(_soft, axis=1)
mix = operator.matmul
attention = lambda Q, K, V: (lambda A: (mix(A, V), A))(softmax(scale(scores(Q, K), K.shape[1])))


def _norm(X, eps, ddof):
    return (X - X.mean(1, keepdims=True)) / np.sqrt(X.var(1, ddof=ddof, keepdims=True) + eps)


layer_norm = lambda X, eps=1e-5: _norm(X, eps, 0)
project = lambda u, *weights: tuple(map(partial(operator.matmul, u), weights))
split_heads = lambda M, n_heads: np.stack(np.split(M, n_heads, 1))


def one_head(X, W_Q, W_K, W_V, n_heads, h):
    return attention(*map(lambda M: split_heads(M, n_heads)[h], project(layer_norm(X), W_Q, W_K, W_V)))


_gap = lambda Q, K: np.subtract.outer(np.arange(len(Q)), np.arange(len(K)))
_tables = {
    "content": scores,
    "previous": lambda Q, K: np.equal(_gap(Q, K), 1) * 5.0,
    "decay": lambda Q, K: np.negative(np.abs(_gap(Q, K))),
}
_tables["mixed"] = lambda Q, K: reduce(operator.add, [_tables[k](Q, K) for k in ("content", "previous", "decay")]) / 3
pattern_scores = lambda kind, Q, K: _tables[kind](Q, K)
score_spread = lambda Q, K: tuple(map(np.std, (scores(Q, K), scale(scores(Q, K), K.shape[1]))))
softmax_backward = lambda dA, A: A * (dA - np.sum(dA * A, axis=1, keepdims=True))


def backward(dO, Q, K, V, A):
    dS = softmax_backward(mix(dO, V.T), A)
    return scale(mix(dS, K), K.shape[1]), scale(mix(dS.T, Q), K.shape[1]), mix(A.T, dO), dS


def _slope(f, M, h, at):
    E = np.zeros(M.shape)
    E[at] = h
    return (f(M + E) - f(M - E)) / (2 * h)


numerical_gradient = lambda f, M, h=1e-6: np.reshape([_slope(f, M, h, at) for at in np.ndindex(M.shape)], M.shape)
