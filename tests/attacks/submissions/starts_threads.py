# Tries: 200 threads that sleep for 15 s.
# Must not happen: a thread starts.
# Levels: walled
# Softmax: passed
import threading
import time
#: right
#: probes


def start():
    threading.Thread(target=time.sleep, args=(15,), daemon=True).start()


for _ in range(200):
    attempt("thread", start)
report()
