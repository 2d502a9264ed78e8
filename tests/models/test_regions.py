"""The maximum of a world over given regions equals the plain maximum; known answers of the lending data."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from movfair_spark.kernels.spatial.regions import from_cells, from_rings, together
from movfair_spark.models.bernoulli import statistic
from movfair_spark.models.regions import RegionScan


@pytest.mark.parametrize("direction", ["both", "high", "low"])
@given(st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), min_size=4, max_size=4))
def test_the_maximum_of_a_world_is_that_of_all_regions(direction, atoms):
    sizes = np.array([max(a, b) for a, b in atoms])
    positives = np.array([min(a, b) for a, b in atoms])
    regions = together(
        [from_cells(np.array([0, 0, 1, 1]))[0], from_rings([[np.array([1]), np.array([2, 3])]])]
    )
    scan = RegionScan(regions, sizes, int(positives.sum()), direction)
    plain = [
        statistic(int(n), int(p), scan.n_objects, scan.positives, direction)
        for n, p in zip(regions.sums(sizes), regions.sums(positives), strict=True)
    ]
    assert scan.maximum(positives) == max(plain)
    assert list(scan.statistics(positives)) == plain


def test_regions_outside_the_range_of_support_are_no_candidates():
    regions = from_cells(np.array([0, 1, 2]))[0]
    scan = RegionScan(regions, np.array([1, 4, 9]), 5, min_support=2, max_support=8)
    assert list(scan.candidates) == [1]
    assert scan.statistics(np.array([1, 4, 0]))[0] == 0.0


def test_both_draws_give_the_same_p_value_within_their_error():
    sizes = np.array([30, 50, 20, 40])
    atom_of = np.repeat(np.arange(4), sizes).astype(np.int32)
    scan = RegionScan(from_cells(np.arange(4))[0], sizes, 60)
    observed, worlds = 4.0, 4_000
    shares = [
        np.mean(scan.maxima(1, range(worlds)) >= observed),
        np.mean(scan.maxima(1, range(worlds), atom_of) >= observed),
    ]
    error = (2 * shares[0] * (1 - shares[0]) / worlds) ** 0.5
    assert abs(shares[0] - shares[1]) <= 4 * error
