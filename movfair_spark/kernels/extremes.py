"""Smallest and largest count of positives per support, in every world at once.

For a fixed support the Bernoulli statistic is convex in the number of positives, so a world's maximum needs only the
smallest and the largest count of each support. Labels of 1,024 worlds are one lane; a candidate's members are added
with carry-save adders (Harley-Seal: eight members per step) into bit planes, the binary digits of all 1,024 counts.
The extremes are kept as bit planes too and compared bitwise, so no count is ever unpacked during the walk.

Memory of a `Counter`: the labels in lanes, 128 bytes per object and 1,024 worlds; per distinct support n met
256·bit_length(n) bytes per 1,024 worlds; the result, 8 KiB per distinct support and 1,024 worlds.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from movfair_spark.kernels import lanes
from movfair_spark.kernels._jit import njit
from movfair_spark.kernels.eclat import Batch, Walk
from movfair_spark.kernels.lanes import load, some, store, zero
from movfair_spark.kernels.memberships import Memberships


@dataclass(frozen=True)
class Extremes:
    """Extreme counts of the candidates of a block.

    Attributes
    ----------
    supports : int64 array of shape (k,)
        Distinct supports, ascending.
    low, high : int32 arrays of shape (k, worlds)
        Smallest and largest count of positives over the candidates of that support, per world.
    n_candidates, n_memberships : int
        Candidates counted and their memberships; candidates with the same members that were skipped count.
    """

    supports: npt.NDArray[np.int64]
    low: npt.NDArray[np.int32]
    high: npt.NDArray[np.int32]
    n_candidates: int
    n_memberships: int


class Counter:
    """Collects extremes over any number of batches, blocks and zonings.

    Parameters
    ----------
    words : uint64 array of shape (N, W)
        Labels, as `kernels.worlds.label_words` gives them.
    """

    def __init__(self, words: npt.NDArray[np.uint64]) -> None:
        self._n, self._width = words.shape
        self._blocks = max(1, -(-self._width // lanes.WORDS))
        # One more row of zeros fills groups of eight members.
        padded = np.zeros((self._blocks, self._n + 1, lanes.WORDS), dtype=np.uint64)
        for block in range(self._blocks):
            part = words[:, lanes.WORDS * block : lanes.WORDS * (block + 1)]
            padded[block, : self._n, : part.shape[1]] = part
        self._labels = padded.reshape(-1)
        self._slot = np.full(self._n + 1, -1, dtype=np.int64)
        self._used = np.zeros(1, dtype=np.int64)
        self._low = np.zeros(0, dtype=np.uint64)
        self._high = np.zeros(0, dtype=np.uint64)
        self._planes = np.zeros(lanes.WORDS * 40, dtype=np.uint64)
        self.n_candidates = 0
        self.n_memberships = 0

    def add(self, batch: Batch) -> None:
        """Count the candidates of a batch."""
        first = 0
        while True:
            first = _count(
                batch.starts,
                batch.members,
                first,
                self._labels,
                self._n,
                self._blocks,
                self._slot,
                self._used,
                self._low,
                self._high,
                self._planes,
            )
            if first == len(batch.starts) - 1:
                return
            more = max(len(self._low), lanes.WORDS * 32 * 64 * self._blocks)
            self._low = np.concatenate([self._low, np.full(more, ~np.uint64(0))])
            self._high = np.concatenate([self._high, np.zeros(more, dtype=np.uint64)])

    def walk(
        self,
        memberships: Memberships,
        min_support: int,
        max_support: int | None = None,
        items: tuple[int, int] | None = None,
    ) -> None:
        """Mine a block and count it; see `kernels.eclat.Walk` for the arguments."""
        walk = Walk(memberships, min_support, max_support, items, distinct=True)
        for batch in walk:
            self.add(batch)
        self.n_candidates += walk.n_candidates
        self.n_memberships += walk.n_memberships

    def result(self) -> Extremes:
        """Extremes of everything counted so far."""
        supports = np.flatnonzero(self._slot >= 0)
        worlds = 64 * self._width
        shape = (len(supports), self._blocks * lanes.WORLDS)
        low, high = np.empty(shape, dtype=np.int32), np.empty(shape, dtype=np.int32)
        for i, support in enumerate(supports):
            _unpack(self._low, self._slot[support], _digits(support), self._blocks, low[i])
            _unpack(self._high, self._slot[support], _digits(support), self._blocks, high[i])
        return Extremes(supports, low[:, :worlds], high[:, :worlds], self.n_candidates, self.n_memberships)


def scan(
    memberships: Memberships,
    words: npt.NDArray[np.uint64],
    min_support: int,
    max_support: int | None = None,
    items: tuple[int, int] | None = None,
) -> Extremes:
    """Mine a block and count it in all worlds.

    Parameters
    ----------
    memberships : Memberships
        The zoning.
    words : uint64 array of shape (N, W)
        Labels of 64·W worlds.
    min_support, max_support : int
        Range of supports, the upper end exclusive; a lowering round counts only the newly admitted ones.
    items : (int, int), optional
        Prefix class, a half-open range of codes.

    Returns
    -------
    Extremes
        The same for any split into prefix classes once merged with `merge`.
    """
    counter = Counter(words)
    counter.walk(memberships, min_support, max_support, items)
    return counter.result()


def merge(parts: list[Extremes]) -> Extremes:
    """Extremes over several blocks in the same worlds."""
    supports = np.unique(np.concatenate([part.supports for part in parts]))
    shape = (len(supports), parts[0].low.shape[1])
    low = np.full(shape, np.iinfo(np.int32).max, dtype=np.int32)
    high = np.full(shape, -1, dtype=np.int32)
    for part in parts:
        rows = np.searchsorted(supports, part.supports)
        low[rows] = np.minimum(low[rows], part.low)
        high[rows] = np.maximum(high[rows], part.high)
    return Extremes(
        supports,
        low,
        high,
        sum(part.n_candidates for part in parts),
        sum(part.n_memberships for part in parts),
    )


@njit
def _digits(n):
    digits = 0
    while n:
        digits += 1
        n >>= 1
    return digits


@njit
def _carry(a, b, c):
    return (a & b) | (c & (a ^ b))


@njit
def _count(starts, members, first, labels, n_objects, blocks, slot, used, low, high, planes):
    """Count candidates from `first` on; returns the first one not counted (the extremes need more room)."""
    row = np.empty(8, dtype=np.int64)
    for candidate in range(first, len(starts) - 1):
        begin = starts[candidate]
        end = starts[candidate + 1]
        support = end - begin
        digits = _digits(support)
        at = slot[support]
        if at < 0:
            at = used[0]
            if 16 * (at + digits * blocks) > len(low):
                return candidate
            slot[support] = at
            used[0] = at + digits * blocks
        for block in range(blocks):
            zero_row = (n_objects + 1) * block + n_objects
            base = (n_objects + 1) * block
            ones = zero()
            twos = zero()
            fours = zero()
            for digit in range(3, digits):
                store(planes, digit, zero())
            for i in range(begin, end, 8):
                for k in range(8):
                    row[k] = base + members[i + k] if i + k < end else zero_row
                a = load(labels, row[0])
                b = load(labels, row[1])
                two_a = _carry(a, b, ones)
                ones = ones ^ a ^ b
                a = load(labels, row[2])
                b = load(labels, row[3])
                two_b = _carry(a, b, ones)
                ones = ones ^ a ^ b
                four_a = _carry(two_a, two_b, twos)
                twos = twos ^ two_a ^ two_b
                a = load(labels, row[4])
                b = load(labels, row[5])
                two_a = _carry(a, b, ones)
                ones = ones ^ a ^ b
                a = load(labels, row[6])
                b = load(labels, row[7])
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
            place = at + digits * block
            less = zero()
            greater = zero()
            for digit in range(digits):
                plane = load(planes, digit)
                smallest = load(low, place + digit)
                largest = load(high, place + digit)
                less = (~plane & smallest) | (less & ~(plane ^ smallest))
                greater = (plane & ~largest) | (greater & ~(plane ^ largest))
            if some(less):
                for digit in range(digits):
                    smallest = load(low, place + digit)
                    store(low, place + digit, smallest ^ (less & (smallest ^ load(planes, digit))))
            if some(greater):
                for digit in range(digits):
                    largest = load(high, place + digit)
                    store(high, place + digit, largest ^ (greater & (largest ^ load(planes, digit))))
    return len(starts) - 1


@njit
def _unpack(planes, at, digits, blocks, out):
    for block in range(blocks):
        for word in range(16):
            for bit in range(64):
                value = 0
                for digit in range(digits):
                    plane = planes[16 * (at + digits * block + digit) + word]
                    value |= np.int64((plane >> np.uint64(bit)) & np.uint64(1)) << digit
                out[1024 * block + 64 * word + bit] = value
