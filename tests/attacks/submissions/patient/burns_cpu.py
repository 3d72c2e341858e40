# Tries: all CPU there is, with SIGXCPU ignored, for up to 20 s, in a call that may take as long.
# Must not happen: it uses more than the submission's seconds.
# Softmax: crashed|timed_out
import signal
import time
#: right


def softmax(S):
    signal.signal(signal.SIGXCPU, signal.SIG_IGN)
    end = time.monotonic() + 20
    while time.monotonic() < end:
        pass
    return S
