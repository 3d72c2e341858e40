# Tries: an array whose shape claims 2**256 entries.
# Must not happen: the grader reads past it, allocates for it or stops.
# Softmax: crashed
import time
import numpy as np
#: right
#: talks


def softmax(S):
    talk, sequence = child()
    body = b'A' + bytes((11, 8, 0)) + b'\xff' * 32
    talk.write(talk.write_fd, wire.HEAD.pack(wire.MAGIC, wire.RETURNED, sequence, len(body)) + body)
    time.sleep(20)
    return S
