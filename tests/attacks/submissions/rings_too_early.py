# Tries: its bell with every number there is, before it has answered anything.
# Must not happen: an answer that is not there yet is missed, or taken for lost.
# Levels: walled
# Softmax: passed
# Others: passed
import os
import time
#: right

right_softmax = softmax


def softmax(S):
    os.write(4, bytes(range(256)))
    time.sleep(0.03)
    return right_softmax(S)
