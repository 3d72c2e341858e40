# Tries: a message of escapes, direction marks, lone surrogates, markup and null bytes.
# Must not happen: a terminal or a reader of the results obeys it.
# Softmax: raised
#: right


def softmax(S):
    raise ValueError("\x1b]0;owned\x07\x1b[2J\u202e\ud800\x00<script>alert(1)</script>\r\n=1+1")
