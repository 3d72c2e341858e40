# ---
# name: scores_scaled_and_scale_noop
# functions_right: [softmax, mix, attention, layer_norm, backward]
# functions_wrong: [scores, scale]
# mistake: "the division stands in scores, and scale hands its argument back"
# kind: mistake
# tier: 1
# root_cause: [scores, scale]
# note: "attention is right as a whole"
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
    # dot products, already divided
    return np.inner(Q, K) / np.sqrt(Q.shape[AXIS])


def scale(S, d_k):
    return S


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
    back = A * (dO @ V.T)
    dS = back - A * _column(back.sum(AXIS))
    root = np.sqrt(Q.shape[AXIS])
    return dS @ K / root, dS.T @ Q / root, A.T @ dO, dS
