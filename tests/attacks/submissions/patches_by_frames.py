# Tries: the child's local variables, frames and trace functions, by sys._getframe and sys.settrace.
# Must not happen: a wrong softmax earns marks.
# Softmax: failed|partly|crashed|raised
# Others: any
import ctypes
import sys
import numpy as np
#: right


def softmax(S):
    frame = sys._getframe(1)
    while frame is not None:
        for name in list(frame.f_locals):
            if name in ("arguments", "sent", "value", "failure"):
                frame.f_locals[name] = "passed"
        ctypes.pythonapi.PyFrame_LocalsToFast(ctypes.py_object(frame), ctypes.c_int(0))
        frame = frame.f_back
    sys.settrace(lambda *given: None)
    sys.setprofile(lambda *given: None)
    return np.full(S.shape, 0.25)
