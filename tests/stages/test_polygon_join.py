"""Stops in polygon cells: Sedona's join finds them, the first cell keeps them, the plan is an index join."""

from __future__ import annotations

import random

import geopandas as gpd
import pytest
import shapely

from movfair_spark.config.cellsets import CellsetsConfig
from movfair_spark.config.zonings import PolygonZoning, SquareZonings, ZoningsConfig
from movfair_spark.crs import CoordinateSystem
from movfair_spark.stages.cellset_parts import split_cellsets
from movfair_spark.stages.cellsets import cellsets
from movfair_spark.stages.zonings import build
from tests.stages.stops_frame import HOUR, stops_frame

PLANAR = CoordinateSystem.parse("planar")
WGS84 = CoordinateSystem.parse("EPSG:4326")
UTM = CoordinateSystem.parse("EPSG:32616")


def write(path, shapes, crs="EPSG:32616"):
    gpd.GeoDataFrame(geometry=list(shapes), crs=crs).to_file(path)
    return PolygonZoning(kind="polygons", path=str(path))


def at(spark, *points):
    """One person per place."""
    return stops_frame(spark, [(k, 0, 0, HOUR, float(x), float(y)) for k, (x, y) in enumerate(points)])


def assign(stops, layers, crs, partitions=2):
    zonings = build(ZoningsConfig(layers=layers), stops, crs)
    return cellsets(stops, zonings, CellsetsConfig(), "UTC", crs, partitions=partitions), zonings


def cells_of(stops, layers, crs, partitions=2):
    assigned, zonings = assign(stops, layers, crs, partitions)
    table = split_cellsets(assigned, [z.zoning_id for z in zonings])
    return {(row.zoning_id, row.uid): row.cells for row in table.collect()}


def test_shared_edge_overlap_outside_and_both_lobes(spark, tmp_path):
    """SEDONA-176: a point on a shared edge has two cells by intersection; the first keeps it.

    shapely #462: both lobes of a bowtie count. apache/sedona #69: equal places of two people are two rows.
    """
    e, n = 740000.0, 3736000.0
    bowtie = shapely.Polygon([(e + 20, n), (e + 28, n + 6), (e + 28, n), (e + 20, n + 2)])
    shapes = [shapely.box(e + 1, n, e + 2, n + 1), shapely.box(e, n, e + 1, n + 1), bowtie]
    shapes.append(shapely.box(e + 1.5, n, e + 3, n + 1))
    layer = write(tmp_path / "cells.gpkg", shapes)
    places = [
        (1.0, 0.5),
        (0.5, 0.5),
        (1.7, 0.5),
        (2.5, 0.5),
        (9.0, 9.0),
        (20.5, 1.0),
        (24.0, 5.0),
        (2.5, 0.5),
    ]
    stops = at(spark, *((e + x, n + y) for x, y in places))
    answer = cells_of(stops, [layer], UTM)
    assert {uid: cells for (_, uid), cells in answer.items()} == {
        0: [0],
        1: [1],
        2: [0],
        3: [3],
        5: [2],
        7: [3],
    }


@pytest.mark.parametrize("partitions", [1, 8])
def test_systems_mix_and_the_plan_is_one_index_join(spark, tmp_path, partitions):
    """Two files in two systems, a square grid between them; against shapely on pyproj's coordinates."""
    rng = random.Random(7)
    places = [(rng.uniform(740000, 741000), rng.uniform(3736000, 3737000)) for _ in range(60)]
    lon, lat = UTM.to_lonlat(*zip(*places, strict=True))
    stops = at(spark, *zip(lon, lat, strict=True))
    blocks = [shapely.box(740000 + 250 * i, 3736000, 740250 + 250 * i, 3737000) for i in range(4)]
    tracts = [shapely.box(-84.42, 33.7 + k / 100, -84.38, 33.71 + k / 100) for k in range(7)]
    layers = [
        write(tmp_path / "blocks.gpkg", blocks),
        SquareZonings(size_m=[500.0], shifts=1),
        write(tmp_path / "tracts.gpkg", tracts, crs="EPSG:4326"),
    ]
    assigned, _ = assign(stops, layers, WGS84, partitions)
    answer = cells_of(stops, layers, WGS84, partitions)
    for uid in range(60):
        x, y = WGS84.transform([lon[uid]], [lat[uid]], UTM)
        assert answer[(0, uid)] == [int((x[0] - 740000) // 250)]
        hits = [k for k, shape in enumerate(tracts) if shape.intersects(shapely.Point(lon[uid], lat[uid]))]
        assert answer.get((2, uid), []) == hits[:1]
        assert (1, uid) in answer
    plan = assigned._jdf.queryExecution().toString()
    physical = plan[plan.index("== Physical Plan ==") :]
    assert physical.count("BroadcastIndexJoin") == 1
    assert "NestedLoop" not in physical
    assert physical.count("REPARTITION_BY_NUM") == 1


def test_one_polygon_is_joined_by_index_too(spark, tmp_path):
    """apache/sedona #2570: a one-row side must not turn into a nested loop."""
    layer = write(tmp_path / "one.gpkg", [shapely.box(740000, 3736000, 741000, 3737000)])
    assigned, _ = assign(at(spark, (740500, 3736500)), [layer], UTM)
    assert "BroadcastIndexJoin" in assigned._jdf.queryExecution().toString()


def test_place_that_the_files_system_cannot_show_is_in_no_cell(spark, tmp_path):
    """Sedona 1.8 finds a NaN point in every polygon; places that do not project are left out before the join."""
    layer = write(tmp_path / "cells.gpkg", [shapely.box(0, 0, 1e6, 1e7)], crs="EPSG:32616")
    answer = cells_of(at(spark, (-84.4, 33.7), (96.0, 0.0)), [layer], WGS84)
    assert answer == {(0, 0): [0]}


def test_each_zoning_is_assigned_from_the_coordinates(spark, tmp_path):
    """uber/h3 #973, h3-py #369: a fine cell that sticks out of its parent must not take the point along."""
    coarse = [shapely.box(740000, 3736000, 740100, 3736100), shapely.box(740100, 3736000, 740200, 3736100)]
    fine = [shapely.box(740060, 3736000, 740110, 3736100)]  # centre in the first coarse cell
    layers = [write(tmp_path / "coarse.gpkg", coarse), write(tmp_path / "fine.gpkg", fine)]
    answer = cells_of(at(spark, (740105, 3736050)), layers, UTM)
    assert answer == {(0, 0): [1], (1, 0): [0]}
