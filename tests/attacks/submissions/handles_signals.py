# Tries: signal handlers that raise and that never return, an alarm in the middle of a later call.
# Must not happen: another function of the file loses marks to it, or the process outlives its time.
# Softmax: timed_out|raised
import signal
import time
#: right


def stay(number, frame):
    time.sleep(20)


def softmax(S):
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGXCPU, signal.SIGPIPE):
        signal.signal(number, stay)
    signal.raise_signal(signal.SIGTERM)
    time.sleep(20)
    return S
