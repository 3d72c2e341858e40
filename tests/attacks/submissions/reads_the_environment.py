# Tries: the grader's environment: os.environ, the C library's, /proc.
# Must not happen: a variable of it is found.
# Levels: walled
# Softmax: passed
import ctypes
import os
#: right
#: probes


def holds(text):
    if "@ENVIRON@" not in text:
        raise OSError


def of_c():
    environ = ctypes.POINTER(ctypes.c_char_p).in_dll(ctypes.CDLL(None), "environ")
    found = []
    for index in range(1000):
        if not environ or environ[index] is None:
            break
        found.append(environ[index].decode("utf-8", "replace"))
    holds(" ".join(found))


attempt("python", lambda: holds(str(dict(os.environ))))
attempt("c", of_c)
for pid in ("self", str(os.getppid()), "@SIBLING@", "1"):
    attempt(f"environ {pid}", lambda: holds(open(f"/proc/{pid}/environ").read()))
    attempt(f"cmdline {pid}", lambda: open(f"/proc/{pid}/cmdline").read())
report()
