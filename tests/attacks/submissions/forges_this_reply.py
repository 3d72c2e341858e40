# Tries: the reply of its own call, written before it returns.
# Must not happen: it gains marks, or a later call is answered by what is left over.
# Softmax: failed|partly|crashed
import time
import numpy as np
#: right
#: talks


def softmax(S):
    talk, sequence = child()
    talk.send(wire.pack(wire.RETURNED, sequence, np.zeros(S.shape), (), wire.Text(""), ()))
    return S
