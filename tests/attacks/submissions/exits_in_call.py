# Tries: os._exit(0) inside a call.
# Must not happen: the early end counts as a pass; other functions lose marks.
# Softmax: crashed
import os
#: right


def softmax(S):
    os._exit(0)
