"""Vertical counting of words: how often each of 64 bits is set, for all bits at once.

Words are added with carry-save adders, eight per step (Harley-Seal); plane d holds binary digit d of the 64 counts.
"""

from __future__ import annotations

import numpy as np

from movfair_spark.kernels._jit import njit


@njit
def count_bits(masks, first, end, digits, planes):
    """Write binary digit d of the counts of all 64 bits to planes[d]."""
    ones = np.uint64(0)
    twos = np.uint64(0)
    fours = np.uint64(0)
    for d in range(3, digits):
        planes[d] = np.uint64(0)
    eights = first + ((end - first) & ~7)
    for i in range(first, eights, 8):
        half = masks[i] ^ masks[i + 1]
        two_a = (masks[i] & masks[i + 1]) | (ones & half)
        ones ^= half
        half = masks[i + 2] ^ masks[i + 3]
        two_b = (masks[i + 2] & masks[i + 3]) | (ones & half)
        ones ^= half
        half = two_a ^ two_b
        four_a = (two_a & two_b) | (twos & half)
        twos ^= half
        half = masks[i + 4] ^ masks[i + 5]
        two_a = (masks[i + 4] & masks[i + 5]) | (ones & half)
        ones ^= half
        half = masks[i + 6] ^ masks[i + 7]
        two_b = (masks[i + 6] & masks[i + 7]) | (ones & half)
        ones ^= half
        half = two_a ^ two_b
        four_b = (two_a & two_b) | (twos & half)
        twos ^= half
        half = four_a ^ four_b
        carry = (four_a & four_b) | (fours & half)
        fours ^= half
        for d in range(3, digits):
            both = planes[d] & carry
            planes[d] ^= carry
            carry = both
    for i in range(eights, end):
        two_a = ones & masks[i]
        ones ^= masks[i]
        four_a = twos & two_a
        twos ^= two_a
        carry = fours & four_a
        fours ^= four_a
        for d in range(3, digits):
            both = planes[d] & carry
            planes[d] ^= carry
            carry = both
    planes[0] = ones
    planes[1] = twos
    planes[2] = fours


@njit
def at_least(planes, digits, number):
    """Mark the bits whose count is at least the number, 1 or more."""
    reached = np.uint64(0)
    for d in range(digits):
        if ((number - 1) >> d) & 1:
            reached &= planes[d]
        else:
            reached |= planes[d]
    return reached


@njit
def exactly(planes, digits, number):
    """Mark the bits whose count is the number."""
    equal = ~np.uint64(0)
    for d in range(digits):
        equal &= planes[d] if (number >> d) & 1 else ~planes[d]
    return equal


@njit
def count_of(planes, digits, bit):
    """Read the count of one bit."""
    count = np.int64(0)
    for d in range(digits):
        count |= np.int64((planes[d] >> np.uint64(bit)) & np.uint64(1)) << d
    return count
