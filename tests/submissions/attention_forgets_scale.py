# ---
# name: attention_forgets_scale
# functions_right: [scores, scale, softmax, mix, layer_norm, backward]
# functions_wrong: [attention]
# mistake: "no division on the way"
# kind: mistake
# tier: 1
# root_cause: [attention]
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
    A = softmax(scores(Q, K))
    return mix(A, V), A


def backward(dO, Q, K, V, A):
    back = A * (dO @ V.T)
    dS = back - A * _column(back.sum(AXIS))
    root = np.sqrt(Q.shape[AXIS])
    return dS @ K / root, dS.T @ Q / root, A.T @ dO, dS
