# ---
# name: ok_walrus_and_match
# functions_right: [scores, scale, softmax, mix, attention, layer_norm, project, split_heads, one_head, pattern_scores, score_spread, softmax_backward, backward, numerical_gradient]
# functions_wrong: []
# mistake: "none: walrus, match, star expressions, dict unions"
# kind: quirk-correct
# tier: 2
# note: "positional-only parameters"
# ---
import numpy as np


def scores(Q, K, /):
    return (Q[:, None] * K).sum(-1)


def scale(S, d_k, /):
    return S * (1 / np.sqrt(d_k))


def softmax(S, /):
    return (E := np.exp(S - S.max(1, keepdims=True))) / E.sum(1, keepdims=True)


def mix(A, V, /):
    return (A[..., None] * V).sum(axis=1)


def attention(Q, K, V, /):
    return mix(A := softmax(scale(scores(Q, K), K.shape[1])), V), A


def layer_norm(X, /, eps=1e-5):
    return (C := X - X.mean(1, keepdims=True)) / np.sqrt(np.square(C).mean(1, keepdims=True) + eps)


def project(u, /, *Ws):
    return *(u @ W for W in Ws),


def split_heads(M, n_heads, /):
    return np.moveaxis(M.reshape(*M.shape[:1], n_heads, -1), 1, 0)


def one_head(X, /, *rest):
    *Ws, n_heads, h = rest
    return attention(*[split_heads(M, n_heads)[h] for M in project(layer_norm(X), *Ws)])


def pattern_scores(kind, Q, K, /):
    gap = np.arange(len(Q))[:, None] - np.arange(len(K))
    match kind:
        case "content":
            return scores(Q, K)
        case "previous":
            return np.where(gap == 1, 5.0, 0.0)
        case "decay":
            return -abs(gap) + 0.0
        case "mixed" | "mean":
            return sum(pattern_scores(k, Q, K) for k in ("content", "previous", "decay")) / 3
        case _:
            raise ValueError(f"{kind=}")


def score_spread(Q, K, /):
    return (s := float(scores(Q, K).std())), s / K.shape[1] ** 0.5


def softmax_backward(dA, A, /):
    return (G := A * dA) - A * G.sum(1, keepdims=True)


def backward(dO, Q, K, V, A, /):
    match K.shape:
        case (_, d_k):
            dS = softmax_backward(dO @ V.T, A)
            return scale(dS @ K, d_k), scale(dS.T @ Q, d_k), A.T @ dO, dS


def numerical_gradient(f, M, /, h=1e-6):
    grad = {}
    for at, value in np.ndenumerate(M):
        grad |= {at: (f(_with(M, at, value + h)) - f(_with(M, at, value - h))) / (2 * h)}
    return np.array([*grad.values()]).reshape(M.shape)


def _with(M, at, value):
    (copy := np.array(M, dtype=float))[at] = value
    return copy
