"""Permutation of two groups: how many permutations differ at least as much as the observed groups do.

Only the smaller group's members are drawn; the larger one's power sums are the totals minus the smaller one's.
Several series (models, error metrics) of the same sizes share one draw, each with its own sorted values. Where
subtraction would cost digits (an outlier in one group, a tight other one) the permutation is computed again in two
passes, so a count never depends on rounding; small pairs are always computed so.
"""

from __future__ import annotations

import math

import numpy as np

from movfair_spark.kernels._jit import njit
from movfair_spark.kernels.parity.moments import compare, moments_from_sums
from movfair_spark.kernels.parity.subsets import draw_labels

#: Pairs up to this size are always computed in two passes.
DIRECT_ROWS = 256


@njit
def split_moments(z, labels, group):  # type: ignore[no-untyped-def]
    """Moments of the members of ``group`` among sorted values, in two passes: n, mean, variance, skewness, kurtosis.

    Parameters
    ----------
    z : float64[n]
        Values, ascending.
    labels : int16[n]
        Group of each position.
    group : int
    """
    n = 0
    total = 0.0
    first = last = 0.0
    for i in range(z.size):
        if labels[i] == group:
            if n == 0:
                first = z[i]
            last = z[i]
            n += 1
            total += z[i]
    if first == last:
        return n, first, 0.0, math.nan, math.nan
    mean = total / n
    s1 = s2 = s3 = s4 = 0.0
    for i in range(z.size):
        if labels[i] == group:
            gap = z[i] - mean
            square = gap * gap
            s1 += gap
            s2 += square
            s3 += square * gap
            s4 += square * square
    shift, variance, skewness, kurtosis = moments_from_sums(n, s1, s2, s3, s4)
    return n, mean + shift, variance, skewness, kurtosis


@njit
def compare_split(z, labels):  # type: ignore[no-untyped-def]
    """Return the six statistics of groups 0 and 1 of ``labels``, in two passes."""
    n_a, mean_a, var_a, skew_a, kurt_a = split_moments(z, labels, 0)
    n_b, mean_b, var_b, skew_b, kurt_b = split_moments(z, labels, 1)
    return compare(n_a, mean_a, var_a, skew_a, kurt_a, n_b, mean_b, var_b, skew_b, kurt_b)


@njit
def count_extreme(counts, statistics, floors):  # type: ignore[no-untyped-def]
    """Add one to each statistic that reaches its floor; one that is not defined counts as reaching it."""
    for s in range(6):
        if not abs(statistics[s]) < floors[s]:
            counts[s] += 1


@njit
def power_sums(z, positions):  # type: ignore[no-untyped-def]
    """Return sums of the first four powers of the values at ``positions``, added in their order."""
    s1 = s2 = s3 = s4 = 0.0
    for i in range(positions.size):
        value = z[positions[i]]
        square = value * value
        s1 += value
        s2 += square
        s3 += square * value
        s4 += square * square
    return s1, s2, s3, s4


@njit
def _most_repeated(z):  # type: ignore[no-untyped-def]
    # First position and length of the longest run of equal values.
    best = 0
    best_start = 0
    start = 0
    for i in range(1, z.size + 1):
        if i == z.size or z[i] != z[start]:
            if i - start > best:
                best = i - start
                best_start = start
            start = i
    return best_start, best


@njit
def _is_constant(z, positions, m, start, repeats):  # type: ignore[no-untyped-def]
    # Whether the drawn members, and the others, hold one value only.
    low = high = positions[0]
    outside = 0
    for i in range(m):
        position = positions[i]
        low = min(low, position)
        high = max(high, position)
        if position < start or position >= start + repeats:
            outside += 1
    return z[low] == z[high], outside == z.size - repeats


@njit
def permute_pair(z, m, floors, key0, key1, first, last):  # type: ignore[no-untyped-def]
    """Count permutations ``first`` to ``last - 1`` that are at least as extreme as the observed pair.

    Parameters
    ----------
    z : float64[V, n]
        Pooled values of each series, ascending, shifted by the pooled mean and scaled by the pooled sd.
    m : int
        Size of the smaller group, 1 <= m <= n / 2.
    floors : float64[V, 6]
        See `moments.floors`.
    key0, key1 : uint64
        Stream, see `philox.key_of`.
    first, last : int
        Numbers of the permutations.

    Returns
    -------
    int64[V, 6]
    """
    series, n = z.shape
    counts = np.zeros((series, 6), dtype=np.int64)
    totals = np.zeros((series, 4))
    runs = np.zeros((series, 2), dtype=np.int64)
    for v in range(series):
        runs[v, 0], runs[v, 1] = _most_repeated(z[v])
        totals[v, 0], totals[v, 1], totals[v, 2], totals[v, 3] = power_sums(z[v], np.arange(n))
    labels = np.empty(n, dtype=np.int16)
    positions = np.empty(m, dtype=np.uint32)
    sizes = np.array([m, n - m])
    for number in range(first, last):
        draw_labels(labels, sizes, 1, positions, key0, key1, number)
        for v in range(series):
            row = z[v]
            if n <= DIRECT_ROWS:
                count_extreme(counts[v], compare_split(row, labels), floors[v])
                continue
            s1, s2, s3, s4 = power_sums(row, positions)
            constant_a = constant_b = False
            if runs[v, 1] >= m:
                constant_a, constant_b = _is_constant(row, positions, m, runs[v, 0], runs[v, 1])
            mean_a, var_a, skew_a, kurt_a = moments_from_sums(m, s1, s2, s3, s4)
            r4 = totals[v, 3] - s4
            mean_b, var_b, skew_b, kurt_b = moments_from_sums(
                n - m, totals[v, 0] - s1, totals[v, 1] - s2, totals[v, 2] - s3, r4
            )
            if constant_a:
                var_a, skew_a, kurt_a = 0.0, math.nan, math.nan
            if constant_b:
                var_b, skew_b, kurt_b = 0.0, math.nan, math.nan
            # Digits lost: fourth powers against the fourth central moment, 1e-16 each, must stay below 1e-10.
            if (not constant_a and not s4 < 1e4 * m * (kurt_a + 3.0) * (var_a * var_a)) or (
                not constant_b and not totals[v, 3] < 1e4 * (n - m) * (kurt_b + 3.0) * (var_b * var_b)
            ):
                count_extreme(counts[v], compare_split(row, labels), floors[v])
                continue
            count_extreme(
                counts[v],
                compare(m, mean_a, var_a, skew_a, kurt_a, n - m, mean_b, var_b, skew_b, kurt_b),
                floors[v],
            )
    return counts
