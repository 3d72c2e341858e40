# Tries: the note that the submission before has left.
# Must not happen: it is found.
# Levels: walled
# Softmax: passed
import os
import sys
import numpy as np
#: right
#: probes


def found(there):
    if not there:
        raise OSError


for folder in ("/tmp", "/var/tmp", "/dev/shm", "@FOLDER@"):
    attempt(f"file {folder}", lambda: open(folder + "/attack-note").read())
attempt("shm", lambda: checked(29, 0x41747461, 4096, 0o666))
attempt("numpy", lambda: found(hasattr(np, "note")))
attempt("sys", lambda: found(hasattr(sys, "note")))
attempt("environ", lambda: found("NOTE" in os.environ))
report()
