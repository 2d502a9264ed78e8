"""Compiled parts of the Bernoulli model; `models.bernoulli` documents what they mean.

Directions are 0 for both, 1 for high, -1 for low. All counts are int64, N below 2^31: products stay below 2^62.
"""

from __future__ import annotations

import math

import numpy as np

from movfair_spark.kernels._jit import njit
from movfair_spark.kernels.bits import trailing_zeros
from movfair_spark.kernels.lanes import store
from movfair_spark.kernels.planes import above_number, below_number, n_digits, number_in
from movfair_spark.models.deviance import deviance
from movfair_spark.models.significance import tie_limit


@njit
def statistic(n, p, n_objects, positives, direction):
    """Compute the log-likelihood ratio of a candidate of n members, p of them positive."""
    if n <= 0 or n >= n_objects or positives <= 0 or positives >= n_objects:
        return 0.0
    excess = p * n_objects - n * positives
    if excess == 0 or excess * direction < 0:
        return 0.0
    size = float(n_objects)
    difference = excess / size
    rest = n_objects - n
    negatives = n_objects - positives
    # In pairs, so that exchanging the two outcomes, or inside and outside, gives the same bits.
    inside = deviance(p, n * positives / size, difference) + deviance(
        n - p, n * negatives / size, -difference
    )
    p = positives - p
    outside = deviance(p, rest * positives / size, -difference) + deviance(
        rest - p, rest * negatives / size, difference
    )
    return inside + outside


@njit
def statistics(n, p, n_objects, positives, direction, out):
    """Write the statistic of each candidate into `out`."""
    for i in range(len(n)):
        out[i] = statistic(n[i], p[i], n_objects, positives, direction)


@njit
def bound(n, n_objects, positives, direction):
    """Find the largest statistic of a candidate of n members."""
    most = statistic(n, min(n, positives), n_objects, positives, direction)
    least = statistic(n, max(0, n - (n_objects - positives)), n_objects, positives, direction)
    return max(most, least)


@njit
def largest_bound(first, end, n_objects, positives, direction):
    """Find the largest bound over supports first..end - 1; -inf when there are none."""
    best = -math.inf
    for n in range(first, end):
        best = max(best, bound(n, n_objects, positives, direction))
    return best


@njit
def fold(counts, support, n_objects, positives, direction, best):
    """Raise the best statistic of each world by one row of counts."""
    # Few distinct counts occur at one support: each is evaluated once.
    smallest = counts.min()
    values = np.full(counts.max() - smallest + 1, -1.0)
    for world in range(len(counts)):
        at = counts[world] - smallest
        if values[at] < 0.0:
            values[at] = statistic(support, np.int64(counts[world]), n_objects, positives, direction)
        if values[at] > best[world]:
            best[world] = values[at]


@njit
def maxima(supports, low, high, n_objects, positives, direction, best):
    """Raise the best statistic of each world by unpacked extremes."""
    for i in range(len(supports)):
        if direction <= 0:
            fold(low[i], supports[i], n_objects, positives, direction, best)
        if direction >= 0:
            fold(high[i], supports[i], n_objects, positives, direction, best)


@njit
def limits(n, threshold, ties, n_objects, positives, direction):
    """Find the counts beyond a threshold at support n: below the first and above the second; (0, n) for none.

    With `ties` by the rule of ties, otherwise every value larger than the threshold.
    """
    least = max(0, n - (n_objects - positives))
    most = min(n, positives)
    expected = n * positives // n_objects
    if (tie_limit(0.0) if ties else 0.0) > threshold:
        return n, n - 1
    # On either side of the expectation the statistic rises towards the possible extreme.
    low = least
    end = max(least, expected + 1) if direction <= 0 else least
    while low < end:
        p = (low + end) // 2
        value = statistic(n, p, n_objects, positives, direction)
        if (tie_limit(value) if ties else value) > threshold:
            low = p + 1
        else:
            end = p
    high = most
    end = min(most, expected) if direction >= 0 else most
    while high > end:
        p = (high + end + 1) // 2
        value = statistic(n, p, n_objects, positives, direction)
        if (tie_limit(value) if ties else value) > threshold:
            high = p - 1
        else:
            end = p
    return (low if low > least else 0), (high if high < most else n)


@njit
def _improve(where, numbers, place, digits, support, offset, words, n_objects, positives, direction, best):
    store(words, 0, where)
    for i in range(16):
        word = words[i]
        while word:
            world = 64 * i + trailing_zeros(word)
            word &= word - np.uint64(1)
            if offset + world < len(best):
                count = number_in(numbers, place, digits, world)
                value = statistic(support, count, n_objects, positives, direction)
                best[offset + world] = max(best[offset + world], value)


@njit
def fold_planes(supports, places, low, high, blocks, n_objects, positives, direction, best):
    """Raise the best statistic of each world by the extremes in bit planes.

    Only worlds whose extreme count lies beyond what the worst world already has are unpacked: the same bits as
    `maxima`, at a small part of the logarithms.
    """
    words = np.empty(16, dtype=np.uint64)
    for i in range(len(supports)):
        support = supports[i]
        digits = n_digits(support)
        fewest, largest = limits(support, best.min(), False, n_objects, positives, direction)
        for block in range(blocks):
            place = places[i] + digits * block
            if fewest > 0:
                where = below_number(low, place, digits, fewest)
                _improve(
                    where,
                    low,
                    place,
                    digits,
                    support,
                    1024 * block,
                    words,
                    n_objects,
                    positives,
                    direction,
                    best,
                )
            if largest < support:
                where = above_number(high, place, digits, largest)
                _improve(
                    where,
                    high,
                    place,
                    digits,
                    support,
                    1024 * block,
                    words,
                    n_objects,
                    positives,
                    direction,
                    best,
                )
