# Tries: a header with another magic, kind and number.
# Must not happen: the grader reads past it, allocates for it or stops.
# Softmax: crashed
import time
import numpy as np
#: right
#: talks


def softmax(S):
    talk, sequence = child()
    talk.write(talk.write_fd, wire.HEAD.pack(b'EVIL', 255, sequence + 7, 1))
    time.sleep(20)
    return S
