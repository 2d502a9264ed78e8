"""The list of zonings: order, names, shifts, the grids' system, origin, and what is refused."""

from __future__ import annotations

import geopandas as gpd
import pytest
import shapely

from movfair_spark.config.zonings import PolygonZoning, SquareZonings, ZoningsConfig
from movfair_spark.crs import CoordinateSystem
from movfair_spark.errors import ConfigurationError, CoordinatesError, EmptyTableError
from movfair_spark.stages.zonings import bounding_box, box_in, build, grid_system
from tests.stages.stops_frame import HOUR, stops_frame

PLANAR = CoordinateSystem.parse("planar")
WGS84 = CoordinateSystem.parse("EPSG:4326")
ATLANTA = (-84.411, 33.729, -84.365, 33.762)


def at(spark, *points):
    return stops_frame(spark, [(k, 0, 0, HOUR, float(x), float(y)) for k, (x, y) in enumerate(points)])


@pytest.fixture(scope="module")
def atlanta(spark):
    return at(spark, (-84.411, 33.729), (-84.365, 33.762)).cache()


def test_paper_has_forty_grids(atlanta):
    """Paper 5.4: 50 to 1000 m, five alignments each."""
    zonings = build(ZoningsConfig(), atlanta, WGS84)
    assert len(zonings) == 40
    assert [z.zoning_id for z in zonings] == list(range(40))
    assert [(z.size_m, z.shift_m) for z in zonings[5:10]] == [(75.0, 15.0 * i) for i in range(5)]
    assert zonings[0].name == "50 m" and zonings[7].name == "75 m + 30 m"
    assert {z.crs.definition for z in zonings} == {"EPSG:32616"}
    assert {z.origin for z in zonings} == {(0.0, 0.0)}


def test_origin_data_is_the_lower_left_corner_of_the_stops(atlanta):
    layer = SquareZonings(size_m=[100.0], shifts=1, origin="data")
    (zoning,) = build(ZoningsConfig(layers=[layer]), atlanta, WGS84)
    x, y = WGS84.transform([-84.411, -84.365], [33.729, 33.762], zoning.crs)
    assert zoning.origin == (float(x.min()), float(y.min()))


def test_polygons_and_squares_are_numbered_in_configured_order(atlanta, tmp_path):
    path = tmp_path / "tracts.gpkg"
    gpd.GeoDataFrame({"code": ["x"]}, geometry=[shapely.box(*ATLANTA)], crs="EPSG:4269").to_file(path)
    layers = [
        PolygonZoning(kind="polygons", path=str(path), id_column="code"),
        SquareZonings(size_m=[100.0], shifts=2),
    ]
    zonings = build(ZoningsConfig(layers=layers), atlanta, WGS84)
    assert [(z.zoning_id, z.kind, z.name) for z in zonings] == [
        (0, "polygons", "tracts"),
        (1, "square", "100 m"),
        (2, "square", "100 m + 50 m"),
    ]
    assert zonings[0].crs.definition == "EPSG:4269"


def test_box_over_the_antimeridian_is_narrow(spark):
    """movingpandas #274, #299."""
    stops = at(spark, (179.9, -17.0), (-179.8, -16.0))
    box = bounding_box(stops, WGS84)
    assert box == pytest.approx((179.9, -17.0, 180.2, -16.0))
    assert grid_system("auto", WGS84, box).definition == "EPSG:32701"


def test_no_stops_is_one_clear_error(spark):
    with pytest.raises(EmptyTableError, match="no person has a stop"):
        bounding_box(at(spark, (0, 0)).where("false"), WGS84)


def test_planar_stays_planar():
    assert grid_system("auto", PLANAR, (0, 0, 1, 1)) == PLANAR
    assert grid_system("input", PLANAR, (0, 0, 1, 1)) == PLANAR


def test_world_wide_data_is_too_wide_for_auto():
    with pytest.raises(CoordinatesError, match="3 UTM zones"):
        grid_system("auto", WGS84, (-120.0, 20.0, 140.0, 50.0))


@pytest.mark.parametrize(
    ("configured", "error", "match"),
    [
        ("EPSG:4326", ConfigurationError, "does not count metres"),
        ("EPSG:2249", ConfigurationError, "does not count metres"),
        ("EPSG:3857", CoordinatesError, "off a metre on the ground"),
        ("EPSG:2154", CoordinatesError, "off a metre on the ground"),  # France for Atlanta
        ("planar", ConfigurationError, "no known place on Earth"),
        ("input", ConfigurationError, "does not count metres"),
        ("metres", ConfigurationError, "names no coordinate reference system"),
    ],
)
def test_grids_need_metres_on_the_ground(configured, error, match):
    with pytest.raises(error, match=match):
        grid_system(configured, WGS84, ATLANTA)


def test_a_named_system_made_for_the_area_is_taken():
    assert grid_system("EPSG:26916", WGS84, ATLANTA).definition == "EPSG:26916"
    assert box_in(PLANAR, PLANAR, (1, 2, 3, 4)) == (1, 2, 3, 4)


def test_cells_too_small_for_32_bits_are_refused(spark):
    layer = SquareZonings(size_m=[1e-6], shifts=1)
    with pytest.raises(ConfigurationError, match="columns between origin and data"):
        build(ZoningsConfig(layers=[layer]), at(spark, (0, 0), (5000, 5000)), PLANAR)
