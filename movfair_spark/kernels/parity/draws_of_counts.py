"""Permutations and bootstrap draws of tables of counts: cost by distinct values, not by rows.

With 10^8 rows nobody draws rows. How many members of a group fall on each distinct value in a random permutation is
multivariate hypergeometric, in a bootstrap draw multinomial; both are drawn value by value. The univariate draws are
Stadlober's (1989) ratio of uniforms, one Philox block per attempt; they are exact but for the rounding of lgamma
(relative error of a probability below 1e-6 up to 10^9 rows).
"""

from __future__ import annotations

import math

import numpy as np

from movfair_spark.kernels._jit import njit
from movfair_spark.kernels.parity.philox import philox

_LOW = np.uint64(0xFFFFFFFF)
_SHIFT = np.uint64(32)
_ONE = np.uint64(1)
_FIVE = np.uint64(5)
_SIX = np.uint64(6)
_D1 = 1.7155277699214135  # 2·sqrt(2/e)
_D2 = 0.8989161620588988  # 3 − 2·sqrt(3/e)


@njit
def _uniforms(key0, key1, block, number):  # type: ignore[no-untyped-def]
    # Two numbers inside (0, 1), 53 bits each.
    w0, w1, w2, w3 = philox(
        key0, key1, block & _LOW, block >> _SHIFT, np.uint64(number) & _LOW, np.uint64(number) >> _SHIFT
    )
    u = (float(w0 >> _FIVE) * 67108864.0 + float(w1 >> _SIX) + 0.5) / 9007199254740992.0
    v = (float(w2 >> _FIVE) * 67108864.0 + float(w3 >> _SIX) + 0.5) / 9007199254740992.0
    return u, v


@njit
def _hypergeometric_log(x, good, bad, sample):  # type: ignore[no-untyped-def]
    return -(
        math.lgamma(x + 1.0)
        + math.lgamma(good - x + 1.0)
        + math.lgamma(sample - x + 1.0)
        + math.lgamma(bad - sample + x + 1.0)
    )


@njit
def hypergeometric(good, bad, sample, key0, key1, block, number):  # type: ignore[no-untyped-def]
    """How many of ``sample`` draws without replacement are among ``good`` of ``good + bad`` items.

    Returns
    -------
    count : int
    block : uint64
        The next unused block of the stream.
    """
    low = max(0, sample - bad)
    high = min(good, sample)
    if low == high:
        return low, block
    n = float(good + bad)
    mean = sample * (good / n)
    variance = mean * (bad / n) * ((n - sample) / (n - 1.0))
    width = _D1 * math.sqrt(variance + 0.5) + _D2
    mode = math.floor((sample + 1.0) * (good + 1.0) / (n + 2.0))
    top = _hypergeometric_log(mode, float(good), float(bad), float(sample))
    while True:
        u, v = _uniforms(key0, key1, block, number)
        block += _ONE
        x = math.floor(mean + 0.5 + width * (v - 0.5) / u)
        if x < low or x > high:
            continue
        gain = _hypergeometric_log(x, float(good), float(bad), float(sample)) - top
        if 2.0 * math.log(u) <= gain:
            return np.int64(x), block


@njit
def _binomial_log(x, n, odds):  # type: ignore[no-untyped-def]
    return x * odds - math.lgamma(x + 1.0) - math.lgamma(n - x + 1.0)


@njit
def binomial(n, p, key0, key1, block, number):  # type: ignore[no-untyped-def]
    """Draw the number of successes in ``n`` trials; returns it and the next unused block."""
    if n == 0 or p <= 0.0:
        return np.int64(0), block
    if p >= 1.0:
        return np.int64(n), block
    mean = n * p
    width = _D1 * math.sqrt(mean * (1.0 - p) + 0.5) + _D2
    odds = math.log(p / (1.0 - p))
    top = _binomial_log(min(math.floor((n + 1.0) * p), float(n)), float(n), odds)
    while True:
        u, v = _uniforms(key0, key1, block, number)
        block += _ONE
        x = math.floor(mean + 0.5 + width * (v - 0.5) / u)
        if x < 0 or x > n:
            continue
        if 2.0 * math.log(u) <= _binomial_log(x, float(n), odds) - top:
            return np.int64(x), block


@njit
def permute_counts(multiplicities, sizes, rest, counts, key0, key1, number):  # type: ignore[no-untyped-def]
    """Fill ``counts`` with permutation ``number``: members of each group on each distinct value.

    Parameters
    ----------
    multiplicities : int64[K]
    sizes : int64[k]
        Members of each group.
    rest : int
        The group that gets what is left.
    counts : int64[K, k]
        Overwritten.
    key0, key1 : uint64
    number : int
    """
    block = np.uint64(0)
    left_over = multiplicities.sum()
    for j in range(multiplicities.size):
        counts[j, rest] = multiplicities[j]
    for group in range(sizes.size):
        if group == rest:
            continue
        sample = sizes[group]
        others = left_over
        for j in range(multiplicities.size):
            here = counts[j, rest]
            others -= here
            taken, block = hypergeometric(here, others, sample, key0, key1, block, number)
            counts[j, group] = taken
            counts[j, rest] = here - taken
            sample -= taken
        left_over -= sizes[group]


@njit
def resample_counts(weights, drawn, key0, key1, number):  # type: ignore[no-untyped-def]
    """Fill ``drawn`` with bootstrap draw ``number`` of a table of counts (multinomial).

    Parameters
    ----------
    weights : int64[K]
    drawn : int64[K]
        Overwritten; adds up to the sum of ``weights``.
    key0, key1 : uint64
    number : int
    """
    block = np.uint64(0)
    total = weights.sum()
    left = total
    for j in range(weights.size):
        share = weights[j] / total if total > 0 else 0.0
        taken, block = binomial(left, share, key0, key1, block, number)
        drawn[j] = taken
        left -= taken
        total -= weights[j]
