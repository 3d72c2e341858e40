# Tries: empty arrays whose other sides are huge, alone and in lists and tuples.
# Must not happen: the grader's own arithmetic fails on them and gives the marks.
# Softmax: failed
# Wrong: scores scale softmax mix attention numerical_gradient
# Others: any
import numpy as np
#: right


def bad(*arguments):
    return np.zeros((2**31, 2**31 - 1, 0), dtype=bool)


def scores(Q, K):
    return (np.zeros((2**31, 2**28, 0)),) * 8


def attention(Q, K, V):
    return [np.zeros((2**31, 2**28, 0))] * 16, (np.zeros((0, 2**30, 2**30)),) * 16


scale = softmax = mix = numerical_gradient = bad
