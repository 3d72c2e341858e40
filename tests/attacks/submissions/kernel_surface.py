# Tries: the corners of the kernel that a computation needs nothing of: namespaces, mounts, io_uring, bpf, keys, perf.
# Must not happen: one of them answers.
# Levels: walled
# Softmax: passed
import ctypes
import os
#: right
#: probes

space = ctypes.create_string_buffer(256)
#: Name: the number on x86-64 and on aarch64, and arguments.
CALLS = {
    "unshare": (272, 97, 0x10000000), "mount": (165, 40, b"none", b"/", b"tmpfs", 0, 0),
    "umount": (166, 39, b"/", 0), "io_uring": (425, 425, 4, space), "bpf": (321, 280, 0, space, 64),
    "keyctl": (250, 219, 0, 0xFFFFFFFD, 0, 0, 0), "add_key": (248, 217, b"user", b"x", b"x", 1, 0xFFFFFFFD),
    "userfaultfd": (323, 282, 0), "perf": (298, 241, space, 0, -1, -1, 0), "chroot": (161, 51, b"/"),
    "inotify": (294, 26, 0), "fanotify": (300, 262, 0, 0), "shmget": (29, 194, 0, 4096, 0o1600),
    "msgget": (68, 186, 0, 0o1600), "semget": (64, 190, 0, 1, 0o1600),
    "mq_open": (240, 180, b"x", 0o102, 0o600, 0), "setns": (308, 268, 0, 0),
    "pivot_root": (155, 41, b"/", b"/"), "memfd_secret": (447, 447, 0), "landlock": (444, 444, 0, 0, 1),
    "seccomp": (317, 277, 2, 0, 0), "quotactl": (179, 60, 0, 0, 0, 0), "swapon": (167, 224, b"/", 0),
    "reboot": (169, 142, 0, 0, 0, 0), "personality": (135, 92, 0), "eventfd": (290, 19, 0, 0),
    "timerfd": (283, 85, 1, 0), "signalfd": (289, 74, -1, space, 8, 0), "epoll": (291, 20, 0),
    "splice": (275, 76, 0, 0, 1, 0, 1, 0), "sethostname": (170, 161, b"x", 1),
    "syslog": (103, 116, 3, space, 64), "open_tree": (428, 428, -100, b"/", 0),
    "fsopen": (430, 430, b"tmpfs", 0), "clone3": (435, 435, space, 64), "acct": (163, 89, b"/x"),
    "init_module": (175, 105, space, 1, b""), "kexec": (246, 104, 0, 0, 0, 0), "iopl": (172, None, 3),
    "modify_ldt": (154, None, 0, space, 64), "x32 getpid": (0x40000000 | 39, None),
    "x32 write": (0x40000000 | 1, None, 1, b"x", 1),
}
for name, (x86, arm, *arguments) in CALLS.items():
    number = x86 if os.uname().machine == "x86_64" else arm
    if number is not None:
        attempt(name, lambda: checked(number, *arguments))
report()
