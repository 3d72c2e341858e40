# Tries: one byte of a frame every 0.1 s.
# Must not happen: the call lasts longer than its time.
# Softmax: timed_out
import time
import numpy as np
#: right
#: talks


def softmax(S):
    talk, sequence = child()
    frame = wire.pack(wire.RETURNED, sequence, np.zeros(S.shape), (), wire.Text(""), ())
    for place in range(len(frame)):
        talk.send(frame[place : place + 1])
        time.sleep(0.1)
    return S
