# Tries: a value nested 100,000 deep.
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
    body = b't\x01\x00\x00\x00' * 100_000
    talk.write(talk.write_fd, wire.HEAD.pack(wire.MAGIC, wire.RETURNED, sequence, len(body)) + body)
    time.sleep(20)
    return S
