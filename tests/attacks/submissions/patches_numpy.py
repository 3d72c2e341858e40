# Tries: numpy's comparisons, sums and constructors replaced, and the builtins with them.
# Must not happen: a wrong softmax earns marks; the functions that do not use them lose some.
# Softmax: failed|partly|crashed|raised
# Others: any
import builtins
import sys
import numpy as np
#: right

kept = np.array


def softmax(S):
    for name in ("allclose", "isclose", "array_equal", "abs", "asarray", "isfinite", "isnan"):
        setattr(np, name, lambda *given, **named: True)
    np.testing.assert_allclose = np.testing.assert_array_equal = lambda *given, **named: None
    builtins.abs = builtins.all = lambda *given: True
    sys.modules["numpy"] = type(sys)("numpy")
    return kept([[0.5] * S.shape[1]] * S.shape[0])
