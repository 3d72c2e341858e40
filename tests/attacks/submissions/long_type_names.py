# Tries: an exception whose type has a name of 10 MB.
# Must not happen: the result grows with it, or cannot be written.
# Softmax: raised|crashed
#: right


def softmax(S):
    raise type("E" * (10 << 20), (Exception,), {})
