# Tries: SIGSTOP to itself.
# Must not happen: the call lasts longer than its time, or the process stays.
# Softmax: raised|timed_out
import os
import signal
import time
#: right


def softmax(S):
    try:
        os.kill(os.getpid(), signal.SIGSTOP)
    except OSError:
        raise RuntimeError("not stopped") from None
    time.sleep(15)
    return S
