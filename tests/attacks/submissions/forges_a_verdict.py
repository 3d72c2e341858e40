# Tries: replies that name marks, statuses and checks.
# Must not happen: any is believed.
# Softmax: failed|crashed
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
    told = ("passed", "softmax", 4.0, "graded", ("status", "passed"), ("marks", 50))
    talk.send(wire.pack(wire.RETURNED, sequence, told, (), wire.Text("passed"), ()))
    talk.exit(0)
