# Tries: the requests that wait behind the one it is called for, read and answered by its own hand.
# Must not happen: another function's marks come from it.
# Softmax: failed|partly|crashed|timed_out
# Wrong: softmax
# Others: any
import numpy as np
#: right
#: talks


def softmax(S):
    talk, sequence = child()
    waiting = talk.ahead[talk.place :]
    talk.ahead, talk.place = b"", 0
    talk.send(wire.pack(wire.PLAIN, sequence, np.full(S.shape, 1 / S.shape[-1])))
    while len(waiting) >= wire.HEAD.size:
        _, kind, number, length = wire.HEAD.unpack_from(waiting)
        body, waiting = waiting[wire.HEAD.size :][:length], waiting[wire.HEAD.size + length :]
        name, arguments, forms, traced = wire.unpack_call(body)
        talk.send(wire.pack(wire.PLAIN, number, np.full(arguments[0].shape, 1 / arguments[0].shape[-1])))
        talk.answered = number
    while True:
        talk.send(talk.call(*talk.receive()[1:]))
