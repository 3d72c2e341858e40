# Tries: an exception that names arrays of thousands of sides, sent past our own code.
# Must not happen: they stand in the result.
# Softmax: crashed|raised
# Wrong: softmax
# Others: any
import numpy as np
#: right
#: talks


def softmax(S):
    talk, sequence = child()
    sides = np.full(3000, 2**62, "<i8")
    shapes = tuple((f"v{number}", sides) for number in range(20))
    failure = ("ValueError", wire.Text("x"), 30, "softmax", (), shapes)
    talk.send(wire.pack(wire.RAISED, sequence, failure, wire.Text(""), ()))
    while True:
        talk.send(talk.call(*talk.receive()[1:]))
