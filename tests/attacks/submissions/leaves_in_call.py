# Tries: sys.exit(0), KeyboardInterrupt and GeneratorExit inside calls.
# Must not happen: the early end counts as a pass; other functions lose marks.
# Softmax: raised
import sys
#: right

count = 0


def softmax(S):
    global count
    count += 1
    if count % 3 == 0:
        raise KeyboardInterrupt
    if count % 3 == 1:
        raise GeneratorExit
    sys.exit(0)
