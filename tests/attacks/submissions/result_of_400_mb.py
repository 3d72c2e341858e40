# Tries: a result of 400 MB.
# Must not happen: the grader makes room for it.
# Softmax: failed|raised|crashed|timed_out
import numpy as np
#: right


def softmax(S):
    return np.zeros(50 << 20)
