"""Worlds over atoms: both draws against enumeration, and their dependence on seed and number alone."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import numpy as np
import pytest

from movfair_spark.kernels.spatial.worlds import drawn, permuted
from movfair_spark.kernels.worlds import label_words, order

SIZES = np.array([3, 1, 2])
ATOM_OF = np.array([0, 0, 0, 1, 2, 2], dtype=np.int32)


def _exact(positives):
    labelings = list(combinations(range(6), positives))
    counts = Counter(
        tuple(np.bincount(ATOM_OF[list(who)], minlength=3)) if who else (0, 0, 0) for who in labelings
    )
    return {tuple(int(c) for c in key): value / len(labelings) for key, value in counts.items()}


@pytest.mark.parametrize("positives", [0, 2, 3, 6])
@pytest.mark.parametrize("draw", ["permutation", "counts"])
def test_counts_per_atom_have_the_distribution_of_all_labelings(draw, positives):
    worlds = 6_000
    if draw == "counts":
        found = Counter(tuple(int(c) for c in drawn(5, b, SIZES, positives)) for b in range(worlds))
    else:
        found = Counter(tuple(int(c) for c in permuted(5, b, ATOM_OF, positives, 3)) for b in range(worlds))
    exact = _exact(positives)
    assert found.keys() == exact.keys()
    for key, share in exact.items():
        assert abs(found[key] / worlds - share) <= 4.5 * (share * (1 - share) / worlds) ** 0.5


def test_a_world_depends_on_seed_and_number_alone():
    sizes = np.array([40, 70, 90, 5])
    once = [drawn(3, b, sizes, 77) for b in range(20)]
    again = [drawn(3, b, sizes, 77) for b in reversed(range(20))][::-1]
    assert np.array_equal(once, again)
    assert not np.array_equal(once, [drawn(4, b, sizes, 77) for b in range(20)])
    assert all(each.sum() == 77 for each in once)


def test_permuted_labels_are_those_of_the_movement_audit():
    labels = np.array([1, 0, 1, 0, 0, 1], dtype=np.uint8)
    words = label_words(9, range(5), labels)[:, 0]
    for b in range(5):
        bits = ((words >> np.uint64(b)) & np.uint64(1)).astype(np.int64)
        assert list(permuted(9, b, ATOM_OF, 3, 3)) == list(np.bincount(ATOM_OF, weights=bits))
        assert set(np.flatnonzero(bits)) == set(order(9, b, 6)[:3])
