"""Compiled parts of the Normal model; `models.normal` documents what they mean.

A score is S² times a scale, 1/V: W/(W_in (W - W_in)), and with strata 1/sum of n_s(N_s - n_s)/N_s; +inf for a perfect
split and 0 in the wrong direction. Scale 0 stands for a candidate that leaves nothing to compare.
"""

from __future__ import annotations

import math

import numpy as np

from movfair_spark.kernels._jit import njit

# SST - B is at least this share of SST: the rounding unit.
_UNIT = 2.0**-52


@njit
def score(s, scale, perfect, perfect_scale, direction):
    """Compute the score of a candidate."""
    if s * direction < 0.0 or scale == 0.0:
        return 0.0
    if abs(s) >= perfect and scale >= perfect_scale:
        return math.inf
    return s * s * scale


@njit
def likelihood(best, n, squares):
    """Turn a score into the log-likelihood ratio."""
    if squares == 0.0 or best <= 0.0:
        return 0.0
    if best == math.inf:
        return math.inf
    return -0.5 * n * math.log1p(-min(best / squares, 1.0 - _UNIT))


@njit
def weighted_scale(weight, total):
    """Scale of W_in out of W."""
    return total / (weight * (total - weight))


@njit
def scales(starts, members, strata, sizes):
    """Scale of each candidate without weights."""
    n_objects = len(strata)
    out = np.zeros(len(starts) - 1, dtype=np.float64)
    inside = np.zeros(len(sizes), dtype=np.int64)
    for candidate in range(len(out)):
        n = starts[candidate + 1] - starts[candidate]
        if n == n_objects:
            continue
        if len(sizes) == 1:
            out[candidate] = weighted_scale(float(n), float(n_objects))
            continue
        inside[:] = 0
        for i in range(starts[candidate], starts[candidate + 1]):
            inside[strata[members[i]]] += 1
        v = 0.0
        for s in range(len(sizes)):
            if 0 < inside[s] < sizes[s]:
                v += inside[s] * (sizes[s] - inside[s]) / sizes[s]
        if v > 0.0:
            out[candidate] = 1.0 / v
    return out


@njit
def weighted_scales(starts, within, n_objects, total):
    """Scale of each candidate with weights."""
    out = np.zeros(len(within), dtype=np.float64)
    for candidate in range(len(within)):
        if starts[candidate + 1] - starts[candidate] < n_objects:
            out[candidate] = weighted_scale(within[candidate], total)
    return out


@njit
def likelihoods(sums, scale_of, perfect, perfect_scale, direction, n, squares):
    """Compute the log-likelihood ratio of each candidate."""
    out = np.empty(len(sums), dtype=np.float64)
    for i in range(len(sums)):
        out[i] = likelihood(score(sums[i], scale_of[i], perfect, perfect_scale, direction), n, squares)
    return out


@njit
def count(starts, members, scale_of, rounded, step, givers, centred, perfect, perfect_scale, direction, best):
    """Raise the best score of each world by the candidates of a batch; `rounded` holds values in steps, int16."""
    worlds = rounded.shape[1]
    sums = np.empty(worlds, dtype=np.int32)
    hits = np.empty(worlds, dtype=np.bool_)
    for candidate in range(len(starts) - 1):
        scale = scale_of[candidate]
        if scale == 0.0:
            continue
        begin = starts[candidate]
        end = starts[candidate + 1]
        support = end - begin
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
        factor = step * step * scale
        # Each rounding is off by half a step at most; a little more covers the float arithmetic of the sum of values.
        margin = 0.5 * support * (1.0 + 1e-6) + 1e-6
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
                best[w] = max(best[w], score(s, scale, perfect, perfect_scale, direction))


@njit
def count_weighted(starts, members, givers, pairs, total, perfect, direction, best):
    """Raise the best score of each world by the candidates of a batch; `pairs` holds weighted value and weight."""
    worlds = len(best)
    sums = np.empty(worlds, dtype=np.float64)
    weights = np.empty(worlds, dtype=np.float64)
    for candidate in range(len(starts) - 1):
        begin = starts[candidate]
        end = starts[candidate + 1]
        if end - begin == len(pairs):
            continue
        sums[:] = 0.0
        weights[:] = 0.0
        for i in range(begin, end):
            row = givers[members[i]]
            for w in range(worlds):
                sums[w] += pairs[row[w], 0]
                weights[w] += pairs[row[w], 1]
        for w in range(worlds):
            value = score(sums[w], weighted_scale(weights[w], total), perfect, 0.0, direction)
            best[w] = max(best[w], value)


@njit
def add_up(starts, members, centred, weights, lift, sums, within, lifts):
    """Write S, W_in and the sum of w·lift of each candidate in the observed world."""
    for candidate in range(len(starts) - 1):
        s = 0.0
        weight = 0.0
        lifted = 0.0
        for i in range(starts[candidate], starts[candidate + 1]):
            s += centred[members[i]]
            weight += weights[members[i]]
            lifted += weights[members[i]] * lift[members[i]]
        sums[candidate] = s
        within[candidate] = weight
        lifts[candidate] = lifted
