# Tries: objects handed to f that raise, lie about their shape, or run code when they are made an array.
# Must not happen: a wrong gradient earns marks, or the call has no outcome.
# Softmax: passed
# Wrong: numerical_gradient
# Others: any
import numpy as np
#: right


class Lies:
    def __array__(self, *given, **named):
        raise KeyboardInterrupt


def numerical_gradient(f, M, h=1e-6):
    values = []
    for odd in (Lies(), [Lies()], "text", M[0], np.zeros((2**20, 0)), None, f):
        try:
            values.append(f(odd))
        except BaseException:
            values.append(1.0)
    return np.full(M.shape, sum(values))
