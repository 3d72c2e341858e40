# ---
# name: ok_one_class_many_objects
# functions_right: [scores, scale, softmax, mix, attention, layer_norm, project, split_heads, one_head, pattern_scores, score_spread, softmax_backward, backward, numerical_gradient]
# functions_wrong: []
# mistake: "none: an object a call, results kept as attributes and handed out"
# kind: quirk-correct
# tier: 2
# ---
import numpy as np


class Head:
    def __init__(self, Q, K, V=None):
        self.Q, self.K, self.V = Q, K, V
        self.width = K.shape[1]

    @property
    def raw(self):
        return self.Q @ self.K.T

    @property
    def scaled(self):
        return self.raw / np.sqrt(self.width)

    @property
    def weights(self):
        return Rows(self.scaled).shares()

    @property
    def output(self):
        return self.weights @ self.V


class Rows:
    def __init__(self, M):
        self.M = M

    def _each(self, values):
        return np.reshape(values, (-1, 1))

    def shares(self):
        grown = np.exp(self.M - self._each(self.M.max(axis=1)))
        return grown / self._each(grown.sum(axis=1))

    def standard(self, eps):
        gap = self.M - self._each(self.M.mean(axis=1))
        return gap / np.sqrt(self._each(np.mean(gap * gap, axis=1)) + eps)

    def centred_by(self, weights):
        return self.M - self._each((self.M * weights).sum(axis=1))


def scores(Q, K):
    return Head(Q, K).raw


def scale(S, d_k):
    return S / np.sqrt(d_k)


def softmax(S):
    return Rows(S).shares()


def mix(A, V):
    return A @ V


def attention(Q, K, V):
    head = Head(Q, K, V)
    return head.output, head.weights


def layer_norm(X, eps=1e-5):
    return Rows(X).standard(eps)


def project(u, W_Q, W_K, W_V):
    return u @ W_Q, u @ W_K, u @ W_V


def split_heads(M, n_heads):
    return np.stack(np.array_split(M, n_heads, axis=1))


def one_head(X, W_Q, W_K, W_V, n_heads, h):
    head = Head(*(split_heads(M, n_heads)[h] for M in project(layer_norm(X), W_Q, W_K, W_V)))
    return head.output, head.weights


class Pattern:
    def __init__(self, Q, K):
        self.head = Head(Q, K)
        self.gap = np.arange(len(Q)).reshape(-1, 1) - np.arange(len(K)).reshape(1, -1)

    def content(self):
        return self.head.raw

    def previous(self):
        return 5.0 * (self.gap == 1)

    def decay(self):
        return -1.0 * abs(self.gap)

    def mixed(self):
        return np.mean([self.content(), self.previous(), self.decay()], axis=0)


def pattern_scores(kind, Q, K):
    return getattr(Pattern(Q, K), kind)()


def score_spread(Q, K):
    head = Head(Q, K)
    return head.raw.std(), head.scaled.std()


def softmax_backward(dA, A):
    return A * Rows(dA).centred_by(A)


def backward(dO, Q, K, V, A):
    dS = softmax_backward(dO @ V.T, A)
    return scale(dS @ K, K.shape[1]), scale(dS.T @ Q, K.shape[1]), A.T @ dO, dS


def numerical_gradient(f, M, h=1e-6):
    steps = [np.zeros(M.shape) for _ in range(M.size)]
    for n, step in enumerate(steps):
        step.flat[n] = h
    return np.array([(f(M + s) - f(M - s)) / (2 * h) for s in steps]).reshape(M.shape)
