"""Query, key, value: fill in the functions."""
import numpy as np

# Mateo: up to layer_norm, rest on Sunday


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
    """(O, A) for queries, keys and values."""
    d_k = K.shape[1]
    A = softmax(scale(scores(Q, K), d_k))
    O = mix(A, V)
    return O, A


def layer_norm(X, eps=1e-5):
    """u: every row with mean 0 and deviation 1 (population)."""
    d = X.shape[1]
    mu = X.sum(axis=1, keepdims=True) / d
    var = ((X - mu) ** 2).sum(axis=1, keepdims=True) / d
    return (X - mu) / (var + eps) ** 0.5


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
