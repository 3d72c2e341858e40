# ---
# name: scores_last_column_left_out
# functions_right: [scale, softmax, mix, layer_norm, project, split_heads, pattern_scores, score_spread, softmax_backward, backward, numerical_gradient]
# functions_wrong: [scores, attention, one_head]
# mistake: "range(d_k - 1): the last component never enters the sum"
# kind: mistake
# tier: 2
# root_cause: [scores]
# ---
# Homework: Query, Key, Value

import numpy as np


# one number for each (query, key)
def scores(Q, K):
    n_q, d_k = Q.shape
    n_k = K.shape[0]
    S = np.zeros((n_q, n_k))
    for c in range(d_k - 1):
        S += np.outer(Q[:, c], K[:, c])
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


# the three matrices are what is learned
def project(u, W_Q, W_K, W_V):
    Q = np.dot(u, W_Q)
    K = np.dot(u, W_K)
    V = np.dot(u, W_V)
    return Q, K, V


# cut the columns into n_heads blocks
def split_heads(M, n_heads):
    n, d = M.shape
    w = d // n_heads
    heads = np.zeros((n_heads, n, w))
    for i in range(n_heads):
        start = i * w
        heads[i] = M[:, start:start + w]
    return heads


# norm -> project -> cut -> attention
def one_head(X, W_Q, W_K, W_V, n_heads, h):
    u = layer_norm(X)
    Q, K, V = project(u, W_Q, W_K, W_V)
    w = Q.shape[1] // n_heads
    cols = slice(h * w, h * w + w)
    O, A = attention(Q[:, cols], K[:, cols], V[:, cols])
    return O, A


# four ways to look around
def pattern_scores(kind, Q, K):
    n_q = Q.shape[0]
    n_k = K.shape[0]
    content = np.dot(Q, K.T)
    previous = np.zeros((n_q, n_k))
    decay = np.zeros((n_q, n_k))
    for i in range(n_q):
        for j in range(n_k):
            if j == i - 1:
                previous[i, j] = 5
            decay[i, j] = -abs(i - j)
    if kind == "content":
        S = content
    elif kind == "previous":
        S = previous
    elif kind == "decay":
        S = decay
    else:
        S = (content + previous + decay) / 3
    return S


# std before and after the division
def score_spread(Q, K):
    S = np.dot(Q, K.T)
    before = np.std(S)
    after = np.std(S / np.sqrt(Q.shape[1]))
    return before, after


# dS = A * (dA - rowsum)
def softmax_backward(dA, A):
    rowsum = np.sum(dA * A, axis=1, keepdims=True)
    dS = A * (dA - rowsum)
    return dS


# go back through mix, softmax, scale, scores
def backward(dO, Q, K, V, A):
    d_k = Q.shape[1]
    dV = np.dot(A.T, dO)
    dA = np.dot(dO, V.T)
    rowsum = np.sum(dA * A, axis=1, keepdims=True)
    dS = A * (dA - rowsum)
    dQ = np.dot(dS, K) / np.sqrt(d_k)
    dK = np.dot(dS.T, Q) / np.sqrt(d_k)
    return dQ, dK, dV, dS


# wiggle every entry a little up and down
def numerical_gradient(f, M, h=1e-6):
    rows, cols = M.shape
    G = np.zeros((rows, cols))
    for r in range(rows):
        for c in range(cols):
            up = M.astype(float)
            down = M.astype(float)
            up[r, c] = up[r, c] + h
            down[r, c] = down[r, c] - h
            G[r, c] = (f(up) - f(down)) / (2 * h)
    return G
