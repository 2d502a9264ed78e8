"""Vertical counts against counting bit by bit."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from movfair_spark.kernels.vertical import at_least, count_bits, count_of, exactly


@given(st.lists(st.integers(0, 2**64 - 1) | st.just(2**64 - 1), min_size=1, max_size=60), st.integers(1, 60))
def test_counts_of_all_64_bits(words, number):
    masks = np.array([0, *words, 2**64 - 1], dtype=np.uint64)
    planes = np.full(32, 99, dtype=np.uint64)
    digits = max(3, len(words).bit_length())
    count_bits(masks, 1, len(words) + 1, digits, planes)
    truth = [sum(word >> bit & 1 for word in words) for bit in range(64)]
    assert [count_of(planes, digits, bit) for bit in range(64)] == truth
    number = min(number, len(words))
    assert int(at_least(planes, digits, number)) == sum((c >= number) << bit for bit, c in enumerate(truth))
    assert int(exactly(planes, digits, number)) == sum((c == number) << bit for bit, c in enumerate(truth))
