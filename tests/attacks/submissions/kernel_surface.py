# Tries: the corners of the kernel that a computation needs nothing of: namespaces, mounts, io_uring, bpf, keys, perf.
# Must not happen: one of them answers.
# Levels: walled
# Softmax: passed
import ctypes
import os
#: right
#: probes

space = ctypes.create_string_buffer(256)
CALLS = {
    "unshare": (272, 0x10000000), "mount": (165, b"none", b"/", b"tmpfs", 0, 0), "umount": (166, b"/", 0),
    "io_uring": (425, 4, space), "bpf": (321, 0, space, 64), "keyctl": (250, 0, 0xFFFFFFFD, 0, 0, 0),
    "add_key": (248, b"user", b"x", b"x", 1, 0xFFFFFFFD), "userfaultfd": (323, 0), "perf": (298, space, 0, -1, -1, 0),
    "chroot": (161, b"/"), "inotify": (294, 0), "fanotify": (300, 0, 0), "shmget": (29, 0, 4096, 0o1600),
    "msgget": (68, 0, 0o1600), "semget": (64, 0, 1, 0o1600), "mq_open": (240, b"x", 0o102, 0o600, 0),
    "setns": (308, 0, 0), "pivot_root": (155, b"/", b"/"), "memfd_secret": (447, 0), "landlock": (444, 0, 0, 1),
    "seccomp": (317, 2, 0, 0), "quotactl": (179, 0, 0, 0, 0), "swapon": (167, b"/", 0), "reboot": (169, 0, 0, 0, 0),
    "personality": (135, 0), "eventfd": (290, 0, 0), "timerfd": (283, 1, 0), "signalfd": (289, -1, space, 8, 0),
    "epoll": (291, 0), "splice": (275, 0, 0, 1, 0, 1, 0), "sethostname": (170, b"x", 1), "syslog": (103, 3, space, 64),
    "open_tree": (428, -100, b"/", 0), "fsopen": (430, b"tmpfs", 0), "clone3": (435, space, 64),
    "acct": (163, b"/x"), "init_module": (175, space, 1, b""), "kexec": (246, 0, 0, 0, 0), "iopl": (172, 3),
    "modify_ldt": (154, 0, space, 64), "x32 getpid": (0x40000000 | 39,), "x32 write": (0x40000000 | 1, 1, b"x", 1),
}
if os.uname().machine == "x86_64":
    for name, (number, *arguments) in CALLS.items():
        attempt(name, lambda: checked(number, *arguments))
report()
