# Tries: a loop of 20 s with every signal ignored that can be ignored.
# Must not happen: the process outlives its time.
# Softmax: timed_out
import signal
import time
#: right


def softmax(S):
    for number in (signal.SIGALRM, signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGXCPU):
        signal.signal(number, signal.SIG_IGN)
    end = time.monotonic() + 20
    while time.monotonic() < end:
        pass
    return S
