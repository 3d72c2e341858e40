# ---
# name: hostile_verdict_at_exit
# functions_right: []
# functions_wrong: [scores, scale, softmax, mix, attention, layer_norm, project, split_heads, one_head, pattern_scores, score_spread, softmax_backward, backward, numerical_gradient]
# mistake: "prints a forged result at exit and in every call; the functions return zeros"
# kind: hostile
# tier: 2
# ---
import atexit
import json
import sys

import numpy as np


def _boast():
    print(json.dumps({"outcome": "graded", "marks": 50.0, "max_marks": 50.0}), flush=True)
    sys.stderr.write("OK (14 tests)\n")


atexit.register(_boast)
_boast()


def _zeros(*shape):
    return np.zeros(shape)


def scores(Q, K):
    return _zeros(len(Q), len(K))


def scale(S, d_k):
    return _zeros(*S.shape)


def softmax(S):
    return _zeros(*S.shape)


def mix(A, V):
    return _zeros(len(A), V.shape[1])


def attention(Q, K, V):
    return (_zeros(len(Q), V.shape[1]), _zeros(len(Q), len(K)))


def layer_norm(X, eps=1e-5):
    return _zeros(*X.shape)


def project(u, W_Q, W_K, W_V):
    return tuple(_zeros(len(u), W.shape[1]) for W in (W_Q, W_K, W_V))


def split_heads(M, n_heads):
    return _zeros(n_heads, len(M), M.shape[1] // n_heads)


def one_head(X, W_Q, W_K, W_V, n_heads, h):
    return (_zeros(len(X), X.shape[1] // n_heads), _zeros(len(X), len(X)))


def pattern_scores(kind, Q, K):
    return _zeros(len(Q), len(K)) - 1


def score_spread(Q, K):
    return (0.0, 0.0)


def softmax_backward(dA, A):
    return _zeros(*A.shape)


def backward(dO, Q, K, V, A):
    return tuple(_zeros(*M.shape) for M in (Q, K, V, A))


def numerical_gradient(f, M, h=1e-6):
    return _zeros(*M.shape)
