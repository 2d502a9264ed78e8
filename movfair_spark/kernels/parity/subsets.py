"""Uniform draws without replacement: who is in which group in permutation number b.

Positions are taken one by one; a position that is taken already is drawn again. That is sampling without
replacement, needs no array of n numbers to be shuffled and put back, and only the members of the smaller groups
are drawn: the largest group is what is left. Bounded integers are Lemire's (2019), with rejection: no bias.
"""

from __future__ import annotations

import numpy as np

from movfair_spark.kernels._jit import njit
from movfair_spark.kernels.parity.philox import philox

_LOW = np.uint64(0xFFFFFFFF)
_SHIFT = np.uint64(32)
_ONE = np.uint64(1)
_ZERO = np.uint64(0)
_SPAN = np.uint64(1 << 32)

#: Largest number of rows that positions drawn from one 32-bit word can cover.
MAX_ROWS = (1 << 32) - 1


@njit
def draw_labels(labels, sizes, rest, positions, key0, key1, number):  # type: ignore[no-untyped-def]
    """Fill ``labels`` with permutation ``number`` of the group labels.

    Parameters
    ----------
    labels : int16[n]
        Overwritten: the group of each position.
    sizes : int64[k]
        Members of each group; they add up to n.
    rest : int
        The group that is not drawn (the largest one, for speed).
    positions : int64[n - sizes[rest]]
        Overwritten: the drawn positions, group after group in the order of ``sizes``, in the order drawn.
    key0, key1 : uint64
        Stream, see `philox.key_of`.
    number : int
        Number of the permutation, from 0.
    """
    n = np.uint64(labels.size)
    threshold = (_SPAN - n) % n
    low_number = np.uint64(number) & _LOW
    high_number = np.uint64(number) >> _SHIFT
    labels[:] = rest
    block = _ZERO
    drawn = 0
    w0 = w1 = w2 = w3 = _ZERO
    left = 0
    for group in range(sizes.size):
        if group == rest:
            continue
        end = drawn + sizes[group]
        while drawn < end:
            if left == 0:
                w0, w1, w2, w3 = philox(key0, key1, block & _LOW, block >> _SHIFT, low_number, high_number)
                block += _ONE
                left = 4
            product = w0 * n
            w0, w1, w2 = w1, w2, w3
            left -= 1
            if (product & _LOW) < threshold:
                continue
            position = np.int64(product >> _SHIFT)
            if labels[position] == rest:
                labels[position] = group
                positions[drawn] = position
                drawn += 1


@njit
def draw_with_replacement(positions, n, key0, key1, number):  # type: ignore[no-untyped-def]
    """Fill ``positions`` with draw ``number``: independent positions below ``n``.

    Parameters
    ----------
    positions : int64[m]
        Overwritten.
    n : int
        Number of positions to draw from.
    key0, key1 : uint64
        Stream.
    number : int
        Number of the draw, from 0.
    """
    span = np.uint64(n)
    threshold = (_SPAN - span) % span
    low_number = np.uint64(number) & _LOW
    high_number = np.uint64(number) >> _SHIFT
    block = _ZERO
    w0 = w1 = w2 = w3 = _ZERO
    left = 0
    drawn = 0
    while drawn < positions.size:
        if left == 0:
            w0, w1, w2, w3 = philox(key0, key1, block & _LOW, block >> _SHIFT, low_number, high_number)
            block += _ONE
            left = 4
        product = w0 * span
        w0, w1, w2 = w1, w2, w3
        left -= 1
        if (product & _LOW) >= threshold:
            positions[drawn] = np.int64(product >> _SHIFT)
            drawn += 1
