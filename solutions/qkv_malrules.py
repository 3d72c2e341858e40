"""The wrong functions that usual mistakes produce: one for each misconception of the assignment `qkv`.

A mal-rule is named after its exercise and its mistake, has the signature of the exercise's function, and
does everything right but the one thing that its docstring names. Where the mistake is an error of shapes,
the mal-rule raises it, or warns, as numpy does. What no wrong value shows (an argument that is changed, a
result that is printed, other values at each call) is no mal-rule. "Shows on" names the inputs that tell a
mal-rule from the reference where ordinary ones do not; "shapes fit" are those on which it does not raise.
"""

from collections.abc import Callable

import numpy as np

from solutions.qkv import (
    attention,
    backward,
    layer_norm,
    mix,
    numerical_gradient,
    project,
    scale,
    score_spread,
    scores,
    softmax,
    softmax_backward,
    split_heads,
)

Pair = tuple[np.ndarray, np.ndarray]
Triple = tuple[np.ndarray, np.ndarray, np.ndarray]
Gradients = tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]
Loss = Callable[[np.ndarray], float]


# 1 scores


def scores_no_transpose(Q: np.ndarray, K: np.ndarray) -> np.ndarray:
    """Leave the keys as they are. Shapes fit: n_k = d_k."""
    return Q @ K


def scores_transposed(Q: np.ndarray, K: np.ndarray) -> np.ndarray:
    """Give keys the rows and queries the columns."""
    return K @ Q.T


def scores_reshaped_keys(Q: np.ndarray, K: np.ndarray) -> np.ndarray:
    """Reshape the keys where they should be transposed."""
    return Q @ K.reshape(K.shape[1], K.shape[0])


def scores_tokens_in_columns(Q: np.ndarray, K: np.ndarray) -> np.ndarray:
    """Take columns for tokens. Shapes fit: n_q = n_k."""
    return Q.T @ K


def scores_keys_in_columns(Q: np.ndarray, K: np.ndarray) -> np.ndarray:
    """Take columns for tokens, the keys first. Shapes fit: n_q = n_k."""
    return K.T @ Q


def scores_cosine(Q: np.ndarray, K: np.ndarray) -> np.ndarray:
    """Divide by the lengths of query and key."""
    lengths_q = np.linalg.norm(Q, axis=1, keepdims=True)
    lengths_k = np.linalg.norm(K, axis=1, keepdims=True)
    return (Q / lengths_q) @ (K / lengths_k).T


def scores_same_index(Q: np.ndarray, K: np.ndarray) -> np.ndarray:
    """Use the query's number for the key too. With fewer keys than queries it counts round."""
    S = np.zeros((len(Q), len(K)))
    for i in range(len(Q)):
        for j in range(len(K)):
            S[i, j] = Q[i] @ K[i % len(K)]
    return S


def scores_last_component_left_out(Q: np.ndarray, K: np.ndarray) -> np.ndarray:
    """Stop the sum one component too early."""
    return Q[:, :-1] @ K[:, :-1].T


def scores_squared_distance(Q: np.ndarray, K: np.ndarray) -> np.ndarray:
    """Measure how far apart query and key lie, near ones high."""
    return -np.sum((Q[:, np.newaxis] - K) ** 2, axis=2)


def scores_scaled(Q: np.ndarray, K: np.ndarray) -> np.ndarray:
    """Scale in this exercise already."""
    return scale(scores(Q, K), K.shape[1])


# 2 scale


def scale_missing(S: np.ndarray, d_k: int) -> np.ndarray:
    """Hand the scores back as they are."""
    return S.copy()


def scale_by_d_k(S: np.ndarray, d_k: int) -> np.ndarray:
    """Divide by the width."""
    return S / d_k


def scale_squares(S: np.ndarray, d_k: int) -> np.ndarray:
    """Divide by the square of the width."""
    return S / d_k**2


def scale_half_power(S: np.ndarray, d_k: int) -> np.ndarray:
    """Write the power 1/2 without brackets, so that the quotient is halved."""
    return S / d_k**1 / 2


def scale_by_half_d_k(S: np.ndarray, d_k: int) -> np.ndarray:
    """Write the power 1/2 without brackets inside the divisor, so that the width is halved."""
    return S / (d_k**1 / 2)


def scale_multiplies(S: np.ndarray, d_k: int) -> np.ndarray:
    """Multiply where it should divide."""
    return S * np.sqrt(d_k)


def scale_by_number_of_keys(S: np.ndarray, d_k: int) -> np.ndarray:
    """Take the number of keys for their width."""
    return S / np.sqrt(S.shape[1])


def scale_by_number_of_queries(S: np.ndarray, d_k: int) -> np.ndarray:
    """Take the number of queries for the width of the keys."""
    return S / np.sqrt(S.shape[0])


def scale_always_eight(S: np.ndarray, d_k: int) -> np.ndarray:
    """Divide by the root of 64 whatever the width."""
    return S / 8


def scale_integer_root(S: np.ndarray, d_k: int) -> np.ndarray:
    """Cut the root to a whole number. From scale_missing it differs at widths from 4 on."""
    return S / int(np.sqrt(d_k))


def scale_floor_division(S: np.ndarray, d_k: int) -> np.ndarray:
    """Divide with //."""
    return S // np.sqrt(d_k)


def scale_truncates_integers(S: np.ndarray, d_k: int) -> np.ndarray:
    """Fill an array of the scores' own type. Shows on: whole-number scores."""
    result = np.zeros_like(S)
    result[:] = scale(S, d_k)
    return result


# 3 softmax


def softmax_columns(S: np.ndarray) -> np.ndarray:
    """Normalise each column."""
    return softmax(S.T).T


def softmax_columns_unshifted(S: np.ndarray) -> np.ndarray:
    """Normalise each column and subtract no maximum. From softmax_columns it differs at scores of ±1000."""
    exponentials = np.exp(S)
    return exponentials / np.sum(exponentials, axis=0)


def softmax_all_entries(S: np.ndarray) -> np.ndarray:
    """Normalise the whole matrix. Right for one query."""
    exponentials = np.exp(S - np.max(S))
    return exponentials / np.sum(exponentials)


def softmax_all_entries_unshifted(S: np.ndarray) -> np.ndarray:
    """Normalise the whole matrix and subtract no maximum. From softmax_all_entries: scores of ±1000."""
    exponentials = np.exp(S)
    return exponentials / np.sum(exponentials)


def softmax_no_max_subtraction(S: np.ndarray) -> np.ndarray:
    """Subtract nothing before the exponential. Shows on: scores of ±1000."""
    exponentials = np.exp(S)
    return exponentials / np.sum(exponentials, axis=1, keepdims=True)


def softmax_missing_keepdims_in_sum(S: np.ndarray) -> np.ndarray:
    """Divide by row sums that lie along the columns. Shapes fit: n_q = n_k."""
    exponentials = np.exp(S - np.max(S, axis=1, keepdims=True))
    return exponentials / np.sum(exponentials, axis=1)


def softmax_missing_keepdims_in_max(S: np.ndarray) -> np.ndarray:
    """Subtract row maxima that lie along the columns. Shapes fit: n_q = n_k."""
    exponentials = np.exp(S - np.max(S, axis=1))
    return exponentials / np.sum(exponentials, axis=1, keepdims=True)


def softmax_missing_keepdims(S: np.ndarray) -> np.ndarray:
    """Lay row maxima and row sums along the columns. Shapes fit: n_q = n_k."""
    exponentials = np.exp(S - np.max(S, axis=1))
    return exponentials / np.sum(exponentials, axis=1)


