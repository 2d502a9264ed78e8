"""Non-overlapping selections."""

from __future__ import annotations

import numpy as np

from movfair_spark.kernels.spatial.regions import from_rings
from movfair_spark.kernels.spatial.selection import SharedArea, SharedPeople, best_of_centres, select

BOUNDS = np.array([[0, 0, 2, 2], [2, 0, 3, 1], [1, 1, 4, 4], [2.5, 0.5, 5, 3]], dtype=float)


def test_squares_that_touch_do_not_overlap():
    assert select(range(4), SharedArea(BOUNDS)) == [0, 1]


def test_no_more_than_asked():
    assert select(range(4), SharedArea(BOUNDS), most=1) == [0]


def test_regions_overlap_where_they_share_people():
    regions = from_rings([[np.array([0, 1])], [np.array([1, 2])], [np.array([2])]])
    assert select([0, 1, 2], SharedPeople(regions, 3)) == [0, 2]


def test_each_centre_gives_its_best_significant_region():
    families = np.array([0, 3, 5, 6])
    statistic = np.array([9.0, 8.0, 8.0, 1.0, 2.0, 7.0])
    evidence = np.array([False, True, True, False, False, True])
    assert best_of_centres(families, statistic, evidence) == [1, 5]
