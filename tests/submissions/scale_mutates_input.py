# ---
# name: scale_mutates_input
# functions_right: [scores, softmax, mix, layer_norm, backward]
# functions_wrong: [scale, attention]
# mistake: "in-place division: the caller's scores change, whole numbers are refused"
# kind: mistake
# tier: 2
# root_cause: [scale]
# ---
# Uebung 3, Gruppe 7
import numpy as np


def scores(Q, K):
    assert Q.shape[1] == K.shape[1]
    S = Q @ K.T                     # (n_q, n_k)
    assert S.shape == (len(Q), len(K))
    return S


def scale(S, d_k):
    S /= np.sqrt(d_k)               # spart Speicher
    return S


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
    n, d = X.shape
    mu = X.mean(axis=1).reshape(n, 1)
    sigma2 = X.var(axis=1).reshape(n, 1)
    return (X - mu) / np.sqrt(sigma2 + eps)


def backward(dO, Q, K, V, A):
    wurzel = np.sqrt(Q.shape[1])
    dV = A.T @ dO                   # (n_k, d_v)
    dA = dO @ V.T                   # (n_q, n_k)
    dS = A * (dA - (dA * A).sum(axis=1, keepdims=True))
    dQ = dS @ K / wurzel            # (n_q, d_k)
    dK = dS.T @ Q / wurzel          # (n_k, d_k)
    return dQ, dK, dV, dS
