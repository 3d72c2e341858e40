# Tries: an array whose shape claims 2**256 entries.
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
    body = b'A' + bytes((11, 8, 0)) + b'\xff' * 32
    talk.write(talk.write_fd, wire.HEAD.pack(wire.MAGIC, wire.RETURNED, sequence, len(body)) + body)
    time.sleep(20)
    return S
