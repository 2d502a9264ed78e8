"""Edges, cells, random splits and the common refinement."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from movfair_spark.errors import ConfigurationError
from movfair_spark.kernels.spatial.partitionings import (
    assign,
    cells_of,
    coarser,
    edges,
    random_splits,
    refinement,
    regular,
)

numbers = st.floats(-180, 180, allow_nan=False)


def test_edges_are_min_plus_j_parts_and_end_at_the_largest_value():
    cut = edges(0.1, 0.7, 3)
    assert list(cut) == [0.1, 0.1 + 1 * (0.7 - 0.1) / 3, 0.1 + 2 * (0.7 - 0.1) / 3, 0.7]


def test_a_point_on_an_edge_belongs_to_the_part_it_opens_and_the_largest_to_the_last():
    assert list(assign(np.array([0.0, 1.0, 1.5, 3.0]), np.array([0.0, 1.0, 2.0, 3.0]))) == [0, 1, 1, 2]


def test_assignment_compares_with_edges_where_a_division_would_err():
    cut = edges(0.0, 0.3, 3)
    value = np.array([np.nextafter(cut[2], 0), cut[2]])
    assert list(assign(value, cut)) == [1, 2]


def test_parts_without_width_are_refused():
    with pytest.raises(ConfigurationError, match="no width"):
        regular((1.0, 0.0, 1.0, 5.0), 3, 2)


def test_one_part_holds_points_on_a_line():
    assert list(
        cells_of(np.array([1.0, 1.0]), np.array([0.0, 5.0]), regular((1.0, 0.0, 1.0, 5.0), 1, 2))
    ) == [0, 1]


def test_random_splits_extend_and_stay_in_their_range():
    many = random_splits(200, seed=7)
    assert many[:10] == random_splits(10, seed=7)
    assert {least for pair in many for least in pair} == set(range(10, 41))
    assert many != random_splits(200, seed=8)


@given(
    st.lists(st.tuples(numbers, numbers), min_size=3, max_size=30),
    st.lists(st.tuples(st.integers(1, 9), st.integers(1, 9)), min_size=1, max_size=4),
)
def test_cells_through_the_refinement_are_those_of_each_partitioning(points, splits):
    x, y = (np.array(values) for values in zip(*points, strict=True))
    if np.ptp(x) < 1e-6 or np.ptp(y) < 1e-6:
        return
    box = (x.min(), y.min(), x.max(), y.max())
    made = [regular(box, *pair) for pair in splits]
    refined = refinement(made)
    atoms = cells_of(x, y, refined)
    every = np.arange(refined.columns * refined.rows)
    for each in made:
        assert list(coarser(every, refined, each)[atoms]) == list(cells_of(x, y, each))
