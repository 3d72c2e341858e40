# ---
# name: attention_width_from_the_lecture
# functions_right: [scores, scale, softmax, mix, layer_norm, project, split_heads, pattern_scores, score_spread, softmax_backward, backward, numerical_gradient]
# functions_wrong: [attention, one_head]
# mistake: "d_k = 2 is a constant of the module"
# kind: mistake
# tier: 2
# root_cause: [attention]
# note: "one_head is right only for heads of width 2"
# ---
"""Query, key, value: fill in the functions."""
import numpy as np


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


d_k = 2


def attention(Q, K, V):
    """(O, A) for queries, keys and values."""
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
    Q = u.dot(W_Q)
    K = u.dot(W_K)
    V = u.dot(W_V)
    return Q, K, V


def split_heads(M, n_heads):
    """(n_heads, n, d / n_heads): head h holds its columns."""
    n, d = M.shape
    return M.reshape(n, n_heads, d // n_heads).transpose(1, 0, 2)


def one_head(X, W_Q, W_K, W_V, n_heads, h):
    """(O, A) of head h."""
    u = layer_norm(X)
    Q, K, V = project(u, W_Q, W_K, W_V)
    w = Q.shape[1] // n_heads
    Q_h = Q[:, h * w:(h + 1) * w]
    K_h = K[:, h * w:(h + 1) * w]
    V_h = V[:, h * w:(h + 1) * w]
    return attention(Q_h, K_h, V_h)


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
    """(dQ, dK, dV, dS)."""
    d_k = K.shape[1]
    dV = A.T.dot(dO)
    dA = dO.dot(V.T)
    dS = softmax_backward(dA, A)
    dQ = dS.dot(K) / np.sqrt(d_k)
    dK = dS.T.dot(Q) / np.sqrt(d_k)
    return dQ, dK, dV, dS


def numerical_gradient(f, M, h=1e-6):
    """dL/dM by central differences."""
    dM = np.zeros(M.shape)
    for i in range(M.shape[0]):
        for j in range(M.shape[1]):
            E = np.zeros(M.shape)
            E[i, j] = h
            dM[i, j] = (f(M + E) - f(M - E)) / (2 * h)
    return dM
