# Tries: a note for the next submission: in files, in shared memory, in the fork server's memory.
# Must not happen: the note is there.
# Levels: walled
# Softmax: passed
import ctypes
import os
import sys
import numpy as np
#: right
#: probes


def shm():
    identity = checked(29, 0x41747461, 4096, 0o1666)
    address = checked(30, identity, 0, 0)
    ctypes.memmove(address, b"note", 4)


for folder in ("/tmp", "/var/tmp", "/dev/shm", "@FOLDER@"):
    attempt(f"file {folder}", lambda: open(folder + "/attack-note", "w").write("note"))
attempt("shm", shm)
np.note = sys.note = "note"
os.environ["NOTE"] = "note"
report()
