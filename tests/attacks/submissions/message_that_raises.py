# Tries: an exception whose text, arguments and traceback raise.
# Must not happen: the call has no outcome.
# Softmax: raised|crashed
#: right


class Odd(Exception):
    def __str__(self):
        raise SystemExit(1)

    __repr__ = __str__
    args = property(__str__)
    __traceback__ = property(__str__)
    __class__ = property(lambda self: SyntaxError)


def softmax(S):
    raise Odd
