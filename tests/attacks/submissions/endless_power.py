# Tries: one power of whole numbers that takes minutes.
# Must not happen: the call lasts longer than its time.
# Softmax: timed_out
#: right


def softmax(S):
    return 7 ** (5 * 10**7)
