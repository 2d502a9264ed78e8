"""Evidence in bit planes against counting every candidate."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from movfair_spark.kernels import observed
from movfair_spark.kernels.worlds import pack_labels
from tests.kernels.subsets import brute_force, cellset_lists, packed, rows


@given(cellset_lists, st.integers(1, 70), st.integers(1, 3), st.integers(0, 99))
def test_evidence_of_many_label_sets_from_one_pass(cellsets, n_sets, min_support, seed):
    rng = np.random.default_rng(seed)
    sets = rng.integers(0, 2, size=(n_sets, len(cellsets)))
    shift = rng.integers(0, 2, size=n_sets)

    def limits(n):
        return np.minimum(n, (n + 1) // 3 + shift), np.minimum(n, 2 * n // 3 + shift)

    truth = set()
    for cells, who in brute_force(cellsets, min_support).items():
        for k in range(n_sets):
            low, high = (each[k] for each in limits(len(who)))
            p = int(sets[k][list(who)].sum())
            if p < low or p > high:
                truth.add((cells, who, k, p))
    found = set()
    for each in observed.scan(packed(cellsets), pack_labels(sets), limits, min_support, distinct=False):
        candidates = rows(each.candidates)
        for j, k, p in zip(each.candidate, each.label_set, each.positives, strict=True):
            found.add((*candidates[j][:2], int(k), int(p)))
    assert found == truth


def test_limits_at_the_ends_mean_never():
    def never(n):
        return np.array([0]), np.array([n])

    m = packed([{1}, {1}, {2}])
    assert list(observed.scan(m, pack_labels(np.array([1, 1, 0])), never, 1)) == []


def test_limits_of_more_than_one_lane():
    m = packed([{1}, {1}, {2}])
    sets = np.zeros((1030, 3), dtype=int)
    sets[1029] = 1

    def all_positive(n):
        return np.zeros(1030, dtype=int), np.full(1030, n - 1)

    found = list(observed.scan(m, pack_labels(sets), all_positive, 2))
    assert [(f.label_set.tolist(), f.positives.tolist()) for f in found] == [([1029], [2])]
