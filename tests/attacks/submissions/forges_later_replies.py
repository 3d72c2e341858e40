# Tries: the replies of the next 50 calls, written ahead.
# Must not happen: another function's marks come from it.
# Softmax: failed|partly|crashed
# Wrong: softmax
# Others: any
import time
import numpy as np
#: right
#: talks


def softmax(S):
    talk, sequence = child()
    for ahead in range(50):
        talk.send(wire.pack(wire.RETURNED, sequence + ahead, np.full(S.shape, 0.25), (), wire.Text(""), ()))
    return S