def softmax_missing_keepdims_unshifted(S: np.ndarray) -> np.ndarray:
    """Lay row sums along the columns and subtract no maximum. Shapes fit: n_q = n_k."""
    exponentials = np.exp(S)
    return exponentials / np.sum(exponentials, axis=1)


def softmax_subtracts_column_max(S: np.ndarray) -> np.ndarray:
    """Subtract the maximum of each column, then normalise the rows."""
    exponentials = np.exp(S - np.max(S, axis=0))
    return exponentials / np.sum(exponentials, axis=1, keepdims=True)


def softmax_shift_only_numerator(S: np.ndarray) -> np.ndarray:
    """Subtract the maximum above the fraction bar only."""
    shifted = S - np.max(S, axis=1, keepdims=True)
    return np.exp(shifted) / np.sum(np.exp(S), axis=1, keepdims=True)


def softmax_subtracts_minimum(S: np.ndarray) -> np.ndarray:
    """Subtract the minimum of each row. Shows on: scores of ±1000."""
    exponentials = np.exp(S - np.min(S, axis=1, keepdims=True))
    return exponentials / np.sum(exponentials, axis=1, keepdims=True)


def softmax_of_minus_s(S: np.ndarray) -> np.ndarray:
    """Take the exponentials of the negative scores, so that the worst key gets the most."""
    return softmax(-S)


def softmax_of_minus_s_unshifted(S: np.ndarray) -> np.ndarray:
    """Take the exponentials of the negative scores, and subtract nothing. From softmax_of_minus_s: ±1000."""
    exponentials = np.exp(-S)
    return exponentials / np.sum(exponentials, axis=1, keepdims=True)


def softmax_base_two(S: np.ndarray) -> np.ndarray:
    """Take powers of 2."""
    return softmax(S * np.log(2))


def softmax_sum_changes(S: np.ndarray) -> np.ndarray:
    """Add the row up anew for every entry, when the entries before it are divided already."""
    A = np.exp(S - np.max(S, axis=1, keepdims=True))
    for j in range(S.shape[1]):
        A[:, j] = A[:, j] / np.sum(A, axis=1)
    return A


def softmax_unnormalised(S: np.ndarray) -> np.ndarray:
    """Return the shifted exponentials, undivided."""
    return np.exp(S - np.max(S, axis=1, keepdims=True))


def softmax_without_exp(S: np.ndarray) -> np.ndarray:
    """Divide the scores themselves by their sum."""
    return S / np.sum(S, axis=1, keepdims=True)


def softmax_returns_log(S: np.ndarray) -> np.ndarray:
    """Return the logarithms of the weights."""
    shifted = S - np.max(S, axis=1, keepdims=True)
    return shifted - np.log(np.sum(np.exp(shifted), axis=1, keepdims=True))


def softmax_winner_takes_all(S: np.ndarray) -> np.ndarray:
    """Give all the weight to the best key: right where a row is saturated."""
    return np.eye(S.shape[1])[np.argmax(S, axis=1)]


def softmax_float16(S: np.ndarray) -> np.ndarray:
    """Work with half-precision numbers."""
    half = S.astype(np.float16)
    exponentials = np.exp(half - np.max(half, axis=1, keepdims=True))
    return exponentials / np.sum(exponentials, axis=1, keepdims=True)


def softmax_truncates_integers(S: np.ndarray) -> np.ndarray:
    """Fill an array of the scores' own type. Shows on: whole-number scores."""
    result = np.zeros_like(S)
    result[:] = softmax(S)
    return result


# 4 mix


def mix_transposed_weights(A: np.ndarray, V: np.ndarray) -> np.ndarray:
    """Take the weights of each key. Shapes fit: n_q = n_k."""
    return A.T @ V


def mix_elementwise(A: np.ndarray, V: np.ndarray) -> np.ndarray:
    """Multiply entry by entry. Shapes fit: n_q = n_k and n_k = d_v, or where one of them is 1."""
    return A * V


def mix_wrong_order(A: np.ndarray, V: np.ndarray) -> np.ndarray:
    """Write the values first. Shapes fit: n_q = d_v."""
    return V @ A


def mix_winner_takes_all(A: np.ndarray, V: np.ndarray) -> np.ndarray:
    """Return the value with the largest weight, as a dictionary would."""
    return V[np.argmax(A, axis=1)]


def mix_sums_over_queries(A: np.ndarray, V: np.ndarray) -> np.ndarray:
    """Weight every value for every query, then add up over the queries."""
    return np.sum(A[:, :, np.newaxis] * V, axis=0)


def mix_last_key_only(A: np.ndarray, V: np.ndarray) -> np.ndarray:
    """Keep the last term of the sum over the keys only."""
    return A[:, -1:] * V[-1]


def mix_divides_by_number_of_keys(A: np.ndarray, V: np.ndarray) -> np.ndarray:
    """Average where the weights have averaged already. Right for one key."""
    return mix(A, V) / len(V)


def mix_adds_components(A: np.ndarray, V: np.ndarray) -> np.ndarray:
    """Add up the components of the output as well."""
    return np.sum(mix(A, V), axis=1)


def mix_truncates_integers(A: np.ndarray, V: np.ndarray) -> np.ndarray:
    """Fill an array of the values' own type. Shows on: whole-number values."""
    O = np.zeros((len(A), V.shape[1]), dtype=V.dtype)  # noqa: E741
    O[:] = mix(A, V)
    return O


# 5 attention


def _mixed(A: np.ndarray, V: np.ndarray) -> Pair:
    """Return what attention returns, from its weights on."""
    return mix(A, V), A


def _causal(S: np.ndarray) -> np.ndarray:
    """Return the scores with all keys after the query's own place hidden."""
    return np.where(np.triu(np.ones(S.shape, dtype=bool), k=1), -1e9, S)


def attention_forgets_scale(Q: np.ndarray, K: np.ndarray, V: np.ndarray) -> Pair:
    """Leave the scaling out."""
    return _mixed(softmax(scores(Q, K)), V)


def attention_scales_after_softmax(Q: np.ndarray, K: np.ndarray, V: np.ndarray) -> Pair:
    """Scale the weights instead of the scores."""
    return _mixed(scale(softmax(scores(Q, K)), K.shape[1]), V)


def attention_scales_output(Q: np.ndarray, K: np.ndarray, V: np.ndarray) -> Pair:
    """Scale the output instead of the scores."""
    O, A = attention_forgets_scale(Q, K, V)  # noqa: E741
    return scale(O, K.shape[1]), A


def attention_scales_twice(Q: np.ndarray, K: np.ndarray, V: np.ndarray) -> Pair:
    """Scale twice, or by the whole width, which is the same."""
    d_k = K.shape[1]
    return _mixed(softmax(scale(scale(scores(Q, K), d_k), d_k)), V)


def attention_scales_by_number_of_keys(Q: np.ndarray, K: np.ndarray, V: np.ndarray) -> Pair:
    """Take the number of keys for their width."""
    return _mixed(softmax(scale(scores(Q, K), K.shape[0])), V)


def attention_scales_by_number_of_queries(Q: np.ndarray, K: np.ndarray, V: np.ndarray) -> Pair:
    """Take the number of queries for the width of the keys."""
    return _mixed(softmax(scale(scores(Q, K), Q.shape[0])), V)


def attention_scales_by_width_of_values(Q: np.ndarray, K: np.ndarray, V: np.ndarray) -> Pair:
    """Take the width of the values for that of the keys. Right where the two are equal."""
    return _mixed(softmax(scale(scores(Q, K), V.shape[1])), V)


def attention_scales_by_root_of_two(Q: np.ndarray, K: np.ndarray, V: np.ndarray) -> Pair:
    """Divide by the root of 2 whatever the width."""
    return _mixed(softmax(scale(scores(Q, K), 2)), V)


