# What honest coursework uses beside plain arithmetic. `answers` returns values that are the same everywhere.
import abc
import collections
import copy
import dataclasses
import datetime
import functools
import hashlib
import io
import itertools
import json
import logging
import math
import os
import random
import re
import statistics
import string
import sys
import time
import traceback
import typing
import warnings
from enum import Enum
from fractions import Fraction
from pathlib import Path

import numpy as np
import numpy.linalg as la
from numpy.lib.stride_tricks import sliding_window_view

logging.basicConfig(level=logging.INFO)
logger = logging.getLogger(__name__)


@dataclasses.dataclass(frozen=True)
class Head:
    name: str
    width: int = 4


class Pair(typing.NamedTuple):
    left: float
    right: float


class Kind(Enum):
    CONTENT = "content"


@functools.lru_cache(maxsize=None)
def fibonacci(n: int) -> int:
    return n if n < 2 else fibonacci(n - 1) + fibonacci(n - 2)


def ended(ask):
    try:
        ask()
    except Exception as error:
        return type(error).__name__
    return "no error"


def answers():
    rng = np.random.default_rng(7)
    np.random.seed(3)
    random.seed(5)
    A = rng.normal(size=(6, 6))
    print("working", A.shape)
    print("on stderr", file=sys.stderr)
    logger.info("a line")
    warnings.warn("careful", stacklevel=1)
    began = time.perf_counter()
    time.sleep(0.001)
    big = np.arange(360_000.0).reshape(600, 600) / 1e5
    out = io.StringIO()
    print("into a string", file=out)
    with np.errstate(all="ignore"):
        quiet = np.isnan(np.array([0.0]) / 0.0)
    try:
        raise ValueError("told")
    except ValueError:
        told = traceback.format_exc().splitlines()[-1]
    return [
        np.einsum("ij,kj->ik", A, A),
        la.svd(A, compute_uv=False),
        la.pinv(A),
        la.eigh(A + A.T)[0],
        la.inv(A),
        la.det(A),
        la.qr(A)[1],
        la.norm(A),
        np.fft.fft(A[0]),
        np.fft.irfft(np.fft.rfft(A[0])),
        np.random.rand(3),
        np.random.permutation(5),
        rng.integers(0, 10, 4),
        np.array([random.random(), random.gauss(0, 1)]),
        big @ big.T,
        (big.astype(np.float32) @ big.astype(np.float32)).sum(axis=0),
        sliding_window_view(A, (2, 2)).sum(axis=(2, 3)),
        np.linalg.matrix_rank(A),
        np.polynomial.polynomial.polyval(2.0, [1, 2, 3]),
        np.cov(A),
        np.histogram(A, bins=4)[0],
        np.ma.masked_less(A, 0).filled(0),
        quiet,
        str(dataclasses.asdict(Head("a"))),
        str(Pair(1.0, 2.0)._asdict()),
        Kind("content").name,
        fibonacci(60),
        float(Fraction(1, 3) + 1),
        math.comb(10, 3),
        statistics.stdev([1, 2, 4]),
        hashlib.sha256(b"x").hexdigest(),
        json.dumps({"b": [1, 2.5], "a": None}, sort_keys=True),
        re.sub(r"\d+", "#", "a1b22"),
        ",".join(itertools.islice(itertools.cycle("ab"), 5)),
        str(collections.Counter("banana").most_common(1)),
        string.capwords("a b"),
        str(datetime.date(2027, 3, 26) + datetime.timedelta(days=1)),
        str(isinstance(datetime.datetime.now().year, int)),
        str(time.perf_counter() > began),
        str(len(os.urandom(8))),
        str(os.path.exists("/no/such/file")),
        str(Path("a/b.txt").with_suffix(".py")),
        ended(lambda: input("name? ")),
        ended(lambda: open("no-such-file.txt")),
        ended(lambda: __import__("no_such_module")),
        ended(lambda: la.inv(np.zeros((2, 2)))),
        out.getvalue(),
        told,
        copy.deepcopy({"a": [1]})["a"][0],
        sum(sorted({3, 1, 2})),
        abc.ABC.__name__,
        __name__,
    ]


def asks():
    return sys.stdin.read()


def imports_late():
    import calendar
    import decimal
    import inspect
    import pprint
    import textwrap
    import timeit
    import unittest

    assert unittest and inspect and timeit
    return [
        calendar.isleap(2028),
        str(decimal.Decimal("0.1") * 3),
        textwrap.dedent("  a"),
        pprint.pformat([1]),
    ]
