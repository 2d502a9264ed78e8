"""Smallest and largest count of positives per support, in every world at once.

For a fixed support the Bernoulli statistic is convex in the number of positives, so a world's maximum needs only the
smallest and the largest count of each support. The counts come from `kernels.planes`; the extremes are kept in bit planes too and
compared bitwise, so that no count is unpacked during the walk.

Memory of a `Counter`: the labels in lanes, 128 bytes per object and 1,024 worlds; per distinct support n met
256·bit_length(n) bytes per 1,024 worlds; the result, 8 KiB per distinct support and 1,024 worlds.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from movfair_spark.kernels import lanes
from movfair_spark.kernels._jit import njit
from movfair_spark.kernels.eclat import Batch
from movfair_spark.kernels.lanes import some
from movfair_spark.kernels.memberships import Memberships
from movfair_spark.kernels.mined import MinedCounter
from movfair_spark.kernels.planes import (
    MAX_DIGITS,
    above,
    add_up,
    below,
    label_lanes,
    n_digits,
    replace,
    unpack,
)


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


class Planes(NamedTuple):
    """Extremes in bit planes: for support i and block b the planes start at lane ``places[i] + digits(i)·b``."""

    supports: npt.NDArray[np.int64]
    places: npt.NDArray[np.int64]
    low: npt.NDArray[np.uint64]
    high: npt.NDArray[np.uint64]
    blocks: int


class Counter(MinedCounter):
    """Collects extremes over any number of batches, blocks and zonings.

    Parameters
    ----------
    words : uint64 array of shape (N, W)
        Labels, as `kernels.worlds.label_words` gives them.
    """

    def __init__(self, words: npt.NDArray[np.uint64]) -> None:
        self._n, self._width = words.shape
        self._labels, self._blocks = label_lanes(words)
        self._slot = np.full(self._n + 1, -1, dtype=np.int64)
        self._used = np.zeros(1, dtype=np.int64)
        self._low = np.zeros(0, dtype=np.uint64)
        self._high = np.zeros(0, dtype=np.uint64)
        self._planes = np.zeros(lanes.WORDS * MAX_DIGITS, dtype=np.uint64)

    def add(self, batch: Batch) -> None:
        """Count the candidates of a batch."""
        first = 0
        while True:
            first = _count(
                batch.starts,
                batch.members,
                first,
                self._labels,
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

    def planes(self) -> Planes:
        """Give the extremes so far as they are kept, without unpacking."""
        supports = np.flatnonzero(self._slot >= 0)
        return Planes(supports, self._slot[supports], self._low, self._high, self._blocks)

    def result(self) -> Extremes:
        """Extremes of everything counted so far."""
        supports = np.flatnonzero(self._slot >= 0)
        worlds = 64 * self._width
        shape = (len(supports), self._blocks * lanes.WORLDS)
        low, high = np.empty(shape, dtype=np.int32), np.empty(shape, dtype=np.int32)
        for i, support in enumerate(supports):
            digits = n_digits(int(support))
            for block in range(self._blocks):
                place = self._slot[support] + digits * block
                out = slice(lanes.WORLDS * block, lanes.WORLDS * (block + 1))
                unpack(self._low, place, digits, low[i, out])
                unpack(self._high, place, digits, high[i, out])
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
def _count(starts, members, first, labels, blocks, slot, used, low, high, planes):
    """Count candidates from `first` on; returns the first one not counted (the extremes need more room)."""
    for candidate in range(first, len(starts) - 1):
        begin = starts[candidate]
        end = starts[candidate + 1]
        support = end - begin
        digits = n_digits(support)
        if slot[support] < 0:
            if 16 * (used[0] + digits * blocks) > len(low):
                return candidate
            slot[support] = used[0]
            used[0] += digits * blocks
        for block in range(blocks):
            add_up(members, begin, end, labels, blocks, block, digits, planes)
            place = slot[support] + digits * block
            smaller = below(planes, low, place, digits)
            if some(smaller):
                replace(planes, low, place, digits, smaller)
            larger = above(planes, high, place, digits)
            if some(larger):
                replace(planes, high, place, digits, larger)
    return len(starts) - 1
