# Tries: 20 MB written straight to the descriptors 0, 1 and 2.
# Must not happen: anything of it arrives anywhere.
# Softmax: failed|partly|raised
import os
#: right


def softmax(S):
    for descriptor in (0, 1, 2):
        for _ in range(70):
            os.write(descriptor, b"FLOOD" * 20_000)
    return S
