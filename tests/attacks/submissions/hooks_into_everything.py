# Tries: trace, profile, import, audit and warning hooks that raise or never return.
# Must not happen: the grader, or a function called before, suffers.
# Softmax: timed_out|failed|partly
import builtins
import sys
import time
import warnings
#: right


def stay(*given, **named):
    time.sleep(20)


def softmax(S):
    warnings.showwarning = stay
    builtins.__import__ = stay
    sys.meta_path.insert(0, type("Finder", (), {"find_spec": stay})())
    sys.addaudithook(lambda *given: None)
    sys.setprofile(lambda *given: time.sleep(20))
    return S
