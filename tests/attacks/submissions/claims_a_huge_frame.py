# Tries: a frame that claims a body of 2**62 bytes.
# Must not happen: the grader reads past it, allocates for it or stops.
# Softmax: crashed
import time
import numpy as np
#: right
#: talks


def softmax(S):
    talk, sequence = child()
    talk.write(talk.write_fd, wire.HEAD.pack(wire.MAGIC, wire.RETURNED, sequence, 1 << 62))
    time.sleep(20)
    return S
