"""Which locations lie in polygons and windows, by the Sedona join of the movement audit."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from movfair_spark.crs import CoordinateSystem
from movfair_spark.stages.polygon_join import polygon_pairs
from movfair_spark.tables.zonings import Zoning

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

SCHEMA = "zoning_id int, x double, y double, cell bigint"


def located_cells(
    locations: DataFrame, polygons: Sequence[Zoning], windows: Sequence[Zoning], crs: CoordinateSystem
) -> DataFrame:
    """Cells of each location: `SCHEMA`.

    Of a polygon zoning its first cell, none for a location outside all; of windows, which overlap, every one.
    """
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
    pairs = polygon_pairs(asked, [*polygons, *windows], crs)
    several = F.when(F.col("zoning_id") < 0, F.col("cell"))
    first = pairs.groupBy("zoning_id", "uid", several.alias("window")).agg(F.min("cell").alias("cell"))
    return first.select("zoning_id", "uid.x", "uid.y", "cell")
