"""Points outside the study area."""

from __future__ import annotations

import geopandas
import pytest
import shapely

from movfair_spark.errors import InputError
from movfair_spark.readers.study_area import mark_inside
from tests.readers.helpers import examples, from_frame, kept, reasons

SQUARE = shapely.box(0.0, 0.0, 1.0, 1.0)
TOUCHING = shapely.box(1.0, 1.0, 2.0, 2.0)
HOLED = shapely.Polygon(SQUARE.exterior, [shapely.box(0.4, 0.4, 0.6, 0.6).exterior])


def area(path, *shapes, crs="EPSG:4326"):
    geopandas.GeoDataFrame(geometry=list(shapes), crs=crs).to_file(path)
    return str(path)


def points(spark, *places):
    return spark.createDataFrame(
        [(i, "2024-01-01", *p) for i, p in enumerate(places)], "uid int, time string, lon double, lat double"
    )


def ids(result) -> list[int]:
    return [row[0] for row in kept(result)]


def test_the_border_is_inside_and_a_touching_corner_counts_once(spark, tmp_path):
    """SEDONA-176: a point on the border is neither lost nor doubled.

    apache/sedona #749, #1757: rows without a geometry stay in the left join, and none matches. #1874: nor does a NaN.
    """
    places = [(0.5, 0.5), (1.0, 0.5), (1.0, 1.0), (1.5, 1.5), (1.5, 0.5), (float("nan"), 0.5), (None, 0.5)]
    result = from_frame(
        spark, points(spark, *places), study_area=area(tmp_path / "a.geojson", SQUARE, TOUCHING)
    )
    assert ids(result) == [0, 1, 2, 3]
    assert reasons(result) == ["nan_coordinate", "null_coordinate", "outside_study_area"]


def test_equal_points_of_several_people_all_stay(spark, tmp_path):
    """apache/sedona #69: equal coordinates with different ids are different points."""
    result = from_frame(
        spark, points(spark, (0.5, 0.5), (0.5, 0.5)), study_area=area(tmp_path / "a.geojson", SQUARE)
    )
    assert ids(result) == [0, 1]


def test_a_hole_is_outside(spark, tmp_path):
    result = from_frame(
        spark, points(spark, (0.5, 0.5), (0.1, 0.1)), study_area=area(tmp_path / "a.geojson", HOLED)
    )
    assert ids(result) == [1]


def test_an_area_in_another_system_is_transformed(spark, tmp_path):
    utm = geopandas.GeoSeries([shapely.box(12.4, 41.8, 12.6, 42.0)], crs="EPSG:4326").to_crs("EPSG:32633")[0]
    path = area(tmp_path / "a.gpkg", utm, crs="EPSG:32633")
    result = from_frame(spark, points(spark, (12.5, 41.9), (12.7, 41.9)), study_area=path)
    assert ids(result) == [0]
    assert examples(result)["outside_study_area"] == (1, f"outside {path}")


def test_the_points_are_joined_by_an_index_and_not_shuffled(spark):
    """apache/sedona #2570: a left join that silently ran as a nested loop."""
    frame = spark.range(1000).selectExpr("0Y AS reason", "id * 0.01D AS x", "0.5D AS y")
    plan = mark_inside(frame, SQUARE)._jdf.queryExecution().toString()
    assert "BroadcastIndexJoin" in plan
    assert "NestedLoop" not in plan


def test_a_planar_input_takes_no_area_with_a_system(spark, tmp_path):
    with pytest.raises(InputError, match="planar"):
        from_frame(
            spark, points(spark, (0.5, 0.5)), study_area=area(tmp_path / "a.geojson", SQUARE), crs="planar"
        )
