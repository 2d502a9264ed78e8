"""From sets of cells back to the objects that hold them."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from movfair_spark.kernels.holders import Holders
from movfair_spark.kernels.memberships import pack

ROWS = st.lists(st.sets(st.integers(-3, 4), min_size=1, max_size=5), min_size=1, max_size=12)


def packed(rows):
    starts = np.append(0, np.cumsum([len(row) for row in rows]))
    return pack(2 * len(rows), np.arange(len(rows)) * 2, starts, np.array([c for row in rows for c in row]))


@given(ROWS, st.data())
def test_cover_counts_sets_held_whole(rows, data):
    occurring = sorted(set().union(*rows))
    sets = data.draw(
        st.lists(st.sets(st.sampled_from(occurring), min_size=1, max_size=3), min_size=1, max_size=5)
    )
    chances = np.arange(len(sets), 0, -1) / 10
    starts = np.append(0, np.cumsum([len(s) for s in sets]))
    objects, counts, best = Holders(packed(rows)).cover(
        starts, np.array([c for s in sets for c in s]), chances
    )
    held = {2 * i: [p for s, p in zip(sets, chances, strict=True) if s <= row] for i, row in enumerate(rows)}
    assert dict(zip(objects.tolist(), zip(counts.tolist(), best.tolist(), strict=True), strict=True)) == {
        number: (len(ps), min(ps)) for number, ps in held.items() if ps
    }


def test_claims_take_all_holders_or_none():
    holders = Holders(packed([{1, 2}, {1}, {2, 3}]))
    taken = np.zeros(6, dtype=np.bool_)
    assert holders.claim(np.array([2]), taken)
    assert np.flatnonzero(taken).tolist() == [0, 4]
    assert not holders.claim(np.array([1]), taken)
    assert np.flatnonzero(taken).tolist() == [0, 4]
    assert not holders.claim(np.array([3]), taken)
