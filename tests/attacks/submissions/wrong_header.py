# Tries: a header with another magic, kind and number.
# Must not happen: the grader reads past it, allocates for it or stops.
# Softmax: crashed
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
    talk.write(talk.write_fd, wire.HEAD.pack(b'EVIL', 255, sequence + 7, 1))
    time.sleep(20)
    return S
