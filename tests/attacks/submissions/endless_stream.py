# Tries: one frame that never ends, sent for up to 20 s.
# Must not happen: the grader reads longer than the call's time, or keeps it all.
# Softmax: crashed|timed_out
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
    talk.send(wire.HEAD.pack(wire.MAGIC, wire.RETURNED, sequence, 60 << 20))
    end = time.monotonic() + 20
    while time.monotonic() < end:
        talk.send(bytes(1 << 16))
    return S
