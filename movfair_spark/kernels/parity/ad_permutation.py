"""Permutation distribution of the k-sample Anderson-Darling statistic."""

from __future__ import annotations

import numpy as np

from movfair_spark.kernels._jit import njit
from movfair_spark.kernels.parity.anderson_darling import midrank_of_labels, midrank_weights
from movfair_spark.kernels.parity.subsets import draw_labels


@njit
def permute_anderson_darling(multiplicities, sizes, floor, key0, key1, first, last):  # type: ignore[no-untyped-def]
    """Count permutations ``first`` to ``last - 1`` whose A² reaches ``floor``.

    Parameters
    ----------
    multiplicities : int64[K]
        How often each distinct value occurs, ascending by value.
    sizes : int64[k]
        Members of each group; all but the largest are drawn.
    floor : float
        Observed A², less the tolerance for ties.
    key0, key1 : uint64
        Stream, see `philox.key_of`.
    first, last : int
        Numbers of the permutations.
    """
    n = multiplicities.sum()
    ends, weights = midrank_weights(multiplicities)
    rest = np.argmax(sizes)
    labels = np.empty(n, dtype=np.int16)
    positions = np.empty(n - sizes[rest], dtype=np.uint32)
    reached = 0
    for number in range(first, last):
        draw_labels(labels, sizes, rest, positions, key0, key1, number)
        if not midrank_of_labels(labels, ends, weights, sizes) < floor:
            reached += 1
    return reached
