"""Which polygon cell each stop lies in: one Sedona join for all polygon zonings.

Points are projected by pyproj into the system of each polygon file, never the polygons: an edge that is straight
in the file stays straight, and cell ids come from the engine that makes the square grids too.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa
from pyspark.sql import functions as F

from movfair_spark.crs import CoordinateSystem
from movfair_spark.tables.zonings import Zoning

if TYPE_CHECKING:
    from pyspark.sql import DataFrame


def polygon_pairs(stops: DataFrame, zonings: Sequence[Zoning], crs: CoordinateSystem) -> DataFrame:
    """Join stops with the cells of all polygon zonings.

    Parameters
    ----------
    stops : DataFrame
        uid, stop_id, arrive and leave (bigint, microseconds), x, y in ``crs``.
    zonings : sequence of Zoning
        Those without polygons are passed over; at least one has them.
    crs : CoordinateSystem
        System of the stops.

    Returns
    -------
    DataFrame
        uid, stop_id, arrive, leave, zoning_id, cell; a stop on a shared edge or in overlapping cells has several
        rows per zoning, one outside all cells has none.
    """
    polygonal = [zoning for zoning in zonings if zoning.polygons is not None]
    systems = list(dict.fromkeys(zoning.crs for zoning in polygonal))
    uid_type = stops.schema["uid"].dataType.simpleString()
    projected = stops.select("uid", "stop_id", "arrive", "leave", "x", "y").mapInArrow(
        _Project(crs, tuple(systems)),
        f"uid {uid_type}, stop_id int, arrive bigint, leave bigint, x double, y double, system int",
    )
    cells = stops.sparkSession.createDataFrame(
        [
            (zoning.zoning_id, cell, systems.index(zoning.crs), bytearray(wkb))
            for zoning in polygonal
            if zoning.polygons is not None
            for cell, wkb in enumerate(zoning.polygons.wkb)
        ],
        "zoning_id int, cell bigint, cell_system int, wkb binary",
    ).select("zoning_id", "cell", "cell_system", F.expr("ST_GeomFromWKB(wkb)").alias("polygon"))
    inside = F.expr("ST_Intersects(polygon, ST_Point(x, y))")
    if len(systems) > 1:
        # Written as a difference, because an equality of columns would make Spark choose a hash join.
        inside = inside & (F.col("system") - F.col("cell_system") == 0)
    return projected.join(F.broadcast(cells), inside).select(
        "uid", "stop_id", "arrive", "leave", "zoning_id", "cell"
    )


@dataclass(frozen=True)
class _Project:
    crs: CoordinateSystem
    systems: tuple[CoordinateSystem, ...]

    def __call__(self, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for batch in batches:
            x, y = (batch.column(name).to_numpy(zero_copy_only=False) for name in ("x", "y"))
            for position, system in enumerate(self.systems):
                px, py = self.crs.transform(x, y, system)
                # Sedona 1.8 finds a NaN point in every polygon.
                finite = pa.array(np.isfinite(px) & np.isfinite(py))
                columns = [batch.column(name) for name in ("uid", "stop_id", "arrive", "leave")]
                columns += [pa.array(px), pa.array(py), pa.array(np.full(len(px), position, np.int32))]
                names = ["uid", "stop_id", "arrive", "leave", "x", "y", "system"]
                yield pa.RecordBatch.from_arrays(columns, names=names).filter(finite)
