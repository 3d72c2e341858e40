"""The reference functions of the assignment `qkv`: attention by hand, forwards and backwards.

Each function is written with the earlier ones, in the order of the exercises. A matrix has one row per
token, and may hold whole numbers: nothing here writes a result into an array of its argument's type, and
no argument is changed. The values on the way have names of their own (S, A, dA, …), because the feedback
compares a submission's lines with them.
"""

from collections.abc import Callable

import numpy as np


def scores(Q: np.ndarray, K: np.ndarray) -> np.ndarray:
    """Return the raw dot product of every query with every key.

    Q: (n_q, d_k), K: (n_k, d_k). Returns S: (n_q, n_k), a row per query and a column per key.
    """
    return Q @ K.T


def scale(S: np.ndarray, d_k: int) -> np.ndarray:
    """Return the scores in the spread that they would have at a key width of 1.

    S: (n_q, n_k), d_k: the number of columns of the keys. Returns (n_q, n_k).
    """
    # A sum of d_k independent products of variance 1 has variance d_k, so its deviation is the root of it.
    return S / np.sqrt(d_k)


def softmax(S: np.ndarray) -> np.ndarray:
    """Return the scores as weights: every row is a distribution, finite for any finite scores.

    S: (n_q, n_k). Returns A: (n_q, n_k).
    """
    # A constant taken off a whole row cancels in the division; with the maximum no exponential exceeds 1.
    shifted = S - np.max(S, axis=1, keepdims=True)
    exponentials = np.exp(shifted)
    return exponentials / np.sum(exponentials, axis=1, keepdims=True)


def mix(A: np.ndarray, V: np.ndarray) -> np.ndarray:
    """Return the weighted average of the values, one for each query.

    A: (n_q, n_k), V: (n_k, d_v). Returns O: (n_q, d_v).
    """
    return A @ V


