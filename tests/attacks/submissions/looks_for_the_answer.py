# Tries: the expected value, among all objects, in all frames, in all modules, in its own memory.
# Must not happen: anything of the reference is there, or a wrong softmax earns marks.
# Levels: walled
# Softmax: raised
import ctypes
import gc
import sys
import numpy as np
#: right


def right(S):
    E = np.exp(S - S.max(axis=1, keepdims=True))
    return E / E.sum(axis=1, keepdims=True)


def frames():
    frame = sys._getframe(1)
    while frame is not None:
        yield from frame.f_locals.items()
        yield from frame.f_globals.items()
        frame = frame.f_back


def inner(value, depth=0):
    yield value
    if depth < 2 and isinstance(value, (list, tuple)):
        for item in value:
            yield from inner(item, depth + 1)
    if depth < 2 and hasattr(value, "__dict__") and not isinstance(value, type(sys)):
        for item in list(vars(value).values()):
            yield from inner(item, depth + 1)


def softmax(S):
    found = []
    answer = right(S)
    places = [value for _, value in frames()] + gc.get_objects()
    for place in places[:20_000]:
        for value in inner(place):
            if isinstance(value, np.ndarray) and value.shape == S.shape and value is not answer:
                if value.dtype == float and np.allclose(value, answer):
                    found.append("value")
    found += [name for name in sys.modules if name.startswith(("autograder", "solutions", "pydantic", "yaml"))]
    found += [name for name, _ in frames() if name.startswith("expected")]
    try:
        maps = open("/proc/self/maps").read()
        found.append("maps")
    except OSError:
        pass
    raise RuntimeError("found " + " ".join(found))