def attention_multiplies_scale(Q: np.ndarray, K: np.ndarray, V: np.ndarray) -> Pair:
    """Multiply where the scaling should divide."""
    return _mixed(softmax(scores(Q, K) * np.sqrt(K.shape[1])), V)


def attention_softmax_columns(Q: np.ndarray, K: np.ndarray, V: np.ndarray) -> Pair:
    """Normalise each column of the weights."""
    return _mixed(softmax_columns(scale(scores(Q, K), K.shape[1])), V)


def attention_softmax_all_entries(Q: np.ndarray, K: np.ndarray, V: np.ndarray) -> Pair:
    """Normalise the whole matrix of weights. Right for one query."""
    return _mixed(softmax_all_entries(scale(scores(Q, K), K.shape[1])), V)


def attention_skips_softmax(Q: np.ndarray, K: np.ndarray, V: np.ndarray) -> Pair:
    """Mix with the scaled scores."""
    return _mixed(scale(scores(Q, K), K.shape[1]), V)


def attention_softmax_twice(Q: np.ndarray, K: np.ndarray, V: np.ndarray) -> Pair:
    """Take the weights for scores once more."""
    return _mixed(softmax(attention(Q, K, V)[1]), V)


def attention_returns_scores(Q: np.ndarray, K: np.ndarray, V: np.ndarray) -> Pair:
    """Return the scaled scores beside a right output."""
    return attention(Q, K, V)[0], scale(scores(Q, K), K.shape[1])


def attention_always_causal(Q: np.ndarray, K: np.ndarray, V: np.ndarray) -> Pair:
    """Hide the keys that come later."""
    return _mixed(softmax(_causal(scale(scores(Q, K), K.shape[1]))), V)


def attention_masks_with_zero(Q: np.ndarray, K: np.ndarray, V: np.ndarray) -> Pair:
    """Set the scores of later keys to 0, which still leaves them weight."""
    return _mixed(softmax(np.tril(scale(scores(Q, K), K.shape[1]))), V)


def attention_masks_after_softmax(Q: np.ndarray, K: np.ndarray, V: np.ndarray) -> Pair:
    """Set the weights of later keys to 0 and leave the others as they are."""
    return _mixed(np.tril(attention(Q, K, V)[1]), V)


def attention_keys_and_values_mixed_up(Q: np.ndarray, K: np.ndarray, V: np.ndarray) -> Pair:
    """Compare with the values and mix the keys. Shapes fit: d_k = d_v."""
    return attention(Q, V, K)


def attention_mixes_keys(Q: np.ndarray, K: np.ndarray, V: np.ndarray) -> Pair:
    """Mix the keys. The weights are right."""
    return attention(Q, K, K)


def attention_mixes_queries(Q: np.ndarray, K: np.ndarray, V: np.ndarray) -> Pair:
    """Mix the queries. The weights are right. Shapes fit: n_q = n_k."""
    return _mixed(attention(Q, K, V)[1], Q)


def attention_queries_and_keys_swapped(Q: np.ndarray, K: np.ndarray, V: np.ndarray) -> Pair:
    """Let the keys ask. Shapes fit: n_q = n_k."""
    return attention(K, Q, V)


def attention_rounds_to_4(Q: np.ndarray, K: np.ndarray, V: np.ndarray) -> Pair:
    """Round both results to four digits."""
    O, A = attention(Q, K, V)  # noqa: E741
    return np.round(O, 4), np.round(A, 4)


def attention_returns_swapped(Q: np.ndarray, K: np.ndarray, V: np.ndarray) -> Pair:
    """Return the weights first."""
    O, A = attention(Q, K, V)  # noqa: E741
    return A, O


def attention_returns_output_only(Q: np.ndarray, K: np.ndarray, V: np.ndarray) -> np.ndarray:
    """Return no weights."""
    return attention(Q, K, V)[0]


# 6 layer_norm


def _row_mean(X: np.ndarray) -> np.ndarray:
    """Return the mean of each row, as a column."""
    return np.mean(X, axis=1, keepdims=True)


def _row_variance(X: np.ndarray) -> np.ndarray:
    """Return the population variance of each row, as a column."""
    return np.var(X, axis=1, keepdims=True)


def layer_norm_sample_std(X: np.ndarray, eps: float = 1e-5) -> np.ndarray:
    """Divide by the sample's deviation."""
    variance = np.var(X, axis=1, ddof=1, keepdims=True)
    return (X - _row_mean(X)) / np.sqrt(variance + eps)


def layer_norm_sample_std_eps_outside(X: np.ndarray, eps: float = 1e-5) -> np.ndarray:
    """Divide by the sample's deviation plus eps. From the two mistakes alone: eps = 0.1."""
    return (X - _row_mean(X)) / (np.std(X, axis=1, ddof=1, keepdims=True) + eps)


def layer_norm_over_columns(X: np.ndarray, eps: float = 1e-5) -> np.ndarray:
    """Normalise each column, as batch norm does."""
    return layer_norm(X.T, eps).T


def layer_norm_over_everything(X: np.ndarray, eps: float = 1e-5) -> np.ndarray:
    """Use one mean and one deviation for all rows. Right for one token."""
    return (X - np.mean(X)) / np.sqrt(np.var(X) + eps)


def layer_norm_one_deviation(X: np.ndarray, eps: float = 1e-5) -> np.ndarray:
    """Use row means, and one deviation for all rows. From layer_norm_over_everything: unequal row means."""
    return (X - _row_mean(X)) / np.sqrt(np.var(X) + eps)


def layer_norm_missing_keepdims(X: np.ndarray, eps: float = 1e-5) -> np.ndarray:
    """Lay the row figures along the columns. Shapes fit: n = d."""
    return (X - np.mean(X, axis=1)) / np.sqrt(np.var(X, axis=1) + eps)


def layer_norm_no_eps(X: np.ndarray, eps: float = 1e-5) -> np.ndarray:
    """Leave eps out. Shows on: a constant row, rows of tiny variance, eps = 0.1."""
    return (X - _row_mean(X)) / np.sqrt(_row_variance(X))


def layer_norm_eps_outside_root(X: np.ndarray, eps: float = 1e-5) -> np.ndarray:
    """Add eps to the deviation. Shows on: rows of tiny variance, eps = 0.1."""
    return (X - _row_mean(X)) / (np.sqrt(_row_variance(X)) + eps)


def layer_norm_ignores_eps_argument(X: np.ndarray, eps: float = 1e-5) -> np.ndarray:
    """Use the usual eps whatever is asked. Shows on: eps = 0.1."""
    return layer_norm(X)


def layer_norm_divides_by_variance(X: np.ndarray, eps: float = 1e-5) -> np.ndarray:
    """Take no root. From the right one it differs where the deviation is not 1."""
    return (X - _row_mean(X)) / (_row_variance(X) + eps)


def layer_norm_squares_instead_of_root(X: np.ndarray, eps: float = 1e-5) -> np.ndarray:
    """Square where a root is meant."""
    return (X - _row_mean(X)) / (_row_variance(X) + eps) ** 2


def layer_norm_rms_only(X: np.ndarray, eps: float = 1e-5) -> np.ndarray:
    """Subtract no mean, neither above nor below the fraction bar. Right for rows of mean 0."""
    return X / np.sqrt(_row_mean(X**2) + eps)


def layer_norm_only_centres(X: np.ndarray, eps: float = 1e-5) -> np.ndarray:
    """Subtract the mean and stop."""
    return X - _row_mean(X)


def layer_norm_variance_about_zero(X: np.ndarray, eps: float = 1e-5) -> np.ndarray:
    """Subtract the mean above the fraction bar only. Right for rows of mean 0."""
    return (X - _row_mean(X)) / np.sqrt(_row_mean(X**2) + eps)


