"""The k-sample Anderson-Darling statistic of Scholz & Stephens (1987), with midranks for ties.

A² = (N − 1)/N · Σ_i 1/n_i Σ_j l_j/N · (N·M_ij − n_i·B_j)² / (B_j·(N − B_j) − N·l_j/4), their equation 7: j runs
over the distinct values, l_j counts value j, B_j and M_ij count values below it plus half of those equal to it, in
all groups and in group i. Integers are kept doubled, so that N·M − n·B is exact up to 10^9 rows.
"""

from __future__ import annotations

import math

import numpy as np

from movfair_spark.kernels._jit import njit


@njit
def midrank_weights(multiplicities):  # type: ignore[no-untyped-def]
    """Weights l_j/N / (4·B_j·(N − B_j) − N·l_j) · (N − 1)/N of each distinct value, and its last position + 1.

    Parameters
    ----------
    multiplicities : int64[K]
        How often each distinct value occurs, ascending by value.

    Returns
    -------
    ends : int64[K]
    weights : float64[K]
        0 for a value that holds everything.
    """
    n = multiplicities.sum()
    ends = np.cumsum(multiplicities)
    weights = np.zeros(multiplicities.size)
    below = 0
    for j in range(multiplicities.size):
        level = multiplicities[j]
        doubled = 2 * below + level
        denominator = float(doubled) * float(2 * n - doubled) - float(n) * float(level)
        if level > 0 and denominator > 0.0:
            weights[j] = (level / n) / denominator * ((n - 1) / n)
        below += level
    return ends, weights


@njit
def midrank_of_labels(labels, ends, weights, sizes):  # type: ignore[no-untyped-def]
    """A² of labelled positions in ascending order of value.

    Parameters
    ----------
    labels : int16[N]
        Group of each position.
    ends, weights : see `midrank_weights`
    sizes : int64[k]
        Members of each group.
    """
    k = sizes.size
    n = labels.size
    before = np.zeros(k, dtype=np.int64)
    after = np.zeros(k, dtype=np.int64)
    total = 0.0
    position = 0
    for j in range(ends.size):
        doubled = position + ends[j]
        while position < ends[j]:
            after[labels[position]] += 1
            position += 1
        spread = 0.0
        for i in range(k):
            gap = float(n * (before[i] + after[i]) - sizes[i] * doubled)
            spread += gap * gap / sizes[i]
            before[i] = after[i]
        total += weights[j] * spread
    return total


@njit
def midrank_of_counts(counts, weights):  # type: ignore[no-untyped-def]
    """A² of a table of counts.

    Parameters
    ----------
    counts : int64[K, k]
        Occurrences of each distinct value in each group.
    weights : float64[K]
        See `midrank_weights`.
    """
    levels, k = counts.shape
    sizes = np.zeros(k, dtype=np.int64)
    for j in range(levels):
        for i in range(k):
            sizes[i] += counts[j, i]
    n = sizes.sum()
    before = np.zeros(k, dtype=np.int64)
    doubled = 0
    total = 0.0
    for j in range(levels):
        level = 0
        for i in range(k):
            level += counts[j, i]
        doubled += level
        spread = 0.0
        for i in range(k):
            gap = float(n * (2 * before[i] + counts[j, i]) - sizes[i] * doubled)
            spread += gap * gap / sizes[i]
            before[i] += counts[j, i]
        doubled += level
        total += weights[j] * spread
    return total


@njit
def right_continuous_of_counts(counts):  # type: ignore[no-untyped-def]
    """Scholz & Stephens' A² with the right-continuous distribution function (their equation 6), for comparison."""
    levels, k = counts.shape
    sizes = np.zeros(k, dtype=np.int64)
    for j in range(levels):
        for i in range(k):
            sizes[i] += counts[j, i]
    n = sizes.sum()
    so_far = np.zeros(k, dtype=np.int64)
    below = 0
    total = 0.0
    for j in range(levels - 1):
        level = 0
        for i in range(k):
            so_far[i] += counts[j, i]
            level += counts[j, i]
        below += level
        spread = 0.0
        for i in range(k):
            gap = float(n * so_far[i] - sizes[i] * below)
            spread += gap * gap / sizes[i]
        total += level / n * spread / (float(below) * float(n - below))
    return total


@njit
def _harmonics(n):  # type: ignore[no-untyped-def]
    # h = Σ_{i<n} 1/i and g = Σ_{i<j} 1/((n − i) j), both up to n − 1.
    partial = g = 0.0
    for i in range(1, n - 1):
        partial += 1.0 / (n - i)
        g += partial / (i + 1)
    return partial + 1.0, g


def standardised(statistic: float, sizes: np.ndarray) -> float:
    """T = (A² − (k − 1)) / σ, what scipy and kSamples print; NaN below 4 errors, where σ is not defined.

    Parameters
    ----------
    statistic : float
        A².
    sizes : int64[k]
        Members of each group.
    """
    k, n = int(sizes.size), int(sizes.sum())
    if n < 4 or k < 2 or math.isnan(statistic):
        return math.nan
    inverse = math.fsum(1.0 / int(size) for size in sizes)
    h, g = _harmonics(n)
    a = (4 * g - 6) * (k - 1) + (10 - 6 * g) * inverse
    b = (2 * g - 4) * (k * k) + 8 * h * k + (2 * g - 14 * h - 4) * inverse - 8 * h + 4 * g - 6
    c = (6 * h + 2 * g - 2) * (k * k) + (4 * h - 4 * g + 6) * k + (2 * h - 6) * inverse + 4 * h
    d = (2 * h + 6) * (k * k) - 4 * h * k
    size = float(n)
    variance = (((a * size + b) * size + c) * size + d) / ((size - 1.0) * (size - 2.0) * (size - 3.0))
    return (statistic - (k - 1)) / math.sqrt(variance)
