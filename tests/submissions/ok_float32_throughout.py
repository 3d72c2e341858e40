# ---
# name: ok_float32_throughout
# functions_right: [scores, scale, softmax, mix, attention, layer_norm, project, split_heads, one_head, pattern_scores, score_spread, softmax_backward, backward, numerical_gradient]
# functions_wrong: []
# mistake: "none: every result is float32; sums that need it are taken in float64 first"
# kind: quirk-correct
# tier: 1
# note: "needs a tolerance no tighter than about 1e-5"
# ---
import numpy as np

F = np.float32


def scores(Q, K):
    return F(Q) @ F(K).T


def scale(S, d_k):
    return F(S) / F(np.sqrt(d_k))


def softmax(S):
    S = F(S)
    S = np.exp(S - S.max(axis=1, keepdims=True))
    return S / S.sum(axis=1, keepdims=True)


def mix(A, V):
    return F(A) @ F(V)


def attention(Q, K, V):
    S = Q @ K.T / np.sqrt(K.shape[1])
    A = softmax(S - S.max(axis=1, keepdims=True))       # great scores lose digits in float32, so shift first
    return mix(A, V), A


def layer_norm(X, eps=1e-5):
    X = X - X.mean(axis=1, keepdims=True)       # before the cast: a large offset would eat the digits
    return F(X / np.sqrt((X ** 2).mean(axis=1, keepdims=True) + eps))


def project(u, W_Q, W_K, W_V):
    return F(u @ W_Q), F(u @ W_K), F(u @ W_V)


def split_heads(M, n_heads):
    return np.stack(np.hsplit(F(M), n_heads))


def one_head(X, W_Q, W_K, W_V, n_heads, h):
    u = layer_norm(X).astype(float)
    w = u.shape[1] // n_heads
    q, k, v = [(u @ W)[:, h * w:h * w + w] for W in (W_Q, W_K, W_V)]
    s = q @ k.T / np.sqrt(w)
    A = np.exp(s - s.max(axis=1, keepdims=True))
    A /= A.sum(axis=1, keepdims=True)
    return F(A @ v), F(A)


def pattern_scores(kind, Q, K):
    i, j = np.mgrid[:len(Q), :len(K)]
    parts = [F(Q @ K.T), F(5 * (i - j == 1)), F(-abs(i - j))]
    if kind == "mixed":
        return np.mean(parts, axis=0, dtype=F)
    return parts[["content", "previous", "decay"].index(kind)]


def score_spread(Q, K):
    raw = (Q @ K.T).std()
    return F(raw), F(raw / np.sqrt(K.shape[1]))


def softmax_backward(dA, A):
    g = dA * A
    return F(g - A * g.sum(axis=1, keepdims=True))


def backward(dO, Q, K, V, A):
    dS = A * (dO @ V.T)
    dS = dS - A * dS.sum(axis=1, keepdims=True)
    r = np.sqrt(K.shape[1])
    return F(dS @ K / r), F(dS.T @ Q / r), F(A.T @ dO), F(dS)


def numerical_gradient(f, M, h=1e-6):
    M = np.asarray(M, dtype=float)
    G = np.zeros(M.shape, dtype=F)
    for at in np.ndindex(M.shape):
        E = np.zeros(M.shape)
        E[at] = h
        G[at] = (f(M + E) - f(M - E)) / (2 * h)
    return G
