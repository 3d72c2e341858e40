# Tries: ptrace, reading and writing other memories, other processes' descriptors, limits and priorities.
# Must not happen: one of it works.
# Levels: walled
# Softmax: passed
import ctypes
import os
import resource
#: right
#: probes

X86 = os.uname().machine == "x86_64"
PTRACE, READV, WRITEV, KCMP, PRCTL = (101, 310, 311, 312, 157) if X86 else (117, 270, 271, 272, 167)
sibling, parent = int("@SIBLING@"), os.getppid()
buffer = ctypes.create_string_buffer(64)
piece = (ctypes.c_size_t * 2)(ctypes.addressof(buffer), 8)
for name, pid in {"sibling": sibling, "parent": parent, "one": 1}.items():
    attempt(f"seize {name}", lambda: checked(PTRACE, 0x4206, pid, 0, 0))
    attempt(f"readv {name}", lambda: checked(READV, pid, piece, 1, piece, 1, 0))
    attempt(f"writev {name}", lambda: checked(WRITEV, pid, piece, 1, piece, 1, 0))
    attempt(f"prlimit {name}", lambda: resource.prlimit(pid, resource.RLIMIT_NOFILE))
    attempt(f"priority {name}", lambda: os.setpriority(os.PRIO_PROCESS, pid, 1))
    attempt(f"mem {name}", lambda: open(f"/proc/{pid}/mem", "rb"))
    attempt(f"maps {name}", lambda: open(f"/proc/{pid}/maps").read())
    attempt(f"kcmp {name}", lambda: checked(KCMP, pid, pid, 0, 0, 0))
attempt("traceme", lambda: checked(PTRACE, 0, 0, 0, 0))
attempt("own mem", lambda: open("/proc/self/mem", "rb"))
attempt("pidfd_getfd", lambda: checked(438, os.pidfd_open(parent), 0, 0))
attempt("raise limit", lambda: resource.setrlimit(resource.RLIMIT_AS, (-1, -1)))
attempt("affinity", lambda: os.sched_setaffinity(0, {0}))
attempt("dumpable", lambda: checked(PRCTL, 4, 1, 0, 0, 0))
attempt("setuid", lambda: os.setuid(0))
report()
