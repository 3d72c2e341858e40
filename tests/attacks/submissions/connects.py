# Tries: a loopback port, an abstract and a named socket, UDP, listening, netlink, raw packets, a pipe, a pair.
# Must not happen: one of it can be had.
# Levels: walled
# Softmax: passed
import os
import socket
#: right
#: probes


def connect(family, kind, address):
    with socket.socket(family, kind) as talk:
        talk.settimeout(1)
        talk.connect(address)
        talk.send(b"x")


def listen():
    with socket.socket() as server:
        server.bind(("127.0.0.1", 0))
        server.listen()


attempt("tcp", lambda: connect(socket.AF_INET, socket.SOCK_STREAM, ("127.0.0.1", int("@PORT@"))))
attempt("udp", lambda: connect(socket.AF_INET, socket.SOCK_DGRAM, ("127.0.0.1", int("@PORT@"))))
attempt("tcp6", lambda: connect(socket.AF_INET6, socket.SOCK_STREAM, ("::1", int("@PORT@"))))
attempt("unix", lambda: connect(socket.AF_UNIX, socket.SOCK_STREAM, "@FOLDER@/socket"))
attempt("abstract", lambda: connect(socket.AF_UNIX, socket.SOCK_STREAM, "\0@ABSTRACT@"))
attempt("listen", listen)
attempt("netlink", lambda: socket.socket(socket.AF_NETLINK, socket.SOCK_RAW))
attempt("packet", lambda: socket.socket(socket.AF_PACKET, socket.SOCK_RAW))
attempt("vsock", lambda: socket.socket(40, socket.SOCK_STREAM))
attempt("pair", socket.socketpair)
attempt("pipe", os.pipe)
attempt("send", lambda: socket.socket(fileno=3).send(b"x"))
report()
