"""Arrays of classes and of givers: every world is the plain permutation of `kernels.worlds`, within strata too."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from movfair_spark.kernels.outcome_worlds import class_words, giver_worlds, givers
from movfair_spark.kernels.worlds import class_codes, permutation

people = st.lists(st.tuples(st.integers(0, 3), st.integers(0, 2)), min_size=1, max_size=25)


def columns_of(pairs, stratified):
    outcomes, strata = (np.array(column, dtype=np.int64) for column in zip(*pairs, strict=True))
    return outcomes, strata if stratified else None


@settings(max_examples=40)
@given(people, st.booleans(), st.sampled_from([1, 70]))
def test_class_words_are_the_class_codes_of_each_world(pairs, stratified, n_worlds):
    codes, strata = columns_of(pairs, stratified)
    words = class_words(4, range(5, 5 + n_worlds), codes, 4, strata, observed=True)
    for w in range(n_worlds + 1):
        expected = codes if w == n_worlds else class_codes(4, 5 + w, codes, strata)
        for k in range(4):
            bits = words[:, 16 * k + w // 64] >> np.uint64(w % 64) & np.uint64(1)
            assert (bits == (expected == k)).all()


@settings(max_examples=40)
@given(people, st.booleans(), st.sampled_from([1, 17]))
def test_giver_worlds_are_the_permutation_of_each_world(pairs, stratified, n_worlds):
    codes, strata = columns_of(pairs, stratified)
    values = codes.astype(np.float64)
    dealt = giver_worlds(4, range(3, 3 + n_worlds), values, strata, observed=True)
    for w in range(n_worlds):
        assert dealt[:, w].tolist() == permutation(4, 3 + w, values, strata).tolist()
    assert dealt[:, -1].tolist() == list(range(len(values)))


def test_outcomes_are_handed_out_stratum_by_stratum_in_descending_order():
    outcomes, strata = np.array([0, 1, 1, 0, 1], dtype=np.uint8), np.array([1, 0, 1, 0, 0])
    assert givers(outcomes).tolist() == [1, 2, 4, 0, 3]
    assert givers(outcomes, strata).tolist() == [1, 4, 3, 2, 0]
