# Tries: all CPU there is, with SIGXCPU ignored, for up to 40 s, in a call that may take longer.
# Must not happen: it uses more than the submission's seconds.
# Softmax: crashed
import signal
import time
#: right


def softmax(S):
    signal.signal(signal.SIGXCPU, signal.SIG_IGN)
    end = time.monotonic() + 40
    while time.monotonic() < end:
        pass
    return S
