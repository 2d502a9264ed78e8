"""Closed cellsets and names of sets of members."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given

from movfair_spark.errors import LimitError
from movfair_spark.kernels.closure import close, closures, members_hash, n_cellsets
from movfair_spark.kernels.eclat import mine
from tests.kernels.subsets import brute_force, cellset_lists, packed


@given(cellset_lists)
def test_closure_is_what_all_members_share(cellsets):
    m = packed(cellsets)
    for batch in mine(m, 1):
        starts, cells = closures(m, batch.starts, batch.members)
        for j in range(len(batch.supports)):
            who = batch.members[batch.starts[j] : batch.starts[j + 1]]
            shared = set.intersection(*(cellsets[i] for i in who))
            assert set(cells[starts[j] : starts[j + 1]].tolist()) == shared
            assert close(m, who).tolist() == cells[starts[j] : starts[j + 1]].tolist()


@given(cellset_lists)
def test_number_of_cellsets_with_the_same_members(cellsets):
    m = packed(cellsets)
    truth = list(brute_force(cellsets).values())
    assert all(n_cellsets(m, np.array(who)) == truth.count(who) for who in set(truth))


def test_equal_members_are_one_finding():
    """rasbt/mlxtend #690 (notes, report 13): b = ab and bc = abc, reported as ab and abc."""
    a, b, c = 1, 2, 3
    m = packed([{a, b}, {a, c}, {c}, {a, b, c}, {a, b}, {a}])
    assert set(close(m, np.array([0, 3, 4])).tolist()) == {a, b}
    assert n_cellsets(m, np.array([0, 3, 4])) == 2
    assert set(close(m, np.array([3])).tolist()) == {a, b, c}
    assert n_cellsets(m, np.array([3])) == 2


def test_subsets_of_a_huge_closure_are_not_enumerated():
    with pytest.raises(LimitError, match="25 cells"):
        n_cellsets(packed([set(range(25))]), np.array([0]))


def test_names_do_not_depend_on_order_or_neighbours():
    names = members_hash(np.array([0, 3, 6, 8]), np.array([4, 9, 7, 7, 4, 9, 4, 9], dtype=np.int32))
    assert names[0].tolist() == names[1].tolist() != names[2].tolist()
    alone = members_hash(np.array([0, 2]), np.array([9, 4], dtype=np.int32))
    assert alone[0].tolist() == names[2].tolist()


def test_names_of_many_sets_differ():
    starts = np.arange(0, 20_001, 2)
    members = np.array([(i, j) for i in range(100) for j in range(100, 200)], dtype=np.int32).reshape(-1)
    names = members_hash(starts, members)
    assert len({tuple(name) for name in names.tolist()}) == 10_000
    assert len(set(names[:, 0].tolist())) == 10_000


def test_no_sets_have_no_names():
    assert members_hash(np.array([0]), np.array([], dtype=np.int32)).shape == (0, 2)
