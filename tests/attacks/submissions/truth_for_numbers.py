# Tries: arrays of truth values, complex numbers and nothing, of the right shape, in every exercise that rests on another.
# Must not happen: the grader's own arithmetic fails on them and gives the marks.
# Softmax: failed|partly
# Wrong: softmax mix attention
# Others: any
import numpy as np
#: right


def softmax(S):
    return S > 0


def mix(A, V):
    return np.zeros((len(A), V.shape[1]), complex) + 1j


def attention(Q, K, V):
    return np.ones((len(Q), V.shape[1]), bool), np.zeros((0, len(Q), len(K)))
