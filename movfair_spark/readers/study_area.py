"""Study area: which points lie inside a polygon, by one Sedona join over the raw points.

Rule of the boundary: a point on the border of the area is inside. Edges are straight lines in the points' own
reference system (the polygon's corners are transformed, not its edges).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import geopandas
import shapely
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F

from movfair_spark.crs import CoordinateSystem
from movfair_spark.errors import InputError
from movfair_spark.readers.polygons import read_polygons

if TYPE_CHECKING:
    from shapely.geometry.base import BaseGeometry

INSIDE = "_inside"


def read_area(spark: SparkSession, path: str, crs: CoordinateSystem) -> BaseGeometry:
    """Read a polygon file and dissolve it into one geometry in the system of the points.

    Parameters
    ----------
    path : str
        Whatever :func:`read_polygons` opens.
    crs : CoordinateSystem
        System of the points. A file without a system of its own is taken to be in it.

    Raises
    ------
    InputError
        The file cannot be read as polygons, or it names a system while the points are ``planar``.
    """
    cells, own = read_polygons(spark, path, default_crs=crs)
    shapes = geopandas.GeoSeries.from_wkb(list(cells.wkb))
    if own != crs:
        if crs.is_planar:
            raise InputError(
                f"study_area {path} is in {own}, the points are planar",
                "give the area in the points' local system, without a reference system",
            )
        shapes = shapes.set_crs(own.crs).to_crs(crs.crs)
    return shapely.union_all(shapely.make_valid(shapes.to_numpy()))


def mark_inside(points: DataFrame, area: BaseGeometry) -> DataFrame:
    """Add the column ``_inside``: true inside the area and on its border, null elsewhere.

    Parameters
    ----------
    points : DataFrame
        With ``reason``, ``x``, ``y``. Rows with a reason are not looked at: a NaN would match every polygon.
    area : shapely geometry
        One, so that no point can match twice.

    Returns
    -------
    DataFrame
        As many rows as before. The plan is a BroadcastIndexJoin: the points are not shuffled.
    """
    spark = points.sparkSession
    # From Python objects, not from a literal SELECT: a folded one-row relation would get a nested loop.
    zone = spark.createDataFrame([(bytearray(shapely.to_wkb(area)),)], "_wkb binary")
    zone = zone.select(F.expr("ST_GeomFromWKB(_wkb)").alias("_area"), F.lit(True).alias(INSIDE))
    placed = points.withColumn("_point", F.expr("CASE WHEN reason = 0 THEN ST_Point(x, y) END"))
    joined = placed.join(F.broadcast(zone), F.expr("ST_Intersects(_area, _point)"), "left")
    return joined.drop("_point", "_area")
