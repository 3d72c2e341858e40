# ---
# name: layernorm_divides_by_variance
# functions_right: [scores, scale, softmax, mix, attention, project, split_heads, pattern_scores, score_spread, softmax_backward, backward, numerical_gradient]
# functions_wrong: [layer_norm, one_head]
# mistake: "the root is missing"
# kind: mistake
# tier: 2
# root_cause: [layer_norm]
# ---
import math

import numpy as np


def scores(Q, K):
    S = np.zeros((len(Q), len(K)))
    for i, q in enumerate(Q):
        for j, k in enumerate(K):
            S[i, j] = sum(a * b for a, b in zip(q, k))
    return S


def scale(S, d_k):
    out = np.zeros(S.shape)
    for i in range(S.shape[0]):
        for j in range(S.shape[1]):
            out[i, j] = S[i, j] / math.sqrt(d_k)
    return out


def softmax(S):
    A = np.zeros(S.shape)
    for i in range(S.shape[0]):
        top = max(S[i])
        powers = [math.exp(s - top) for s in S[i]]
        total = sum(powers)
        for j in range(S.shape[1]):
            A[i, j] = powers[j] / total
    return A


def mix(A, V):
    O = np.zeros((A.shape[0], V.shape[1]))
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            O[i] += A[i, j] * V[j]
    return O


def attention(Q, K, V):
    S = scores(Q, K)
    S = scale(S, len(K[0]))
    A = softmax(S)
    return mix(A, V), A


def layer_norm(X, eps=1e-5):
    out = np.zeros(X.shape)
    d = X.shape[1]
    for i in range(X.shape[0]):
        mean = sum(X[i]) / d
        var = sum((x - mean) ** 2 for x in X[i]) / d
        for j in range(d):
            out[i, j] = (X[i, j] - mean) / (var + eps)
    return out


def project(u, W_Q, W_K, W_V):
    results = []
    for W in [W_Q, W_K, W_V]:
        M = np.zeros((u.shape[0], W.shape[1]))
        for i in range(u.shape[0]):
            for j in range(W.shape[1]):
                M[i, j] = sum(u[i, c] * W[c, j] for c in range(u.shape[1]))
        results.append(M)
    return results[0], results[1], results[2]


def split_heads(M, n_heads):
    width = M.shape[1] // n_heads
    out = np.zeros((n_heads, M.shape[0], width))
    for head in range(n_heads):
        for i in range(M.shape[0]):
            for j in range(width):
                out[head, i, j] = M[i, head * width + j]
    return out


def one_head(X, W_Q, W_K, W_V, n_heads, h):
    u = layer_norm(X)
    Q, K, V = project(u, W_Q, W_K, W_V)
    Q = split_heads(Q, n_heads)
    K = split_heads(K, n_heads)
    V = split_heads(V, n_heads)
    return attention(Q[h], K[h], V[h])


def pattern_scores(kind, Q, K):
    S = np.zeros((len(Q), len(K)))
    C = scores(Q, K)
    for i in range(len(Q)):
        for j in range(len(K)):
            before = 5.0 if j == i - 1 else 0.0
            near = -float(abs(i - j))
            if kind == "content":
                S[i, j] = C[i, j]
            elif kind == "previous":
                S[i, j] = before
            elif kind == "decay":
                S[i, j] = near
            elif kind == "mixed":
                S[i, j] = (C[i, j] + before + near) / 3
    return S


def score_spread(Q, K):
    numbers = [float(x) for row in scores(Q, K) for x in row]
    mean = sum(numbers) / len(numbers)
    std = math.sqrt(sum((x - mean) ** 2 for x in numbers) / len(numbers))
    return std, std / math.sqrt(len(K[0]))


def softmax_backward(dA, A):
    dS = np.zeros(A.shape)
    for i in range(A.shape[0]):
        total = 0.0
        for k in range(A.shape[1]):
            total += dA[i, k] * A[i, k]
        for j in range(A.shape[1]):
            dS[i, j] = A[i, j] * (dA[i, j] - total)
    return dS


def backward(dO, Q, K, V, A):
    root = math.sqrt(len(K[0]))
    dQ = np.zeros(Q.shape)
    dK = np.zeros(K.shape)
    dV = np.zeros(V.shape)
    dA = np.zeros(A.shape)
    for i in range(len(Q)):
        for j in range(len(K)):
            dV[j] += A[i, j] * dO[i]
            dA[i, j] = sum(dO[i] * V[j])
    dS = softmax_backward(dA, A)
    for i in range(len(Q)):
        for j in range(len(K)):
            dQ[i] += dS[i, j] * K[j] / root
            dK[j] += dS[i, j] * Q[i] / root
    return dQ, dK, dV, dS


def numerical_gradient(f, M, h=1e-6):
    grad = np.zeros(M.shape)
    for i in range(M.shape[0]):
        for j in range(M.shape[1]):
            plus = [[float(x) for x in row] for row in M]
            minus = [[float(x) for x in row] for row in M]
            plus[i][j] += h
            minus[i][j] -= h
            grad[i, j] = (f(np.array(plus)) - f(np.array(minus))) / (2 * h)
    return grad
