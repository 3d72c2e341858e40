"""The English texts of transforms: what turns the expected outputs into the actual ones, in words of attention."""

from __future__ import annotations

from collections.abc import Mapping

TEXTS: Mapping[str, str] = {
    "transform.transposed": "{outputs}: transposed, rows and columns have changed places",
    "transform.axes_021": "{outputs}: the last two axes have changed places",
    "transform.axes_102": "{outputs}: the first two axes have changed places",
    "transform.axes_120": "{outputs}: the axes stand in another order",
    "transform.axes_201": "{outputs}: the axes stand in another order",
    "transform.axes_210": "{outputs}: the first and the last axis have changed places",
    "transform.flattened": "{outputs}: the right numbers in one long row; the shape is lost",
    "transform.negated": "{outputs}: the opposite sign everywhere",
    "transform.factor.root": "{outputs}: √{figure} times too large: a scaling by that root is left out or undone",
    "transform.factor.inverse_root": "{outputs}: √{figure} times too small: that scaling is applied once too often",
    "transform.factor.size": "{outputs}: {figure} times too large: a sum stands where a mean or a scaling is meant",
    "transform.factor.inverse_size": "{outputs}: {figure} times too small: divided by {figure} once too often",
    "transform.factor.constant": "{outputs}: {figure} times the expected value, in every call",
    "transform.factor.varying": "{outputs}: off by one factor in each call; the proportions between entries are right",
    "transform.row_factors": (
        "{outputs}: each row is off by a factor of its own; the proportions within a row are right"
    ),
    "transform.offset.constant": "{outputs}: {figure} above the expected value everywhere",
    "transform.offset.varying": (
        "{outputs}: off by one constant in each call; the differences between entries are right"
    ),
    "transform.rows_normalised": "{outputs}: the expected value with every row divided by its sum",
    "transform.columns_normalised": "{outputs}: the expected value with every column divided by its sum",
    "transform.absolute": "{outputs}: the signs are lost",
    "transform.squared": "{outputs}: the square of the expected value",
    "transform.root": "{outputs}: the square root of the expected value",
    "transform.rows_reversed": "{outputs}: the rows stand in reverse order",
    "transform.columns_reversed": "{outputs}: the columns stand in reverse order",
    "transform.lower_triangle": "{outputs}: cut off above the diagonal: later columns are 0",
    "transform.floored": "{outputs}: rounded down to whole numbers",
    "transform.truncated": "{outputs}: cut off to whole numbers",
    "transform.rounded_to_whole": "{outputs}: rounded to whole numbers",
    "transform.float16": "{outputs}: only the three digits that float16 keeps",
    "transform.rounded": "{outputs}: rounded to {digits} digits after the point; the full precision is asked for",
    "transform.argument": "{outputs}: the argument {argument}, as it came in",
    "transform.order": "the outputs are right but in another order: {actual} came back where {expected} is asked for",
    "transform.partly": "as expected: {right}; not as expected: {wrong}",
    "transform.constant": "the answer is {figure} everywhere, whatever the arguments",
    "transform.varies": "the answer is another one each time: something random, or kept from earlier calls, is in it",
    "transform.history": "after other calls the same arguments get another answer: something is kept, or random",
    "transform.kept": "other inputs of the same shape get the answer of the first: something is kept between calls",
    "idea.works_in_place": (
        "the work is done in the array that was handed in: the caller gets {arguments} back changed"
    ),
    "only.whole_numbers": "only inputs of whole numbers go wrong",
    "only.whole_numbers.cut_off": (
        "only inputs of whole numbers go wrong: an array of integers cannot hold fractions"
    ),
    "only.large": "only numbers far from 0 go wrong",
    "only.large.overflow": (
        "only numbers far from 0 go wrong: an intermediate value is larger than any float, or so small that it is 0"
    ),
    "only.one_head": "only n_heads = 1 goes wrong",
    "only.one_row": "only inputs of a single row go wrong",
    "only.constant_row": "only rows of equal numbers go wrong",
    "only.square": "only square inputs go wrong",
    "only.one_size": "right for {shapes} only: sizes have to come from the arguments",
}
