# Tries: 64 MB in a file that lives in memory and counts for nobody.
# Must not happen: the file can be made.
# Levels: walled
# Softmax: passed
import os
#: right
#: probes


def fill():
    descriptor = os.memfd_create("note")
    for _ in range(64):
        os.write(descriptor, bytes(1 << 20))


attempt("memfd", fill)
report()
