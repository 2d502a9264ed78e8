"""Coordinate systems: parsing, control points, Euclidean distances or not, and the UTM zone of the data."""

from __future__ import annotations

import math
import pickle

import numpy as np
import pytest

from movfair_spark.crs import CoordinateSystem
from movfair_spark.errors import ConfigurationError, CoordinatesError

WGS84 = CoordinateSystem.parse("EPSG:4326")
BOSTON = (-71.20, 42.20, -70.90, 42.45)


def box_in(system: CoordinateSystem, lonlat: tuple[float, float, float, float]):
    x, y = WGS84.transform([lonlat[0], lonlat[2]], [lonlat[1], lonlat[3]], system)
    return (float(x[0]), float(y[0]), float(x[1]), float(y[1]))


@pytest.mark.parametrize("text", ["EPSG:26916", "epsg:26916", " EPSG:26916 ", 26916, "26916"])
def test_one_system_has_one_definition(text):
    assert CoordinateSystem.parse(text).definition == "EPSG:26916"


def test_projjson_and_wkt_of_a_known_system_become_its_code():
    utm = CoordinateSystem.parse("EPSG:32616")
    assert CoordinateSystem.parse(utm.projjson()) == utm
    assert CoordinateSystem.parse(utm.crs.to_wkt()) == utm
    assert CoordinateSystem.parse(utm.crs.to_json_dict()) == utm


def test_system_without_a_code_survives_parsing_and_pickling():
    local = CoordinateSystem.parse("+proj=tmerc +lat_0=42 +lon_0=-71 +x_0=1000 +units=m +type=crs")
    assert local.srid == 0
    assert pickle.loads(pickle.dumps(CoordinateSystem.parse(local.definition))) == local


def test_planar_has_no_place_on_earth():
    planar = CoordinateSystem.parse("Planar")
    assert planar.is_planar and planar.is_metric and not planar.is_geographic
    assert planar.projjson() == ""
    with pytest.raises(ConfigurationError, match="no known place on Earth"):
        planar.to_lonlat([1.0], [2.0])


@pytest.mark.parametrize("text", ["EPSG:999999", "nonsense", "", "EPSG:4978", "EPSG:5773"])
def test_what_names_no_horizontal_system_is_refused(text):
    with pytest.raises(ConfigurationError):
        CoordinateSystem.parse(text)


@pytest.mark.parametrize(
    ("source", "target", "point", "expected", "tolerance"),
    [
        # apache/sedona #3161, values of PostGIS: ST_Transform of Sedona 1.9.0 is off by 180 m.
        ("EPSG:3021", "EPSG:3006", (1272691.622, 6404578.16), (320728.444, 6400228.108), 0.01),
        # Patterns of Life, Atlanta: the simulator's EPSG:26916.
        ("EPSG:26916", "EPSG:4326", (743588.0540441733, 3738088.020985135), (-84.370163, 33.754902), 1e-6),
        # Snyder (1987), UTM example, Clarke 1866, zone 18: 73.5 W 40.5 N.
        ("EPSG:4267", "EPSG:26718", (-73.5, 40.5), (627106.5, 4484124.4), 0.1),
        # Web Mercator: half the equator of the sphere of 6378137 m.
        ("EPSG:4326", "EPSG:3857", (180.0, 0.0), (math.pi * 6378137.0, 0.0), 1e-6),
    ],
)
def test_control_points(source, target, point, expected, tolerance):
    x, y = CoordinateSystem.parse(source).transform([point[0]], [point[1]], CoordinateSystem.parse(target))
    assert (x[0], y[0]) == pytest.approx(expected, abs=tolerance)


def test_axis_order_is_lon_lat_whatever_the_registry_says():
    lon, lat = CoordinateSystem.parse("EPSG:4326").to_lonlat([-84.37], [33.75])
    assert (lon[0], lat[0]) == (-84.37, 33.75)


def test_nan_stays_nan_and_impossible_becomes_infinite():
    x, y = WGS84.transform([np.nan, 10.0], [45.0, 95.0], CoordinateSystem.parse("EPSG:32633"))
    assert np.isnan(x[0]) and np.isinf(x[1]) and np.isinf(y[1])


