# Tries: a descriptor that sends SIGKILL to a sibling when something is written to it.
# Must not happen: it can be armed.
# Levels: walled
# Softmax: passed
import fcntl
import os
import struct
#: right
#: probes

O_ASYNC, F_SETSIG, FIOSETOWN = 0o20000, 10, 0x8901


def arm(descriptor):
    fcntl.fcntl(descriptor, fcntl.F_SETOWN, int("@SIBLING@"))
    fcntl.fcntl(descriptor, F_SETSIG, 9)
    fcntl.fcntl(descriptor, fcntl.F_SETFL, O_ASYNC)


for descriptor in (0, 1, 2, 3):
    attempt(f"arm {descriptor}", lambda: arm(descriptor))
    attempt(f"owner {descriptor}", lambda: fcntl.fcntl(descriptor, fcntl.F_SETOWN, int("@SIBLING@")))
    attempt(f"ioctl {descriptor}", lambda: fcntl.ioctl(descriptor, FIOSETOWN, struct.pack("i", int("@SIBLING@"))))


def by_pipe():
    reader, writer = os.pipe()
    arm(reader)
    os.write(writer, b"x")


attempt("pipe", by_pipe)
report()
