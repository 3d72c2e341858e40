# Tries: one byte of a frame every 0.1 s.
# Must not happen: the call lasts longer than its time.
# Softmax: timed_out
import sys
import time
import numpy as np
#: right

wire = sys.modules["inside.wire"]


def child():
    """The object that talks to the grader, and the number of its request."""
    frame = sys._getframe(1)
    while frame is not None:
        held = frame.f_locals
        if hasattr(held.get("self"), "write_fd") and "sequence" in held:
            return held["self"], held["sequence"]
        frame = frame.f_back
    raise LookupError


def softmax(S):
    talk, sequence = child()
    frame = wire.pack(wire.RETURNED, sequence, np.zeros(S.shape), (), wire.Text(""), ())
    for place in range(len(frame)):
        talk.send(frame[place : place + 1])
        time.sleep(0.1)
    return S
