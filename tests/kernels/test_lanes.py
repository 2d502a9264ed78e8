"""Lanes in compiled code and in plain Python are the same words."""

from __future__ import annotations

import numpy as np
import pytest

from movfair_spark.kernels import lanes
from movfair_spark.kernels._jit import njit
from movfair_spark.kernels.bits import trailing_zeros
from movfair_spark.kernels.lanes import load, some, store, zero


@njit
def every_operation(words):
    a, b = load(words, 0), load(words, 1)
    store(words, 2, a & b)
    store(words, 3, a | b)
    store(words, 4, a ^ b)
    store(words, 5, ~a)
    store(words, 6, zero())
    return some(a), some(zero())


def test_operations_work_word_by_word():
    rng = np.random.default_rng(1)
    words = rng.integers(0, 2**63, 7 * lanes.WORDS, dtype=np.uint64)
    a, b = words[:16].copy(), words[16:32].copy()
    assert every_operation(words) == (True, False)
    assert np.array_equal(
        words[32:], np.concatenate([a & b, a | b, a ^ b, ~a, np.zeros(16, dtype=np.uint64)])
    )


@pytest.mark.parametrize("bit", [0, 1, 31, 32, 62])
def test_trailing_zeros(bit):
    compiled = njit(lambda value: trailing_zeros(value))
    assert compiled(np.int64(5 << bit if bit < 60 else 1 << bit)) == trailing_zeros(1 << bit) == bit
