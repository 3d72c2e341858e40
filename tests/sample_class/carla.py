# atencao.py (Carla)
import numpy as np


class Transformer:
    """Everything about one head."""

    PREVIOUS = 5.0

    @staticmethod
    def scores(Q, K):
        return Q @ K.T

    @staticmethod
    def scale(S, d_k):
        return S / np.sqrt(d_k)

    @staticmethod
    def softmax(S):
        E = np.exp(S - S.max(axis=1, keepdims=True))
        return E / E.sum(axis=1, keepdims=True)

    @classmethod
    def attention(cls, Q, K, V):
        A = cls.softmax(cls.scale(cls.scores(Q, K), Q.shape[1]))
        return A @ V, A

    @staticmethod
    def layer_norm(X, eps=1e-5):
        mu, var = X.mean(axis=1, keepdims=True), X.var(axis=1, keepdims=True)
        return (X - mu) / np.sqrt(var + eps)

    @staticmethod
    def split_heads(M, n_heads):
        return M.reshape(len(M), n_heads, -1).transpose(1, 0, 2)

    @classmethod
    def one_head(cls, X, W_Q, W_K, W_V, n_heads, h):
        u = cls.layer_norm(X)
        return cls.attention(*(cls.split_heads(u @ W, n_heads)[h] for W in (W_Q, W_K, W_V)))

    @classmethod
    def pattern_scores(cls, kind, Q, K):
        gap = np.arange(len(Q))[:, None] - np.arange(len(K))[None]
        content = cls.scores(Q, K)
        previous = cls.PREVIOUS * (gap == 1)
        decay = -np.abs(gap)
        mixed = (content + previous + decay) / 3
        return locals()[kind]

    @classmethod
    def score_spread(cls, Q, K):
        S = cls.scores(Q, K)
        return S.std(), cls.scale(S, Q.shape[1]).std()


class Backward:
    """Holds what the forward pass knew."""

    def __init__(self, Q, K, V, A):
        self.Q, self.K, self.V, self.A = Q, K, V, A
        self.root = np.sqrt(Q.shape[1])

    def through_softmax(self, dA):
        return self.A * (dA - (dA * self.A).sum(axis=1, keepdims=True))

    def __call__(self, dO):
        dS = self.through_softmax(dO @ self.V.T)
        return dS @ self.K / self.root, dS.T @ self.Q / self.root, self.A.T @ dO, dS


scores = Transformer.scores
scale = Transformer.scale
softmax = Transformer.softmax
mix = np.matmul
attention = Transformer.attention
layer_norm = Transformer.layer_norm
split_heads = Transformer.split_heads
one_head = Transformer.one_head
pattern_scores = Transformer.pattern_scores
score_spread = Transformer.score_spread


def project(u, W_Q, W_K, W_V):
    return u @ W_Q, u @ W_K, u @ W_V


def softmax_backward(dA, A):
    return Backward(np.ones((1, 1)), None, None, A).through_softmax(dA)


def backward(dO, Q, K, V, A):
    return Backward(Q, K, V, A)(dO)


def numerical_gradient(f, M, h=1e-6):
    up, down = np.zeros(M.shape), np.zeros(M.shape)
    for at in np.ndindex(M.shape):
        moved = np.array(M, float)
        moved[at] = M[at] + h
        up[at] = f(moved)
        moved[at] = M[at] - h
        down[at] = f(moved)
    return (up - down) / (2 * h)
