# Tries: the reply to loading: names that exist nowhere, a million of them.
# Must not happen: the grader spends its time or memory on them.
# Outcome: crashed
# Softmax: skipped
# Others: skipped
import time
import numpy as np
#: right
#: talks


talk, sequence = child()
names = "\n".join(f"n{i:06}" for i in range(500_000))
rows = np.zeros((500_000, 4), "<i4")
talk.send(wire.pack(wire.LOADED, sequence, wire.Text(names), rows, None, wire.Text("")))
