"""The default stop rule, one boundary at a time."""

from __future__ import annotations

import math

import numpy as np
import pytest

from movfair_spark.kernels.geo import Space
from movfair_spark.kernels.stops import microseconds
from tests.kernels.tracks import LAT, LON, MINUTE, detect, stays, track

PLANE = Space(sphere=0.0, degrees=False)


def flat(*fixes):
    """Rows of one person from (minute, x, y) in metres."""
    return [(0, round(t * MINUTE), float(x), float(y)) for t, x, y in fixes]


def test_duration_equal_to_the_minimum_is_a_stop():
    assert stays(track((0, 0), (10, 0), (11, 1000))) == [(0, 10, 0)]


def test_a_microsecond_less_is_none():
    rows = track((0, 0), (11, 1000))
    assert stays([*rows, (0, 10 * MINUTE - 1, LON, LAT)]) == []


def test_a_fix_exactly_on_the_radius_is_inside():
    found = detect(flat((0, 0, 0), (10, 30, 40), (11, 500, 0)), space=PLANE)
    assert found.leave.tolist() == [10 * MINUTE]


def test_the_next_double_beyond_the_radius_is_outside():
    x = math.nextafter(50.0, 51.0)
    assert detect(flat((0, 0, 0), (10, x, 0), (11, 500, 0)), space=PLANE).n == 0


def test_distance_is_to_the_first_fix_of_the_window():
    assert stays(track((0, 0), (5, 30), (10, 60), (15, 60), (20, 60))) == [(10, 20, 60)]


def test_the_fix_that_closes_a_window_opens_the_next():
    assert stays(track((0, 0), (10, 0), (11, 100), (21, 100))) == [(0, 10, 0), (11, 21, 100)]


def test_leave_first_outside():
    rows = track((0, 0), (5, 0), (12, 1000), (13, 2000))
    assert stays(rows) == []
    assert stays(rows, leave="first_outside") == [(0, 12, 0)]


def test_leave_first_outside_at_the_end_of_the_data_is_the_last_fix():
    assert stays(track((0, 0), (10, 0)), leave="first_outside") == [(0, 10, 0)]


def test_leave_first_outside_after_a_gap_is_the_last_fix_before_it():
    rows = track((0, 0), (12, 0), (500, 0), (501, 0))
    assert stays(rows, gap=60, leave="first_outside") == [(0, 12, 0)]


def test_a_window_open_at_the_end_counts():
    assert stays(track((0, 0), (5, 10), (12, 40))) == [(0, 12, 10)]


def test_a_pause_equal_to_the_limit_is_no_gap():
    assert stays(track((0, 0), (60, 0)), gap=60) == [(0, 60, 0)]


def test_a_longer_pause_closes_the_stop_at_the_last_fix_before_it():
    rows = track((0, 0), (30, 0), (90.001, 0), (120, 0))
    assert stays(rows, gap=60) == [(0, 30, 0), (90.001, 120, 0)]


def test_a_pause_never_counts_as_dwell():
    assert stays(track((0, 0), (5, 0), (500, 0), (505, 0)), gap=60) == []


def test_without_a_limit_a_pause_is_dwell():
    assert stays(track((0, 0), (5, 0), (500, 0), (505, 0))) == [(0, 505, 0)]


def test_min_points():
    rows = track((0, 0), (20, 5000), (40, 10000))
    assert len(stays(rows, leave="first_outside")) == 2
    assert stays(rows, leave="first_outside", min_points=2) == []


def test_location_is_the_median_of_all_fixes_per_coordinate():
    found = detect(flat((0, 0, 0), (4, 1, 40), (8, 2, 10), (12, 30, 20)), space=PLANE)
    assert (found.x[0], found.y[0], found.n_points[0]) == (1.5, 15.0, 4)


def test_location_over_the_antimeridian():
    rows = [
        (0, t * MINUTE, lon, 0.0)
        for t, lon in ((0, 179.9999), (5, -179.9999), (6, 179.9999), (12, -179.9998))
    ]
    found = detect(rows)
    assert found.x[0] == pytest.approx(-180.0, abs=1e-9)
    assert -180.0 <= found.x[0] < 180.0


def test_longitude_180_is_returned_as_minus_180():
    assert detect([(0, t * MINUTE, 180.0, 5.0) for t in (0, 10)]).x.tolist() == [-180.0]


def test_projected_coordinates_near_180_are_not_unwrapped():
    found = detect(flat((0, 179, 0), (5, -179, 0), (10, 179, 0)), space=PLANE, radius=400)
    assert found.x.tolist() == [179.0]


def test_distances_on_longitude_and_latitude_while_medians_stay_in_the_input():
    # Coordinates stored in units of 1e-5 degrees: 40 units are 44 m.
    stored = Space(degrees=False, to_lonlat=lambda x, y: (x / 1e5, y / 1e5))
    found = detect(flat((0, 0, 0), (10, 40, 0), (11, 60, 0)), space=stored)
    assert (found.x[0], found.leave[0]) == (20.0, 10 * MINUTE)


def test_stop_ids_count_per_person():
    one = track((0, 0), (10, 0), (11, 100), (21, 100))
    two = track((0, 0), (10, 0), person=7)
    found = detect(one + two)
    assert list(zip(found.person.tolist(), found.stop_id.tolist(), strict=True)) == [(0, 0), (0, 1), (7, 0)]


def test_no_fixes_give_typed_empty_columns():
    found = detect([])
    assert [column.dtype for column in found] == [np.int64] * 4 + [np.float64] * 2 + [np.int64] * 2
    assert found.n == 0


def test_minutes_become_whole_microseconds():
    assert (microseconds(0.1), microseconds(1e-6 / 60)) == (6_000_000, 1)
