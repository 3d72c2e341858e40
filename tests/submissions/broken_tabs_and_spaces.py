# ---
# name: broken_tabs_and_spaces
# functions_right: []
# functions_wrong: [scores, scale, softmax, mix, attention, layer_norm, project, split_heads, one_head, pattern_scores, score_spread, softmax_backward, backward, numerical_gradient]
# mistake: "one line is indented with a tab, its neighbours with spaces: TabError"
# kind: broken-file
# tier: 1
# right_if_repaired: [scores, scale, softmax, mix, attention, layer_norm, project, split_heads, one_head, pattern_scores, score_spread, softmax_backward, backward, numerical_gradient]
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
    n, d = X.shape
    mu = X.mean(axis=1).reshape(n, 1)
    sigma2 = X.var(axis=1).reshape(n, 1)
    return (X - mu) / np.sqrt(sigma2 + eps)


def project(u, W_Q, W_K, W_V):
    return u @ W_Q, u @ W_K, u @ W_V


def split_heads(M, n_heads):
    n, d = M.shape
    assert d % n_heads == 0
    breite = d // n_heads
    koepfe = []
    for h in range(n_heads):
        koepfe.append(M[:, h * breite:(h + 1) * breite])
    return np.stack(koepfe, axis=0)


def one_head(X, W_Q, W_K, W_V, n_heads, h):
    u = layer_norm(X)               # zuerst normieren
    Q, K, V = project(u, W_Q, W_K, W_V)
    Qh, Kh, Vh = [split_heads(M, n_heads)[h] for M in (Q, K, V)]
    return attention(Qh, Kh, Vh)


def pattern_scores(kind, Q, K):
    i, j = np.meshgrid(np.arange(len(Q)), np.arange(len(K)), indexing="ij")
    if kind == "content":
        return Q @ K.T
    if kind == "previous":
        S = np.zeros(i.shape)
        S[j == i - 1] = 5
	return S
    if kind == "decay":
        return -abs(i - j)
    # mixed: Mittel der drei
    alle = [pattern_scores(art, Q, K) for art in ["content", "previous", "decay"]]
    return np.mean(alle, axis=0)


def score_spread(Q, K):
    S = scores(Q, K)
    roh = S.std()
    skaliert = scale(S, Q.shape[1]).std()
    return roh, skaliert


def softmax_backward(dA, A):
    zeilensumme = (dA * A).sum(axis=1, keepdims=True)
    return A * (dA - zeilensumme)


def backward(dO, Q, K, V, A):
    wurzel = np.sqrt(Q.shape[1])
    dV = A.T @ dO                   # (n_k, d_v)
    dA = dO @ V.T                   # (n_q, n_k)
    dS = A * (dA - (dA * A).sum(axis=1, keepdims=True))
    dQ = dS @ K / wurzel            # (n_q, d_k)
    dK = dS.T @ Q / wurzel          # (n_k, d_k)
    return dQ, dK, dV, dS


def numerical_gradient(f, M, h=1e-6):
    grad = np.zeros(M.shape)
    for stelle in np.ndindex(*M.shape):
        oben = np.array(M, dtype=float)
        unten = np.array(M, dtype=float)
        oben[stelle] += h
        unten[stelle] -= h
        grad[stelle] = (f(oben) - f(unten)) / (2 * h)
    return grad
