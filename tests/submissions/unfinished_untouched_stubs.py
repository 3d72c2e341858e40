# ---
# name: unfinished_untouched_stubs
# functions_right: []
# functions_wrong: [scores, scale, softmax, mix, attention, layer_norm, project, split_heads, one_head, pattern_scores, score_spread, softmax_backward, backward, numerical_gradient]
# mistake: "the file as it was handed out"
# kind: broken-file
# tier: 1
# ---
"""Query, key, value: fill in the functions."""
import numpy as np


def scores(Q, K):
    """S (n_q, n_k): the dot product of every query with every key."""
    raise NotImplementedError


def scale(S, d_k):
    """S divided by the root of d_k."""
    raise NotImplementedError


def softmax(S):
    """A (n_q, n_k): every row a distribution, finite for any finite S."""
    raise NotImplementedError


def mix(A, V):
    """O (n_q, d_v): the average of the values, weighted by A."""
    raise NotImplementedError


def attention(Q, K, V):
    """(O, A) for queries, keys and values."""
    raise NotImplementedError


def layer_norm(X, eps=1e-5):
    """u: every row with mean 0 and deviation 1 (population)."""
    raise NotImplementedError


def project(u, W_Q, W_K, W_V):
    """(Q, K, V): three projections of u."""
    raise NotImplementedError


def split_heads(M, n_heads):
    """(n_heads, n, d / n_heads): head h holds its columns."""
    raise NotImplementedError


def one_head(X, W_Q, W_K, W_V, n_heads, h):
    """(O, A) of head h."""
    raise NotImplementedError


def pattern_scores(kind, Q, K):
    """S for the kind "content", "previous", "decay" or "mixed"."""
    raise NotImplementedError


def score_spread(Q, K):
    """(std of the raw scores, std of the scaled scores)."""
    raise NotImplementedError


def softmax_backward(dA, A):
    """dS from dA and the weights."""
    raise NotImplementedError


def backward(dO, Q, K, V, A):
    """(dQ, dK, dV, dS)."""
    raise NotImplementedError


def numerical_gradient(f, M, h=1e-6):
    """dL/dM by central differences."""
    raise NotImplementedError