@pytest.mark.parametrize("code", ["EPSG:26986", "EPSG:32619"])
def test_euclidean_for_metres_with_true_scale(code):
    system = CoordinateSystem.parse(code)
    assert system.euclidean_ok(box_in(system, BOSTON))


@pytest.mark.parametrize("code", ["EPSG:3857", "EPSG:2249", "EPSG:4326"])
def test_no_euclidean_for_web_mercator_feet_and_degrees(code):
    """At Boston 50 units are 36.9 m in EPSG:3857 and 15.2 m in EPSG:2249."""
    system = CoordinateSystem.parse(code)
    assert not system.euclidean_ok(box_in(system, BOSTON))


def test_scale_error_is_measured_on_the_ellipsoid():
    system = CoordinateSystem.parse("EPSG:3857")
    assert system.scale_error(box_in(system, (36.7, -1.4, 37.0, 1.0))) == pytest.approx(0.0070, abs=1e-4)
    assert system.scale_error(box_in(system, BOSTON)) == pytest.approx(0.358, abs=0.01)


def test_euclidean_fails_when_only_a_corner_is_out_of_scale():
    utm = CoordinateSystem.parse("EPSG:32619")
    assert not utm.euclidean_ok(box_in(utm, (-81.0, 42.0, -68.0, 42.5)))


def test_planar_is_euclidean_everywhere():
    assert CoordinateSystem.parse("planar").euclidean_ok((-1e9, -1e9, 1e9, 1e9))


@pytest.mark.parametrize(
    ("bbox", "code"),
    [
        (BOSTON, "EPSG:32619"),
        ((-84.5, 33.7, -84.3, 33.8), "EPSG:32616"),
        ((151.0, -34.0, 151.3, -33.7), "EPSG:32756"),
        ((179.9, -16.8, 180.3, -16.2), "EPSG:32701"),
        ((-180.0, 5.0, -179.0, 6.0), "EPSG:32601"),
    ],
)
def test_utm_zone_of_the_middle(bbox, code):
    assert WGS84.utm_for(bbox).definition == code


def test_utm_of_projected_data():
    atlanta = CoordinateSystem.parse("EPSG:26916")
    assert atlanta.utm_for((739000.0, 3735000.0, 744000.0, 3740000.0)).definition == "EPSG:32616"


@pytest.mark.parametrize(
    "bbox", [(0.0, 40.0, 18.001, 41.0), (-180.0, -60.0, 180.0, 60.0), (0.0, 85.0, 1.0, 89.0)]
)
def test_utm_refused_when_too_wide_or_polar(bbox):
    with pytest.raises(CoordinatesError, match="UTM"):
        WGS84.utm_for(bbox)


def test_three_zones_are_just_allowed():
    assert WGS84.utm_for((0.0, 40.0, 18.0, 41.0)).definition == "EPSG:32632"


def test_both_sides_of_the_antimeridian_are_neighbours():
    """movingpandas #274, #299: 179.9999 and -179.9999 lie 22 m apart, not half the Earth."""
    x, _ = WGS84.transform([179.9999, -179.9999], [10.0, 10.0], CoordinateSystem.parse("EPSG:32660"))
    assert x[1] - x[0] == pytest.approx(21.9, abs=0.1)


def test_pyproj_and_sedona_agree_within_a_centimetre(spark):
    """Cell ids come from pyproj alone; Sedona's ST_Transform (GeoTools) is the check."""
    lon, lat = np.linspace(-84.6, -84.1, 21), np.linspace(33.5, 34.0, 21)
    points = spark.createDataFrame(
        [(k, float(lon[k]), float(lat[k])) for k in range(21)], "k int, lon double, lat double"
    )
    for code in ("EPSG:26916", "EPSG:32616"):
        there = points.selectExpr("k", f"ST_Transform(ST_Point(lon, lat), 'EPSG:4326', '{code}') AS p")
        rows = there.selectExpr("k", "ST_X(p) AS x", "ST_Y(p) AS y").orderBy("k").collect()
        x, y = WGS84.transform(lon, lat, CoordinateSystem.parse(code))
        assert np.abs(x - [row.x for row in rows]).max() < 0.01
        assert np.abs(y - [row.y for row in rows]).max() < 0.01
