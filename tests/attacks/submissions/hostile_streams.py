# Tries: stdout and stderr replaced by objects that raise, loop and lie.
# Must not happen: another function loses marks.
# Softmax: failed|partly
import sys
#: right


class Stream:
    encoding = None

    def write(self, text):
        raise SystemExit(text)

    def __getattr__(self, name):
        raise KeyboardInterrupt


def softmax(S):
    sys.stdout = sys.stderr = sys.__stdout__ = sys.stdin = Stream()
    return S
