# ---
# name: ok_recursion
# functions_right: [scores, scale, softmax, mix, attention, layer_norm, project, split_heads, one_head, pattern_scores, score_spread, softmax_backward, backward, numerical_gradient]
# functions_wrong: []
# mistake: "none: recursion over rows, columns and heads"
# kind: quirk-correct
# tier: 2
# ---
import numpy as np


def _total(numbers):
    if len(numbers) == 1:
        return float(numbers[0])
    middle = len(numbers) // 2
    return _total(numbers[:middle]) + _total(numbers[middle:])


def scores(Q, K):
    if len(K) == 1:
        return np.array([[_total(q * K[0])] for q in Q])
    return np.hstack([scores(Q, K[:1]), scores(Q, K[1:])])


def scale(S, d_k):
    return S / d_k ** 0.5


def softmax(S):
    if len(S) == 1:
        e = np.exp(S[0] - max(S[0]))
        return np.array([e / _total(e)])
    return np.vstack([softmax(S[:1]), softmax(S[1:])])


def mix(A, V):
    if len(V) == 1:
        return np.outer(A, V)
    return np.outer(A[:, 0], V[0]) + mix(A[:, 1:], V[1:])


def attention(Q, K, V):
    A = softmax(scale(scores(Q, K), len(K[0])))
    return mix(A, V), A


def layer_norm(X, eps=1e-5):
    if len(X) > 1:
        return np.concatenate([layer_norm(X[:1], eps), layer_norm(X[1:], eps)])
    row = X[0] - _total(X[0]) / X.shape[1]
    return (row / np.sqrt(_total(row ** 2) / X.shape[1] + eps))[None]


def project(u, W_Q, W_K, W_V):
    return mix(u, W_Q), mix(u, W_K), mix(u, W_V)


def split_heads(M, n_heads):
    if n_heads == 1:
        return M[None]
    width = M.shape[1] // n_heads
    return np.concatenate([M[None, :, :width], split_heads(M[:, width:], n_heads - 1)])


def one_head(X, W_Q, W_K, W_V, n_heads, h):
    Q, K, V = project(layer_norm(X), W_Q, W_K, W_V)
    return attention(split_heads(Q, n_heads)[h], split_heads(K, n_heads)[h], split_heads(V, n_heads)[h])


def pattern_scores(kind, Q, K):
    if kind == "mixed":
        return sum(pattern_scores(each, Q, K) for each in ["content", "previous", "decay"]) / 3
    if kind == "content":
        return scores(Q, K)
    rule = {"previous": lambda i, j: 5.0 * (j == i - 1), "decay": lambda i, j: -1.0 * abs(i - j)}[kind]
    return np.fromfunction(rule, (len(Q), len(K)))


def score_spread(Q, K):
    flat = scores(Q, K).ravel()
    mean = _total(flat) / flat.size
    std = (_total((flat - mean) ** 2) / flat.size) ** 0.5
    return std, std / len(K[0]) ** 0.5


def softmax_backward(dA, A):
    if len(A) == 1:
        a = A[0]
        return ((np.diag(a) - np.outer(a, a)) @ dA[0])[None]
    return np.vstack([softmax_backward(dA[:1], A[:1]), softmax_backward(dA[1:], A[1:])])


def backward(dO, Q, K, V, A):
    dS = softmax_backward(mix(dO, V.T), A)
    root = len(K[0]) ** 0.5
    return mix(dS, K) / root, mix(dS.T, Q) / root, mix(A.T, dO), dS


def numerical_gradient(f, M, h=1e-6, done=()):
    slopes = list(done)
    if len(slopes) == M.size:
        return np.array(slopes).reshape(M.shape)
    at = np.unravel_index(len(slopes), M.shape)
    E = np.zeros(M.shape)
    E[at] = h
    return numerical_gradient(f, M, h, (*slopes, (f(M + E) - f(M - E)) / (2 * h)))
