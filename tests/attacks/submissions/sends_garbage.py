# Tries: bytes that are no frame.
# Must not happen: the grader reads past it, allocates for it or stops.
# Softmax: crashed
import time
import numpy as np
#: right
#: talks


def softmax(S):
    talk, sequence = child()
    talk.write(talk.write_fd, b'\x00garbage' * 10_000)
    time.sleep(20)
    return S
