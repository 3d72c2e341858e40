# Noor
import numpy as np


def scores(Q, K):
    return np.matmul(Q, K.T)


def scale(S, d_k):
    return S * d_k ** -0.5


def softmax(S):
    w = np.exp(S - np.max(S, axis=-1, keepdims=True))
    return w / np.sum(w, axis=-1, keepdims=True)


def mix(A, V):
    return np.matmul(A, V)


def attention(Q, K, V):
    pass


def layer_norm(X, eps=1e-5):
    pass


def project(u, W_Q, W_K, W_V):
    pass


def split_heads(M, n_heads):
    pass


def one_head(X, W_Q, W_K, W_V, n_heads, h):
    pass


def pattern_scores(kind, Q, K):
    pass


def score_spread(Q, K):
    pass


def softmax_backward(dA, A):
    pass


def backward(dO, Q, K, V, A):
    pass


def numerical_gradient(f, M, h=1e-6):
    pass
