"""Eclat against every subset of every cellset."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from movfair_spark.kernels.eclat import Walk, mine, prefix_classes
from tests.kernels.subsets import brute_force, cellset_lists, packed, rows

supports = st.integers(1, 4)
batch_sizes = st.sampled_from([1, 7, 1 << 16])


@given(cellset_lists, supports, batch_sizes)
def test_candidates_are_all_subsets_with_their_members(cellsets, min_support, size):
    mined = [row for b in mine(packed(cellsets), min_support, batch_memberships=size) for row in rows(b)]
    assert {cells: who for cells, who, _ in mined} == brute_force(cellsets, min_support)
    assert len({cells for cells, _, _ in mined}) == len(mined)
    assert all(multiplicity == 1 for _, _, multiplicity in mined)


@given(cellset_lists, supports, batch_sizes)
def test_a_distinct_walk_meets_every_set_of_members(cellsets, min_support, size):
    walk = Walk(packed(cellsets), min_support, distinct=True, batch_memberships=size)
    mined = [row for batch in walk for row in rows(batch)]
    truth = brute_force(cellsets, min_support)
    assert {who for _, who, _ in mined} == set(truth.values())
    assert all(truth[cells] == who for cells, who, _ in mined)
    assert walk.n_candidates == len(truth)
    assert walk.n_memberships == sum(map(len, truth.values()))
    assert walk.n_visited == len(mined)


@given(cellset_lists, supports)
def test_multiplicities_add_up_to_the_cellsets_with_the_same_members(cellsets, min_support):
    counts: dict[tuple[int, ...], int] = {}
    for batch in mine(packed(cellsets), min_support, distinct=True):
        for _, who, multiplicity in rows(batch):
            counts[who] = counts.get(who, 0) + multiplicity
    truth = list(brute_force(cellsets, min_support).values())
    assert counts == {who: truth.count(who) for who in truth}


@given(cellset_lists, st.integers(1, 3), st.integers(1, 5), st.booleans())
def test_ranges_of_support_are_half_open_and_add_up(cellsets, low, width, distinct):
    m = packed(cellsets)
    inner = Walk(m, low, low + width, distinct=distinct)
    mined = [who for batch in inner for _, who, _ in rows(batch)]
    assert set(mined) == set(brute_force(cellsets, low, low + width).values())
    assert inner.n_candidates == len(brute_force(cellsets, low, low + width))


@given(cellset_lists, supports, st.integers(1, 6), st.booleans())
def test_prefix_classes_cut_the_candidates_without_loss(cellsets, min_support, n_classes, distinct):
    m = packed(cellsets)
    whole = [row for batch in mine(m, min_support, distinct=distinct) for row in rows(batch)]
    classes = prefix_classes(m, min_support, n_classes)
    assert len(classes) <= n_classes
    assert [b for _, b in classes[:-1]] == [a for a, _ in classes[1:]]
    parts = [
        row
        for each in classes
        for b in mine(m, min_support, items=each, distinct=distinct)
        for row in rows(b)
    ]
    assert parts == whole


@given(cellset_lists)
def test_support_of_a_set_is_at_most_that_of_its_parts(cellsets):
    """rasbt/mlxtend #690, enaeseth/python-fp-growth #2: no itemset has more support than a part of it."""
    support = {cells: len(who) for b in mine(packed(cellsets), 1) for cells, who, _ in rows(b)}
    assert all(
        support[cells] <= support[cells - {cell}] for cells in support for cell in cells if len(cells) > 1
    )


def test_seven_candidates_in_five_sets_of_members():
    """rasbt/mlxtend #690 and #709, QuantMiner #2 (notes, report 13)."""
    a, b, c = 1, 2, 3
    m = packed([{a, b}, {a, c}, {c}, {a, b, c}, {a, b}, {a}])
    mined = {tuple(sorted(cells)): who for batch in mine(m, 1) for cells, who, _ in rows(batch)}
    assert {cells: len(who) for cells, who in mined.items()} == {
        (a,): 5,
        (b,): 3,
        (c,): 3,
        (a, b): 3,
        (a, c): 2,
        (b, c): 1,
        (a, b, c): 1,
    }
    assert len(set(mined.values())) == 5


