"""Counting in bit planes: how many members of a candidate are positive, in 1,024 worlds at once.

Members are added with carry-save adders (Harley-Seal): eight members per step give planes of ones, twos and fours and
a carry of eights, which ripples through the higher planes. Plane d holds binary digit d of all 1,024 counts. Counts are
compared bitwise with other numbers in planes, lowest digit first, three operations per digit.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from movfair_spark.kernels import lanes
from movfair_spark.kernels._jit import njit
from movfair_spark.kernels.lanes import load, store, zero

#: Planes of the largest count, 2^31 - 1, and one to spare.
MAX_DIGITS = 32


def label_lanes(words: npt.NDArray[np.uint64]) -> tuple[npt.NDArray[np.uint64], int]:
    """Arrange label words for counting.

    Parameters
    ----------
    words : uint64 array of shape (N, W)
        Labels, one bit per world, as `kernels.worlds.label_words` gives them.

    Returns
    -------
    labels : uint64 array of shape (blocks · (N + 1) · 16,)
        Lane ``block·(N + 1) + i`` holds object i in 1,024 worlds; object N is positive nowhere and fills up groups.
    blocks : int
        Number of blocks of 1,024 worlds, at least 1.
    """
    n, width = words.shape
    blocks = max(1, -(-width // lanes.WORDS))
    padded = np.zeros((blocks, n + 1, lanes.WORDS), dtype=np.uint64)
    for block in range(blocks):
        part = words[:, lanes.WORDS * block : lanes.WORDS * (block + 1)]
        padded[block, :n, : part.shape[1]] = part
    return padded.reshape(-1), blocks


@njit
def n_digits(n):
    """Count the binary digits of n."""
    digits = 0
    while n:
        digits += 1
        n >>= 1
    return digits


@njit
def _carry(a, b, c):
    return (a & b) | (c & (a ^ b))


@njit
def add_up(members, begin, end, labels, base, zero_row, digits, planes):
    """Write the counts over members[begin:end] into the first max(3, digits) lanes of `planes`.

    `base` is the lane of object 0 in this block of worlds, `zero_row` a lane of zeros.
    """
    ones = zero()
    twos = zero()
    fours = zero()
    for digit in range(3, digits):
        store(planes, digit, zero())
    i = begin
    while i < end:
        if i + 8 <= end:
            row0 = base + members[i]
            row1 = base + members[i + 1]
            row2 = base + members[i + 2]
            row3 = base + members[i + 3]
            row4 = base + members[i + 4]
            row5 = base + members[i + 5]
            row6 = base + members[i + 6]
            row7 = base + members[i + 7]
        else:
            row0 = base + members[i]
            row1 = base + members[i + 1] if i + 1 < end else zero_row
            row2 = base + members[i + 2] if i + 2 < end else zero_row
            row3 = base + members[i + 3] if i + 3 < end else zero_row
            row4 = base + members[i + 4] if i + 4 < end else zero_row
            row5 = base + members[i + 5] if i + 5 < end else zero_row
            row6 = base + members[i + 6] if i + 6 < end else zero_row
            row7 = zero_row
        i += 8
        a = load(labels, row0)
        b = load(labels, row1)
        two_a = _carry(a, b, ones)
        ones = ones ^ a ^ b
        a = load(labels, row2)
        b = load(labels, row3)
        two_b = _carry(a, b, ones)
        ones = ones ^ a ^ b
        four_a = _carry(two_a, two_b, twos)
        twos = twos ^ two_a ^ two_b
        a = load(labels, row4)
        b = load(labels, row5)
        two_a = _carry(a, b, ones)
        ones = ones ^ a ^ b
        a = load(labels, row6)
        b = load(labels, row7)
        two_b = _carry(a, b, ones)
        ones = ones ^ a ^ b
        four_b = _carry(two_a, two_b, twos)
        twos = twos ^ two_a ^ two_b
        carry = _carry(four_a, four_b, fours)
        fours = fours ^ four_a ^ four_b
        for digit in range(3, digits):
            plane = load(planes, digit)
            store(planes, digit, plane ^ carry)
            carry = carry & plane
    store(planes, 0, ones)
    store(planes, 1, twos)
    store(planes, 2, fours)


@njit
def below(planes, limits, place, digits):
    """Lane of the worlds whose count is below the number in `limits`, planes place..place + digits - 1."""
    less = zero()
    for digit in range(digits):
        plane = load(planes, digit)
        limit = load(limits, place + digit)
        less = (~plane & limit) | (less & ~(plane ^ limit))
    return less


@njit
def above(planes, limits, place, digits):
    """Lane of the worlds whose count is above the number in `limits`, planes place..place + digits - 1."""
    greater = zero()
    for digit in range(digits):
        plane = load(planes, digit)
        limit = load(limits, place + digit)
        greater = (plane & ~limit) | (greater & ~(plane ^ limit))
    return greater


@njit
def replace(planes, numbers, place, digits, where):
    """Copy the counts into `numbers` in the worlds of the lane `where`."""
    for digit in range(digits):
        old = load(numbers, place + digit)
        store(numbers, place + digit, old ^ (where & (old ^ load(planes, digit))))


@njit
def unpack(planes, place, digits, out):
    """Write 1,024 numbers in planes place..place + digits - 1 as integers."""
    for word in range(16):
        for bit in range(64):
            value = np.int64(0)
            for digit in range(digits):
                plane = planes[16 * (place + digit) + word]
                value |= np.int64((plane >> np.uint64(bit)) & np.uint64(1)) << digit
            out[64 * word + bit] = value


@njit
def pack(numbers, planes, place, digits):
    """Write up to 1,024 non-negative integers into planes place..place + digits - 1; the rest become 0."""
    for digit in range(digits):
        store(planes, place + digit, zero())
    for world in range(len(numbers)):
        for digit in range(digits):
            if (numbers[world] >> digit) & 1:
                planes[16 * (place + digit) + (world >> 6)] |= np.uint64(1) << np.uint64(world & 63)
