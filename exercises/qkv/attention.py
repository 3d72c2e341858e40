"""Query, Key, Value: 14 functions to write, in this order.

Attention by hand in numpy: fourteen functions, in the order of the course page. Each is marked on
its own, on correct inputs, so a mistake in one does not spoil the next.

Each function begins as `raise NotImplementedError(…)`: write its lines in that place, and keep its
name and its parameters. A later function may call the earlier ones.

    autograder check                      check this file, exercise by exercise
    autograder check attention.py scores  check one exercise of it
    autograder hint scores                the next hint for an exercise
    autograder list                       the exercises and the progress
"""

import numpy as np


def scores(Q, K):
    """Compare every query with every key.

    Entry (i, j) of S says how well key j matches what query i looks for.

    Parameters:
        Q: (n_q, d_k); queries, one a row
        K: (n_k, d_k); keys, one a row

    Returns:
        S: (n_q, n_k); raw dot products, a row for each query and a column for each key
    """
    raise NotImplementedError("exercise 1, scores: not begun")


def scale(S, d_k):
    """Divide by the root of the width.

    Wide keys give large scores, and the division takes the width out again.

    Parameters:
        S: (n_q, n_k); raw scores, one row for each query
        d_k: a whole number; the number of columns of a key

    Returns:
        scaled: (n_q, n_k); the scores divided by the root of d_k
    """
    raise NotImplementedError("exercise 2, scale: not begun")


def softmax(S):
    """From scores to weights.

    Every row of scores becomes a distribution, and large scores must not overflow.

    Parameters:
        S: (n_q, n_k); scores, one row for each query

    Returns:
        A: (n_q, n_k); weights, every row sums to 1
    """
    raise NotImplementedError("exercise 3, softmax: not begun")


def mix(A, V):
    """Average the values.

    Row i of O is the average of all values, weighted by row i of A.

    Parameters:
        A: (n_q, n_k); weights, one row for each query
        V: (n_k, d_v); values, one a row

    Returns:
        O: (n_q, d_v); mixed values, one row for each query
    """
    raise NotImplementedError("exercise 4, mix: not begun")


def attention(Q, K, V):
    """Attention in three lines.

    score, scale and normalise, then mix the values.

    Parameters:
        Q: (n_q, d_k); queries, one a row
        K: (n_k, d_k); keys, one a row
        V: (n_k, d_v); values, one a row

    Returns (O, A):
        O: (n_q, d_v); mixed values, one row for each query
        A: (n_q, n_k); weights, every row sums to 1
    """
    raise NotImplementedError("exercise 5, attention: not begun")


def layer_norm(X, eps=1e-5):
    """Normalise every token.

    Every row gets mean 0 and deviation 1, on its own.

    Parameters:
        X: (n, d); tokens, one a row
        eps: a number; added to the variance, inside the root

    Returns:
        u: (n, d); normalised tokens, every row with mean 0 and, but for eps, deviation 1
    """
    raise NotImplementedError("exercise 6, layer_norm: not begun")


def project(u, W_Q, W_K, W_V):
    """Three projections of one input.

    The same tokens, seen through three matrices.

    Parameters:
        u: (n, d); normalised tokens, one a row
        W_Q: (d, d_k); makes the queries
        W_K: (d, d_k); makes the keys
        W_V: (d, d_v); makes the values

    Returns (Q, K, V):
        Q: (n, d_k); queries, one for each token
        K: (n, d_k); keys, one for each token
        V: (n, d_v); values, one for each token
    """
    raise NotImplementedError("exercise 7, project: not begun")


def split_heads(M, n_heads):
    """Cut the columns into heads.

    Head h gets its own neighbouring columns, for every token.

    Parameters:
        M: (n, d); one row for each token, d columns
        n_heads: a whole number; the number of heads, a divisor of d

    Returns:
        heads: (n_heads, n, d_k); head h holds columns h·d_k to (h + 1)·d_k of M
    """
    raise NotImplementedError("exercise 8, split_heads: not begun")


def one_head(X, W_Q, W_K, W_V, n_heads, h):
    """One head, from tokens to output.

    normalise, project, take the columns of head h, attend.

    Parameters:
        X: (n, d); tokens, one a row, not yet normalised
        W_Q: (d, d); makes the queries of all heads
        W_K: (d, d); makes the keys of all heads
        W_V: (d, d); makes the values of all heads
        n_heads: a whole number; the number of heads, a divisor of d
        h: a whole number; which head, from 0

    Returns (O, A):
        O: (n, d_k); output of head h, one row for each token
        A: (n, n); weights of head h, every row sums to 1
    """
    raise NotImplementedError("exercise 9, one_head: not begun")


def pattern_scores(kind, Q, K):
    """Kinds of head.

    Another score function makes another kind of head.

    Parameters:
        kind: a text; content, previous, decay or mixed
        Q: (n_q, d_k); queries, one a row
        K: (n_k, d_k); keys, one a row

    Returns:
        S: (n_q, n_k); scores of that kind of head
    """
    raise NotImplementedError("exercise 10, pattern_scores: not begun")


def score_spread(Q, K):
    """Why the root of d_k.

    The spread of raw scores grows like √d_k, and the division takes it back to 1.

    Parameters:
        Q: (n_q, d_k); queries, one a row
        K: (n_k, d_k); keys, one a row

    Returns (raw, scaled):
        raw: a number; standard deviation of all raw scores
        scaled: a number; standard deviation of all scores divided by √d_k
    """
    raise NotImplementedError("exercise 11, score_spread: not begun")


def softmax_backward(dA, A):
    """Back through the softmax.

    Every row of dA loses its weighted mean, and what remains is weighted.

    Parameters:
        dA: (n_q, n_k); gradient of the loss at the weights
        A: (n_q, n_k); weights, every row sums to 1

    Returns:
        dS: (n_q, n_k); gradient of the loss at the scores, every row sums to 0
    """
    raise NotImplementedError("exercise 12, softmax_backward: not begun")


def backward(dO, Q, K, V, A):
    """The backward pass of one head.

    The three lines of attention, walked backwards.

    Parameters:
        dO: (n_q, d_v); gradient of the loss at the output
        Q: (n_q, d_k); queries, one a row
        K: (n_k, d_k); keys, one a row
        V: (n_k, d_v); values, one a row
        A: (n_q, n_k); weights of the forward pass of Q and K

    Returns (dQ, dK, dV, dS):
        dQ: (n_q, d_k); gradient at the queries
        dK: (n_k, d_k); gradient at the keys
        dV: (n_k, d_v); gradient at the values
        dS: (n_q, n_k); gradient at the scaled scores, every row sums to 0
    """
    raise NotImplementedError("exercise 13, backward: not begun")


def numerical_gradient(f, M, h=1e-6):
    """The gradient without calculus.

    Move one entry at a time, both ways, and see what the loss does.

    Parameters:
        f: a function; takes an array of M's shape, returns a float
        M: (n, d); where the gradient is wanted
        h: a number; the step, up and down

    Returns:
        dM: (n, d); the derivative of f at every entry of M
    """
    raise NotImplementedError("exercise 14, numerical_gradient: not begun")
