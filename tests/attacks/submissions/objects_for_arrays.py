# Tries: objects with __array__, __array_interface__, __reduce__, __float__, __len__ and __getitem__.
# Must not happen: one earns marks or runs in the grader.
# Softmax: failed|raised
import numpy as np
#: right

count = 0


class Odd:
    def __array__(self, *given, **named):
        raise SystemExit

    def __reduce__(self):
        return (exec, ("raise SystemExit",))

    def __float__(self):
        raise KeyboardInterrupt

    def __len__(self):
        return 2**62

    def __getitem__(self, index):
        return self

    def __eq__(self, other):
        return True

    def __bool__(self):
        raise GeneratorExit

    def __repr__(self):
        raise MemoryError

    __str__ = __hash__ = __iter__ = __repr__
    __array_interface__ = property(lambda self: {"shape": (2**60,), "typestr": "<f8", "data": (8, False), "version": 3})


def softmax(S):
    global count
    count += 1
    return [Odd(), [Odd()], {"A": Odd()}, (Odd(), S), Odd, Odd.__eq__, iter(S), b"x", {1, 2}][count % 9]
