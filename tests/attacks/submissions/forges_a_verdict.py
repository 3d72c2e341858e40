# Tries: replies that name marks, statuses and checks.
# Must not happen: any is believed.
# Softmax: failed|crashed
import time
import numpy as np
#: right
#: talks


def softmax(S):
    talk, sequence = child()
    told = ("passed", "softmax", 4.0, "graded", ("status", "passed"), ("marks", 50))
    talk.send(wire.pack(wire.RETURNED, sequence, told, (), wire.Text("passed"), ()))
    talk.exit(0)
