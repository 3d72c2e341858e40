# ---
# name: backward_drops_row_sum
# functions_right: [scores, scale, softmax, mix, attention, layer_norm]
# functions_wrong: [backward]
# mistake: "dS = A * dA"
# kind: mistake
# tier: 1
# root_cause: [backward]
# parts_wrong: [dQ, dK, dS]
# ---
import numpy as np

AXIS = 1


def _column(v):
    return np.asarray(v)[:, None]


def layer_norm(X, eps=1e-5):
    deviation = X - _column(X.mean(AXIS))
    power = _column((deviation * deviation).mean(AXIS))
    return deviation / np.sqrt(power + eps)


def scores(Q, K):
    return np.inner(Q, K)


def scale(S, d_k):
    return S / np.power(d_k, 0.5)


def softmax(S):
    grown = np.exp(S - _column(S.max(AXIS)))
    return grown / _column(grown.sum(AXIS))


def mix(A, V):
    return np.tensordot(A, V, axes=1)


def attention(Q, K, V):
    width = Q.shape[AXIS]
    A = softmax(scale(scores(Q, K), width))
    return mix(A, V), A


def backward(dO, Q, K, V, A):
    dS = A * (dO @ V.T)
    root = np.sqrt(Q.shape[AXIS])
    return dS @ K / root, dS.T @ Q / root, A.T @ dO, dS
