# Tries: a loop of 20 s with every signal blocked that can be blocked.
# Must not happen: the process outlives its time.
# Softmax: timed_out
import signal
import time
#: right


def softmax(S):
    signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())
    end = time.monotonic() + 20
    while time.monotonic() < end:
        pass
    return S
