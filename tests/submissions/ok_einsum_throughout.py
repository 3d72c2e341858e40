# ---
# name: ok_einsum_throughout
# functions_right: [scores, scale, softmax, mix, attention, layer_norm, project, split_heads, one_head, pattern_scores, score_spread, softmax_backward, backward, numerical_gradient]
# functions_wrong: []
# mistake: "none: one einsum a line, even for the head split"
# kind: quirk-correct
# tier: 1
# ---
import numpy as np

es = np.einsum


def scores(Q, K):
    return es("ia,ja->ij", Q, K)


def scale(S, d_k):
    return es("ij,->ij", S, d_k ** -0.5)


def softmax(S):
    E = np.exp(S - S.max(-1, keepdims=True))
    return es("ij,i->ij", E, 1 / es("ij->i", E))


def mix(A, V):
    return es("ij,jb->ib", A, V)


def attention(Q, K, V):
    A = softmax(scale(scores(Q, K), Q.shape[1]))
    return mix(A, V), A


def layer_norm(X, eps=1e-5):
    d = X.shape[1]
    Z = X - es("ia->i", X)[:, None] / d
    return es("ia,i->ia", Z, (es("ia,ia->i", Z, Z) / d + eps) ** -0.5)


def project(u, W_Q, W_K, W_V):
    return es("ia,ab->ib", u, W_Q), es("ia,ab->ib", u, W_K), es("ia,ab->ib", u, W_V)


def split_heads(M, n_heads):
    return es("nhw->hnw", M.reshape(len(M), n_heads, -1))


def one_head(X, W_Q, W_K, W_V, n_heads, h):
    Q, K, V = project(layer_norm(X), W_Q, W_K, W_V)
    return attention(split_heads(Q, n_heads)[h], split_heads(K, n_heads)[h], split_heads(V, n_heads)[h])


def pattern_scores(kind, Q, K):
    gap = np.arange(len(Q))[:, None] - np.arange(len(K))
    every = np.stack([scores(Q, K), np.where(gap == 1, 5.0, 0.0), -1.0 * abs(gap)])
    take = {"content": [1, 0, 0], "previous": [0, 1, 0], "decay": [0, 0, 1], "mixed": [1 / 3, 1 / 3, 1 / 3]}
    return es("p,pij->ij", take[kind], every)


def score_spread(Q, K):
    S = scores(Q, K)
    c = S - S.mean()
    std = (es("ij,ij", c, c) / c.size) ** 0.5
    return std, std * Q.shape[1] ** -0.5


def softmax_backward(dA, A):
    return A * dA - es("ij,ik,ik->ij", A, A, dA)


def backward(dO, Q, K, V, A):
    dS = softmax_backward(es("ib,jb->ij", dO, V), A)
    r = Q.shape[1] ** -0.5
    return es("ij,ja->ia", dS, K) * r, es("ij,ia->ja", dS, Q) * r, es("ij,ib->jb", A, dO), dS


def numerical_gradient(f, M, h=1e-6):
    basis = np.eye(M.size).reshape(M.size, *M.shape)
    return np.array([f(M + h * E) - f(M - h * E) for E in basis]).reshape(M.shape) / (2 * h)
