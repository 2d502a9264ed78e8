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
    labels : uint64 array of shape (N · blocks · 16,)
        Lane ``i·blocks + block`` holds object i in 1,024 worlds. The words themselves, not a copy, when W is a multiple
        of 16 and they are contiguous.
    blocks : int
        Number of blocks of 1,024 worlds, at least 1.
    """
    n, width = words.shape
    blocks = max(1, -(-width // lanes.WORDS))
    if width != blocks * lanes.WORDS:
        padded = np.zeros((n, blocks * lanes.WORDS), dtype=np.uint64)
        padded[:, :width] = words
        words = padded
    return np.ascontiguousarray(words).reshape(-1), blocks


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
def add_up(members, begin, end, labels, blocks, block, digits, planes):
    """Write the counts over members[begin:end] into the first max(3, digits) lanes of `planes`.

    `labels` and `blocks` come from `label_lanes`; `block` chooses the 1,024 worlds.
    """
    ones = zero()
    twos = zero()
    fours = zero()
    for digit in range(3, digits):
        store(planes, digit, zero())
    eights = begin + ((end - begin) & ~7)
    for i in range(begin, eights, 8):
        a = load(labels, members[i] * blocks + block)
        b = load(labels, members[i + 1] * blocks + block)
        two_a = _carry(a, b, ones)
        ones = ones ^ a ^ b
        a = load(labels, members[i + 2] * blocks + block)
        b = load(labels, members[i + 3] * blocks + block)
        two_b = _carry(a, b, ones)
        ones = ones ^ a ^ b
        four_a = _carry(two_a, two_b, twos)
        twos = twos ^ two_a ^ two_b
        a = load(labels, members[i + 4] * blocks + block)
        b = load(labels, members[i + 5] * blocks + block)
        two_a = _carry(a, b, ones)
        ones = ones ^ a ^ b
        a = load(labels, members[i + 6] * blocks + block)
        b = load(labels, members[i + 7] * blocks + block)
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
    for i in range(eights, end):
        a = load(labels, members[i] * blocks + block)
        two_a = ones & a
        ones = ones ^ a
        four_a = twos & two_a
        twos = twos ^ two_a
        carry = fours & four_a
        fours = fours ^ four_a
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
def below_number(planes, place, digits, number):
    """Lane of the worlds whose number in planes place..place + digits - 1 is below the given one."""
    less = zero()
    for digit in range(digits):
        plane = load(planes, place + digit)
        less = less | ~plane if (number >> digit) & 1 else less & ~plane
    return less


@njit
def above_number(planes, place, digits, number):
    """Lane of the worlds whose number in planes place..place + digits - 1 is above the given one."""
    greater = zero()
    for digit in range(digits):
        plane = load(planes, place + digit)
        greater = greater & plane if (number >> digit) & 1 else greater | plane
    return greater


@njit
def number_in(planes, place, digits, world):
    """Read the number of one world in planes place..place + digits - 1."""
    value = np.int64(0)
    for digit in range(digits):
        plane = planes[16 * (place + digit) + (world >> 6)]
        value |= np.int64((plane >> np.uint64(world & 63)) & np.uint64(1)) << digit
    return value


@njit
def replace(planes, numbers, place, digits, where):
    """Copy the counts into `numbers` in the worlds of the lane `where`."""
    for digit in range(digits):
        old = load(numbers, place + digit)
        store(numbers, place + digit, old ^ (where & (old ^ load(planes, digit))))


@njit
def unpack(planes, place, digits, out):
    """Write 1,024 numbers in planes place..place + digits - 1 as integers."""
    out[:1024] = 0
    for digit in range(digits):
        for i in range(16):
            plane = planes[16 * (place + digit) + i]
            for bit in range(64):
                out[64 * i + bit] |= np.int32((plane >> np.uint64(bit)) & np.uint64(1)) << digit


@njit
def pack(numbers, planes, place, digits):
    """Write up to 1,024 non-negative integers into planes place..place + digits - 1; the rest become 0."""
    for digit in range(digits):
        store(planes, place + digit, zero())
    for world in range(len(numbers)):
        for digit in range(digits):
            if (numbers[world] >> digit) & 1:
                planes[16 * (place + digit) + (world >> 6)] |= np.uint64(1) << np.uint64(world & 63)
