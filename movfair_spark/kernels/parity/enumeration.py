"""Full enumeration: every split of a small pair, every labeling of a few small groups, once each."""

from __future__ import annotations

import math

import numpy as np

from movfair_spark.kernels._jit import njit
from movfair_spark.kernels.parity.anderson_darling import midrank_of_labels
from movfair_spark.kernels.parity.pair import compare_split, count_extreme


def n_splits(n_a: int, n_b: int) -> int:
    """Count the ways to split n_a + n_b errors into groups of these sizes."""
    return math.comb(n_a + n_b, min(n_a, n_b))


def n_labelings(sizes: list[int]) -> int:
    """Count the distinct labelings with these group sizes."""
    result, left = 1, sum(sizes)
    for size in sizes:
        result *= math.comb(left, size)
        left -= size
    return result


def splits_exceed(n_a: int, n_b: int, limit: int) -> bool:
    """Whether there are more than ``limit`` splits, without computing a number of a million digits."""
    small = min(n_a, n_b)
    result = 1
    for i in range(1, small + 1):
        result = result * (n_a + n_b - small + i) // i
        if result > limit:
            return True
    return False


def labelings_exceed(sizes: list[int], limit: int) -> bool:
    """Whether there are more than ``limit`` labelings."""
    result, done = 1, sizes[0] if sizes else 0
    for size in sizes[1:]:
        if splits_exceed(done, size, limit):
            return True
        result *= math.comb(done + size, size)
        if result > limit:
            return True
        done += size
    return False


@njit
def next_labeling(labels):  # type: ignore[no-untyped-def]
    """Step to the next labeling in lexicographic order, in place; False after the last one."""
    i = labels.size - 2
    while i >= 0 and labels[i] >= labels[i + 1]:
        i -= 1
    if i < 0:
        return False
    j = labels.size - 1
    while labels[j] <= labels[i]:
        j -= 1
    labels[i], labels[j] = labels[j], labels[i]
    low, high = i + 1, labels.size - 1
    while low < high:
        labels[low], labels[high] = labels[high], labels[low]
        low += 1
        high -= 1
    return True


@njit
def enumerate_pair(z, n_a, floors):  # type: ignore[no-untyped-def]
    """Count all splits that are at least as extreme as the observed pair.

    Parameters
    ----------
    z : float64[V, n]
        Pooled values of each series, ascending.
    n_a : int
        Size of one of the two groups.
    floors : float64[V, 6]

    Returns
    -------
    counts : int64[V, 6]
    splits : int
        Number of splits.
    """
    counts = np.zeros((z.shape[0], 6), dtype=np.int64)
    labels = np.ones(z.shape[1], dtype=np.int16)
    labels[:n_a] = 0
    splits = 0
    more = True
    while more:
        splits += 1
        for v in range(z.shape[0]):
            count_extreme(counts[v], compare_split(z[v], labels), floors[v])
        more = next_labeling(labels)
    return counts, splits


@njit
def enumerate_anderson_darling(ends, weights, sizes, floor):  # type: ignore[no-untyped-def]
    """Count all labelings whose Anderson-Darling statistic reaches ``floor``.

    Parameters
    ----------
    ends, weights : see `anderson_darling.midrank_weights`
    sizes : int64[k]
    floor : float

    Returns
    -------
    count, labelings : int
    """
    labels = np.empty(sizes.sum(), dtype=np.int16)
    start = 0
    for group in range(sizes.size):
        labels[start : start + sizes[group]] = group
        start += sizes[group]
    count = labelings = 0
    more = True
    while more:
        labelings += 1
        if not midrank_of_labels(labels, ends, weights, sizes) < floor:
            count += 1
        more = next_labeling(labels)
    return count, labelings
