# Tries: one matrix product that takes a minute or so.
# Must not happen: the call lasts longer than its time.
# Softmax: timed_out
import numpy as np
#: right


def softmax(S):
    A = np.ones((4000, 4000))
    for _ in range(8):
        A = A @ A / 4000
    return A
