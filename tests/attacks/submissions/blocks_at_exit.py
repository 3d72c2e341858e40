# Tries: functions that run at the end and never end: atexit, __del__ of a module's object, excepthook.
# Must not happen: ending the process takes longer than killing it.
# Softmax: passed
import atexit
import sys
import threading
import time
#: right


class Stays:
    def __del__(self):
        time.sleep(20)


stays = Stays()
atexit.register(time.sleep, 20)
sys.excepthook = sys.unraisablehook = threading.excepthook = lambda *given: time.sleep(20)
