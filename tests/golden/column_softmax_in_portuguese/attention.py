import numpy as np


def scores(Q, K):
    return Q @ K.T


def scale(S, d_k):
    return S / np.sqrt(d_k)


def softmax(S):
    e = np.exp(S - S.max(axis=0, keepdims=True))
    return e / e.sum(axis=0, keepdims=True)


def mix(A, V):
    return A @ V


def attention(Q, K, V):
    A = softmax(scale(scores(Q, K), K.shape[1]))
    return mix(A, V), A


def layer_norm(X, eps=1e-5):
    centred = X - X.mean(axis=1, keepdims=True)
    return centred / np.sqrt((centred**2).mean(axis=1, keepdims=True) + eps)


def project(u, W_Q, W_K, W_V):
    return u @ W_Q, u @ W_K, u @ W_V


def split_heads(M, n_heads):
    return np.stack(np.split(M, n_heads, axis=1))


def one_head(X, W_Q, W_K, W_V, n_heads, h):
    Q, K, V = project(layer_norm(X), W_Q, W_K, W_V)
    return attention(split_heads(Q, n_heads)[h], split_heads(K, n_heads)[h], split_heads(V, n_heads)[h])
