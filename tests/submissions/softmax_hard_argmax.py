# ---
# name: softmax_hard_argmax
# functions_right: [scores, scale, mix, layer_norm, project, split_heads, pattern_scores, score_spread, softmax_backward, backward, numerical_gradient]
# functions_wrong: [softmax, attention, one_head]
# mistake: "weight 1 for the greatest score, 0 for the rest"
# kind: mistake
# tier: 2
# root_cause: [softmax]
# ---
import numpy as np

AXIS = 1


def _column(v):
    return np.asarray(v)[:, None]


def layer_norm(X, eps=1e-5):
    deviation = X - _column(X.mean(AXIS))
    power = _column((deviation * deviation).mean(AXIS))
    return deviation / np.sqrt(power + eps)


def project(u, W_Q, W_K, W_V):
    return [u @ W_Q, u @ W_K, u @ W_V]


def split_heads(M, n_heads):
    return np.array(np.hsplit(M, n_heads))


def scores(Q, K):
    return np.inner(Q, K)


def scale(S, d_k):
    return S / np.power(d_k, 0.5)


def softmax(S):
    winner = S.argmax(AXIS)
    return np.eye(S.shape[1])[winner]


def mix(A, V):
    return np.tensordot(A, V, axes=1)


def attention(Q, K, V):
    width = Q.shape[AXIS]
    A = softmax(scale(scores(Q, K), width))
    return mix(A, V), A


def one_head(X, W_Q, W_K, W_V, n_heads, h):
    Q, K, V = project(layer_norm(X), W_Q, W_K, W_V)
    Q, K, V = split_heads(Q, n_heads)[h], split_heads(K, n_heads)[h], split_heads(V, n_heads)[h]
    A = softmax(scale(scores(Q, K), Q.shape[AXIS]))
    return mix(A, V), A


def pattern_scores(kind, Q, K):
    steps = _column(np.arange(Q.shape[0])) - np.arange(K.shape[0])
    if kind == "content":
        return np.inner(Q, K)
    elif kind == "previous":
        return np.where(steps == 1, 5.0, 0.0)
    elif kind == "decay":
        return 0.0 - np.abs(steps)
    return (np.inner(Q, K) + np.where(steps == 1, 5.0, 0.0) - np.abs(steps)) / 3


def score_spread(Q, K):
    raw = np.inner(Q, K).std()
    return raw, raw / np.sqrt(Q.shape[AXIS])


def softmax_backward(dA, A):
    return A * (dA - _column((A * dA).sum(AXIS)))


def backward(dO, Q, K, V, A):
    back = A * (dO @ V.T)
    dS = back - A * _column(back.sum(AXIS))
    root = np.sqrt(Q.shape[AXIS])
    return dS @ K / root, dS.T @ Q / root, A.T @ dO, dS


def numerical_gradient(f, M, h=1e-6):
    flat = np.asarray(M, dtype=float).ravel()
    slopes = []
    for n in range(flat.size):
        nudge = np.zeros(flat.size)
        nudge[n] = h
        up, down = (flat + nudge).reshape(M.shape), (flat - nudge).reshape(M.shape)
        slopes.append((f(up) - f(down)) / (h + h))
    return np.array(slopes).reshape(M.shape)
