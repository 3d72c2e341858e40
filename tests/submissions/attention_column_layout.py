# ---
# name: attention_column_layout
# functions_right: [scale]
# functions_wrong: [scores, softmax, mix, attention, layer_norm, backward]
# mistake: "tokens in columns throughout: K^T Q, softmax down the columns, V A"
# kind: mistake
# tier: 2
# root_cause: [scores, softmax, mix, attention, layer_norm, backward]
# note: "another convention, consistent in itself; wrong here, where rows are tokens"
# ---
import numpy as np


def scores(Q, K):
    # columns are tokens
    return K.T @ Q


def scale(S, d_k):
    return S * d_k ** -0.5


def softmax(S):
    w = np.exp(S - S.max(axis=0))
    return w / w.sum(axis=0)


def mix(A, V):
    return V @ A


def attention(Q, K, V):
    A = softmax(scale(scores(Q, K), K.shape[0]))
    return mix(A, V), A


def layer_norm(X, eps=1e-5):
    return (X - X.mean(axis=0)) / np.sqrt(X.var(axis=0) + eps)


def backward(dO, Q, K, V, A):
    dV = dO @ A.T
    dA = V.T @ dO
    dS = A * (dA - (dA * A).sum(axis=0))
    root = np.sqrt(K.shape[0])
    return K @ dS / root, Q @ dS.T / root, dV, dS
