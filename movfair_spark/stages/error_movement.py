"""Who is inside: people with a stop in a polygon, or with all of some cells in their cellset."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pyspark.sql import functions as F

from movfair_spark.config.error_parity import MovementGroup
from movfair_spark.crs import CoordinateSystem
from movfair_spark.errors import EmptyTableError, MissingColumnsError
from movfair_spark.readers.polygons import read_polygons
from movfair_spark.stages.polygon_join import polygon_pairs
from movfair_spark.tables.zonings import Zoning

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

INSIDE, OUTSIDE = "inside", "outside"


def membership(spark: SparkSession, config: MovementGroup) -> DataFrame:
    """People of a movement audit and whether they are inside.

    Parameters
    ----------
    spark : SparkSession
    config : MovementGroup

    Returns
    -------
    DataFrame
        uid (as the audit's table has it), group ('inside' or 'outside'); one row per person with stops. Who is
        not in it has no known movement, and no group.

    Raises
    ------
    MissingColumnsError
        The table is no table of stops or of cellsets.
    EmptyTableError
        The zoning is not in the table of cellsets.
    """
    if config.polygons is not None:
        assert config.stops is not None
        stops = spark.read.parquet(config.stops)
        _require(stops, config.stops, ("uid", "stop_id", "arrive", "leave", "x", "y"))
        people = stops.select("uid").distinct()
        inside = _with_stop_in(spark, stops, config).select("uid").distinct()
    else:
        assert config.cellsets is not None and config.cells is not None
        cellsets = spark.read.parquet(config.cellsets)
        _require(cellsets, config.cellsets, ("zoning_id", "uid", "cells"))
        people = cellsets.select("uid").distinct()
        mine = cellsets.where(F.col("zoning_id") == F.lit(config.zoning_id))
        if mine.isEmpty():
            raise EmptyTableError(
                f"{config.cellsets} holds no zoning {config.zoning_id}",
                "see the table zonings of the same run",
            )
        holds = F.lit(True)
        for cell in config.cells:
            holds = holds & F.array_contains("cells", F.lit(cell).cast("bigint"))
        inside = mine.where(holds).select("uid").distinct()
    marked = people.join(inside.withColumn("_in", F.lit(True)), "uid", "left")
    return marked.select("uid", F.when(F.col("_in"), F.lit(INSIDE)).otherwise(F.lit(OUTSIDE)).alias("group"))


def _with_stop_in(spark: SparkSession, stops: DataFrame, config: MovementGroup) -> DataFrame:
    assert config.polygons is not None
    crs = CoordinateSystem.parse(config.crs)
    cells, system = read_polygons(spark, config.polygons, default_crs=crs)
    zoning = Zoning(zoning_id=0, kind="polygons", name=config.polygons, crs=system, polygons=cells)
    in_micros = stops.select(
        "uid",
        "stop_id",
        F.expr("unix_micros(arrive)").alias("arrive"),
        F.expr("unix_micros(leave)").alias("leave"),
        "x",
        "y",
    )
    return polygon_pairs(in_micros, [zoning], crs)


def _require(frame: DataFrame, path: str, names: tuple[str, ...]) -> None:
    missing = [name for name in names if name not in frame.columns]
    if missing:
        raise MissingColumnsError(
            f"{path} has no column {', '.join(missing)}", "name a table that a movement audit wrote"
        )
