"""Compiled parts of the statistic summed over parts and conditional on strata; `models.parts` documents what they mean.

A group is a stratum of one part. `Layout` says who is where; expectations of a candidate stand in two arrays [part, class],
inside and outside, each added up from the groups, so that neither is a difference of large numbers.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from movfair_spark.kernels._jit import njit
from movfair_spark.kernels.planes import add_up, n_digits, unpack
from movfair_spark.models.deviance import deviance


class Layout(NamedTuple):
    """Parts, groups and classes of the objects in the test.

    Attributes
    ----------
    part, group : int64[N]
        Of each object.
    part_of_group, group_sizes : int64[S]
    group_totals : int64[S, K]
        Objects of each class.
    part_sizes : int64[G]
    part_totals : int64[G, K]
    exact : bool[G]
        Whether the part is one group: differences from the expectation are then exact integers over N.
    direction : int
        1 high, -1 low, 0 both; of use with two classes only.
    """

    part: npt.NDArray[np.int64]
    group: npt.NDArray[np.int64]
    part_of_group: npt.NDArray[np.int64]
    group_sizes: npt.NDArray[np.int64]
    group_totals: npt.NDArray[np.int64]
    part_sizes: npt.NDArray[np.int64]
    part_totals: npt.NDArray[np.int64]
    exact: npt.NDArray[np.bool_]
    direction: int


@njit
def excess(layout, g, k, count, n, inside):
    """Count of class k in part g less its expectation."""
    if layout.exact[g]:
        size = layout.part_sizes[g]
        return (count * size - n * layout.part_totals[g, k]) / float(size)
    return count - inside[g, k]


@njit
def component(layout, g, k, count, n, inside, outside):
    """Compute what a count adds to the statistic: with two classes the whole part g, else the deviances of class k."""
    size = layout.part_sizes[g]
    if n <= 0 or n >= size:
        return 0.0
    totals = layout.part_totals[g]
    difference = excess(layout, g, k, count, n, inside)
    if difference == 0.0 or difference * layout.direction < 0.0:
        return 0.0
    within = deviance(count, inside[g, k], difference)
    without = deviance(totals[k] - count, outside[g, k], -difference)
    if len(totals) > 2:
        return within + without
    within += deviance(n - count, inside[g, 0], -difference)
    without += deviance(totals[0] - (n - count), outside[g, 0], difference)
    return within + without


@njit
def expect(layout, members, begin, end, inside_of, supports, inside, outside):
    """Count the members of each group, and write supports [part] and expectations [part, class]."""
    inside_of[:] = 0
    supports[:] = 0
    inside[:] = 0.0
    outside[:] = 0.0
    for i in range(begin, end):
        inside_of[layout.group[members[i]]] += 1
    for s in range(len(inside_of)):
        g = layout.part_of_group[s]
        n = inside_of[s]
        size = layout.group_sizes[s]
        supports[g] += n
        for k in range(inside.shape[1]):
            total = layout.group_totals[s, k]
            inside[g, k] += n * total / float(size)
            outside[g, k] += (size - n) * total / float(size)


@njit
def count(starts, members, layout, labels, blocks, planes, best):
    """Raise the best statistic of each world by the candidates of a batch."""
    parts, classes = layout.part_totals.shape
    first_class = 1 if classes == 2 else 0
    width = classes - first_class
    inside_of = np.zeros(len(layout.group_sizes), dtype=np.int64)
    supports = np.zeros(parts, dtype=np.int64)
    inside = np.zeros((parts, classes), dtype=np.float64)
    outside = np.zeros((parts, classes), dtype=np.float64)
    counts = np.zeros((parts * width, 1024), dtype=np.int32)
    largest = 0
    for candidate in range(len(starts) - 1):
        largest = max(largest, starts[candidate + 1] - starts[candidate])
    values = np.zeros((parts * width, largest + 1), dtype=np.float64)
    own = np.zeros(largest, dtype=members.dtype)
    floor = best.min()
    for candidate in range(len(starts) - 1):
        if candidate & 63 == 63:
            floor = best.min()
        begin = starts[candidate]
        end = starts[candidate + 1]
        expect(layout, members, begin, end, inside_of, supports, inside, outside)
        for block in range(blocks):
            used = min(1024, len(best) - 1024 * block)
            reach = 0.0
            for g in range(parts):
                kept = 0
                for i in range(begin, end):
                    if layout.part[members[i]] == g:
                        own[kept] = members[i]
                        kept += 1
                part_reach = 0.0
                for j in range(width):
                    row = g * width + j
                    digits = n_digits(kept)
                    add_up(own, 0, kept, labels, blocks * width, block * width + j, digits, planes)
                    unpack(planes, 0, digits, counts[row])
                    low = counts[row, :used].min()
                    high = counts[row, :used].max()
                    most = 0.0
                    for x in range(low, high + 1):
                        values[row, x] = component(layout, g, j + first_class, x, kept, inside, outside)
                        most = max(most, values[row, x])
                    part_reach += most
                reach += part_reach
            if reach <= floor:
                continue
            for w in range(used):
                total = 0.0
                for g in range(parts):
                    part = 0.0
                    for j in range(width):
                        part += values[g * width + j, counts[g * width + j, w]]
                    total += part
                best[1024 * block + w] = max(best[1024 * block + w], total)


@njit
def evaluate(starts, members, layout, codes, supports, observed, inside, outside, statistics):
    """Write supports, counts, expectations and the statistic of each part, [candidate, part, ...], in one world."""
    parts, classes = layout.part_totals.shape
    first_class = 1 if classes == 2 else 0
    inside_of = np.zeros(len(layout.group_sizes), dtype=np.int64)
    for c in range(len(starts) - 1):
        expect(layout, members, starts[c], starts[c + 1], inside_of, supports[c], inside[c], outside[c])
        for i in range(starts[c], starts[c + 1]):
            observed[c, layout.part[members[i]], codes[members[i]]] += 1
        for g in range(parts):
            part = 0.0
            for k in range(first_class, classes):
                part += component(layout, g, k, observed[c, g, k], supports[c, g], inside[c], outside[c])
            statistics[c, g] = part
