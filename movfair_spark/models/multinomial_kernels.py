"""Compiled parts of the multinomial model; `models.multinomial` documents what they mean."""

from __future__ import annotations

import numpy as np

from movfair_spark.kernels._jit import njit
from movfair_spark.kernels.bits import trailing_zeros
from movfair_spark.kernels.lanes import load, some, store, zero
from movfair_spark.kernels.planes import above_number, add_up, below_number, n_digits, number_in
from movfair_spark.models.deviance import deviance

# Guards the comparison of parts with T/(4K) against the rounding of the sum.
_SLACK = 1.0 - 1e-12


@njit
def _part(k, count, totals, n, n_objects):
    """Deviances of class k, inside and outside."""
    size = float(n_objects)
    difference = (count * n_objects - n * totals[k]) / size
    rest = n_objects - n
    inside = deviance(count, n * totals[k] / size, difference)
    return inside, deviance(totals[k] - count, rest * totals[k] / size, -difference)


@njit
def statistic(counts, totals, n, n_objects):
    """Compute the log-likelihood ratio from counts per class."""
    if n <= 0 or n >= n_objects:
        return 0.0
    all_inside = 0.0
    all_outside = 0.0
    for k in range(len(totals)):
        if totals[k] > 0:
            inside, outside = _part(k, counts[k], totals, n, n_objects)
            all_inside += inside
            all_outside += outside
    return all_inside + all_outside


@njit
def bound(n, totals, n_objects):
    """Find the largest statistic over all vertices: the classes of a set wholly inside, one more in part."""
    classes = len(totals)
    counts = np.zeros(classes, dtype=np.int64)
    best = 0.0
    for inside in range(1 << classes):
        left = n
        for k in range(classes):
            counts[k] = totals[k] if (inside >> k) & 1 else 0
            left -= counts[k]
        if left < 0:
            continue
        for k in range(classes):
            if not (inside >> k) & 1 and left <= totals[k]:
                counts[k] = left
                best = max(best, statistic(counts, totals, n, n_objects))
                counts[k] = 0
        if left == 0:
            best = max(best, statistic(counts, totals, n, n_objects))
    return best


@njit
def limits(n, floor, totals, n_objects):
    """Find for each class and level the counts that reach it: int64[K, 3K + 1, 2], below the first or above the second."""
    classes = len(totals)
    levels = 3 * classes + 1
    unit = floor / (4 * classes) * _SLACK
    out = np.empty((classes, levels, 2), dtype=np.int64)
    for k in range(classes):
        least = max(0, n - (n_objects - totals[k]))
        most = min(n, totals[k])
        expected = n * totals[k] // n_objects
        for level in range(levels):
            need = (level + 1) * unit
            low = least
            end = max(least, min(expected, most) + 1)
            while low < end:
                count = (low + end) // 2
                inside, outside = _part(k, count, totals, n, n_objects)
                if totals[k] > 0 and inside + outside >= need:
                    low = count + 1
                else:
                    end = count
            high = most
            end = min(most, max(expected, least))
            while high > end:
                count = (high + end + 1) // 2
                inside, outside = _part(k, count, totals, n, n_objects)
                if totals[k] > 0 and inside + outside >= need:
                    high = count - 1
                else:
                    end = count
            out[k, level, 0] = low if low > least else 0
            out[k, level, 1] = high if high < most else n
    return out


@njit
def count(starts, members, labels, blocks, totals, limits_of, row_of, planes, levels, best):
    """Raise the best statistic of each world by the candidates of a batch."""
    classes = len(totals)
    n_objects = totals.sum()
    counts = np.empty(classes, dtype=np.int64)
    words = np.empty(16, dtype=np.uint64)
    most_digits = n_digits(classes * (3 * classes + 1))
    for candidate in range(len(starts) - 1):
        begin = starts[candidate]
        end = starts[candidate + 1]
        support = end - begin
        if support == n_objects:
            continue
        digits = n_digits(support)
        room = max(3, digits)
        limit = limits_of[row_of[candidate]]
        for block in range(blocks):
            for digit in range(most_digits):
                store(levels, digit, zero())
            for k in range(classes):
                # Each class has planes of its own, at lane room·k.
                own = planes[16 * room * k : 16 * room * (k + 1)]
                add_up(members, begin, end, labels, blocks * classes, block * classes + k, digits, own)
                for level in range(limit.shape[1]):
                    reached = below_number(own, 0, digits, limit[k, level, 0]) | above_number(
                        own, 0, digits, limit[k, level, 1]
                    )
                    if not some(reached):
                        break
                    for digit in range(most_digits):
                        plane = load(levels, digit)
                        store(levels, digit, plane ^ reached)
                        reached = reached & plane
            store(words, 0, above_number(levels, 0, most_digits, 3 * classes - 1))
            for i in range(16):
                word = words[i]
                while word:
                    world = 64 * i + trailing_zeros(word)
                    word &= word - np.uint64(1)
                    if 1024 * block + world < len(best):
                        for k in range(classes):
                            counts[k] = number_in(planes, room * k, digits, world)
                        value = statistic(counts, totals, support, n_objects)
                        best[1024 * block + world] = max(best[1024 * block + world], value)


@njit
def evaluate(starts, members, codes, totals, n_objects, counts, values):
    """Count the classes of each candidate in one world and write its statistic."""
    for candidate in range(len(starts) - 1):
        for i in range(starts[candidate], starts[candidate + 1]):
            counts[candidate, codes[members[i]]] += 1
        support = starts[candidate + 1] - starts[candidate]
        values[candidate] = statistic(counts[candidate], totals, support, n_objects)