@pytest.mark.parametrize(("people", "with_cell"), [(100, 7), (100, 29)])
def test_a_support_of_exactly_the_minimum_is_kept(people, with_cell):
    """rasbt/mlxtend #1191, mhahsler/arules #72: 7 of 100 at a minimum of 7 is enough, in every code path."""
    m = packed([{1, 2} if i < with_cell else {2} for i in range(people)])
    for distinct in (False, True):
        found = {who for b in mine(m, with_cell, distinct=distinct) for _, who, _ in rows(b)}
        assert tuple(range(with_cell)) in found
        found = {who for b in mine(m, with_cell, with_cell + 1, distinct=distinct) for _, who, _ in rows(b)}
        assert found == {tuple(range(with_cell))}


def test_equal_people_are_one_node_of_a_distinct_walk():
    walk = Walk(packed([set(range(12))] * 3), 1, distinct=True)
    assert [multiplicity for batch in walk for _, _, multiplicity in rows(batch)][0] == 2**11
    assert (walk.n_candidates, walk.n_memberships) == (2**12 - 1, 3 * (2**12 - 1))
    assert walk.n_visited == 12


def test_deep_cellsets_need_no_recursion():
    walk = Walk(packed([set(range(20)), set(range(20))]), 2, distinct=True)
    assert sum(len(batch.supports) for batch in walk) == 20
    assert walk.n_candidates == 2**20 - 1


@settings(max_examples=20)
@given(cellset_lists)
def test_a_zoning_without_frequent_cells_has_no_candidates(cellsets):
    m = packed(cellsets)
    assert list(mine(m, len(cellsets) + 1)) == []
    assert prefix_classes(m, len(cellsets) + 1, 4) == []


@pytest.mark.parametrize("distinct", [False, True])
@pytest.mark.parametrize("min_support", [1, 2, 3])
def test_more_than_64_cells_that_can_extend_a_candidate(min_support, distinct):
    # Everybody has cell 0, beside 120 others: its lists are wide, those below it narrow.
    rng = np.random.default_rng(3)
    cellsets = [{0, *rng.integers(1, 121, 5).tolist()} for _ in range(300)]
    # Rarest first: cell 0 comes last, so a twin that nobody lacks makes a wide class of a frequent cell.
    cellsets += [{121, *range(1, 6)}, {121, 7, 8}]
    for cells in cellsets[:200]:
        cells.add(121)
    walk = Walk(packed(cellsets), min_support, distinct=distinct, batch_memberships=500)
    found = [row for batch in walk for row in rows(batch)]
    truth = brute_force(cellsets, min_support)
    assert {who for _, who, _ in found} == set(truth.values())
    assert all(truth[cells] == who for cells, who, _ in found)
    assert sum(multiplicity for _, _, multiplicity in found) == walk.n_candidates == len(truth)


@pytest.mark.parametrize("distinct", [False, True])
def test_a_wide_class_at_the_root(distinct):
    # 80 cells that three people each share with cell 0, the rarest but one: more than fit one word.
    groups = [set(range(1 + 5 * g, 6 + 5 * g)) for g in range(16)]
    cellsets = [{0, *groups[i % 16]} for i in range(48)] + [groups[i % 16] for i in range(800)] + [{0, 90}]
    walk = Walk(packed(cellsets), 3, distinct=distinct)
    found = [row for batch in walk for row in rows(batch)]
    truth = brute_force(cellsets, 3)
    assert {who for _, who, _ in found} == set(truth.values())
    assert all(truth[cells] == who for cells, who, _ in found)
    assert sum(multiplicity for _, _, multiplicity in found) == walk.n_candidates == len(truth)


def test_the_stack_grows_when_it_must():
    # 600 objects with one of 40 rows of 8 cells: the lists below the first are longer than the first stack.
    cellsets = [{(i * 7 + 13 * k) % 40 for k in range(8)} for i in range(600)]
    found = {cells: who for batch in mine(packed(cellsets), 15) for cells, who, _ in rows(batch)}
    assert found == brute_force(cellsets, 15)
