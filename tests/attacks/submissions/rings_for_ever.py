# Tries: its bell, rung without an end, so that the grader has to listen.
# Must not happen: the grader listens for longer than a call may take, or another waits.
# Levels: walled
# Softmax: timed_out
# Others: passed
import os
#: right


def softmax(S):
    while True:
        os.write(4, bytes(range(256)))
