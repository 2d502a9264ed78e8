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
def count(starts, members, rounded, step, givers, centred, perfect, direction, best):
    """Raise the best score of each world by the candidates of a batch; `rounded` holds values in steps, int16."""
    n_objects, worlds = rounded.shape
    total = float(n_objects)
    sums = np.empty(worlds, dtype=np.int32)
    hits = np.empty(worlds, dtype=np.bool_)
    for candidate in range(len(starts) - 1):
        begin = starts[candidate]
        end = starts[candidate + 1]
        support = end - begin
        if support == n_objects:
            continue
        sums[:] = 0
        fours = begin + (support & ~3)
        for i in range(begin, fours, 4):
            a = rounded[members[i]]
            b = rounded[members[i + 1]]
            c = rounded[members[i + 2]]
            d = rounded[members[i + 3]]
            for w in range(worlds):
                sums[w] += np.int32(a[w]) + np.int32(b[w]) + np.int32(c[w]) + np.int32(d[w])
        for i in range(fours, end):
            a = rounded[members[i]]
            for w in range(worlds):
                sums[w] += a[w]
        weight = float(support)
        factor = step * step * (total / (weight * (total - weight)))
        # Each rounding is off by half a step at most; a little more covers the float arithmetic of the sum of values.
        margin = 0.5 * weight * (1.0 + 1e-6) + 1e-6
        found = False
        for w in range(worlds):
            reach = abs(float(sums[w])) + margin
            hits[w] = reach * reach * factor > best[w]
            found |= hits[w]
        if not found:
            continue
        for w in range(worlds):
            if hits[w]:
                s = 0.0
                for i in range(begin, end):
                    s += centred[givers[members[i], w]]
                best[w] = max(best[w], score(s, weight, total, perfect, direction))


@njit
def count_weighted(starts, members, values, n_objects, total, perfect, direction, best):
    """Raise the best score of each world by the candidates of a batch; `values` has weighted values, then weights."""
    worlds = len(best)
    sums = np.empty(2 * worlds, dtype=np.float64)
    for candidate in range(len(starts) - 1):
        begin = starts[candidate]
        end = starts[candidate + 1]
        if end - begin == n_objects:
            continue
        sums[:] = 0.0
        for i in range(begin, end):
            row = values[members[i]]
            for w in range(2 * worlds):
                sums[w] += row[w]
        for w in range(worlds):
            value = score(sums[w], sums[worlds + w], total, perfect, direction)
            best[w] = max(best[w], value)


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
