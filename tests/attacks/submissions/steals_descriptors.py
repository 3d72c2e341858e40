# Tries: any open descriptor that is not its own, and other ends through its own.
# Must not happen: one is found.
# Levels: walled
# Softmax: passed
import array
import os
import socket
import stat
#: right
#: probes


def foreign(descriptor):
    mode = os.fstat(descriptor).st_mode
    if descriptor < 3 and stat.S_ISCHR(mode):
        raise OSError
    if descriptor == 3 and stat.S_ISSOCK(mode):
        raise OSError
    if descriptor == 4 and stat.S_ISFIFO(mode):
        os.read(descriptor, 1)  # its bell, which can only be rung


for descriptor in range(200):
    attempt(f"descriptor {descriptor}", lambda: foreign(descriptor))


def pass_on():
    rights = [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", [3]))]
    socket.socket(fileno=3).sendmsg([b"x"], rights)


attempt("pass on", pass_on)
report(brief=True)
