"""Compiled parts of the Normal model; `models.normal` documents what they mean.

A score is B = S²·W/(W_in (W - W_in)), +inf for a perfect split and 0 in the wrong direction.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from movfair_spark.kernels._jit import njit

# SST - B is at least this share of SST: the rounding unit.
_UNIT = 2.0**-52


class Moments(NamedTuple):
    """What the statistic needs of the tested values: N, W, SST, the |S| of a perfect split (+inf when there is none)."""

    n: int
    total: float
    squares: float
    perfect: float
    mean: float
    centred: npt.NDArray[np.float64]
    weights: npt.NDArray[np.float64]


@njit
def score(s, weight, total, perfect, direction):
    """Compute the score of a candidate with S and W_in."""
    if s * direction < 0.0:
        return 0.0
    if abs(s) >= perfect:
        return math.inf
    return s * s * (total / (weight * (total - weight)))


@njit
def likelihood(best, n, squares):
    """Turn a score into the log-likelihood ratio."""
    if squares == 0.0 or best <= 0.0:
        return 0.0
    if best == math.inf:
        return math.inf
    return -0.5 * n * math.log1p(-min(best / squares, 1.0 - _UNIT))


@njit
def largest_score(descending, first, end, total, perfect, direction):
    """Find the largest score of first..end - 1 members: the largest or the smallest values."""
    best = 0.0
    n = len(descending)
    top = 0.0
    bottom = 0.0
    for m in range(1, min(end, n)):
        top += descending[m - 1]
        bottom += descending[n - m]
        if m >= first:
            best = max(best, score(top, float(m), total, perfect, direction))
            best = max(best, score(bottom, float(m), total, perfect, direction))
    return best


@njit
def count(starts, members, values, weighted, n_objects, total, perfect, direction, sums, best):
    """Raise the best score of each world by the candidates of a batch; members are added in their order."""
    width = len(sums)
    worlds = len(best)
    for candidate in range(len(starts) - 1):
        begin = starts[candidate]
        end = starts[candidate + 1]
        if end - begin == n_objects:
            continue
        for w in range(width):
            sums[w] = 0.0
        fours = begin + ((end - begin) & ~3)
        for i in range(begin, fours, 4):
            a = values[members[i]]
            b = values[members[i + 1]]
            c = values[members[i + 2]]
            d = values[members[i + 3]]
            for w in range(width):
                sums[w] = sums[w] + a[w] + b[w] + c[w] + d[w]
        for i in range(fours, end):
            a = values[members[i]]
            for w in range(width):
                sums[w] = sums[w] + a[w]
        weight = float(end - begin)
        factor = total / (weight * (total - weight))
        for w in range(worlds):
            s = sums[w]
            if weighted:
                weight = sums[worlds + w]
                factor = total / (weight * (total - weight))
            value = s * s * factor
            if value > best[w] or abs(s) >= perfect:
                best[w] = max(best[w], score(s, weight, total, perfect, direction))


@njit
def evaluate(
    starts, members, centred, weights, n_objects, total, squares, perfect, direction, sums, within, values
):
    """Write S, W_in and the log-likelihood ratio of each candidate in one world."""
    for candidate in range(len(starts) - 1):
        s = 0.0
        weight = 0.0
        for i in range(starts[candidate], starts[candidate + 1]):
            s += centred[members[i]]
            weight += weights[members[i]]
        sums[candidate] = s
        within[candidate] = weight
        values[candidate] = 0.0
        if starts[candidate + 1] - starts[candidate] < n_objects:
            values[candidate] = likelihood(score(s, weight, total, perfect, direction), n_objects, squares)
