"""GeoParquet that geopandas and QGIS open in the right place: one part, PROJJSON, readable when empty."""

from __future__ import annotations

import geopandas as gpd

from movfair_spark.stages.evidence_geometry import with_geometry
from movfair_spark.writers.geoparquet import write_geoparquet
from tests.report.evidence import PLANAR, UTM, zonings
from tests.report.evidence_table import cell, evidence, four_rows, layers, part

STUDY_AREA = (-84.5, 33.6, -84.3, 33.8)


def test_file_opens_in_the_study_area(spark, tmp_path):
    """Sedona 1.8 drops the SRID: the option geoparquet.crs writes it; apache/sedona #2880: one part only."""
    frame = with_geometry(four_rows(spark), layers())
    write_geoparquet(frame, str(tmp_path / "evidence"), UTM, order_by="rank")
    file = gpd.read_parquet(part(tmp_path / "evidence"))
    assert file.crs.to_epsg() == 32616
    assert file["rank"].tolist() == [1, 2, 3, 4]
    west, south, east, north = file.to_crs(4326).total_bounds
    assert STUDY_AREA[0] < west < east < STUDY_AREA[2]
    assert STUDY_AREA[1] < south < north < STUDY_AREA[3]


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
