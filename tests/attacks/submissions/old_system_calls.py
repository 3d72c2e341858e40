# Tries: a system call by the 32-bit gate, whose numbers a filter reads differently (getpid, harmless).
# Must not happen: it returns a process id.
# Levels: walled
# Softmax: crashed
import ctypes
import mmap
import os
#: right


def softmax(S):
    if os.uname().machine != "x86_64":
        os._exit(1)
    page = mmap.mmap(-1, 4096, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
    page.write(b"\xb8\x14\x00\x00\x00\xcd\x80\xc3")  # mov eax, 20; int 0x80; ret
    call = ctypes.CFUNCTYPE(ctypes.c_int)(ctypes.addressof(ctypes.c_char.from_buffer(page)))
    raise RuntimeError(f"got {call()}")
