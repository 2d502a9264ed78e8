"""Regions as families of rings: counts, members, merged atoms."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from movfair_spark.kernels.spatial.regions import atom_hashes, from_cells, from_rings, merged, together

rings = st.lists(st.lists(st.sets(st.integers(0, 7)), min_size=1, max_size=3), min_size=1, max_size=4)


def _regions(families):
    disjoint = []
    for family in families:
        seen: set[int] = set()
        disjoint.append([])
        for ring in family:
            disjoint[-1].append(np.array(sorted(ring - seen), dtype=np.int32))
            seen |= ring
    return from_rings(disjoint)


def test_regions_of_a_family_are_nested():
    regions = from_rings([[np.array([2]), np.array([0, 1])], [np.array([1])]])
    assert list(regions.sums(np.array([1, 10, 100]))) == [100, 111, 10]
    assert [list(regions.members(i)) for i in range(3)] == [[2], [2, 0, 1], [1]]


def test_cells_are_regions_in_the_order_of_their_ids():
    regions, ids = from_cells(np.array([7, 3, 7]))
    assert list(ids) == [3, 7]
    assert list(regions.sums(np.array([1, 10, 100]))) == [10, 101]


def test_atoms_without_a_cell_lie_in_no_region():
    regions, _ = from_cells(np.array([5, 5]), np.array([0, 2]))
    assert list(regions.sums(np.array([1, 10, 100]))) == [101]


@given(rings, st.lists(st.integers(0, 9), min_size=8, max_size=8))
def test_merging_atoms_changes_no_count(families, weights):
    regions, weights = _regions(families), np.array(weights)
    fewer, atom_of = merged(regions, 8)
    sums = np.bincount(atom_of, weights=weights).astype(np.int64)
    assert list(fewer.sums(sums)) == list(regions.sums(weights))


@given(rings, rings, st.lists(st.integers(0, 9), min_size=8, max_size=8))
def test_layers_together_count_like_each_alone(one, other, weights):
    parts, weights = [_regions(one), _regions(other)], np.array(weights)
    assert list(together(parts).sums(weights)) == [v for part in parts for v in part.sums(weights)]


def test_equal_sets_of_atoms_have_equal_sums_of_hashes():
    regions = from_rings([[np.array([2]), np.array([0])], [np.array([0, 2])], [np.array([1])]])
    names = regions.sums(atom_hashes(3))
    assert names[1] == names[2]
    assert len(set(names)) == 3
