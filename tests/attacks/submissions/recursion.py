# Tries: a function that calls itself, with the limit as it is and raised to 10**8.
# Must not happen: other functions lose marks.
# Softmax: raised|crashed|timed_out
import sys
#: right

count = 0


def deeper(S):
    return deeper(S)


def softmax(S):
    global count
    count += 1
    if count % 2 == 0:
        sys.setrecursionlimit(10**8)
    return deeper(S)
