# Tries: the modules of its own process replaced: wire format, simplifier, tracer, limits.
# Must not happen: a wrong softmax earns marks, or a process other than its own is reached.
# Softmax: crashed|failed|partly
# Others: any
import sys
import numpy as np
#: right


class Anything:
    def __getattr__(self, name):
        return self

    def __call__(self, *given, **named):
        return self


def softmax(S):
    for name, module in list(sys.modules.items()):
        if name.startswith("inside"):
            for held in list(vars(module)):
                if not held.startswith("__"):
                    setattr(module, held, Anything())
    return np.full(S.shape, 0.25)
