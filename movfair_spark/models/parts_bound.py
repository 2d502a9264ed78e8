"""Support bound of the statistic over parts and strata: the largest value that a candidate of each support can have.

One group: the bound of the Bernoulli or the multinomial model. Two classes in strata: any positives and negatives may be
members, so for p of m the statistic is largest where they come from the strata of the smallest (or largest) rates.
More classes in strata: by the log-sum inequality the inner terms are at most the sum of -ln(rate of its class in its
stratum) over the members, and the outer terms at most sum over classes of (E - c)²/(C - E). Parts: the best way to spread
the members over them.
"""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from movfair_spark.kernels._jit import njit
from movfair_spark.models import bernoulli_kernels, multinomial_kernels
from movfair_spark.models.bounds import combine
from movfair_spark.models.deviance import deviance
from movfair_spark.models.parts_kernels import Layout

# Covers the rounding of expectations that are differences of sums.
_SLACK = 1.0 + 1e-7


def bounds_of_supports(layout: Layout, codes: npt.NDArray[np.int64], end: int) -> npt.NDArray[np.float64]:
    """Bound of the statistic of candidates of support 0 to end - 1.

    Parameters
    ----------
    layout : Layout
    codes : int64 array of shape (N,)
        Classes.
    end : int
        At most N + 1.

    Returns
    -------
    float64 array of shape (end,)
        -inf where no candidate has that support.
    """
    best = np.full(end, -math.inf)
    best[0] = 0.0
    for g in range(len(layout.part_sizes)):
        best = combine(best, _of_part(layout, g, codes, min(end, int(layout.part_sizes[g]) + 1)))
    return best


def _of_part(layout: Layout, g: int, codes: npt.NDArray[np.int64], end: int) -> npt.NDArray[np.float64]:
    totals, size = layout.part_totals[g], int(layout.part_sizes[g])
    if layout.exact[g] and len(totals) == 2:
        return np.array(
            [bernoulli_kernels.bound(m, size, int(totals[1]), layout.direction) for m in range(end)],
            dtype=np.float64,
        )
    if layout.exact[g]:
        return np.array([multinomial_kernels.bound(m, totals, size) for m in range(end)], dtype=np.float64)
    mine = np.flatnonzero(layout.part == g)
    rates = layout.group_totals / layout.group_sizes[:, None]
    if len(totals) == 2:
        positive = codes[mine] == 1
        own = rates[layout.group[mine], 1]
        out = np.empty(end, dtype=np.float64)
        _two_classes(np.sort(own[positive]), np.sort(own[~positive]), layout.direction, out)
        return out * _SLACK
    return _more_classes(rates, layout.group[mine], codes[mine], totals, end) * _SLACK


@njit
def _at(n, p, expected, positives, size):
    """Statistic from an expectation alone."""
    total = 0.0
    for x, m in (
        (p, expected),
        (n - p, n - expected),
        (positives - p, positives - expected),
        (size - n - positives + p, size - n - positives + expected),
    ):
        if x > 0 and m <= 0.0:
            return math.inf
        if x > 0:
            total += deviance(x, m, x - m)
        else:
            total += max(m, 0.0)
    return total


@njit
def _two_classes(positive, negative, direction, out):
    """Write the bounds; rates of the positive and of the negative objects' strata, ascending."""
    positives = len(positive)
    size = positives + len(negative)
    sums = np.zeros((4, size + 1), dtype=np.float64)
    for i in range(positives):
        sums[0, i + 1] = sums[0, i] + positive[i]
        sums[1, i + 1] = sums[1, i] + positive[positives - 1 - i]
    for i in range(len(negative)):
        sums[2, i + 1] = sums[2, i] + negative[i]
        sums[3, i + 1] = sums[3, i] + negative[len(negative) - 1 - i]
    for n in range(len(out)):
        best = 0.0
        for p in range(max(0, n - len(negative)), min(n, positives) + 1):
            if 0 < n < size:
                low = sums[0, p] + sums[2, n - p]
                high = sums[1, p] + sums[3, n - p]
                if direction >= 0 and p > low:
                    best = max(best, _at(n, p, low, positives, size))
                if direction <= 0 and p < high:
                    best = max(best, _at(n, p, high, positives, size))
        out[n] = best


def _more_classes(
    rates: npt.NDArray[np.float64],
    groups: npt.NDArray[np.int64],
    codes: npt.NDArray[np.int64],
    totals: npt.NDArray[np.int64],
    end: int,
) -> npt.NDArray[np.float64]:
    surprise = np.array([[-math.log(rate) if rate > 0 else 0.0 for rate in row] for row in rates])
    most = np.sort(surprise[groups, codes])[::-1]
    out = np.concatenate([[0.0], np.cumsum(most)])[:end]
    supports = np.arange(end)
    for k, total in enumerate(totals):
        if total > 0:
            expected = np.concatenate([[0.0], np.cumsum(np.sort(rates[groups, k])[::-1])])[:end]
            apart = np.maximum(expected, np.minimum(supports, total))
            rest = total - expected
            out = out + np.where(rest > 1e-9, apart * apart / np.where(rest > 1e-9, rest, 1.0), math.inf)
    out[0] = 0.0
    return out
