# ---
# name: ok_errstate_and_where
# functions_right: [scores, scale, softmax, mix, attention, layer_norm, project, split_heads, one_head, pattern_scores, score_spread, softmax_backward, backward, numerical_gradient]
# functions_wrong: []
# mistake: "none: np.errstate, np.where, np.nan_to_num around every division"
# kind: quirk-correct
# tier: 2
# ---
import numpy as np


def scores(Q, K):
    return np.matmul(Q, K.T)


def scale(S, d_k):
    return S * d_k ** -0.5


def softmax(S):
    with np.errstate(all="ignore"):
        w = np.exp(S - np.max(S, axis=-1, keepdims=True))
        total = np.sum(w, axis=-1, keepdims=True)
        return np.where(total > 0, w / total, 0.0)


def mix(A, V):
    return np.matmul(A, V)


def attention(Q, K, V):
    A = softmax(scale(scores(Q, K), K.shape[-1]))
    return mix(A, V), A


def layer_norm(X, eps=1e-5):
    with np.errstate(divide="ignore", invalid="ignore"):
        centred = X - np.mean(X, axis=-1, keepdims=True)
        root = np.sqrt(np.mean(centred ** 2, axis=-1, keepdims=True) + eps)
        return np.nan_to_num(np.where(root == 0, 0.0, centred / root))


def project(u, W_Q, W_K, W_V):
    return np.matmul(u, W_Q), np.matmul(u, W_K), np.matmul(u, W_V)


def split_heads(M, n_heads):
    return np.stack(np.split(M, n_heads, axis=1))


def one_head(X, W_Q, W_K, W_V, n_heads, h):
    q, k, v = (split_heads(M, n_heads)[h] for M in project(layer_norm(X), W_Q, W_K, W_V))
    return attention(q, k, v)


def pattern_scores(kind, Q, K):
    i = np.arange(len(Q))[:, None]
    j = np.arange(len(K))[None, :]
    content = scores(Q, K)
    previous = 5.0 * (j == i - 1)
    decay = -1.0 * np.abs(i - j)
    if kind == "content":
        return content
    if kind == "previous":
        return previous
    if kind == "decay":
        return decay
    if kind == "mixed":
        return (content + previous + decay) / 3
    raise ValueError(kind)


def score_spread(Q, K):
    raw = scores(Q, K)
    return float(np.std(raw)), float(np.std(scale(raw, K.shape[-1])))


def softmax_backward(dA, A):
    return A * (dA - np.sum(dA * A, axis=-1, keepdims=True))


def backward(dO, Q, K, V, A):
    dS = softmax_backward(np.matmul(dO, V.T), A)
    s = K.shape[-1] ** -0.5
    return s * np.matmul(dS, K), s * np.matmul(dS.T, Q), np.matmul(A.T, dO), dS


def numerical_gradient(f, M, h=1e-6):
    M = np.asarray(M, dtype=float)
    g = np.empty_like(M)
    for where in np.ndindex(M.shape):
        step = np.zeros_like(M)
        step[where] = h
        g[where] = (f(M + step) - f(M - step)) / (2 * h)
    return g
