# Tries: an object whose end takes 20 s, thrown away within the call.
# Must not happen: the call lasts longer than its time.
# Softmax: timed_out
import time
#: right


class Stays:
    def __del__(self):
        time.sleep(20)


def softmax(S):
    Stays()
    return S
