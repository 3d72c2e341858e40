# Tries: SIGKILL to all processes it may signal.
# Must not happen: the grader or a sibling dies.
# Levels: walled
# Softmax: passed
import os
import signal
#: right
#: probes

attempt("all", lambda: os.kill(-1, signal.SIGKILL))
report()
