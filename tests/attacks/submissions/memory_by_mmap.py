# Tries: 4 GB of anonymous pages, written to.
# Must not happen: the machine runs short of memory.
# Softmax: raised|crashed|timed_out
import mmap
#: right


def softmax(S):
    pages = mmap.mmap(-1, 4 << 30)
    for place in range(0, 4 << 30, 1 << 20):
        pages[place] = 1
    return S