def attention(Q: np.ndarray, K: np.ndarray, V: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the output of attention and the weights that made it.

    Q: (n_q, d_k), K: (n_k, d_k), V: (n_k, d_v). Returns O: (n_q, d_v) and A: (n_q, n_k).
    """
    S = scores(Q, K)
    scaled = scale(S, K.shape[1])
    A = softmax(scaled)
    O = mix(A, V)  # noqa: E741 (the name that the formulas use)
    return O, A


def layer_norm(X: np.ndarray, eps: float = 1e-5) -> np.ndarray:
    """Return every row with mean 0 and, but for eps, deviation 1.

    X: (n, d). Returns u: (n, d). A constant row becomes zeros.
    """
    mean = np.mean(X, axis=1, keepdims=True)
    # The variance is taken of the centred row: as a difference of two large means it would cancel.
    centred = X - mean
    variance = np.mean(centred**2, axis=1, keepdims=True)
    return centred / np.sqrt(variance + eps)


def project(
    u: np.ndarray, W_Q: np.ndarray, W_K: np.ndarray, W_V: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the queries, keys and values of the same tokens.

    u: (n, d), W_Q and W_K: (d, d_k), W_V: (d, d_v). Returns Q: (n, d_k), K: (n, d_k), V: (n, d_v).
    """
    Q = u @ W_Q
    K = u @ W_K
    V = u @ W_V
    return Q, K, V


def split_heads(M: np.ndarray, n_heads: int) -> np.ndarray:
    """Return the columns of M as n_heads neighbouring bars of equal width.

    M: (n, d), n_heads: a divisor of d. Returns (n_heads, n, d / n_heads); head h is the bar h, from 0.
    """
    n, d = M.shape
    # Reshaping keeps the reading order, so the cut must fall within a row; only then may heads come first.
    cut = M.reshape(n, n_heads, d // n_heads)
    return cut.transpose(1, 0, 2)


def one_head(
    X: np.ndarray, W_Q: np.ndarray, W_K: np.ndarray, W_V: np.ndarray, n_heads: int, h: int
) -> tuple[np.ndarray, np.ndarray]:
    """Return output and weights of head h, from the tokens as they come in.

    X: (n, d), W_Q, W_K, W_V: (d, d), h: from 0. Returns O: (n, d / n_heads) and A: (n, n).
    """
    u = layer_norm(X)
    Q, K, V = project(u, W_Q, W_K, W_V)
    Q_h = split_heads(Q, n_heads)[h]
    K_h = split_heads(K, n_heads)[h]
    V_h = split_heads(V, n_heads)[h]
    return attention(Q_h, K_h, V_h)


def pattern_scores(kind: str, Q: np.ndarray, K: np.ndarray) -> np.ndarray:
    """Return the scores of a kind of head: "content", "previous", "decay", or "mixed", the mean of the three.

    Q: (n_q, d_k), K: (n_k, d_k). Returns S: (n_q, n_k). "previous" is 5 at the token one back and 0
    elsewhere; "decay" is the negative distance between the two places. ValueError for any other kind.
    """
    i = np.arange(len(Q))[:, np.newaxis]
    j = np.arange(len(K))[np.newaxis, :]
    if kind == "content":
        return scores(Q, K)
    if kind == "previous":
        return np.where(j == i - 1, 5.0, 0.0)
    if kind == "decay":
        return 0.0 - np.abs(i - j)  # from 0.0, so that the diagonal is 0 and not -0
    if kind == "mixed":
        content, previous, decay = (pattern_scores(part, Q, K) for part in ("content", "previous", "decay"))
        return (content + previous + decay) / 3
    raise ValueError(f"unknown kind of head {kind!r}; known: content, previous, decay, mixed")


def score_spread(Q: np.ndarray, K: np.ndarray) -> tuple[float, float]:
    """Return the population standard deviation of all raw scores and that of all scaled ones.

    Q: (n_q, d_k), K: (n_k, d_k).
    """
    S = scores(Q, K)
    scaled = scale(S, K.shape[1])
    return float(np.std(S)), float(np.std(scaled))


def softmax_backward(dA: np.ndarray, A: np.ndarray) -> np.ndarray:
    """Return the gradient at the scores, from the gradient at the weights.

    dA, A: (n_q, n_k). Returns dS: (n_q, n_k), where every row sums to 0.
    """
    # The Jacobian of one row is diag(a) − a aᵀ; its product with the gradient needs no matrix.
    weighted = dA * A
    return A * (dA - np.sum(weighted, axis=1, keepdims=True))


def backward(
    dO: np.ndarray, Q: np.ndarray, K: np.ndarray, V: np.ndarray, A: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Return the gradients at the queries, the keys, the values and the scaled scores.

    dO: (n_q, d_v), Q: (n_q, d_k), K: (n_k, d_k), V: (n_k, d_v), A: (n_q, n_k), the weights of Q and K.
    Returns dQ, dK, dV and dS, each in the shape of what it is the gradient of.
    """
    dV = A.T @ dO
    dA = dO @ V.T
    dS = softmax_backward(dA, A)
    # dS lies behind the division, so what goes on to Q and K passes that division too.
    dQ = scale(dS @ K, K.shape[1])
    dK = scale(dS.T @ Q, K.shape[1])
    return dQ, dK, dV, dS


def numerical_gradient(f: Callable[[np.ndarray], float], M: np.ndarray, h: float = 1e-6) -> np.ndarray:
    """Return the gradient of f at M by central differences, one entry at a time.

    f takes an array of M's shape and returns a float; M may hold whole numbers and is left as it was.
    """
    moved = np.array(M, dtype=float)  # a copy that can hold a step of h
    gradient = np.zeros(moved.shape)
    for place in np.ndindex(moved.shape):
        here = moved[place]
        moved[place] = here + h
        above = f(moved)
        moved[place] = here - h
        below = f(moved)
        moved[place] = here  # put back, not stepped back: here + h − h may differ from here
        gradient[place] = (above - below) / (2 * h)
    return gradient


def backward_by_differences(
    dO: np.ndarray, Q: np.ndarray, K: np.ndarray, V: np.ndarray, A: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Return what `backward` returns, from central differences of the forward pass alone.

    The loss is the sum of O ⊙ dO, whose gradient at O is dO. A is taken for the signature's sake: the
    differences make their own weights.
    """
    step = 1e-5
    scaled = scale(scores(Q, K), K.shape[1])
    dQ = numerical_gradient(lambda moved: float(np.sum(attention(moved, K, V)[0] * dO)), Q, step)
    dK = numerical_gradient(lambda moved: float(np.sum(attention(Q, moved, V)[0] * dO)), K, step)
    dV = numerical_gradient(lambda moved: float(np.sum(attention(Q, K, moved)[0] * dO)), V, step)
    dS = numerical_gradient(lambda moved: float(np.sum(mix(softmax(moved), V) * dO)), scaled, step)
    return dQ, dK, dV, dS
