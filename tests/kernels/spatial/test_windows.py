"""Squares, circles and nearest neighbours against plain definitions."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from movfair_spark.kernels.spatial.windows import circles, half_sides, nearest, nearest_location, squares

grid = st.lists(st.tuples(st.integers(0, 6), st.integers(0, 6)), min_size=1, max_size=15, unique=True)


def _xy(points):
    xy = np.array(points, dtype=np.float64)
    return xy[:, 0], xy[:, 1], xy[:1]


@given(grid)
def test_squares_are_closed(points):
    x, y, centre = _xy(points)
    regions = squares(x, y, centre, [0.0, 1.0, 2.0])
    for i, h in enumerate([0.0, 1.0, 2.0]):
        inside = [
            j for j, p in enumerate(points) if max(abs(p[0] - points[0][0]), abs(p[1] - points[0][1])) <= h
        ]
        assert sorted(regions.members(i)) == inside


@given(grid)
def test_circles_are_closed(points):
    x, y, centre = _xy(points)
    regions = circles(x, y, centre, [1.0, 5.0])
    for i, limit in enumerate([1, 25]):
        inside = [
            j
            for j, p in enumerate(points)
            if (p[0] - points[0][0]) ** 2 + (p[1] - points[0][1]) ** 2 <= limit
        ]
        assert sorted(regions.members(i)) == inside


def test_nearest_windows_grow_by_one_location_and_end_before_the_limit():
    x, y = np.array([0.0, 2.0, 1.0, -1.0]), np.zeros(4)
    regions = nearest(x, y, np.array([5, 5, 1, 1]), np.array([[0.0, 0.0]]), most=7)
    # Locations 2 and 3 are equally far: the first in order enters first.
    assert [list(regions.members(i)) for i in range(regions.count)] == [[0], [0, 2], [0, 2, 3]]


def test_half_sides_hold_both_ends():
    sides = half_sides(0.05, 1.0, 20)
    assert len(sides) == 20
    assert sides[0] == 0.05
    assert sides[-1] == 1.0


def test_the_nearest_location_of_several_is_the_first():
    assert list(nearest_location(np.array([1.0, -1.0]), np.zeros(2), np.array([[0.0, 0.0]]))) == [0]
