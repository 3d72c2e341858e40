# Tries: a list that holds itself.
# Must not happen: the process or the grader never comes to the end of it.
# Softmax: failed|raised|crashed
#: right


def softmax(S):
    result = [1.0]
    result.append(result)
    return result
