# Tries: one loop in C that never lets another thread run, of bounded length.
# Must not happen: the call lasts longer than its time.
# Softmax: timed_out
from collections import deque
from itertools import repeat
#: right


def softmax(S):
    deque(repeat(0, 3 * 10**9), maxlen=0)
    return S
