"""Candidates of a block that are evidence, in one pass for up to thousands of label sets.

The labels of the sets are packed like worlds, so a candidate is counted in all of them at once; the counts are compared
in bit planes with two integer limits per support and label set, which the model gives. Only candidates beyond a limit
are unpacked.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from movfair_spark.kernels import lanes
from movfair_spark.kernels._jit import njit
from movfair_spark.kernels.eclat import Batch, Walk
from movfair_spark.kernels.lanes import some, store
from movfair_spark.kernels.memberships import Memberships
from movfair_spark.kernels.planes import MAX_DIGITS, above, add_up, below, label_lanes, n_digits, pack

#: Limits of a support: for each label set the number below which, and the one above which, a count is evidence.
Limits = Callable[[int], tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]]


@dataclass(frozen=True)
class Found:
    """Evidence of one batch.

    Attributes
    ----------
    candidates : Batch
        The candidates that are evidence in at least one label set; its arrays are the caller's own.
    candidate, label_set, positives : int64 arrays of shape (m,)
        One entry per candidate and label set in which it is evidence: position in `candidates`, number of the set,
        positives among the members.
    """

    candidates: Batch
    candidate: npt.NDArray[np.int64]
    label_set: npt.NDArray[np.int64]
    positives: npt.NDArray[np.int64]


def scan(
    memberships: Memberships,
    words: npt.NDArray[np.uint64],
    limits: Limits,
    min_support: int,
    max_support: int | None = None,
    items: tuple[int, int] | None = None,
    *,
    distinct: bool = True,
) -> Iterator[Found]:
    """Stream the evidence of a block.

    Parameters
    ----------
    memberships : Memberships
        The zoning.
    words : uint64 array of shape (N, W)
        Packed label sets, as `kernels.worlds.pack_labels` gives them.
    limits : callable
        ``limits(n)`` gives two integer arrays of shape (sets,): a count below the first or above the second is
        evidence at support n. First from 0 (never) to n, second from 0 to n (never).
    min_support, max_support, items
        As in `kernels.eclat.Walk`.
    distinct : bool
        At least one candidate per set of members, with the number for which it stands; otherwise all candidates.

    Yields
    ------
    Found
        One per batch that holds evidence.
    """
    labels, blocks = label_lanes(words)
    slot = np.full(len(words) + 1, -1, dtype=np.int64)
    used = 0
    lower = np.zeros(0, dtype=np.uint64)
    upper = np.zeros(0, dtype=np.uint64)
    planes = np.zeros(lanes.WORDS * MAX_DIGITS, dtype=np.uint64)
    for batch in Walk(memberships, min_support, max_support, items, distinct=distinct):
        for support in np.unique(batch.supports[slot[batch.supports] < 0]):
            digits = n_digits(int(support))
            while lanes.WORDS * (used + digits * blocks) > len(lower):
                more = max(len(lower), lanes.WORDS * 32 * 64 * blocks)
                lower = np.concatenate([lower, np.zeros(more, dtype=np.uint64)])
                upper = np.concatenate([upper, np.zeros(more, dtype=np.uint64)])
            _write_limits(*limits(int(support)), int(support), digits, blocks, used, lower, upper)
            slot[support] = used
            used += digits * blocks
        hits = np.zeros((len(batch.supports), blocks * lanes.WORDS), dtype=np.uint64)
        _compare(
            batch.starts,
            batch.members,
            labels,
            blocks,
            slot,
            lower,
            upper,
            planes,
            hits.reshape(-1),
        )
        kept = np.flatnonzero(hits.any(axis=1))
        if len(kept):
            yield _found(take(batch, kept), hits[kept], words)


def _write_limits(
    low: np.ndarray,
    high: np.ndarray,
    support: int,
    digits: int,
    blocks: int,
    place: int,
    lower: np.ndarray,
    upper: np.ndarray,
) -> None:
    # Unused bits of the last lane are never evidence: nothing is below 0 or above the support.
    padded_low = np.zeros(blocks * lanes.WORLDS, dtype=np.int64)
    padded_high = np.full(blocks * lanes.WORLDS, support, dtype=np.int64)
    padded_low[: len(low)] = low
    padded_high[: len(high)] = high
    for block in range(blocks):
        part = slice(lanes.WORLDS * block, lanes.WORLDS * (block + 1))
        pack(padded_low[part], lower, place + digits * block, digits)
        pack(padded_high[part], upper, place + digits * block, digits)


@njit
def _compare(starts, members, labels, blocks, slot, lower, upper, planes, hits):
    for candidate in range(len(starts) - 1):
        begin = starts[candidate]
        end = starts[candidate + 1]
        support = end - begin
        digits = n_digits(support)
        for block in range(blocks):
            add_up(members, begin, end, labels, blocks, block, digits, planes)
            place = slot[support] + digits * block
            beyond = below(planes, lower, place, digits) | above(planes, upper, place, digits)
            if some(beyond):
                store(hits, candidate * blocks + block, beyond)


def take(batch: Batch, kept: npt.NDArray[np.int64]) -> Batch:
    """Copy some candidates of a batch, so that the next batch does not overwrite them."""
    starts, members = _take_ragged(batch.starts, batch.members, kept)
    cell_starts, cells = _take_ragged(batch.cell_starts, batch.cells, kept)
    return Batch(starts, members, cell_starts, cells, batch.multiplicity[kept])


def _take_ragged(starts: np.ndarray, values: np.ndarray, kept: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    sizes = np.diff(starts)[kept]
    ends = np.zeros(len(kept) + 1, dtype=np.int64)
    np.cumsum(sizes, out=ends[1:])
    source = np.repeat(starts[kept] - ends[:-1], sizes) + np.arange(ends[-1])
    return ends, values[source]


def _found(candidates: Batch, hits: np.ndarray, words: np.ndarray) -> Found:
    bits = np.unpackbits(hits.view(np.uint8), axis=1, bitorder="little")
    candidate, label_set = np.nonzero(bits)
    positives = np.empty(len(candidate), dtype=np.int64)
    _positives(candidates.starts, candidates.members, candidate, label_set, words, positives)
    return Found(candidates, candidate, label_set, positives)


@njit
def _positives(starts, members, candidate, label_set, words, out):
    for k in range(len(candidate)):
        word = label_set[k] >> 6
        bit = np.uint64(label_set[k] & 63)
        total = np.int64(0)
        for i in range(starts[candidate[k]], starts[candidate[k] + 1]):
            total += np.int64((words[members[i], word] >> bit) & np.uint64(1))
        out[k] = total
