# Tries: a segmentation fault.
# Must not happen: other functions lose marks, or a core is left.
# Softmax: crashed
import ctypes
#: right


def softmax(S):
    return ctypes.string_at(0)
