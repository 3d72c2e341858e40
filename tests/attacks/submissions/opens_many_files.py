# Tries: 5000 open files.
# Must not happen: more can be opened than a computation needs.
# Levels: walled
# Softmax: passed
import os
#: right
#: probes

opened = []


def open_many():
    for _ in range(5000):
        opened.append(os.dup(2))
    for descriptor in opened:
        os.close(descriptor)


attempt("files", open_many)
for descriptor in opened:
    os.close(descriptor)
report()
