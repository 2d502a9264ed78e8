"""GeoParquet for results that a GIS opens in the right place."""

from __future__ import annotations

from typing import TYPE_CHECKING

from movfair_spark.crs import CoordinateSystem

if TYPE_CHECKING:
    from pyspark.sql import DataFrame


def write_geoparquet(frame: DataFrame, folder: str, crs: CoordinateSystem, *, order_by: str) -> None:
    """Write a table with a Sedona geometry column as a folder with exactly one part.

    One part, because Sedona 1.8 gives an empty part beside full ones the bounding box [0, 0, 0, 0]
    (apache/sedona #2880); an empty table is one empty part that keeps its schema.

    Parameters
    ----------
    frame : DataFrame
        Small enough for one file (evidence, zonings).
    folder : str
        Any path that Spark can write; must not exist.
    crs : CoordinateSystem
        System of the geometry. It is written as PROJJSON, since Sedona 1.8 drops the SRID; ``planar`` is written
        as an unknown system.
    order_by : str
        Column that gives the order of the rows.
    """
    writer = frame.repartition(1).sortWithinPartitions(order_by).write.format("geoparquet")
    if not crs.is_planar:
        writer = writer.option("geoparquet.crs", crs.projjson())
    writer.save(folder)
