# Tries: abort().
# Must not happen: other functions lose marks, or a core is left.
# Softmax: crashed
import os
#: right


def softmax(S):
    os.abort()
