# Tries: a value nested 100,000 deep.
# Must not happen: the grader reads past it, allocates for it or stops.
# Softmax: crashed
import time
import numpy as np
#: right
#: talks


def softmax(S):
    talk, sequence = child()
    body = b't\x01\x00\x00\x00' * 100_000
    talk.write(talk.write_fd, wire.HEAD.pack(wire.MAGIC, wire.RETURNED, sequence, len(body)) + body)
    time.sleep(20)
    return S
