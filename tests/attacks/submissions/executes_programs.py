# Tries: a shell and other programs, by exec, subprocess, os.system and posix_spawn.
# Must not happen: one runs.
# Levels: walled
# Softmax: passed
import os
import subprocess
import sys
#: right
#: probes

attempt("subprocess", lambda: subprocess.run(["/bin/sh", "-c", "true"], timeout=5))
attempt("python", lambda: subprocess.run([sys.executable, "-c", ""], timeout=5))
attempt("spawn", lambda: os.posix_spawn("/bin/true", ["true"], {}))
attempt("popen", lambda: os.popen("true").close())


def system():
    if os.system("true") != 0:
        raise OSError


attempt("system", system)
attempt("exec", lambda: os.execv("/bin/true", ["true"]))
attempt("exec_python", lambda: os.execv(sys.executable, [sys.executable, "-c", ""]))
report()
