"""Bootstrap draws within a group: moments of resampled errors, in units of the group itself.

Draws are made once per group and combined for each pair. A group's values come shifted by its own median and
scaled by its own sd, so that a draw without the outlier of the group loses no digits.
"""

from __future__ import annotations

import math

import numpy as np

from movfair_spark.kernels._jit import njit
from movfair_spark.kernels.parity.draws_of_counts import resample_counts
from movfair_spark.kernels.parity.moments import moments_from_sums, weighted_moments
from movfair_spark.kernels.parity.pair import power_sums
from movfair_spark.kernels.parity.subsets import draw_with_replacement


@njit
def bootstrap_rows(z, key0, key1, first, last):  # type: ignore[no-untyped-def]
    """Moments of draws ``first`` to ``last - 1`` of sorted values.

    Parameters
    ----------
    z : float64[n]
        The group's values, ascending.
    key0, key1 : uint64
        Stream, see `philox.key_of`.
    first, last : int

    Returns
    -------
    float64[last - first, 4]
        Mean, variance, skewness, kurtosis; the last two are NaN in a draw of one value only.
    """
    result = np.empty((last - first, 4))
    positions = np.empty(z.size, dtype=np.uint32)
    for number in range(first, last):
        draw_with_replacement(positions, z.size, key0, key1, number)
        low = high = positions[0]
        for i in range(positions.size):
            low = min(low, positions[i])
            high = max(high, positions[i])
        row = result[number - first]
        if z[low] == z[high]:
            row[0], row[1], row[2], row[3] = z[low], 0.0, math.nan, math.nan
            continue
        s1, s2, s3, s4 = power_sums(z, positions)
        row[0], row[1], row[2], row[3] = moments_from_sums(z.size, s1, s2, s3, s4)
    return result


@njit
def bootstrap_counts(z, weights, key0, key1, first, last):  # type: ignore[no-untyped-def]
    """`bootstrap_rows` for distinct values ``z`` with counts ``weights``, both of length K."""
    result = np.empty((last - first, 4))
    drawn = np.zeros(weights.size, dtype=np.int64)
    for number in range(first, last):
        resample_counts(weights, drawn, key0, key1, number)
        row = result[number - first]
        _, row[0], row[1], row[2], row[3] = weighted_moments(z, drawn)
    return result


def percentile_interval(draws: np.ndarray, confidence: float) -> tuple[float, float, int]:
    """Percentile interval (linear between order statistics) and the number of undefined draws.

    Parameters
    ----------
    draws : float64[d]
        NaN where undefined; these are left out.
    confidence : float
        For example 0.95.

    Returns
    -------
    low, high : float
        NaN when fewer than half of the draws are defined.
    undefined : int
    """
    defined = np.sort(draws[~np.isnan(draws)])
    undefined = int(draws.size - defined.size)
    if defined.size == 0 or defined.size < undefined:
        return math.nan, math.nan, undefined
    ends = []
    for share in ((1.0 - confidence) / 2.0, (1.0 + confidence) / 2.0):
        place = share * (defined.size - 1)
        below = min(math.floor(place), defined.size - 2) if defined.size > 1 else 0
        upper = defined[min(below + 1, defined.size - 1)]
        ends.append(float(defined[below] + (upper - defined[below]) * (place - below)))
    return ends[0], ends[1], undefined
