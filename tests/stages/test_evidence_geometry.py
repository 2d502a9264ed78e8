"""Evidence with its geometry: dissolved by Sedona, one GeoParquet file in the right place, what a report may show."""

from __future__ import annotations

import geopandas as gpd
import numpy as np
import pytest
import shapely

from movfair_spark.config.report import ReportConfig
from movfair_spark.crs import CoordinateSystem
from movfair_spark.kernels.cells import pack
from movfair_spark.report.report import report
from movfair_spark.report.shown import shown
from movfair_spark.stages.evidence_geometry import geometry_system, with_geometry
from movfair_spark.tables.evidence import evidence_schema
from movfair_spark.tables.zonings import PolygonCells, Zoning
from movfair_spark.writers.geoparquet import write_geoparquet
from tests.report.evidence import PLANAR, UTM, figures, zonings

DETAIL = "observed bigint, expected double, rate_in double, rate_out double"
STUDY_AREA = (-84.5, 33.6, -84.3, 33.8)


def cell(col: int, row: int) -> int:
    return int(pack(np.array([col]), np.array([row]))[0])


def evidence(spark, *rows):
    """From (rank, zoning_id, cells, n)."""
    return spark.createDataFrame(
        [
            (
                zoning_id,
                rank,
                rank,
                cells,
                1,
                f"{rank:032x}",
                "bernoulli",
                "statistical_parity",
                n,
                9.0,
                0.001,
            )
            + ("low", (1, 5.0, 0.1, 0.5), True)
            for rank, zoning_id, cells, n in rows
        ],
        evidence_schema(DETAIL),
    )


def part(folder) -> str:
    parts = list(folder.glob("part-*.parquet"))
    assert len(parts) == 1
    return str(parts[0])


@pytest.fixture(scope="module")
def table(spark):
    """Two neighbours and one apart, in both grids; a polygon zoning in degrees."""
    tract = shapely.box(-84.41, 33.73, -84.40, 33.74)
    tracts = Zoning(
        2,
        "polygons",
        "tracts",
        CoordinateSystem.parse("EPSG:4326"),
        polygons=PolygonCells((shapely.to_wkb(tract),), ("13121",)),
    )
    rows = evidence(
        spark,
        (2, 0, [cell(3700, 18680), cell(3701, 18680), cell(3710, 18690)], 20),
        (1, 1, [cell(3700, 18680)], 3),
        (3, 2, [0], 998),
        (4, 0, [cell(3700, 18690)], 7),
    ).repartition(3)
    layers = [*zonings(), tracts]
    return with_geometry(rows, layers).cache(), layers


def test_file_opens_in_the_study_area(table, tmp_path):
    """Sedona 1.8 drops the SRID: the option geoparquet.crs writes it; apache/sedona #2880: one part only."""
    frame, layers = table
    write_geoparquet(frame, str(tmp_path / "evidence"), geometry_system(layers), order_by="rank")
    file = gpd.read_parquet(part(tmp_path / "evidence"))
    assert file.crs.to_epsg() == 32616
    assert file["rank"].tolist() == [1, 2, 3, 4]
    west, south, east, north = file.to_crs(4326).total_bounds
    assert STUDY_AREA[0] < west < east < STUDY_AREA[2] and STUDY_AREA[1] < south < north < STUDY_AREA[3]


def test_neighbours_dissolve_and_polygons_are_reprojected(table):
    frame, layers = table
    rows = {r.rank: r for r in frame.selectExpr("rank", "ST_AsBinary(geometry) AS wkb").collect()}
    two = shapely.from_wkb(bytes(rows[2].wkb))
    assert [round(piece.area) for piece in two.geoms] == [80_000, 40_000]
    shifted = shapely.from_wkb(bytes(rows[1].wkb))
    assert shifted.bounds == (740100.0, 3736100.0, 740300.0, 3736300.0)
    tract = gpd.GeoSeries([shapely.from_wkb(bytes(rows[3].wkb))], crs=32616).to_crs(4326)
    assert tract.total_bounds == pytest.approx([-84.41, 33.73, -84.40, 33.74], abs=1e-9)


def test_empty_evidence_is_a_readable_file(spark, tmp_path):
    """apache/sedona #2880: an empty table is one empty part with its schema and system."""
    frame = with_geometry(evidence(spark, (1, 0, [cell(0, 0)], 9)).where("false"), zonings())
    write_geoparquet(frame, str(tmp_path / "evidence"), UTM, order_by="rank")
    file = gpd.read_parquet(part(tmp_path / "evidence"))
    assert len(file) == 0 and file.crs.to_epsg() == 32616
    assert {"zoning_id", "cells", "detail", "non_overlapping", "geometry"} <= set(file.columns)


def test_planar_evidence_has_no_system(spark, tmp_path):
    frame = with_geometry(evidence(spark, (1, 0, [cell(0, 0)], 9)), zonings(PLANAR))
    write_geoparquet(frame, str(tmp_path / "evidence"), PLANAR, order_by="rank")
    assert gpd.read_parquet(part(tmp_path / "evidence")).crs is None


def test_small_groups_and_their_complements_are_not_shown(table):
    """Rows 1 (3 people) and 3 (998 of 1,000: 2 outside) are too small for the limit of 5."""
    frame, layers = table
    rows = shown(frame, UTM, 1000, ReportConfig())
    assert [row.rank for row in rows.rows] == [2, 4]
    assert (rows.total, rows.small, rows.beyond) == (4, 2, 0)
    best = shown(frame, UTM, 1000, ReportConfig(max_features=1))
    assert [row.rank for row in best.rows] == [2]
    assert (best.small, best.beyond) == (2, 1)


def test_report_is_made_from_the_table(table):
    frame, layers = table
    made = report(frame, figures(), layers, UTM, (739000.0, 3735000.0, 744000.0, 3740000.0), ReportConfig())
    assert made.verdict.significant and "20 people who share 3 places" in made.verdict.text
    assert made.geojson.count('"Feature"') == 2
    assert made.map_png is not None and made.map_png.startswith(b"\x89PNG")
