"""The permutation tests on tables of counts, for data too large to hold a position per row."""

from __future__ import annotations

import numpy as np

from movfair_spark.kernels._jit import njit
from movfair_spark.kernels.parity.anderson_darling import midrank_of_counts, midrank_weights
from movfair_spark.kernels.parity.draws_of_counts import permute_counts
from movfair_spark.kernels.parity.moments import compare, weighted_moments
from movfair_spark.kernels.parity.pair import count_extreme


@njit
def permute_pair_counts(z, multiplicities, m, floors, key0, key1, first, last):  # type: ignore[no-untyped-def]
    """`pair.permute_pair` for one series given as distinct values with counts.

    Parameters
    ----------
    z : float64[K]
        Distinct values, ascending, shifted and scaled.
    multiplicities : int64[K]
    m : int
        Size of the smaller group.
    floors : float64[6]
    key0, key1 : uint64
    first, last : int

    Returns
    -------
    int64[6]
    """
    reached = np.zeros(6, dtype=np.int64)
    sizes = np.array([m, multiplicities.sum() - m])
    counts = np.zeros((z.size, 2), dtype=np.int64)
    for number in range(first, last):
        permute_counts(multiplicities, sizes, 1, counts, key0, key1, number)
        n_a, mean_a, var_a, skew_a, kurt_a = weighted_moments(z, counts[:, 0])
        n_b, mean_b, var_b, skew_b, kurt_b = weighted_moments(z, counts[:, 1])
        count_extreme(
            reached,
            compare(n_a, mean_a, var_a, skew_a, kurt_a, n_b, mean_b, var_b, skew_b, kurt_b),
            floors,
        )
    return reached


@njit
def permute_anderson_darling_counts(multiplicities, sizes, floor, key0, key1, first, last):  # type: ignore[no-untyped-def]
    """Count permutations of a table whose A² reaches ``floor``; see `anderson_darling`."""
    rest = np.argmax(sizes)
    _, weights = midrank_weights(multiplicities)
    counts = np.zeros((multiplicities.size, sizes.size), dtype=np.int64)
    reached = 0
    for number in range(first, last):
        permute_counts(multiplicities, sizes, rest, counts, key0, key1, number)
        if not midrank_of_counts(counts, weights) < floor:
            reached += 1
    return reached
