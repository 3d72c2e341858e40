# Tries: arrays of objects, records, dates, texts, voids and long doubles.
# Must not happen: one earns marks, or the grader stops.
# Softmax: failed
import numpy as np
#: right

count = 0


def softmax(S):
    global count
    count += 1
    return [
        np.array([[object()] * S.shape[1]] * S.shape[0]),
        np.zeros(S.shape, [("a", "f8"), ("b", "O")]),
        np.zeros(S.shape, "M8[s]"),
        np.full(S.shape, "0.25"),
        np.zeros(S.shape, "V16"),
        np.zeros(S.shape, np.longdouble),
        np.zeros(S.shape, np.clongdouble),
        np.zeros(S.shape, bool),
        np.zeros(S.shape, np.float16),
        np.ma.masked_all(S.shape),
        np.zeros((0, *S.shape)),
        np.zeros(S.shape, np.uint64) - 1,
    ][count % 12]
