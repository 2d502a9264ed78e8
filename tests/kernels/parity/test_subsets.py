from __future__ import annotations

from collections import Counter
from math import comb

import numpy as np
from scipy import stats

from movfair_spark.kernels.parity.philox import key_of
from movfair_spark.kernels.parity.subsets import draw_labels, draw_with_replacement

KEY = key_of(7, "test")


def labels(n_groups: list[int], rest: int, number: int) -> tuple[int, ...]:
    sizes = np.array(n_groups)
    result = np.empty(sizes.sum(), dtype=np.int16)
    draw_labels(result, sizes, rest, np.empty(sizes.sum() - sizes[rest], dtype=np.uint32), *KEY, number)
    return tuple(result.tolist())


def test_all_labelings_are_equally_likely() -> None:
    """7!/(2! 2! 3!) = 210 labelings of groups of 2, 2 and 3."""
    found = Counter(labels([2, 2, 3], 2, number) for number in range(21_000))
    assert len(found) == comb(7, 2) * comb(5, 2)
    assert stats.chisquare(list(found.values())).pvalue > 0.001


def test_group_sizes_are_kept() -> None:
    """simple-statistics #804: shuffled groups cut in the middle instead of at their sizes."""
    for number in range(50):
        assert np.bincount(labels([5, 1, 30], 2, number)).tolist() == [5, 1, 30]


def test_a_permutation_is_a_function_of_its_number() -> None:
    """RNAlysis #218, CellphoneDB #231: workers that draw the same shuffles, results that depend on their number."""
    forward = [labels([15, 15], 1, number) for number in range(999)]
    backward = [labels([15, 15], 1, number) for number in reversed(range(999))]
    assert forward == backward[::-1]
    assert len(set(forward)) == 999


def test_draws_with_replacement_are_uniform() -> None:
    positions = np.empty(50, dtype=np.uint32)
    counts = np.zeros(7, dtype=np.int64)
    for number in range(400):
        draw_with_replacement(positions, 7, *KEY, number)
        counts += np.bincount(positions, minlength=7)
    assert stats.chisquare(counts).pvalue > 0.001
