"""The geometry of evidence: cells dissolved by Sedona, polygon cells brought into the system of the grids."""

from __future__ import annotations

import geopandas as gpd
import pytest
import shapely

from movfair_spark.stages.evidence_geometry import geometry_system, with_geometry
from tests.report.evidence_table import four_rows, layers


@pytest.fixture(scope="module")
def shapes(spark):
    frame = with_geometry(four_rows(spark), layers())
    assert frame.columns[-1] == "geometry"
    rows = frame.selectExpr("rank", "ST_AsBinary(geometry) AS wkb").collect()
    return {row.rank: shapely.from_wkb(bytes(row.wkb)) for row in rows}


def test_neighbours_dissolve(shapes):
    assert [round(piece.area) for piece in shapes[2].geoms] == [80_000, 40_000]


def test_shifted_grid_lies_where_its_shift_says(shapes):
    assert shapes[1].bounds == (740100.0, 3736100.0, 740300.0, 3736300.0)


def test_polygon_cells_come_into_the_system_of_the_first_zoning(shapes):
    assert geometry_system(layers()).definition == "EPSG:32616"
    tract = gpd.GeoSeries([shapes[3]], crs=32616).to_crs(4326)
    assert tract.total_bounds == pytest.approx([-84.41, 33.73, -84.40, 33.74], abs=1e-9)
