"""evidence.geojson: strict JSON, EPSG:4326, counts of what was left out, no ids of people."""

from __future__ import annotations

import json
import math

import geopandas as gpd
import pytest

from movfair_spark.report.geojson import evidence_geojson
from tests.report.evidence import PLANAR, row, shown, zonings


def refuse(name):
    raise AssertionError(f"{name} is no JSON number")


def parse(text):
    return json.loads(text, parse_constant=refuse)


ATLANTA = [(3700, 18680), (3701, 18680)]


def test_infinite_and_undefined_numbers_pass_a_strict_parser():
    """rudeboybert/SpatialEpi #41, Toblerity/Fiona #684, OSGeo/gdal #1109: Infinity makes the file unreadable."""
    detail = {"rate_in": 1.0, "rate_out": math.nan, "means": [math.inf, 2.0]}
    document = parse(evidence_geojson(shown(row(1, ATLANTA, statistic=math.inf, detail=detail)), zonings()))
    properties = document["features"][0]["properties"]
    assert properties["statistic"] == "infinity"
    assert properties["rate_out"] is None
    assert properties["means"] == ["infinity", 2.0]


def test_geopandas_opens_it_in_the_right_place(tmp_path):
    (tmp_path / "evidence.geojson").write_text(evidence_geojson(shown(row(1, ATLANTA)), zonings()))
    frame = gpd.read_file(tmp_path / "evidence.geojson")
    assert frame.crs.to_epsg() == 4326
    assert frame.total_bounds == pytest.approx([-84.4089, 33.7352, -84.4045, 33.7371], abs=3e-3)
    assert frame.iloc[0]["people"] == 20


def test_neighbouring_cells_are_one_polygon_counter_clockwise():
    document = parse(evidence_geojson(shown(row(1, ATLANTA)), zonings()))
    geometry = document["features"][0]["geometry"]
    assert geometry["type"] == "Polygon"
    ring = geometry["coordinates"][0]
    area = sum(x0 * y1 - x1 * y0 for (x0, y0), (x1, y1) in zip(ring, ring[1:], strict=False))
    assert area > 0


def test_what_was_left_out_is_counted():
    document = parse(evidence_geojson(shown(row(1, ATLANTA), small=7, beyond=3), zonings()))
    assert document["movfair"] == {
        "coordinates": "EPSG:4326",
        "evidence_rows": 11,
        "shown": 1,
        "left_out_small_groups": 7,
        "left_out_beyond_max_features": 3,
        "min_report_objects": 5,
        "max_features": 1000,
    }


def test_no_ids_of_people():
    document = parse(evidence_geojson(shown(row(1, ATLANTA)), zonings()))
    assert not {"uid", "uids", "members", "members_id"} & set(document["features"][0]["properties"])


def test_no_evidence_is_an_empty_collection():
    assert parse(evidence_geojson(shown(), zonings()))["features"] == []


def test_planar_keeps_metres_and_says_so():
    document = parse(evidence_geojson(shown(row(1, [(0, 0)], crs=PLANAR), crs=PLANAR), zonings(PLANAR)))
    assert document["movfair"]["coordinates"] == "planar"
    assert [0, 0] in document["features"][0]["geometry"]["coordinates"][0]
