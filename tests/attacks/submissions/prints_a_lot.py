# Tries: 20 MB of printed text in a call.
# Must not happen: the result grows with it.
# Softmax: failed|partly
#: right


def softmax(S):
    for _ in range(200):
        print("x" * 100_000)
    return S
