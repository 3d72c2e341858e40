# Tries: the longest type names, messages, shapes and names that a frame can hold.
# Must not happen: the result grows with them.
# Softmax: raised|crashed
import time
import numpy as np
#: right
#: talks


def softmax(S):
    talk, sequence = child()
    shapes = tuple(("x" * 4000 + str(i), np.array([1, 2])) for i in range(300))
    frames = tuple(("f" * 4000, 7) for _ in range(100))
    failure = ("T" * 4000, wire.Text("m " * 2_000_000), 7, "f" * 4000, frames, shapes)
    talk.send(wire.pack(wire.RAISED, sequence, failure, wire.Text("p" * 4_000_000), ()))
    talk.exit(0)
