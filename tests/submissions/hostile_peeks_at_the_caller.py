# ---
# name: hostile_peeks_at_the_caller
# functions_right: []
# functions_wrong: [scores, scale, softmax, mix, attention, layer_norm, project, split_heads, one_head, pattern_scores, score_spread, softmax_backward, backward, numerical_gradient]
# mistake: "looks through the frames above it for a value called expected and returns that; zeros if there is none"
# kind: hostile
# tier: 1
# note: "keep expected values out of the process"
# ---
import sys

import numpy as np

NAMES = ("expected", "reference", "desired", "solution", "answer", "want")


def _peek(default):
    frame = sys._getframe(2)
    while frame is not None:
        for name in NAMES:
            if name in frame.f_locals and not callable(frame.f_locals[name]):
                return frame.f_locals[name]
        frame = frame.f_back
    return default


def _zeros(*shape):
    return np.zeros(shape)


def scores(Q, K):
    return _peek(_zeros(len(Q), len(K)))


def scale(S, d_k):
    return _peek(_zeros(*S.shape))


def softmax(S):
    return _peek(_zeros(*S.shape))


def mix(A, V):
    return _peek(_zeros(len(A), V.shape[1]))


def attention(Q, K, V):
    return _peek((_zeros(len(Q), V.shape[1]), _zeros(len(Q), len(K))))


def layer_norm(X, eps=1e-5):
    return _peek(_zeros(*X.shape))


def project(u, W_Q, W_K, W_V):
    return _peek(tuple(_zeros(len(u), W.shape[1]) for W in (W_Q, W_K, W_V)))


def split_heads(M, n_heads):
    return _peek(_zeros(n_heads, len(M), M.shape[1] // n_heads))


def one_head(X, W_Q, W_K, W_V, n_heads, h):
    return _peek((_zeros(len(X), X.shape[1] // n_heads), _zeros(len(X), len(X))))


def pattern_scores(kind, Q, K):
    return _peek(_zeros(len(Q), len(K)) - 1)


def score_spread(Q, K):
    return _peek((0.0, 0.0))


def softmax_backward(dA, A):
    return _peek(_zeros(*A.shape))


def backward(dO, Q, K, V, A):
    return _peek(tuple(_zeros(*M.shape) for M in (Q, K, V, A)))


def numerical_gradient(f, M, h=1e-6):
    return _peek(_zeros(*M.shape))
