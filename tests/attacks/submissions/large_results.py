# Tries: 60 MB in the answer of every call, to fill the grader's memory.
# Must not happen: the grader keeps them all.
# Softmax: failed|timed_out
import time
import numpy as np
#: right
#: talks


def softmax(S):
    return np.ones((7 << 20,))
