# ---
# name: ok_matrix_class
# functions_right: [scores, scale, softmax, mix, attention, layer_norm, project, split_heads, one_head, pattern_scores, score_spread, softmax_backward, backward, numerical_gradient]
# functions_wrong: []
# mistake: "none: np.matrix from end to end, * is the product"
# kind: quirk-correct
# tier: 2
# note: "a warning about np.matrix may appear on stderr"
# ---
import numpy as np


def scores(Q, K):
    return np.asmatrix(Q) * np.asmatrix(K).T


def scale(S, d_k):
    return np.asmatrix(S) / np.sqrt(d_k)


def softmax(S):
    S = np.asmatrix(S)
    E = np.exp(S - S.max(axis=1))       # a matrix keeps its two axes
    return E / E.sum(axis=1)


def mix(A, V):
    return np.asmatrix(A) * V


def attention(Q, K, V):
    A = softmax(scale(scores(Q, K), K.shape[1]))
    return A * V, A


def layer_norm(X, eps=1e-5):
    X = np.asmatrix(X)
    return (X - X.mean(axis=1)) / np.sqrt(X.var(axis=1) + eps)


def project(u, W_Q, W_K, W_V):
    u = np.asmatrix(u)
    return u * W_Q, u * W_K, u * W_V


def split_heads(M, n_heads):
    width = M.shape[1] // n_heads
    return [np.asmatrix(M)[:, a:a + width] for a in range(0, M.shape[1], width)]


def one_head(X, W_Q, W_K, W_V, n_heads, h):
    return attention(*(split_heads(M, n_heads)[h] for M in project(layer_norm(X), W_Q, W_K, W_V)))


def pattern_scores(kind, Q, K):
    i = np.asmatrix(np.arange(len(Q))).T
    j = np.asmatrix(np.arange(len(K)))
    gap = i - j
    tables = {"content": scores(Q, K), "previous": 5.0 * (gap == 1), "decay": -1.0 * abs(gap)}
    tables["mixed"] = sum(tables.values()) / 3
    return tables[kind]


def score_spread(Q, K):
    S = scores(Q, K)
    return S.std(), S.std() / K.shape[1] ** 0.5


def softmax_backward(dA, A):
    dA, A = np.asmatrix(dA), np.asmatrix(A)
    weighted = np.multiply(dA, A)
    return weighted - np.multiply(A, weighted.sum(axis=1))


def backward(dO, Q, K, V, A):
    dO, A = np.asmatrix(dO), np.asmatrix(A)
    dS = softmax_backward(dO * V.T, A)
    r = K.shape[1] ** -0.5
    return dS * K * r, dS.T * Q * r, A.T * dO, dS


def numerical_gradient(f, M, h=1e-6):
    G = np.asmatrix(np.zeros(M.shape))
    for i, j in np.ndindex(*M.shape):
        E = np.zeros(M.shape)
        E[i, j] = h
        G[i, j] = (f(M + E) - f(M - E)) / (2 * h)
    return G
