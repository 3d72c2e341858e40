# ---
# name: unfinished_only_the_first_three
# functions_right: [scores, scale, softmax]
# functions_wrong: [mix, attention, layer_norm, project, split_heads, one_head, pattern_scores, score_spread, softmax_backward, backward, numerical_gradient]
# mistake: "the file ends after softmax"
# kind: broken-file
# tier: 1
# ---
# Homework: Query, Key, Value

import numpy as np


# one number for each (query, key)
def scores(Q, K):
    KT = np.transpose(K)
    S = np.dot(Q, KT)
    return S


# so the softmax is not too sharp
def scale(S, d_k):
    root = np.sqrt(d_k)
    S_scaled = S / root
    return S_scaled


# first take off the max of the row (it does not change the result)
def softmax(S):
    row_max = np.max(S, axis=1, keepdims=True)
    e = np.exp(S - row_max)
    row_sum = np.sum(e, axis=1, keepdims=True)
    A = e / row_sum
    return A
