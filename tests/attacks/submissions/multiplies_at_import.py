# Tries: matrix products in C while the file is imported, up to 20 s.
# Must not happen: the class waits longer than the time to load.
# Outcome: timed_out
# Softmax: skipped
# Others: skipped
import time
import numpy as np

A = np.ones((300, 300))
end = time.monotonic() + 20
while time.monotonic() < end:
    A @ A
#: right
