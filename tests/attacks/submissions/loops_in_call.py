# Tries: a Python loop inside a call, up to 20 s.
# Must not happen: the call lasts longer than its time, or other functions lose marks.
# Softmax: timed_out
import time
#: right


def softmax(S):
    end = time.monotonic() + 20
    while time.monotonic() < end:
        pass
    return S
