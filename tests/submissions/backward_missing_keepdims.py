# ---
# name: backward_missing_keepdims
# functions_right: [scores, scale, softmax, mix, attention, layer_norm]
# functions_wrong: [backward]
# mistake: "row sums without keepdims: an error unless square"
# kind: mistake
# tier: 2
# root_cause: [backward]
# ---
# Homework: Query, Key, Value

import numpy as np


# one number for each (query, key)
def scores(Q, K):
    KT = np.transpose(K)
    S = np.dot(Q, KT)
    return S


# so the softmax is not too sharp
def scale(S, d_k):
    root = np.sqrt(d_k)
    S_scaled = S / root
    return S_scaled


# first take off the max of the row (it does not change the result)
def softmax(S):
    row_max = np.max(S, axis=1, keepdims=True)
    e = np.exp(S - row_max)
    row_sum = np.sum(e, axis=1, keepdims=True)
    A = e / row_sum
    return A


# weighted average of the values
def mix(A, V):
    O = np.dot(A, V)
    return O


# everything together
def attention(Q, K, V):
    d_k = Q.shape[1]
    S = scores(Q, K)
    S = scale(S, d_k)
    A = softmax(S)
    O = mix(A, V)
    return O, A


# mean 0 and std 1 in each row
def layer_norm(X, eps=1e-5):
    mean = np.mean(X, axis=1, keepdims=True)
    var = np.var(X, axis=1, keepdims=True)
    u = (X - mean) / np.sqrt(var + eps)
    return u


# go back through mix, softmax, scale, scores
def backward(dO, Q, K, V, A):
    d_k = Q.shape[1]
    dV = np.dot(A.T, dO)
    dA = np.dot(dO, V.T)
    dS = A * (dA - np.sum(dA * A, axis=1))
    dQ = np.dot(dS, K) / np.sqrt(d_k)
    dK = np.dot(dS.T, Q) / np.sqrt(d_k)
    return dQ, dK, dV, dS
