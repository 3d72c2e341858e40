# Tries: the reply to loading: names that exist nowhere, a million of them.
# Must not happen: the grader spends its time or memory on them.
# Outcome: crashed
# Softmax: skipped
# Others: skipped
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


talk, sequence = child()
names = "\n".join(f"n{i:06}" for i in range(500_000))
rows = np.zeros((500_000, 4), "<i4")
talk.send(wire.pack(wire.LOADED, sequence, wire.Text(names), rows, None, wire.Text("")))
