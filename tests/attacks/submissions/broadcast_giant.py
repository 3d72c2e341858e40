# Tries: a result of one number that claims to be 2**40.
# Must not happen: the grader makes room for it.
# Softmax: failed|raised|crashed|timed_out
import numpy as np
#: right


def softmax(S):
    return np.broadcast_to(np.float64(0.25), (1 << 20, 1 << 20))
