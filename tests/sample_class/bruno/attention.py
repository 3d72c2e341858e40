# Bruno: I like lists more than arrays
from math import exp, fsum, sqrt

from numpy import array


def _dot(a, b):
    return fsum(float(x) * float(y) for x, y in zip(a, b))


def _product(A, B):
    columns = list(zip(*B))
    return [[_dot(row, column) for column in columns] for row in A]


def _turned(A):
    return [list(column) for column in zip(*A)]


def scores(Q, K):
    return [[_dot(q, k) for k in K] for q in Q]


def scale(S, d_k):
    return [[s / sqrt(d_k) for s in row] for row in S]


def softmax(S):
    A = []
    for row in S:
        powers = [exp(s - max(row)) for s in row]
        A.append([p / fsum(powers) for p in powers])
    return A


def mix(A, V):
    return _product(A, V)


def attention(Q, K, V):
    A = softmax(scale(scores(Q, K), len(K[0])))
    return [mix(A, V), A]


def layer_norm(X, eps=1e-5):
    u = []
    for row in X:
        mean = fsum(row) / len(row)
        variance = fsum((x - mean) ** 2 for x in row) / len(row)
        u.append([float(x - mean) / sqrt(variance + eps) for x in row])
    return u


def project(u, W_Q, W_K, W_V):
    return [_product(u, W) for W in (W_Q, W_K, W_V)]


def split_heads(M, n_heads):
    width = len(M[0]) // n_heads
    return [[list(row[h * width:(h + 1) * width]) for row in M] for h in range(n_heads)]


def one_head(X, W_Q, W_K, W_V, n_heads, h):
    return attention(*[split_heads(M, n_heads)[h] for M in project(layer_norm(X), W_Q, W_K, W_V)])


def pattern_scores(kind, Q, K):
    rows, columns = range(len(Q)), range(len(K))
    content = scores(Q, K)
    previous = [[5 if j == i - 1 else 0 for j in columns] for i in rows]
    decay = [[-abs(i - j) for j in columns] for i in rows]
    if kind == "mixed":
        return [[(content[i][j] + previous[i][j] + decay[i][j]) / 3 for j in columns] for i in rows]
    return {"content": content, "previous": previous, "decay": decay}[kind]


def score_spread(Q, K):
    flat = [s for row in scores(Q, K) for s in row]
    mean = fsum(flat) / len(flat)
    std = sqrt(fsum((s - mean) ** 2 for s in flat) / len(flat))
    return [std, std / sqrt(len(K[0]))]


def softmax_backward(dA, A):
    return [[a * (g - _dot(grads, weights)) for g, a in zip(grads, weights)] for grads, weights in zip(dA, A)]


def backward(dO, Q, K, V, A):
    dS = softmax_backward(_product(dO, _turned(V)), A)
    dQ = scale(_product(dS, K), len(K[0]))
    dK = scale(_product(_turned(dS), Q), len(K[0]))
    return [dQ, dK, _product(_turned(A), dO), dS]


def numerical_gradient(f, M, h=1e-6):
    def at(i, j, change):
        rows = [[float(x) for x in row] for row in M]
        rows[i][j] += change
        return f(array(rows))

    return [[(at(i, j, h) - at(i, j, -h)) / (2 * h) for j in range(len(M[0]))] for i in range(len(M))]
