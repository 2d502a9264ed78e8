"""Polygon cell of each location, by the Sedona join of the movement audit."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from movfair_spark.crs import CoordinateSystem
from movfair_spark.stages.polygon_join import polygon_pairs
from movfair_spark.tables.zonings import Zoning

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

SCHEMA = "zoning_id int, x double, y double, cell bigint"


def polygon_cells(locations: DataFrame, zonings: Sequence[Zoning], crs: CoordinateSystem) -> DataFrame:
    """First cell of each location in every polygon zoning: `SCHEMA`; none for a location outside all cells."""
    from pyspark.sql import functions as F

    # The location itself is the id: no numbers have to be given out.
    asked = locations.select(
        F.struct("x", "y").alias("uid"),
        F.lit(0).alias("stop_id"),
        F.lit(0).cast("bigint").alias("arrive"),
        F.lit(0).cast("bigint").alias("leave"),
        "x",
        "y",
    )
    pairs = polygon_pairs(asked, zonings, crs).groupBy("zoning_id", "uid").agg(F.min("cell").alias("cell"))
    return pairs.select("zoning_id", "uid.x", "uid.y", "cell")
