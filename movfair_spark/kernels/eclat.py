"""Candidates by depth-first Eclat over projected object lists (paper 4.4 and appendix C; Zaki 2002).

A candidate is a set of cells that at least one object has whole; its members are the objects that have it. The walk
visits a node per candidate: the list of its members, each with a mask of the items by which the candidate can still
grow there. Children are the frequent items of the masks. Lists live on stacks, so the walk needs no recursion, stops
when a batch is full and goes on later.

Items that all members of a node share give candidates with the same members. With ``distinct=True`` they are taken
out of the masks, and the node stands for ``2^k`` candidates: every set of members is still visited at least once,
which is all that counting needs, and the subsets of a single object's cellset cost one node per cell.

Memory of a walk: 12 bytes per membership of the zoning, a batch, and stacks of at most 10·w(w-1) bytes per member of
the most frequent cell (w = cells of the longest row; 560 bytes for w = 8); the stacks grow on demand and stay far
below that bound on real cellsets.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from movfair_spark.errors import LimitError
from movfair_spark.kernels import eclat_nodes as nodes
from movfair_spark.kernels import eclat_walk as steps
from movfair_spark.kernels._jit import njit
from movfair_spark.kernels.memberships import Memberships

#: Memberships of a batch; a candidate with more members has a batch of its own.
BATCH_MEMBERSHIPS = 1 << 16


@dataclass(frozen=True)
class Batch:
    """Some candidates in the order of the walk; the arrays are views that the next batch overwrites.

    Attributes
    ----------
    starts : int64 array of shape (k + 1,)
        Members of candidate j are ``members[starts[j]:starts[j + 1]]``; its support is their number.
    members : int32 array
        Object numbers, ascending inside a candidate.
    cell_starts : int64 array of shape (k + 1,)
        Cells of candidate j are ``cells[cell_starts[j]:cell_starts[j + 1]]``.
    cells : int64 array
        Cell ids in the order of codes (rarest first).
    multiplicity : int64 array of shape (k,)
        Number of candidates for which this one stands: these cells plus any of the cells that all members share
        further down the walk. 1 unless the walk is ``distinct``.
    """

    starts: npt.NDArray[np.int64]
    members: npt.NDArray[np.int32]
    cell_starts: npt.NDArray[np.int64]
    cells: npt.NDArray[np.int64]
    multiplicity: npt.NDArray[np.int64]

    @property
    def supports(self) -> npt.NDArray[np.int64]:
        """Number of members per candidate."""
        return np.diff(self.starts)


class Walk:
    """A depth-first walk over the candidates of one zoning that can be stopped after any batch.

    Parameters
    ----------
    memberships : Memberships
        The zoning.
    min_support : int
        Smallest number of members, at least 1.
    max_support : int, optional
        Candidates of this support and more are walked through but not given out (exclusive upper end).
    items : (int, int), optional
        Half-open range of codes: only candidates whose rarest cell lies in it (a prefix class).
    distinct : bool
        Give out at least one candidate per set of members instead of all candidates.
    batch_memberships : int
        Size of a batch.

    Attributes
    ----------
    n_candidates, n_memberships : int
        Candidates in the range of support met so far, and their memberships; those that a distinct walk skips count.
    """

    def __init__(
        self,
        memberships: Memberships,
        min_support: int,
        max_support: int | None = None,
        items: tuple[int, int] | None = None,
        *,
        distinct: bool = False,
        batch_memberships: int = BATCH_MEMBERSHIPS,
    ) -> None:
        self._m = memberships
        self._min_support = max(1, int(min_support))
        self._max_support = np.iinfo(np.int64).max if max_support is None else int(max_support)
        supports = memberships.supports
        low, high = (0, len(supports)) if items is None else items
        # Codes ascend by support: all frequent items are at the end.
        low = max(low, int(np.searchsorted(supports, self._min_support)))
        self._stop_item = int(high)
        self._distinct = distinct
        largest = int(supports[low:high].max()) if low < high else 0
        longest = int(memberships.sizes.max()) if len(memberships.objects) else 0
        self._occurrence_starts = np.zeros(len(supports) + 1, dtype=np.int64)
        np.cumsum(supports, out=self._occurrence_starts[1:])
        self._occurrences, self._last, self._owner = _index(
            memberships.starts, memberships.items, memberships.objects, self._occurrence_starts
        )
        self._state = np.zeros(8, dtype=np.int64)
        self._state[nodes.NEXT_ITEM] = low
        self._frames = np.zeros((1024, 6), dtype=np.int64)
        self._entries = np.zeros(max(largest, 1024), dtype=np.int64)
        self._masks = np.zeros(max(4 * largest, 1024), dtype=np.uint64)
        self._who = np.zeros(len(self._masks), dtype=np.int32)
        self._local = np.zeros(64, dtype=np.int64)
        self._counts = np.zeros(len(supports), dtype=np.int32)
        self._touched = np.zeros(len(supports), dtype=np.int32)
        self._prefix = np.zeros(max(longest, 1), dtype=np.int64)
        members = max(int(batch_memberships), largest)
        self._members = np.empty(members, dtype=np.int32)
        self._starts = np.zeros(members // self._min_support + 2, dtype=np.int64)
        self._cell_starts = np.zeros(len(self._starts), dtype=np.int64)
        self._cells = np.empty((len(self._starts) - 1) * max(longest, 1), dtype=np.int64)
        self._multiplicity = np.empty(len(self._starts) - 1, dtype=np.int64)

    @property
    def n_candidates(self) -> int:
        """Candidates met so far in the range of support."""
        return int(self._state[nodes.CANDIDATES])

    @property
    def n_memberships(self) -> int:
        """Memberships of the candidates met so far."""
        return int(self._state[nodes.MEMBERSHIPS])

    @property
    def n_visited(self) -> int:
        """Nodes given out so far; below `n_candidates` when the walk is distinct."""
        return int(self._state[nodes.VISITED])

    def __iter__(self) -> Iterator[Batch]:
        status = steps.BATCH_FULL
        while status != steps.DONE:
            self._state[nodes.N_OUT] = self._state[nodes.N_MEMBERS] = self._state[nodes.N_CELLS] = 0
            status = self._fill()
            n = int(self._state[nodes.N_OUT])
            if n:
                yield Batch(
                    self._starts[: n + 1],
                    self._members[: self._starts[n]],
                    self._cell_starts[: n + 1],
                    self._cells[: self._cell_starts[n]],
                    self._multiplicity[:n],
                )

    def _fill(self) -> int:
        while True:
            status = steps.advance(
                self._state,
                self._m.items,
                self._last,
                self._owner,
                self._occurrence_starts,
                self._occurrences,
                self._m.cells,
                self._min_support,
                self._max_support,
                self._stop_item,
                self._distinct,
                self._frames,
                self._entries,
                self._masks,
                self._who,
                self._local,
                self._counts,
                self._touched,
                self._prefix,
                self._starts,
                self._members,
                self._cell_starts,
                self._cells,
                self._multiplicity,
            )
            if status == steps.STACK_FULL:
                if len(self._entries) >= 2**30:
                    raise LimitError(
                        f"The lists of one cell's members need more than {8 * len(self._entries) / 1e9:.0f} GB",
                        "Lower cellsets.top_cells or use smaller cells",
                    )
                self._entries = np.concatenate([self._entries, np.zeros_like(self._entries)])
            elif status == steps.MASKS_FULL:
                self._masks = np.concatenate([self._masks, np.zeros_like(self._masks)])
                self._who = np.concatenate([self._who, np.zeros_like(self._who)])
            elif status == steps.FRAMES_FULL:
                self._frames = np.concatenate([self._frames, np.zeros_like(self._frames)])
            else:
                return status


def mine(
    memberships: Memberships,
    min_support: int,
    max_support: int | None = None,
    items: tuple[int, int] | None = None,
    *,
    distinct: bool = False,
    batch_memberships: int = BATCH_MEMBERSHIPS,
) -> Iterator[Batch]:
    """Stream the candidates of a block (zoning, prefix class, range of support); see `Walk` for the arguments."""
    return iter(
        Walk(
            memberships,
            min_support,
            max_support,
            items,
            distinct=distinct,
            batch_memberships=batch_memberships,
        )
    )


def prefix_classes(memberships: Memberships, min_support: int, n_classes: int) -> list[tuple[int, int]]:
    """Cut the frequent items into ranges of about equal work.

    Parameters
    ----------
    memberships : Memberships
        The zoning.
    min_support : int
        Items below it are in no candidate.
    n_classes : int
        Largest number of ranges; fewer come back when there are fewer frequent items.

    Returns
    -------
    list of (int, int)
        Half-open ranges of codes, ascending, that cover all frequent items without a gap. Empty when no item is
        frequent. The work of an item is taken as the number of memberships of its candidates at support 1, with
        rows cut to their six rarest further cells.
    """
    supports = memberships.supports
    first = int(np.searchsorted(supports, max(1, min_support)))
    if first == len(supports):
        return []
    work = np.cumsum(_work(memberships.starts, memberships.items, len(supports))[first:])
    wanted = work[-1] * np.arange(1, n_classes + 1) // n_classes
    ends = np.unique(np.searchsorted(work, wanted) + 1)
    ends = ends[ends <= len(work)] + first
    return [(int(a), int(b)) for a, b in zip(np.concatenate([[first], ends[:-1]]), ends, strict=True)]


@njit
def _work(starts, items, n_items):
    work = np.zeros(n_items, dtype=np.int64)
    for r in range(len(starts) - 1):
        for i in range(starts[r], starts[r + 1]):
            work[items[i]] += 1 << min(starts[r + 1] - 1 - i, 6)
    return work


@njit
def _index(starts, items, objects, occurrence_starts):
    # Occurrences of an item in order of objects; the last position and the owner of the row of each position.
    occurrences = np.empty(len(items), dtype=np.int32)
    last = np.empty(len(items), dtype=np.int32)
    owner = np.empty(len(items), dtype=np.int32)
    cursor = occurrence_starts[:-1].copy()
    for r in range(len(starts) - 1):
        for i in range(starts[r], starts[r + 1]):
            occurrences[cursor[items[i]]] = i
            cursor[items[i]] += 1
            last[i] = starts[r + 1] - 1
            owner[i] = objects[r]
    return occurrences, last, owner
