"""Candidates by brute force: every non-empty subset of every cellset, and random small populations."""

from __future__ import annotations

from itertools import chain, combinations

import numpy as np
from hypothesis import strategies as st

from movfair_spark.kernels.eclat import Batch
from movfair_spark.kernels.memberships import Memberships, pack

Candidates = dict[frozenset[int], tuple[int, ...]]

cellset_lists = st.lists(st.sets(st.integers(-3, 5), max_size=6), min_size=1, max_size=25)


def packed(cellsets: list[set[int]]) -> Memberships:
    sizes = [len(cells) for cells in cellsets]
    cells = list(chain.from_iterable(cellsets))
    return pack(
        len(cellsets),
        np.arange(len(cellsets)),
        np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64),
        np.array(cells, dtype=np.int64),
    )


def brute_force(cellsets: list[set[int]], min_support: int = 1, max_support: int | None = None) -> Candidates:
    members: dict[frozenset[int], list[int]] = {}
    for number, cells in enumerate(cellsets):
        for size in range(1, len(cells) + 1):
            for subset in combinations(sorted(cells), size):
                members.setdefault(frozenset(subset), []).append(number)
    return {
        cells: tuple(who)
        for cells, who in members.items()
        if len(who) >= min_support and (max_support is None or len(who) < max_support)
    }


def rows(batch: Batch) -> list[tuple[frozenset[int], tuple[int, ...], int]]:
    return [
        (
            frozenset(batch.cells[batch.cell_starts[j] : batch.cell_starts[j + 1]].tolist()),
            tuple(batch.members[batch.starts[j] : batch.starts[j + 1]].tolist()),
            int(batch.multiplicity[j]),
        )
        for j in range(len(batch.supports))
    ]
