"""Distances and longitudes."""

from __future__ import annotations

import math

import pytest

from movfair_spark.kernels.geo import (
    EARTH_RADIUS_KM,
    EARTH_RADIUS_M,
    beyond,
    cos_degrees,
    haversine,
    unwrap,
    wrap,
)


def test_one_degree_of_latitude():
    assert haversine(0.0, 0.0, 0.0, 1.0, EARTH_RADIUS_KM) == pytest.approx(math.pi * 6371.0 / 180, rel=1e-14)


def test_over_the_antimeridian():
    assert haversine(179.9999, 0.0, -179.9999, 0.0, EARTH_RADIUS_M) == pytest.approx(22.239, abs=1e-3)


@pytest.mark.parametrize(
    "pair", [((-15.625, 1.0), (15.625, -179.0)), ((0.0, 0.0), (180.0, 0.0)), ((0.0, 90.0), (0.0, -90.0))]
)
def test_antipodes_have_a_distance(pair):
    """JuliaEarth/GeoStats.jl #14: the haversine of antipodes is rounded above 1, the square root of 1 - a fails."""
    (lon1, lat1), (lon2, lat2) = pair
    assert haversine(lon1, lat1, lon2, lat2, EARTH_RADIUS_KM) <= math.pi * EARTH_RADIUS_KM + 1e-9


def test_latitude_and_longitude_are_not_the_same_thing():
    """trackintel #593: swapped axes gave an 11 % error that looked like a bug of the library."""
    right = haversine(8.50, 47.36, 8.56, 47.41, EARTH_RADIUS_M)
    swapped = haversine(47.36, 8.50, 47.41, 8.56, EARTH_RADIUS_M)
    assert right == pytest.approx(7163.5, abs=1.0)
    assert abs(swapped / right - 1) > 0.1


def test_nan_is_not_beyond():
    assert not beyond(0.0, math.nan, math.nan, 0.0, 1.0, 50.0, EARTH_RADIUS_M)
    assert not beyond(0.0, 0.0, 1.0, 0.0, math.nan, 50.0, EARTH_RADIUS_M)


def test_far_away_is_beyond():
    assert beyond(0.0, 0.0, cos_degrees(0.0), 90.0, 45.0, 50.0, EARTH_RADIUS_M)


def test_euclidean_equal_to_the_radius_is_not_beyond():
    assert not beyond(0.0, 0.0, 1.0, 30.0, 40.0, 50.0, 0.0)
    assert beyond(0.0, 0.0, 1.0, 30.0, 40.0, math.nextafter(50.0, 0.0), 0.0)


@pytest.mark.parametrize(
    ("lon", "about", "expected"), [(-179.0, 179.0, 181.0), (179.0, -179.0, -181.0), (10.0, 20.0, 10.0)]
)
def test_unwrap(lon, about, expected):
    assert unwrap(lon, about) == expected


@pytest.mark.parametrize(
    ("lon", "expected"), [(180.0, -180.0), (181.0, -179.0), (-181.0, 179.0), (-180.0, -180.0), (5.0, 5.0)]
)
def test_wrap(lon, expected):
    assert wrap(lon) == expected
