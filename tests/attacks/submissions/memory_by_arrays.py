# Tries: arrays of ones until 4 GB are full.
# Must not happen: the machine runs short of memory.
# Softmax: raised|crashed|timed_out
import numpy as np
#: right


def softmax(S):
    kept = [np.ones(64 << 20) for _ in range(8)]
    return np.full(S.shape, len(kept))
