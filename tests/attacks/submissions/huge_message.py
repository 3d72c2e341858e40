# Tries: an exception with a message of 100 MB.
# Must not happen: the result grows with it.
# Softmax: raised|crashed|timed_out
#: right


def softmax(S):
    raise ValueError("x" * (100 << 20))
