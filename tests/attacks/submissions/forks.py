# Tries: five forked sleepers of 15 s each, by fork, vfork and clone.
# Must not happen: a process is made.
# Levels: walled
# Softmax: passed
import ctypes
import os
import time
#: right
#: probes


def fork():
    if os.fork() == 0:
        time.sleep(15)
        os._exit(0)


def clone(number, *arguments):
    pid = checked(number, *arguments)
    if pid == 0:
        time.sleep(15)
        os._exit(0)


X86 = os.uname().machine == "x86_64"
for _ in range(5):
    attempt("fork", fork)
if X86:
    attempt("fork_call", lambda: clone(57))
attempt("clone", lambda: clone(56 if X86 else 220, 17, 0, 0, 0, 0))
attempt("clone3", lambda: checked(435, ctypes.create_string_buffer(88), 88))
report()
