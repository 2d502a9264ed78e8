"""The four moments of a group's errors and how two groups differ in them (paper, equations 1-4).

Variance with ddof 0, biased skewness, Fisher kurtosis, each about the group's own mean. A group whose errors are
all equal has variance 0 and no skewness or kurtosis: NaN stands for "not defined" here and becomes null in tables.
Values come shifted and scaled (`series`), so that an offset of 1e9 or integers near 2^63 cost no digits.
"""

from __future__ import annotations

import math

import numpy as np

from movfair_spark.kernels._jit import njit

#: Order of the statistics in every array of this package; the last two are the studentised forms.
STATISTICS = ("mean", "variance", "skewness", "kurtosis", "mean_studentised", "variance_studentised")
MOMENTS = STATISTICS[:4]


@njit
def weighted_moments(values, weights):  # type: ignore[no-untyped-def]
    """Size, mean, variance, skewness and kurtosis of values with counts, in two passes.

    Parameters
    ----------
    values : float64[K]
        Distinct values, ascending.
    weights : int64[K]
        How often each occurs.

    Returns
    -------
    tuple of float
        (n, mean, variance, skewness, kurtosis); skewness and kurtosis are NaN when one value holds all.
    """
    n = 0
    occupied = 0
    total = 0.0
    lost = 0.0  # Neumaier's compensation
    for j in range(values.size):
        weight = weights[j]
        if weight == 0:
            continue
        n += weight
        occupied += 1
        term = weight * values[j]
        new = total + term
        lost += (total - new) + term if abs(total) >= abs(term) else (term - new) + total
        total = new
    if n == 0:
        return 0, math.nan, math.nan, math.nan, math.nan
    mean = (total + lost) / n
    if occupied == 1:
        for j in range(values.size):
            if weights[j] != 0:
                mean = values[j]
        return n, mean, 0.0, math.nan, math.nan
    second = third = fourth = first = 0.0
    for j in range(values.size):
        weight = weights[j]
        if weight == 0:
            continue
        gap = values[j] - mean
        square = gap * gap
        first += weight * gap
        second += weight * square
        third += weight * (square * gap)
        fourth += weight * (square * square)
    # The mean is rounded; what is left of the first sum says by how much, and is taken out again.
    shift = first / n
    second, third, fourth = second / n, third / n, fourth / n
    m2, m3, m4 = _central(shift, second, third, fourth)
    variance, skewness, kurtosis = _standardise(m2, m3, m4)
    return n, mean + shift, variance, skewness, kurtosis


@njit
def _central(mean, second, third, fourth):  # type: ignore[no-untyped-def]
    # Central moments from raw ones.
    square = mean * mean
    m2 = second - square
    m3 = third - 3.0 * mean * second + 2.0 * mean * square
    m4 = fourth - 4.0 * mean * third + 6.0 * square * second - 3.0 * square * square
    return m2, m3, m4


@njit
def _standardise(m2, m3, m4):  # type: ignore[no-untyped-def]
    if not m2 > 0.0:
        return 0.0, math.nan, math.nan
    return m2, m3 / (m2 * math.sqrt(m2)), m4 / (m2 * m2) - 3.0


@njit
def moments_from_sums(n, s1, s2, s3, s4):  # type: ignore[no-untyped-def]
    """Mean, variance, skewness and kurtosis from n and the sums of the first four powers."""
    mean = s1 / n
    m2, m3, m4 = _central(mean, s2 / n, s3 / n, s4 / n)
    m2, skewness, kurtosis = _standardise(m2, m3, m4)
    return mean, m2, skewness, kurtosis


@njit
def compare(n_a, mean_a, var_a, skew_a, kurt_a, n_b, mean_b, var_b, skew_b, kurt_b):  # type: ignore[no-untyped-def]
    """Compute the six statistics of a pair, a minus b, in the order of `STATISTICS`; NaN where not defined.

    The studentised mean difference is Welch's t (Janssen 1997); the studentised variance difference is the
    logarithm of the ratio of variances over its delta-method error, sqrt(sum of (kurtosis + 2) / n).
    """
    student_mean = student_variance = math.nan
    if n_a > 1 and n_b > 1:
        error = var_a / (n_a - 1) + var_b / (n_b - 1)
        if error > 0.0:
            student_mean = (mean_a - mean_b) / math.sqrt(error)
        if var_a > 0.0 and var_b > 0.0:
            error = (kurt_a + 2.0) / n_a + (kurt_b + 2.0) / n_b
            if error > 1e-12:
                student_variance = (math.log(var_a) - math.log(var_b)) / math.sqrt(error)
    return mean_a - mean_b, var_a - var_b, skew_a - skew_b, kurt_a - kurt_b, student_mean, student_variance


def floor_of(difference: float) -> float:
    """Least absolute value that counts as at least as extreme: ties are within 1e-9·max(1, |difference|)."""
    size = abs(difference)
    return size - 1e-9 * max(1.0, size)


def floors(statistics: np.ndarray) -> np.ndarray:
    """`floor_of` for each statistic; NaN where the observed one is not defined."""
    return np.array([math.nan if math.isnan(value) else floor_of(value) for value in statistics.tolist()])
