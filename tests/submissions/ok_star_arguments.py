# ---
# name: ok_star_arguments
# functions_right: [scores, scale, softmax, mix, attention, layer_norm, project, split_heads, one_head, pattern_scores, score_spread, softmax_backward, backward, numerical_gradient]
# functions_wrong: []
# mistake: "none: every function takes *args and unpacks them itself"
# kind: quirk-correct
# tier: 2
# note: "a signature says nothing; call by position"
# ---
"""Query, key, value: fill in the functions."""
import numpy as np


def scores(*args):
    """S (n_q, n_k): the dot product of every query with every key."""
    Q, K = args
    S = Q.dot(K.T)
    return S


def scale(*args):
    """S divided by the root of d_k."""
    S, d_k = args
    factor = 1 / np.sqrt(d_k)
    return factor * S


def softmax(*args):
    """A (n_q, n_k): every row a distribution, finite for any finite S."""
    S, = args
    top = np.expand_dims(S.max(axis=1), axis=1)
    e = np.exp(S - top)
    return e / np.expand_dims(e.sum(axis=1), axis=1)


def mix(*args):
    """O (n_q, d_v): the average of the values, weighted by A."""
    A, V = args
    O = A.dot(V)
    return O


def attention(*args):
    """(O, A) for queries, keys and values."""
    Q, K, V = args
    d_k = K.shape[1]
    A = softmax(scale(scores(Q, K), d_k))
    O = mix(A, V)
    return O, A


def layer_norm(*args):
    """u: every row with mean 0 and deviation 1 (population)."""
    X, eps = args if len(args) == 2 else (*args, 1e-5)
    d = X.shape[1]
    mu = X.sum(axis=1, keepdims=True) / d
    var = ((X - mu) ** 2).sum(axis=1, keepdims=True) / d
    return (X - mu) / (var + eps) ** 0.5


def project(*args):
    """(Q, K, V): three projections of u."""
    u, W_Q, W_K, W_V = args
    Q = u.dot(W_Q)
    K = u.dot(W_K)
    V = u.dot(W_V)
    return Q, K, V


def split_heads(*args):
    """(n_heads, n, d / n_heads): head h holds its columns."""
    M, n_heads = args
    n, d = M.shape
    return M.reshape(n, n_heads, d // n_heads).transpose(1, 0, 2)


def one_head(*args):
    """(O, A) of head h."""
    X, W_Q, W_K, W_V, n_heads, h = args
    u = layer_norm(X)
    Q, K, V = project(u, W_Q, W_K, W_V)
    w = Q.shape[1] // n_heads
    Q_h = Q[:, h * w:(h + 1) * w]
    K_h = K[:, h * w:(h + 1) * w]
    V_h = V[:, h * w:(h + 1) * w]
    return attention(Q_h, K_h, V_h)


def pattern_scores(*args):
    """S for the kind "content", "previous", "decay" or "mixed"."""
    kind, Q, K = args
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


def score_spread(*args):
    """(std of the raw scores, std of the scaled scores)."""
    Q, K = args
    S = scores(Q, K)
    return np.std(S), np.std(scale(S, K.shape[1]))


def softmax_backward(*args):
    """dS from dA and the weights."""
    dA, A = args
    weighted = np.expand_dims((dA * A).sum(axis=1), axis=1)
    return A * (dA - weighted)


def backward(*args):
    """(dQ, dK, dV, dS)."""
    dO, Q, K, V, A = args
    d_k = K.shape[1]
    dV = A.T.dot(dO)
    dA = dO.dot(V.T)
    dS = softmax_backward(dA, A)
    dQ = dS.dot(K) / np.sqrt(d_k)
    dK = dS.T.dot(Q) / np.sqrt(d_k)
    return dQ, dK, dV, dS


def numerical_gradient(*args):
    """dL/dM by central differences."""
    f, M, h = args if len(args) == 3 else (*args, 1e-6)
    dM = np.zeros(M.shape)
    for i in range(M.shape[0]):
        for j in range(M.shape[1]):
            E = np.zeros(M.shape)
            E[i, j] = h
            dM[i, j] = (f(M + E) - f(M - E)) / (2 * h)
    return dM
