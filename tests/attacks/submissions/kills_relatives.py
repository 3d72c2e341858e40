# Tries: signals to its parent, its group, a sibling and the neighbours of its own number.
# Must not happen: one can be signalled.
# Levels: walled
# Softmax: passed
import ctypes
import os
import signal
#: right
#: probes

me = os.getpid()
attempt("sibling", lambda: os.kill(int("@SIBLING@"), signal.SIGKILL))
attempt("parent", lambda: os.kill(os.getppid() or 1, signal.SIGTERM))
attempt("one", lambda: os.kill(1, 0))
attempt("group", lambda: os.kill(0, signal.SIGCONT))
attempt("killpg", lambda: os.killpg(int("@SIBLING@"), signal.SIGKILL))
for pid in range(max(2, me - 6), me + 6):
    if pid != me:
        attempt(f"near {pid - me}", lambda: os.kill(pid, signal.SIGKILL))
attempt("tgkill", lambda: checked(234, me, me, 0))
attempt("tkill", lambda: checked(200, me, 0))
attempt("queue", lambda: checked(129, int("@SIBLING@"), 9, ctypes.create_string_buffer(128)))
attempt("pidfd", lambda: os.pidfd_open(int("@SIBLING@")))
report()
