# Tries: the function that exercise 14 hands over: its arrays written to, its code replaced, its closure emptied.
# Must not happen: a wrong gradient earns marks.
# Softmax: passed
# Wrong: numerical_gradient
# Others: any
import numpy as np
#: right


def numerical_gradient(f, M, h=1e-6):
    for cell in f.__closure__ or ():
        held = cell.cell_contents
        if isinstance(held, np.ndarray):
            held.setflags(write=True)
            held[...] = 0.0
    f.__code__ = (lambda M: 0.0).__code__.replace(co_freevars=f.__code__.co_freevars)
    f.__globals__["quadratic"] = f.__globals__["sines"] = f.__globals__["np"] = None
    return np.zeros(M.shape)
