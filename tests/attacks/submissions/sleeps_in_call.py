# Tries: a sleep of 15 s inside a call.
# Must not happen: the call lasts longer than its time.
# Softmax: timed_out
import time
#: right


def softmax(S):
    time.sleep(15)
    return S
