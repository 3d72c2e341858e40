"""English texts of the diagnosis: exceptions in plain words, the first line that parts, the smallest input.

A key with `.hidden` is what is said where the numbers of a case stay hidden; it has no parameter for one.
"""

from __future__ import annotations

from collections.abc import Mapping

TEXTS: Mapping[str, str] = {
    # What a size of the exercise counts, in the words of attention.
    "size.named": "{number} ({words})",
    "size.n_q": "the number of queries",
    "size.n_k": "the number of keys",
    "size.d_k": "the width of a key",
    "size.d_v": "the width of a value",
    "size.n": "the number of tokens",
    "size.d": "the width of a token",
    "size.n_heads": "the number of heads",
    # Kinds of things, by Python's name for their type.
    "kind.ndarray": "an array",
    "kind.tuple": "a tuple",
    "kind.list": "a list",
    "kind.dict": "a dictionary",
    "kind.str": "a text",
    "kind.int": "a whole number",
    "kind.float": "a number",
    "kind.bool": "True or False",
    "kind.NoneType": "None",
    "kind.module": "a module",
    "kind.function": "a function",
    "kind.generator": "a generator",
    "kind.coroutine": "a coroutine",
    # Exceptions: products of matrices.
    "exception.matmul": (
        "{where}: {operator} needs the last size of the left, {left}, to equal the first of the right, "
        "{right}"
    ),
    "exception.matmul.bare": (
        "{operator} needs the last size of the left, {left}, to equal the first of the right, {right}"
    ),
    "exception.matmul.hidden": (
        "{operator} needs the last size of the left array to equal the first of the right one"
    ),
    "exception.transpose_keeps": (
        "`{transpose}` leaves a matrix as it is, axis 0 first and axis 1 second; {operator} then meets "
        "{left} with {right}"
    ),
    "exception.transpose_keeps.hidden": (
        "`{transpose}` leaves a matrix as it is, axis 0 first and axis 1 second, so the sizes do not meet"
    ),
    "exception.matmul_number": (
        "the {side} side of {operator} is no array here but one number, None or the like"
    ),
    "side.left": "left",
    "side.right": "right",
    "exception.matmul_heads": (
        "the last two axes are multiplied; the axes before them, {shapes}, do not fit together"
    ),
    "exception.matmul_heads.hidden": (
        "the last two axes are multiplied; the axes before them do not fit together"
    ),
    # Exceptions: shapes entry by entry.
    "exception.broadcast": "{where}: sizes are lined up from the right, and {left} does not meet {right}",
    "exception.broadcast.hidden": (
        "two arrays of different shapes meet: sizes are lined up from the right and do not fit"
    ),
    "exception.broadcast_rows": (
        "{where}: sizes are lined up from the right, so {left} meets {right}; one number for each row "
        "needs shape {needed}"
    ),
    "exception.broadcast_rows.hidden": (
        "sizes are lined up from the right; one number for each row needs an axis of size 1 in place of "
        "the columns"
    ),
    "exception.broadcast_product": (
        "{where}: {operator} works entry by entry on equal shapes and sums nothing; these are shapes of "
        "a matrix product"
    ),
    "exception.broadcast_product.hidden": (
        "{operator} works entry by entry and sums nothing; the two shapes do not fit"
    ),
    "exception.in_place_shape": (
        "the result has shape {result} and cannot be written into an array of shape {target}"
    ),
    "exception.in_place_shape.hidden": "the result has another shape than the array that it is written into",
    "exception.write_shape": "a piece of shape {piece} is written into a place of shape {place}",
    "exception.write_shape.hidden": "a piece is written into a place of another shape",
    "exception.write_entry": "an array is written into the place of one number",
    "exception.reshape": "{size} entries do not fill shape {shape}, which has {wanted}",
    "exception.reshape.open": (
        "{size} entries cannot be laid out in shape {shape}: no whole number fits the open size"
    ),
    "exception.reshape.hidden": "the array has another number of entries than the shape that is asked of it",
    "exception.axis": "there is no axis {axis}: an array of {ndim} axes has the axes 0 to {last}",
    "exception.axis.one": "there is no axis {axis}: a vector has axis 0 alone; {shapes}",
    "exception.axis.zero": "there is no axis {axis}: a single number has no axes",
    "exception.axis.hidden": "the array has fewer axes than the `axis` that is asked for",
    "exception.axes_count": "`transpose` is told of another number of axes than the array has; {shapes}",
    "exception.axes_count.hidden": "`transpose` is told of another number of axes than the array has",
    "exception.join_shapes": (
        "arrays of different shapes are put side by side or on top of each other; {shapes}"
    ),
    "exception.join_shapes.hidden": "arrays of different shapes are put side by side or on top of each other",
    "exception.ragged": "the rows of this list have different lengths, so they make no matrix",
    "exception.uneven_split": "the axis that is cut does not divide into equal pieces; {shapes}",
    "exception.uneven_split.hidden": "the axis that is cut does not divide into equal pieces",
    "exception.einsum": "the letters of `einsum` do not fit the arrays: one letter for each axis; {shapes}",
    "exception.einsum.hidden": "the letters of `einsum` do not fit the arrays: one letter for each axis",
    # Exceptions: places in an array.
    "exception.index": (
        "place {index} is past the end: axis {axis} has size {size}, and places are counted from 0"
    ),
    "exception.index.hidden": "a place past the end of an axis is asked for; the first place of an axis is 0",
    "exception.index.list": "a place past the end of a list or tuple is asked for; the first place is 0",
    "exception.shape_index": "`.shape` is asked for more sizes than the array has axes; {shapes}",
    "exception.shape_index.hidden": "`.shape` is asked for more sizes than the array has axes",
    "exception.index_count": "{given} places are given for an array of {ndim} axes; {shapes}",
    "exception.index_count.hidden": "more places are given than the array has axes",
    "exception.index_kind": (
        "a place in an array must be a whole number; `/` gives a fraction, `//` a whole number"
    ),
    "exception.index_list": "{kind} takes one place at a time; a pair of places, as in [i, j], is for arrays",
    "exception.index_scalar": (
        "an array stands where one whole number is needed, such as a place, a size or a count"
    ),
    "exception.mask_shape": "an array of True and False has another shape than what it picks from",
    # Exceptions: None and other kinds of things.
    "exception.none": "{name} is None on this line: a function that ends without `return` gives None",
    "exception.none.call": "{name}(…) gives None here: a function that ends without `return` does",
    "exception.none.bare": "something on this line is None: a function that ends without `return` gives None",
    "exception.none_called": (
        "one of the names called on this line is None: a decorator without `return` leaves None in a "
        "function's place"
    ),
    "exception.not_callable": (
        "{name} is {kind} here, not a function: the name has been given to something else"
    ),
    "exception.not_callable.several": (
        "one of {names} is {kind} here, not a function: the name has been given to something else"
    ),
    "exception.not_callable.bare": (
        "{kind} is called like a function; between two factors `*` or `@` may be missing"
    ),
    "exception.tuple": "{name} is a tuple here: several results together, each to be taken out before use",
    "exception.tuple.bare": (
        "a tuple is used like an array: several results together, each to be taken out before use"
    ),
    "exception.list": "{name} is a list here: arithmetic and {attribute} need an array",
    "exception.list.bare": "a list is used like an array: `+` joins lists and `*` repeats them",
    "exception.array_attribute": "arrays have no `{attribute}`",
    "exception.array_attribute.near": "arrays have no `{attribute}`; near names: {near}",
    "exception.numpy_name": "numpy has no `{attribute}`",
    "exception.numpy_name.near": "numpy has no `{attribute}`; near names: {near}",
    "exception.numpy_name.builtin": (
        "numpy has no `{attribute}` any more; Python's own `{attribute}` is the same type"
    ),
    "exception.attribute": "{kind} has no `{attribute}`",
    "exception.coroutine": (
        "a function defined with `async def` gives a coroutine, not its result; a plain `def` is asked for"
    ),
    "exception.generator": (
        "a function with `yield` gives a generator, not an array; its values come one at a time"
    ),
    "exception.unpack": "{names} names stand on the left and {values} came from the right",
    "exception.unpack.many": "more values came from the right than the {names} names on the left",
    "exception.unpack.hidden": "the names on the left and the values from the right differ in number",
    "exception.unpack_one": "several names stand on the left; from the right came {kind}",
    "exception.truth": (
        "an array has no single truth value: `if`, `and`, `or` and `max` of Python ask for one"
    ),
    "exception.one_number": "an array of several numbers stands where one number is needed",
    "exception.one_number.call": (
        "{call} takes one number and was given an array; numpy's own functions take whole arrays"
    ),
    "exception.whole_number": (
        "a whole number is needed here, for a size or a count, and a fraction came; `/` gives fractions"
    ),
    "exception.nan_as_integer": "a NaN or infinity cannot become a whole number",
    "exception.cast_in_place": (
        "`{operation}` writes fractions into {name}, an array of whole numbers, which cannot hold them"
    ),
    "exception.cast_in_place.argument": (
        "`{operation}` writes fractions into {name}, an array of whole numbers, which cannot hold them; "
        "{name} is the caller's array besides"
    ),
    "exception.cast_in_place.bare": (
        "fractions are written into an array of whole numbers, which cannot hold them"
    ),
    "exception.read_only": "the array that is written to may only be read",
    "exception.operands": "`{operator}` does not work on {left} and {right}",
    # Exceptions: names and arguments.
    "exception.name": "the name {name} is not defined where this line runs",
    "exception.name.near": "the name {name} is not defined where this line runs; near names: {near}",
    "exception.name.numpy": (
        "the name np is not defined: the file has no `import numpy as np` before this line runs"
    ),
    "exception.name.parameter": "{name} is not defined here: the arguments of this function are {arguments}",
    "exception.unbound": (
        "{name} is assigned further down in this function, and has no value yet on this line"
    ),
    "exception.own_missing": "{function} is called as {signature}; this one also wants {missing}",
    "exception.own_count": (
        "{function} is called with {given} arguments, as {signature}; this one takes {takes}"
    ),
    "exception.call_missing": "{function} is called on this line without {missing}",
    "exception.call_count": "{function} is called on this line with {given} arguments; it takes {takes}",
    "exception.call_keyword": "{function} has no argument named {keyword}",
    "exception.call_twice": "{function} is given {argument} twice, by place and by name",
    "exception.not_written": "{function} is used here and is not written yet",
    "exception.not_written.own": "the line that raises NotImplementedError still stands in {function}",
    "exception.recursion": "{function} calls itself again each time, so that no call comes to an end",
    "exception.recursion.circle": "{functions} call each other without an end",
    "exception.module": "the module {module} is not installed here; the exercises need numpy alone",
    "exception.import_name": "the module has no {name} to import",
    "exception.function_argument": "f takes the whole of M, shape {wanted}; here it is given shape {given}",
    "exception.function_argument.hidden": "f takes the whole of M; here it is given another shape",
    "exception.function_rows": (
        "f takes the whole of M, all its {rows} rows at once; here it is given shape {given}"
    ),
    "exception.function_rows.hidden": (
        "f takes the whole of M, all its rows at once; here it is given another shape"
    ),
    # Exceptions: arithmetic, room and the rest.
    "exception.zero_division": "a plain Python number is divided by 0 here",
    "exception.floating": (
        "numpy was told to raise on {what} (np.seterr or np.errstate), and it occurs here in {operation}"
    ),
    "exception.floating.hidden": "numpy was told to raise on arithmetic trouble (np.seterr or np.errstate)",
    "exception.overflow": (
        "a number grows past the largest float, about 1.8e308; exp does so from about 710 on"
    ),
    "exception.domain": (
        "a function of `math` was given a number outside its domain, such as a root of a negative one"
    ),
    "exception.memory": "an array of shape {shape} was asked for; the arguments are far smaller than that",
    "exception.memory.bare": "more memory was asked for than there is; the arguments are small",
    "exception.assertion": "the file's own `assert` on this line does not hold; {shapes}",
    "exception.assertion.bare": "the file's own `assert` on this line does not hold",
    "exception.key": "a dictionary has no entry of the name that is asked for",
    "exception.input": "the call waits for the keyboard; all it needs comes in its arguments",
    "exception.file": "the call opens a file that is not there; all it needs comes in its arguments",
    "exception.permission": "the call asks for what is not to be had here, a socket for instance; none is needed",
    "exception.thread": "the call starts a thread; there is one alone here, and it is enough",
    "exception.exit": "the call ends Python with `exit` or `quit` where it should return",
    "exception.singular": "a matrix without an inverse is inverted; no exercise needs an inverse",
    # What came back in place of the outputs.
    "return.nothing": (
        "None came back: the way that this call took ends without a `return` that gives a value"
    ),
    "return.printed": (
        "the result is printed where it should be returned: what is printed never reaches the caller"
    ),
    "return.comma": "a comma after `return …` makes a tuple of one; {output} alone is asked for",
    "return.tuple_for_one": "a tuple of {count} came back where {output} alone is asked for",
    "return.tuple_for_one.holds": (
        "a tuple of {count} came back where {output} alone is asked for; its item {place} is {output}"
    ),
    "return.one_for_several": "a single result came back where {count} are asked for: {outputs}",
    "return.one_for_several.holds": "{held} alone came back; {outputs} are asked for, together and in this order",
    "return.count": "{actual} results came back where {count} are asked for: {outputs}",
    "return.count.missing": "{actual} of the {count} results came back; {missing} is not among them",
    "return.text": "a text came back in place of numbers",
    "return.function": "a function came back: without ( ) it is named, not called",
    "return.coroutine": "a coroutine came back: `async def` gives no result until it is awaited",
    "return.generator": "a generator came back: `yield` makes no array",
    "return.mapping": "a dictionary came back; {outputs} are asked for, as arrays in this order",
    "return.kind": "a value of type {type} came back, which is neither a number nor an array",
    "return.list": (
        "a list came back: on lists `+` joins and `*` repeats, so arithmetic on them goes another way"
    ),
    "return.ragged": "a list came back whose parts have different lengths; it makes no matrix",
    "return.number": (
        "one number came back where {output} has shape {shape}; a sum or mean without an axis, for "
        "instance, gives one number"
    ),
    # The first line that parts from the right path.
    "line.step": "{name} ({about})",
    "line.right": "line {line}, `{name}`: equals {step}",
    "line.right.returned": "line {line}, the returned value: equals {step}",
    "line.right.unnamed": "line {line}, `{name}`: still on the right path",
    "line.right.unnamed.returned": "line {line}, the returned value: still on the right path",
    "line.wrong": "line {line}, `{name}`: {finding}",
    "line.wrong.returned": "line {line}, the returned value: {finding}",
    "line.next": "the next step should be {step}",
    "line.finding.transposed": "{step} with rows and columns exchanged",
    "line.finding.negated": "{step} with the other sign",
    "line.finding.times": "{step} times {factor}",
    "line.finding.over": "{step} divided by {factor}",
    "line.finding.columns_sum_to_one": "its columns sum to 1",
    "line.finding.all_sums_to_one": "all its entries together sum to 1",
    "line.finding.columns_sum_to_zero": "its columns sum to 0",
    "line.finding.columns_have_mean_zero": "its columns have mean 0",
    "line.finding.not_finite": "the first value that is not finite",
    "line.finding.whole": "whole numbers; what is written into such an array loses all after the point",
    "line.finding.in_place_of": "{step} in the place of {output}",
    "line.finding.differs": "differs from {step}",
    "line.parts": "{right}; {wrong}; {next}",
    "line.parts.last": "{right}; {wrong}",
    "line.parts.first": "{wrong}",
    "line.parts.between": "{right}; {wrong}; the cause lies in lines {first} to {line}",
    "line.whole": (
        "line {line} holds the whole computation; with a name for each step the first wrong one can be found"
    ),
    # The smallest input that still fails.
    "smallest.row": "{inputs}: {output}row {row} is {actual}, expected {expected}",
    "smallest.entry": "{inputs}: {output}entry {index} is {actual}, expected {expected}",
    "smallest.number": "{inputs}: {output}is {actual}, expected {expected}",
    "smallest.shape": "{inputs}: {output}has shape {actual}, expected {expected}",
    "smallest.raised": "{inputs}: raises {type}",
    "smallest.whole": "{inputs} in whole numbers",
}