def layer_norm_one_pass_variance(X: np.ndarray, eps: float = 1e-5) -> np.ndarray:
    """Take the variance as a difference of means. Shows on: an offset of 1e7."""
    variance = _row_mean(X**2) - _row_mean(X) ** 2
    return (X - _row_mean(X)) / np.sqrt(variance + eps)


def layer_norm_truncates_integers(X: np.ndarray, eps: float = 1e-5) -> np.ndarray:
    """Fill an array of the tokens' own type. Shows on: whole-number tokens."""
    u = np.zeros_like(X)
    u[:] = layer_norm(X, eps)
    return u


# 7 project


def project_transposed_weights(u: np.ndarray, W_Q: np.ndarray, W_K: np.ndarray, W_V: np.ndarray) -> Triple:
    """Turn the weights round. Shapes fit: square weights."""
    return u @ W_Q.T, u @ W_K.T, u @ W_V.T


def project_weights_first(u: np.ndarray, W_Q: np.ndarray, W_K: np.ndarray, W_V: np.ndarray) -> Triple:
    """Write the weights on the left of turned tokens. Shapes fit: square weights."""
    return W_Q @ u.T, W_K @ u.T, W_V @ u.T


def project_tokens_in_columns(u: np.ndarray, W_Q: np.ndarray, W_K: np.ndarray, W_V: np.ndarray) -> Triple:
    """Return one column for each token."""
    Q, K, V = project(u, W_Q, W_K, W_V)
    return Q.T, K.T, V.T


def project_one_weight_for_all(u: np.ndarray, W_Q: np.ndarray, W_K: np.ndarray, W_V: np.ndarray) -> Triple:
    """Make keys and values with the weights of the queries."""
    return project(u, W_Q, W_Q, W_Q)


def project_values_like_keys(u: np.ndarray, W_Q: np.ndarray, W_K: np.ndarray, W_V: np.ndarray) -> Triple:
    """Make the values with the weights of the keys. Queries and keys are right."""
    return project(u, W_Q, W_K, W_K)


def project_returns_other_order(u: np.ndarray, W_Q: np.ndarray, W_K: np.ndarray, W_V: np.ndarray) -> Triple:
    """Return keys, queries, values. The values are right."""
    return project(u, W_K, W_Q, W_V)


def project_normalises_again(u: np.ndarray, W_Q: np.ndarray, W_K: np.ndarray, W_V: np.ndarray) -> Triple:
    """Normalise the tokens first. Shows on: tokens that are not normalised."""
    return project(layer_norm(u), W_Q, W_K, W_V)


def project_chains(u: np.ndarray, W_Q: np.ndarray, W_K: np.ndarray, W_V: np.ndarray) -> Triple:
    """Make the keys from the queries and the values from the keys. Shapes fit: square weights."""
    Q = u @ W_Q
    K = Q @ W_K
    return Q, K, K @ W_V


def project_scales_queries(u: np.ndarray, W_Q: np.ndarray, W_K: np.ndarray, W_V: np.ndarray) -> Triple:
    """Scale the queries in this exercise already. Keys and values are right."""
    Q, K, V = project(u, W_Q, W_K, W_V)
    return scale(Q, K.shape[1]), K, V


# 8 split_heads


