# Tries: the reply of its own call, written before it returns.
# Must not happen: it gains marks, or a later call is answered by what is left over.
# Softmax: failed|partly|crashed
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
    talk.send(wire.pack(wire.RETURNED, sequence, np.zeros(S.shape), (), wire.Text(""), ()))
    return S
