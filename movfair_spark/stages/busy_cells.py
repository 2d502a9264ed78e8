"""Cells that enough people visit: the pale city behind the evidence on the map."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
import shapely
from pyspark.sql import functions as F

from movfair_spark.crs import BBox
from movfair_spark.tables.cellsets import OCCUPANCY
from movfair_spark.tables.zonings import Zoning

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

_COLUMNS = 60
"""A map of about this many cells across shows streets and stays readable."""


def busy_cells(
    assigned: DataFrame, zonings: Sequence[Zoning], box: BBox, min_people: int, *, limit: int = 20_000
) -> list[shapely.Geometry]:
    """Polygons of the visited cells of one square grid of readable size, in the grids' system.

    Parameters
    ----------
    assigned : DataFrame
        What :func:`movfair_spark.stages.cellsets.cellsets` gave, after it was written.
    zonings : sequence of Zoning
    box : BBox
        Extent of the data in the system of the grids.
    min_people : int
        ``min_report_objects``: a cell with fewer visitors is not shown.
    limit : int
        Largest number of cells; the busiest are kept.
    """
    grids = [zoning for zoning in zonings if zoning.size_m is not None and zoning.shift_m == 0.0]
    if not grids:
        return []
    wanted = max(box[2] - box[0], box[3] - box[1]) / _COLUMNS
    grid = min(grids, key=lambda zoning: (abs((zoning.size_m or 0.0) - wanted), zoning.zoning_id))
    rows = (
        assigned.where((F.col("kind") == OCCUPANCY) & (F.col("zoning_id") == grid.zoning_id))
        .select(F.explode(F.arrays_zip("cells", "people")).alias("part"))
        .groupBy(F.col("part.cells").alias("cell"))
        .agg(F.sum("part.people").alias("people"))
        .where(F.col("people") >= min_people)
        .orderBy(F.desc("people"), "cell")
        .limit(limit)
        .select("cell")
        .collect()
    )
    return list(grid.geometries(np.array([row["cell"] for row in rows], dtype=np.int64)))
