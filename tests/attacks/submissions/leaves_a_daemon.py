# Tries: a grandchild that leaves the process group and sleeps for 30 s.
# Must not happen: it runs on after the call.
# Levels: walled
# Softmax: passed
import os
import time
#: right
#: probes


def daemon():
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            time.sleep(30)
        os._exit(0)


attempt("daemon", daemon)
report()
