# Tries: an exception whose text takes 20 s to make.
# Must not happen: the call lasts longer than its time.
# Softmax: timed_out|raised
import time
#: right


class Slow(Exception):
    def __str__(self):
        time.sleep(20)


def softmax(S):
    raise Slow
