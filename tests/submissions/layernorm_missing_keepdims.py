# ---
# name: layernorm_missing_keepdims
# functions_right: [scores, scale, softmax, mix, attention, backward]
# functions_wrong: [layer_norm]
# mistake: "row means as a flat vector"
# kind: mistake
# tier: 2
# root_cause: [layer_norm]
# ---
# Uebung 3, Gruppe 7
import numpy as np


def scores(Q, K):
    assert Q.shape[1] == K.shape[1]
    S = Q @ K.T                     # (n_q, n_k)
    assert S.shape == (len(Q), len(K))
    return S


def scale(S, d_k):
    return S / d_k ** 0.5           # Wurzel der Breite


def softmax(S):
    e = np.exp(S - S.max(axis=1, keepdims=True))    # kein Ueberlauf
    A = e / e.sum(axis=1, keepdims=True)
    assert A.shape == S.shape
    return A


def mix(A, V):
    assert A.shape[1] == V.shape[0]
    return A @ V


def attention(Q, K, V):
    S = scores(Q, K)
    A = softmax(scale(S, Q.shape[1]))
    return mix(A, V), A             # erst die Ausgabe, dann die Gewichte


def layer_norm(X, eps=1e-5):
    mu = X.mean(axis=1)
    sigma2 = X.var(axis=1)
    return (X - mu) / np.sqrt(sigma2 + eps)


def backward(dO, Q, K, V, A):
    wurzel = np.sqrt(Q.shape[1])
    dV = A.T @ dO                   # (n_k, d_v)
    dA = dO @ V.T                   # (n_q, n_k)
    dS = A * (dA - (dA * A).sum(axis=1, keepdims=True))
    dQ = dS @ K / wurzel            # (n_q, d_k)
    dK = dS.T @ Q / wurzel          # (n_k, d_k)
    return dQ, dK, dV, dS
