# Tries: the pipe closed by which the grader hears that all is answered.
# Must not happen: another function is charged with it, or anything waits longer than for a call.
# Levels: walled
# Softmax: passed
# Others: passed
import os
#: right

right_softmax = softmax


def softmax(S):
    os.closerange(4, 24)
    return right_softmax(S)
