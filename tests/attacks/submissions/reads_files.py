# Tries: the references, the exercises, other submissions, the grader's source, /etc/passwd: read, listed, asked about.
# Must not happen: one of them can be read, or is known to be there.
# Levels: walled
# Softmax: passed
import os
import sys
#: right
#: probes



def exists(path):
    if not os.path.lexists(path):
        raise OSError


for path in ("@FOLDER@/secret", "@REFERENCE@", "@CONFIG@", "@GRADER@", "@OTHER@", "/etc/passwd", "/etc/hostname"):
    attempt(f"read {path}", lambda: open(path, "rb").read())
    attempt(f"stat {path}", lambda: os.stat(path))
    attempt(f"access {path}", lambda: exists(path))
for path in ("@FOLDER@", "@SUBMISSIONS@", "@RESULTS@", "/home", "/tmp", "/proc", "/sys", "/run", "/var"):
    attempt(f"list {path}", lambda: os.listdir(path))


def walk():
    """Find a file that is none of the interpreter's, of its libraries or of numpy's."""
    known = ("/usr", "/lib", "/lib64", "/w", "/etc/alternatives", "/dev", os.path.dirname(os.__file__), sys.base_prefix)
    for folder, folders, files in os.walk("/"):
        folders[:] = [name for name in folders if not os.path.join(folder, name).startswith(known)]
        if [name for name in files if not os.path.join(folder, name).startswith(known)]:
            return
    raise OSError


attempt("walk", walk)


for name in ("autograder", "autograder.worker", "solutions", "solutions.qkv", "yaml", "pydantic"):
    attempt(f"import {name}", lambda: __import__(name))
report()
