"""The table ``evidence`` in Spark, made by hand: four rows in two grids and a polygon zoning."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import shapely
from pyspark.sql import DataFrame, SparkSession

from movfair_spark.crs import CoordinateSystem
from movfair_spark.kernels.cells import pack
from movfair_spark.tables.evidence import evidence_schema
from movfair_spark.tables.zonings import PolygonCells, Zoning
from tests.report.evidence import zonings

DETAIL = "observed bigint, expected double, rate_in double, rate_out double"


def cell(col: int, row: int) -> int:
    """Id of a square cell."""
    return int(pack(np.array([col]), np.array([row]))[0])


def evidence(spark: SparkSession, *rows) -> DataFrame:
    """Rows of (rank, zoning_id, cells, n)."""
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


def four_rows(spark: SparkSession) -> DataFrame:
    """Two neighbours and one apart; a small group; a tract of nearly everybody; one more cell."""
    return evidence(
        spark,
        (2, 0, [cell(3700, 18680), cell(3701, 18680), cell(3710, 18690)], 20),
        (1, 1, [cell(3700, 18680)], 3),
        (3, 2, [0], 998),
        (4, 0, [cell(3700, 18690)], 7),
    ).repartition(3)


def layers() -> list[Zoning]:
    """Two grids in UTM and a polygon zoning in degrees."""
    tract = PolygonCells((shapely.to_wkb(shapely.box(-84.41, 33.73, -84.40, 33.74)),), ("13121",))
    return [*zonings(), Zoning(2, "polygons", "tracts", CoordinateSystem.parse("EPSG:4326"), polygons=tract)]


def part(folder: Path) -> str:
    """The one file of a folder that Spark wrote."""
    parts = list(folder.glob("part-*.parquet"))
    assert len(parts) == 1
    return str(parts[0])