def split_heads_reshape_only(M: np.ndarray, n_heads: int) -> np.ndarray:
    """Reshape straight to the wanted shape. Right for one head or one token."""
    n, d = M.shape
    return M.reshape(n_heads, n, d // n_heads)


def split_heads_axis_second(M: np.ndarray, n_heads: int) -> np.ndarray:
    """Leave the tokens in front of the heads. Right for one token."""
    return split_heads(M, n_heads).transpose(1, 0, 2)


def split_heads_n_heads_as_width(M: np.ndarray, n_heads: int) -> np.ndarray:
    """Take the number of heads for the width of one. Right where the two are equal."""
    return split_heads(M, M.shape[1] // n_heads)


def split_heads_cuts_rows(M: np.ndarray, n_heads: int) -> np.ndarray:
    """Share out the tokens. Shapes fit: n is a multiple of n_heads. Right for one head."""
    return np.array(np.split(M, n_heads, axis=0))


def split_heads_cuts_rows_short(M: np.ndarray, n_heads: int) -> np.ndarray:
    """Share out the tokens in equal parts and drop the rest. Right for one head."""
    rows = len(M) // n_heads
    return M[: n_heads * rows].reshape(n_heads, rows, M.shape[1]).copy()


def split_heads_one_head_stays_flat(M: np.ndarray, n_heads: int) -> np.ndarray:
    """Give a single head no axis of its own. Shows on: n_heads = 1."""
    return M.copy() if n_heads == 1 else split_heads(M, n_heads)


def split_heads_interleaved(M: np.ndarray, n_heads: int) -> np.ndarray:
    """Deal the columns out in turn. Right for one head."""
    return np.array([M[:, h::n_heads] for h in range(n_heads)])


def split_heads_tokens_last(M: np.ndarray, n_heads: int) -> np.ndarray:
    """Turn each head round: its columns first, the tokens last."""
    return split_heads(M, n_heads).transpose(0, 2, 1)


# 9 one_head


def _projected_heads(
    X: np.ndarray, W_Q: np.ndarray, W_K: np.ndarray, W_V: np.ndarray, n_heads: int, h: int
) -> Triple:
    """Return queries, keys and values of one head, made rightly."""
    Q, K, V = project(layer_norm(X), W_Q, W_K, W_V)
    return split_heads(Q, n_heads)[h], split_heads(K, n_heads)[h], split_heads(V, n_heads)[h]


def one_head_counts_from_one(
    X: np.ndarray, W_Q: np.ndarray, W_K: np.ndarray, W_V: np.ndarray, n_heads: int, h: int
) -> Pair:
    """Take the head before, and the last one for head 0. Right for one head."""
    return attention(*_projected_heads(X, W_Q, W_K, W_V, n_heads, h - 1))


def one_head_ignores_h(
    X: np.ndarray, W_Q: np.ndarray, W_K: np.ndarray, W_V: np.ndarray, n_heads: int, h: int
) -> Pair:
    """Take head 0 whatever is asked. Shows on: h > 0."""
    return attention(*_projected_heads(X, W_Q, W_K, W_V, n_heads, 0))


def one_head_leaves_v_whole(
    X: np.ndarray, W_Q: np.ndarray, W_K: np.ndarray, W_V: np.ndarray, n_heads: int, h: int
) -> Pair:
    """Mix values of the full width. The weights are right; all is right for one head."""
    Q_h, K_h, _ = _projected_heads(X, W_Q, W_K, W_V, n_heads, h)
    return attention(Q_h, K_h, layer_norm(X) @ W_V)


def one_head_attends_at_full_width(
    X: np.ndarray, W_Q: np.ndarray, W_K: np.ndarray, W_V: np.ndarray, n_heads: int, h: int
) -> Pair:
    """Attend with all columns and take the head's share of the output. Right for one head."""
    O, A = attention(*project(layer_norm(X), W_Q, W_K, W_V))  # noqa: E741
    return split_heads(O, n_heads)[h], A


def one_head_skips_layer_norm(
    X: np.ndarray, W_Q: np.ndarray, W_K: np.ndarray, W_V: np.ndarray, n_heads: int, h: int
) -> Pair:
    """Project the tokens as they come in."""
    Q, K, V = (split_heads(M, n_heads)[h] for M in project(X, W_Q, W_K, W_V))
    return attention(Q, K, V)


def one_head_normalises_after_projection(
    X: np.ndarray, W_Q: np.ndarray, W_K: np.ndarray, W_V: np.ndarray, n_heads: int, h: int
) -> Pair:
    """Normalise queries, keys and values instead of the tokens."""
    Q, K, V = (split_heads(layer_norm(M), n_heads)[h] for M in project(X, W_Q, W_K, W_V))
    return attention(Q, K, V)


def one_head_takes_head_of_x(
    X: np.ndarray, W_Q: np.ndarray, W_K: np.ndarray, W_V: np.ndarray, n_heads: int, h: int
) -> Pair:
    """Cut the head out of the tokens, and out of both sides of the weights. Right for one head."""
    u_h = split_heads(layer_norm(X), n_heads)[h]
    bar = slice(h * u_h.shape[1], (h + 1) * u_h.shape[1])
    return attention(*project(u_h, W_Q[bar, bar], W_K[bar, bar], W_V[bar, bar]))


def one_head_takes_corner_of_weights(
    X: np.ndarray, W_Q: np.ndarray, W_K: np.ndarray, W_V: np.ndarray, n_heads: int, h: int
) -> Pair:
    """Cut the head out of the tokens, and the first block out of the weights. Right for one head."""
    u_h = split_heads(layer_norm(X), n_heads)[h]
    width = u_h.shape[1]
    return attention(*project(u_h, *(W[:width, :width] for W in (W_Q, W_K, W_V))))


def one_head_joins_all_heads(
    X: np.ndarray, W_Q: np.ndarray, W_K: np.ndarray, W_V: np.ndarray, n_heads: int, h: int
) -> Pair:
    """Return the outputs of all heads side by side. The weights are right; all is right for one head."""
    pairs = [attention(*_projected_heads(X, W_Q, W_K, W_V, n_heads, other)) for other in range(n_heads)]
    return np.concatenate([output for output, _ in pairs], axis=1), pairs[h][1]


def one_head_reshape_only(
    X: np.ndarray, W_Q: np.ndarray, W_K: np.ndarray, W_V: np.ndarray, n_heads: int, h: int
) -> Pair:
    """Reshape straight to heads. Right for one head."""
    Q, K, V = (split_heads_reshape_only(M, n_heads)[h] for M in project(layer_norm(X), W_Q, W_K, W_V))
    return attention(Q, K, V)


def one_head_interleaved(
    X: np.ndarray, W_Q: np.ndarray, W_K: np.ndarray, W_V: np.ndarray, n_heads: int, h: int
) -> Pair:
    """Take every n_heads-th column. Right for one head."""
    Q, K, V = (M[:, h::n_heads] for M in project(layer_norm(X), W_Q, W_K, W_V))
    return attention(Q, K, V)


def one_head_forgets_scale(
    X: np.ndarray, W_Q: np.ndarray, W_K: np.ndarray, W_V: np.ndarray, n_heads: int, h: int
) -> Pair:
    """Leave the scaling out."""
    return attention_forgets_scale(*_projected_heads(X, W_Q, W_K, W_V, n_heads, h))


def one_head_unscaled_when_alone(
    X: np.ndarray, W_Q: np.ndarray, W_K: np.ndarray, W_V: np.ndarray, n_heads: int, h: int
) -> Pair:
    """Leave the scaling out for a single head. Shows on: n_heads = 1."""
    attend = attention_forgets_scale if n_heads == 1 else attention
    return attend(*_projected_heads(X, W_Q, W_K, W_V, n_heads, h))


def one_head_scales_by_d_model(
    X: np.ndarray, W_Q: np.ndarray, W_K: np.ndarray, W_V: np.ndarray, n_heads: int, h: int
) -> Pair:
    """Scale by the width of all heads together. Right for one head."""
    Q_h, K_h, V_h = _projected_heads(X, W_Q, W_K, W_V, n_heads, h)
    return _mixed(softmax(scale(scores(Q_h, K_h), X.shape[1])), V_h)


def one_head_scales_by_number_of_heads(
    X: np.ndarray, W_Q: np.ndarray, W_K: np.ndarray, W_V: np.ndarray, n_heads: int, h: int
) -> Pair:
    """Scale by the number of heads. Right where that is a head's width."""
    Q_h, K_h, V_h = _projected_heads(X, W_Q, W_K, W_V, n_heads, h)
    return _mixed(softmax(scale(scores(Q_h, K_h), n_heads)), V_h)


def one_head_always_causal(
    X: np.ndarray, W_Q: np.ndarray, W_K: np.ndarray, W_V: np.ndarray, n_heads: int, h: int
) -> Pair:
    """Hide the tokens that come later."""
    return attention_always_causal(*_projected_heads(X, W_Q, W_K, W_V, n_heads, h))


def one_head_returns_output_only(
    X: np.ndarray, W_Q: np.ndarray, W_K: np.ndarray, W_V: np.ndarray, n_heads: int, h: int
) -> np.ndarray:
    """Return no weights."""
    return attention(*_projected_heads(X, W_Q, W_K, W_V, n_heads, h))[0]


# 10 pattern_scores


def _places(Q: np.ndarray, K: np.ndarray) -> Pair:
    """Return the places of the queries as a column and those of the keys as a row."""
    return np.arange(len(Q))[:, np.newaxis], np.arange(len(K))[np.newaxis, :]


def _previous(Q: np.ndarray, K: np.ndarray) -> np.ndarray:
    """Return the scores of a head that looks one token back."""
    i, j = _places(Q, K)
    return np.where(j == i - 1, 5.0, 0.0)


def _decay(Q: np.ndarray, K: np.ndarray) -> np.ndarray:
    """Return the scores of a head that looks nearby."""
    i, j = _places(Q, K)
    return 0.0 - np.abs(i - j)


def _of_kind(kind: str, content: np.ndarray, previous: np.ndarray, decay: np.ndarray) -> np.ndarray:
    """Return the pattern of this kind, made of the three given: a wrong part makes the mixture wrong too."""
    if kind == "mixed":
        return (content + previous + decay) / 3
    return {"content": content, "previous": previous, "decay": decay}[kind]


def pattern_scores_looks_ahead(kind: str, Q: np.ndarray, K: np.ndarray) -> np.ndarray:
    """Look at the next token in "previous"."""
    i, j = _places(Q, K)
    return _of_kind(kind, scores(Q, K), np.where(j == i + 1, 5.0, 0.0), _decay(Q, K))


def pattern_scores_every_earlier(kind: str, Q: np.ndarray, K: np.ndarray) -> np.ndarray:
    """Look at all earlier tokens in "previous"."""
    i, j = _places(Q, K)
    return _of_kind(kind, scores(Q, K), np.where(j < i, 5.0, 0.0), _decay(Q, K))


def pattern_scores_hides_rest(kind: str, Q: np.ndarray, K: np.ndarray) -> np.ndarray:
    """Hide everything but the token one back in "previous"."""
    i, j = _places(Q, K)
    return _of_kind(kind, scores(Q, K), np.where(j == i - 1, 5.0, -np.inf), _decay(Q, K))


def pattern_scores_previous_is_one(kind: str, Q: np.ndarray, K: np.ndarray) -> np.ndarray:
    """Score 1 instead of 5 in "previous"."""
    return _of_kind(kind, scores(Q, K), _previous(Q, K) / 5, _decay(Q, K))


def pattern_scores_own_place(kind: str, Q: np.ndarray, K: np.ndarray) -> np.ndarray:
    """Look at the token's own place in "previous"."""
    return _of_kind(kind, scores(Q, K), 5 * np.eye(len(Q), len(K)), _decay(Q, K))


def pattern_scores_wraps_round(kind: str, Q: np.ndarray, K: np.ndarray) -> np.ndarray:
    """Look back from the first token to the last key in "previous"."""
    previous = _previous(Q, K)
    previous[0, -1] = 5.0
    return _of_kind(kind, scores(Q, K), previous, _decay(Q, K))


def pattern_scores_decay_grows(kind: str, Q: np.ndarray, K: np.ndarray) -> np.ndarray:
    """Let the score grow with the distance in "decay"."""
    return _of_kind(kind, scores(Q, K), _previous(Q, K), -_decay(Q, K))


def pattern_scores_decay_signed(kind: str, Q: np.ndarray, K: np.ndarray) -> np.ndarray:
    """Count later tokens as negative distances in "decay"."""
    i, j = _places(Q, K)
    return _of_kind(kind, scores(Q, K), _previous(Q, K), 0.0 - (i - j))


def pattern_scores_decay_squared(kind: str, Q: np.ndarray, K: np.ndarray) -> np.ndarray:
    """Square the distance in "decay". From the right one: more than two tokens on a side."""
    return _of_kind(kind, scores(Q, K), _previous(Q, K), 0.0 - _decay(Q, K) ** 2)


def pattern_scores_decay_exponential(kind: str, Q: np.ndarray, K: np.ndarray) -> np.ndarray:
    """Return weights that fall exponentially in "decay"."""
    return _of_kind(kind, scores(Q, K), _previous(Q, K), np.exp(_decay(Q, K)))


def pattern_scores_content_scaled(kind: str, Q: np.ndarray, K: np.ndarray) -> np.ndarray:
    """Scale the scores in "content"."""
    return _of_kind(kind, scale(scores(Q, K), K.shape[1]), _previous(Q, K), _decay(Q, K))


def pattern_scores_mixed_sum(kind: str, Q: np.ndarray, K: np.ndarray) -> np.ndarray:
    """Add the three up in "mixed". The other kinds are right."""
    right = _of_kind(kind, scores(Q, K), _previous(Q, K), _decay(Q, K))
    return right * 3 if kind == "mixed" else right


def pattern_scores_mixed_of_two(kind: str, Q: np.ndarray, K: np.ndarray) -> np.ndarray:
    """Take the mean of "content" and "decay" in "mixed". The other kinds are right."""
    content, decay = scores(Q, K), _decay(Q, K)
    return (content + decay) / 2 if kind == "mixed" else _of_kind(kind, content, _previous(Q, K), decay)


def pattern_scores_mixed_without_previous(kind: str, Q: np.ndarray, K: np.ndarray) -> np.ndarray:
    """Leave "previous" out of the sum in "mixed". The other kinds are right."""
    content, decay = scores(Q, K), _decay(Q, K)
    return (content + decay) / 3 if kind == "mixed" else _of_kind(kind, content, _previous(Q, K), decay)


def pattern_scores_square(kind: str, Q: np.ndarray, K: np.ndarray) -> np.ndarray:
    """Give "previous" and "decay" one column for each query. Shapes fit in "mixed": n_q = n_k."""
    return _of_kind(kind, scores(Q, K), _previous(Q, Q), _decay(Q, Q))


def pattern_scores_keys_first(kind: str, Q: np.ndarray, K: np.ndarray) -> np.ndarray:
    """Give the keys the rows and the queries the columns."""
    return _of_kind(kind, scores(K, Q), _previous(K, Q), _decay(K, Q))


def pattern_scores_returns_weights(kind: str, Q: np.ndarray, K: np.ndarray) -> np.ndarray:
    """Return weights instead of scores."""
    return softmax(_of_kind(kind, scores(Q, K), _previous(Q, K), _decay(Q, K)))


# 11 score_spread


def score_spread_variance(Q: np.ndarray, K: np.ndarray) -> tuple[float, float]:
    """Return the squares of the deviations."""
    raw, scaled = score_spread(Q, K)
    return raw**2, scaled**2


def score_spread_std_per_row(Q: np.ndarray, K: np.ndarray) -> Pair:
    """Return a deviation for each query."""
    S = scores(Q, K)
    return np.std(S, axis=1), np.std(scale(S, K.shape[1]), axis=1)


def score_spread_mean_of_row_stds(Q: np.ndarray, K: np.ndarray) -> tuple[float, float]:
    """Average the deviations of the rows. Right for one query."""
    raw, scaled = score_spread_std_per_row(Q, K)
    return float(np.mean(raw)), float(np.mean(scaled))


def score_spread_sample_std(Q: np.ndarray, K: np.ndarray) -> tuple[float, float]:
    """Return the deviations of a sample."""
    S = scores(Q, K)
    return float(np.std(S, ddof=1)), float(np.std(scale(S, K.shape[1]), ddof=1))


def score_spread_root_mean_square(Q: np.ndarray, K: np.ndarray) -> tuple[float, float]:
    """Take the mean of the scores for 0."""
    S = scores(Q, K)
    return float(np.sqrt(np.mean(S**2))), float(np.sqrt(np.mean(scale(S, K.shape[1]) ** 2)))


def score_spread_theory(Q: np.ndarray, K: np.ndarray) -> tuple[float, float]:
    """Return what is expected of random queries and keys, whatever these are."""
    return float(np.sqrt(K.shape[1])), 1.0


def score_spread_divides_by_d_k(Q: np.ndarray, K: np.ndarray) -> tuple[float, float]:
    """Divide by the width. The raw spread is right."""
    raw, _ = score_spread(Q, K)
    return raw, raw / K.shape[1]


def score_spread_scales_by_number_of_keys(Q: np.ndarray, K: np.ndarray) -> tuple[float, float]:
    """Take the number of keys for their width. The raw spread is right."""
    raw, _ = score_spread(Q, K)
    return raw, raw / float(np.sqrt(K.shape[0]))


def score_spread_not_scaled(Q: np.ndarray, K: np.ndarray) -> tuple[float, float]:
    """Return the raw spread twice."""
    raw, _ = score_spread(Q, K)
    return raw, raw


def score_spread_of_weights(Q: np.ndarray, K: np.ndarray) -> tuple[float, float]:
    """Return the spread of the weights. The raw spread is right."""
    S = scores(Q, K)
    return float(np.std(S)), float(np.std(softmax(scale(S, K.shape[1]))))


def score_spread_returns_swapped(Q: np.ndarray, K: np.ndarray) -> tuple[float, float]:
    """Return the scaled spread first."""
    raw, scaled = score_spread(Q, K)
    return scaled, raw


# 12 softmax_backward


def softmax_backward_elementwise(dA: np.ndarray, A: np.ndarray) -> np.ndarray:
    """Keep the diagonal of the Jacobian only, as for a sigmoid; or leave out the sum, which is the same."""
    return dA * A * (1 - A)


def softmax_backward_drops_row_sum(dA: np.ndarray, A: np.ndarray) -> np.ndarray:
    """Subtract nothing."""
    return A * dA


def softmax_backward_skips_softmax(dA: np.ndarray, A: np.ndarray) -> np.ndarray:
    """Hand the gradient through."""
    return dA.copy()


def softmax_backward_sums_columns(dA: np.ndarray, A: np.ndarray) -> np.ndarray:
    """Sum along each column."""
    return A * (dA - np.sum(dA * A, axis=0))


def softmax_backward_flattened_jacobian(dA: np.ndarray, A: np.ndarray) -> np.ndarray:
    """Treat the whole matrix as one distribution. Right for one query."""
    return A * (dA - np.sum(dA * A))


def softmax_backward_missing_keepdims(dA: np.ndarray, A: np.ndarray) -> np.ndarray:
    """Lay the row sums along the columns. Shapes fit: n_q = n_k."""
    return A * (dA - np.sum(dA * A, axis=1))


def softmax_backward_unweighted_sum(dA: np.ndarray, A: np.ndarray) -> np.ndarray:
    """Subtract the plain sum of the row."""
    return A * (dA - np.sum(dA, axis=1, keepdims=True))


def softmax_backward_unweighted_mean(dA: np.ndarray, A: np.ndarray) -> np.ndarray:
    """Subtract the plain mean of the row. Right where all weights of a row are equal."""
    return A * (dA - np.mean(dA, axis=1, keepdims=True))


def softmax_backward_mean_of_products(dA: np.ndarray, A: np.ndarray) -> np.ndarray:
    """Subtract the mean of the weighted row instead of its sum."""
    return A * (dA - np.mean(dA * A, axis=1, keepdims=True))


def softmax_backward_forgets_outer_weights(dA: np.ndarray, A: np.ndarray) -> np.ndarray:
    """Subtract the weighted mean, and weight nothing afterwards."""
    return dA - np.sum(dA * A, axis=1, keepdims=True)


def softmax_backward_wrong_sign(dA: np.ndarray, A: np.ndarray) -> np.ndarray:
    """Subtract the other way round."""
    return -softmax_backward(dA, A)


def softmax_backward_softmax_again(dA: np.ndarray, A: np.ndarray) -> np.ndarray:
    """Take the weights for scores."""
    return softmax_backward(dA, softmax(A))


def softmax_backward_truncates_integers(dA: np.ndarray, A: np.ndarray) -> np.ndarray:
    """Fill an array of the gradient's own type. Shows on: a whole-number gradient."""
    dS = np.zeros_like(dA)
    dS[:] = softmax_backward(dA, A)
    return dS


# 13 backward


def _behind_softmax(dS: np.ndarray, dO: np.ndarray, Q: np.ndarray, K: np.ndarray, A: np.ndarray) -> Gradients:
    """Return all gradients for this dS: right but for what dS brings along."""
    d_k = K.shape[1]
    return scale(dS @ K, d_k), scale(dS.T @ Q, d_k), A.T @ dO, dS


def backward_forgets_scale(
    dO: np.ndarray, Q: np.ndarray, K: np.ndarray, V: np.ndarray, A: np.ndarray
) -> Gradients:
    """Leave the scaling out of dQ and dK."""
    _, _, dV, dS = backward(dO, Q, K, V, A)
    return dS @ K, dS.T @ Q, dV, dS


def backward_scales_only_dq(
    dO: np.ndarray, Q: np.ndarray, K: np.ndarray, V: np.ndarray, A: np.ndarray
) -> Gradients:
    """Leave the scaling out of dK alone."""
    dQ, _, dV, dS = backward(dO, Q, K, V, A)
    return dQ, dS.T @ Q, dV, dS


def backward_divides_by_d_k(
    dO: np.ndarray, Q: np.ndarray, K: np.ndarray, V: np.ndarray, A: np.ndarray
) -> Gradients:
    """Scale dQ and dK twice, or by the whole width, which is the same."""
    dQ, dK, dV, dS = backward(dO, Q, K, V, A)
    return scale(dQ, K.shape[1]), scale(dK, K.shape[1]), dV, dS


def backward_scales_by_number_of_keys(
    dO: np.ndarray, Q: np.ndarray, K: np.ndarray, V: np.ndarray, A: np.ndarray
) -> Gradients:
    """Take the number of keys for their width."""
    _, _, dV, dS = backward(dO, Q, K, V, A)
    return scale(dS @ K, len(K)), scale(dS.T @ Q, len(K)), dV, dS


def backward_ds_for_unscaled_scores(
    dO: np.ndarray, Q: np.ndarray, K: np.ndarray, V: np.ndarray, A: np.ndarray
) -> Gradients:
    """Return dS for the raw scores. The rest is right."""
    dQ, dK, dV, dS = backward(dO, Q, K, V, A)
    return dQ, dK, dV, scale(dS, K.shape[1])


def backward_returns_da(
    dO: np.ndarray, Q: np.ndarray, K: np.ndarray, V: np.ndarray, A: np.ndarray
) -> Gradients:
    """Return the gradient at the weights in place of dS. The rest is right."""
    dQ, dK, dV, _ = backward(dO, Q, K, V, A)
    return dQ, dK, dV, dO @ V.T


def backward_elementwise(
    dO: np.ndarray, Q: np.ndarray, K: np.ndarray, V: np.ndarray, A: np.ndarray
) -> Gradients:
    """Go back through the softmax entry by entry. dV is right."""
    return _behind_softmax(softmax_backward_elementwise(dO @ V.T, A), dO, Q, K, A)


def backward_drops_row_sum(
    dO: np.ndarray, Q: np.ndarray, K: np.ndarray, V: np.ndarray, A: np.ndarray
) -> Gradients:
    """Subtract nothing on the way back through the softmax. dV is right."""
    return _behind_softmax(softmax_backward_drops_row_sum(dO @ V.T, A), dO, Q, K, A)


def backward_skips_softmax(
    dO: np.ndarray, Q: np.ndarray, K: np.ndarray, V: np.ndarray, A: np.ndarray
) -> Gradients:
    """Take dA for dS. dV is right."""
    return _behind_softmax(dO @ V.T, dO, Q, K, A)


def backward_sums_columns(
    dO: np.ndarray, Q: np.ndarray, K: np.ndarray, V: np.ndarray, A: np.ndarray
) -> Gradients:
    """Sum along each column on the way back through the softmax. dV is right."""
    return _behind_softmax(softmax_backward_sums_columns(dO @ V.T, A), dO, Q, K, A)


def backward_flattened_jacobian(
    dO: np.ndarray, Q: np.ndarray, K: np.ndarray, V: np.ndarray, A: np.ndarray
) -> Gradients:
    """Treat all rows as one distribution. dV is right; all is right for one query."""
    return _behind_softmax(softmax_backward_flattened_jacobian(dO @ V.T, A), dO, Q, K, A)


def backward_missing_keepdims(
    dO: np.ndarray, Q: np.ndarray, K: np.ndarray, V: np.ndarray, A: np.ndarray
) -> Gradients:
    """Lay the row sums along the columns. Shapes fit: n_q = n_k."""
    return _behind_softmax(softmax_backward_missing_keepdims(dO @ V.T, A), dO, Q, K, A)


def backward_wrong_sign(
    dO: np.ndarray, Q: np.ndarray, K: np.ndarray, V: np.ndarray, A: np.ndarray
) -> Gradients:
    """Subtract the other way round in the softmax. dV is right."""
    return _behind_softmax(softmax_backward_wrong_sign(dO @ V.T, A), dO, Q, K, A)


def backward_da_not_transposed(
    dO: np.ndarray, Q: np.ndarray, K: np.ndarray, V: np.ndarray, A: np.ndarray
) -> Gradients:
    """Leave the values as they are in dA. Shapes fit: n_k = d_v."""
    return _behind_softmax(softmax_backward(dO @ V, A), dO, Q, K, A)


def backward_dv_not_transposed(
    dO: np.ndarray, Q: np.ndarray, K: np.ndarray, V: np.ndarray, A: np.ndarray
) -> Gradients:
    """Leave the weights as they are in dV. Shapes fit: n_q = n_k."""
    dQ, dK, _, dS = backward(dO, Q, K, V, A)
    return dQ, dK, A @ dO, dS


def backward_dv_from_scores(
    dO: np.ndarray, Q: np.ndarray, K: np.ndarray, V: np.ndarray, A: np.ndarray
) -> Gradients:
    """Take the scaled scores for the weights in dV. The rest is right."""
    dQ, dK, _, dS = backward(dO, Q, K, V, A)
    return dQ, dK, scale(scores(Q, K), K.shape[1]).T @ dO, dS


def backward_swaps_dq_dk(
    dO: np.ndarray, Q: np.ndarray, K: np.ndarray, V: np.ndarray, A: np.ndarray
) -> Gradients:
    """Transpose dS for dQ and not for dK. Shapes fit: n_q = n_k."""
    _, _, dV, dS = backward(dO, Q, K, V, A)
    return scale(dS.T @ K, K.shape[1]), scale(dS @ Q, K.shape[1]), dV, dS


def backward_mixes_up_queries_and_keys(
    dO: np.ndarray, Q: np.ndarray, K: np.ndarray, V: np.ndarray, A: np.ndarray
) -> Gradients:
    """Make dQ with the queries and dK with the keys. Shapes fit: n_q = n_k."""
    _, _, dV, dS = backward(dO, Q, K, V, A)
    return scale(dS @ Q, K.shape[1]), scale(dS.T @ K, K.shape[1]), dV, dS


def backward_returns_other_order(
    dO: np.ndarray, Q: np.ndarray, K: np.ndarray, V: np.ndarray, A: np.ndarray
) -> Gradients:
    """Return the gradients in the order in which they arise."""
    dQ, dK, dV, dS = backward(dO, Q, K, V, A)
    return dV, dS, dQ, dK


# 14 numerical_gradient


def _moved(M: np.ndarray, place: tuple[int, ...], step: float) -> np.ndarray:
    """Return a copy of M, as floats, with one entry moved by a step."""
    copy = np.array(M, dtype=float)
    copy[place] += step
    return copy


def numerical_gradient_forward_difference(f: Loss, M: np.ndarray, h: float = 1e-6) -> np.ndarray:
    """Step to one side only. Shows on: h = 0.1 and an f that is not linear."""
    gradient = np.zeros(M.shape)
    for place in np.ndindex(M.shape):
        gradient[place] = (f(_moved(M, place, h)) - f(np.array(M, dtype=float))) / h
    return gradient


def numerical_gradient_divides_by_h(f: Loss, M: np.ndarray, h: float = 1e-6) -> np.ndarray:
    """Step to both sides and divide by one step."""
    return numerical_gradient(f, M, h) * 2


def numerical_gradient_multiplies_by_h(f: Loss, M: np.ndarray, h: float = 1e-6) -> np.ndarray:
    """Write 2 * h behind the division without brackets."""
    gradient = np.zeros(M.shape)
    for place in np.ndindex(M.shape):
        gradient[place] = (f(_moved(M, place, h)) - f(_moved(M, place, -h))) / 2 * h
    return gradient


def numerical_gradient_missing_brackets(f: Loss, M: np.ndarray, h: float = 1e-6) -> np.ndarray:
    """Divide the second value of f only."""
    gradient = np.zeros(M.shape)
    for place in np.ndindex(M.shape):
        gradient[place] = f(_moved(M, place, h)) - f(_moved(M, place, -h)) / (2 * h)
    return gradient


def numerical_gradient_wrong_sign(f: Loss, M: np.ndarray, h: float = 1e-6) -> np.ndarray:
    """Subtract the other way round."""
    return -numerical_gradient(f, M, h)


def numerical_gradient_flattens_result(f: Loss, M: np.ndarray, h: float = 1e-6) -> np.ndarray:
    """Return the derivatives in one row."""
    return numerical_gradient(f, M, h).ravel()


def numerical_gradient_moves_everything(f: Loss, M: np.ndarray, h: float = 1e-6) -> float:
    """Move all entries at once and return one number."""
    return (f(M + h) - f(M - h)) / (2 * h)


def numerical_gradient_moves_rows(f: Loss, M: np.ndarray, h: float = 1e-6) -> np.ndarray:
    """Move a row at once and give its derivative to every entry of it. Right for one column."""
    gradient = np.zeros(M.shape)
    for i in range(len(M)):
        row = np.zeros(M.shape)
        row[i] = h
        gradient[i] = (f(M + row) - f(M - row)) / (2 * h)
    return gradient


def numerical_gradient_rows_for_columns(f: Loss, M: np.ndarray, h: float = 1e-6) -> np.ndarray:
    """Count the rows in both loops. Fits: at least as many columns as rows."""
    right, gradient = numerical_gradient(f, M, h), np.zeros(M.shape)
    for i in range(len(M)):
        for j in range(len(M)):
            gradient[i, j] = right[i, j]
    return gradient


def numerical_gradient_row_by_row(f: Loss, M: np.ndarray, h: float = 1e-6) -> np.ndarray:
    """Hand f one row at a time. Right for an f that adds up over rows; shows on: one that couples them."""
    return np.array([numerical_gradient(f, row, h) for row in M])


def numerical_gradient_row_as_matrix(f: Loss, M: np.ndarray, h: float = 1e-6) -> np.ndarray:
    """Hand f a matrix of one row at a time. Right for one row, and for an f that adds up over rows."""
    return np.concatenate([numerical_gradient(f, M[i : i + 1], h) for i in range(len(M))])


def numerical_gradient_same_array_twice(f: Loss, M: np.ndarray, h: float = 1e-6) -> np.ndarray:
    """Move one and the same array up and down again, so that both values of f are those at M."""
    return np.zeros(M.shape)


def numerical_gradient_keeps_steps(f: Loss, M: np.ndarray, h: float = 1e-6) -> np.ndarray:
    """Put no entry back. Shows on: h = 0.1 and an f that couples entries."""
    moved = np.array(M, dtype=float)
    gradient = np.zeros(M.shape)
    for place in np.ndindex(M.shape):
        moved[place] += h
        above = f(moved)
        moved[place] -= 2 * h
        gradient[place] = (above - f(moved)) / (2 * h)
    return gradient


def numerical_gradient_relative_step(f: Loss, M: np.ndarray, h: float = 1e-6) -> np.ndarray:
    """Take a step in proportion to the entry. Shows on: an entry of 0; h = 0.1 and an f of third order."""
    gradient = np.zeros(M.shape)
    for place in np.ndindex(M.shape):
        step = h * np.abs(M[place])
        gradient[place] = (f(_moved(M, place, step)) - f(_moved(M, place, -step))) / (2 * step)
    return gradient


def numerical_gradient_fixed_step(f: Loss, M: np.ndarray, h: float = 1e-6) -> np.ndarray:
    """Step by 1e-6 whatever is asked. Shows on: h = 0.1 and an f of third order."""
    return numerical_gradient(f, M)


def numerical_gradient_truncates_integers(f: Loss, M: np.ndarray, h: float = 1e-6) -> np.ndarray:
    """Step and collect in arrays of M's own type. Shows on: whole-number M."""
    moved = M.copy()
    gradient = np.zeros_like(M)
    for place in np.ndindex(M.shape):
        here = moved[place]
        moved[place] = here + h
        above = f(moved)
        moved[place] = here - h
        below = f(moved)
        moved[place] = here
        gradient[place] = (above - below) / (2 * h)
    return gradient


def numerical_gradient_truncates_step(f: Loss, M: np.ndarray, h: float = 1e-6) -> np.ndarray:
    """Step in an array of M's own type. Shows on: whole-number M."""
    gradient = np.zeros(M.shape)
    for place in np.ndindex(M.shape):
        above, below = M.copy(), M.copy()
        above[place] = above[place] + h
        below[place] = below[place] - h
        gradient[place] = (f(above) - f(below)) / (2 * h)
    return gradient


def numerical_gradient_truncates_result(f: Loss, M: np.ndarray, h: float = 1e-6) -> np.ndarray:
    """Collect the derivatives in an array of M's own type. Shows on: whole-number M."""
    gradient = np.zeros_like(M)
    gradient[:] = numerical_gradient(f, M, h)
    return gradient
