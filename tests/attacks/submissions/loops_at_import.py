# Tries: a Python loop while the file is imported, for up to 20 s.
# Must not happen: the class waits longer than the time to load.
# Outcome: timed_out
# Softmax: skipped
# Others: skipped
import time

end = time.monotonic() + 20
while time.monotonic() < end:
    pass
#: right
