# Tries: one frame that never ends, sent for up to 20 s.
# Must not happen: the grader reads longer than the call's time, or keeps it all.
# Softmax: crashed|timed_out
import time
import numpy as np
#: right
#: talks


def softmax(S):
    talk, sequence = child()
    talk.send(wire.HEAD.pack(wire.MAGIC, wire.RETURNED, sequence, 60 << 20))
    end = time.monotonic() + 20
    while time.monotonic() < end:
        talk.send(bytes(1 << 16))
    return S
